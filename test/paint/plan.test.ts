import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FONT_ROWS, PAINTABLE, glyphColumns, textColumns } from '../../src/paint/font.ts';
import {
  latencyBands,
  latencySizes,
  offsetPalette,
  sizePalette,
  sizeRange,
} from '../../src/paint/plan.ts';
import type { Canvas } from '../../src/paint/plan.ts';

const CANVAS: Canvas = { bytes: 64 << 20, blockBytes: 512, maxBytes: 512 << 10 };

const canvases = fc.record({
  bytes: fc.integer({ min: 1 << 20, max: 2 ** 45 }).map((bytes) => bytes - (bytes % 4096)),
  blockBytes: fc.constantFrom(512, 1024, 2048, 4096, 16_384, 65_536),
  maxBytes: fc.constantFrom(64 << 10, 128 << 10, 256 << 10, 512 << 10),
});

describe('letters', () => {
  it('painted letters have the same height and differ from each other', () => {
    const drawn = Array.from(PAINTABLE, (letter) => JSON.stringify(glyphColumns(letter)));
    expect(new Set(drawn).size).toBe(PAINTABLE.length);
    for (const letter of PAINTABLE)
      for (const column of glyphColumns(letter)!) expect(column).toHaveLength(FONT_ROWS);
  });

  it('painted letters have a gap between them, small ones as large ones', () => {
    expect(textColumns('Io')).toEqual([
      ...glyphColumns('I')!,
      [false, false, false, false, false],
      ...glyphColumns('O')!,
    ]);
    expect(textColumns('é')).toBeUndefined();
  });
});

describe('the I/Os of a painting', () => {
  it('painted I/Os lie on the disk, in whole blocks, and are not split', () => {
    fc.assert(
      fc.property(canvases, (canvas) => {
        for (const palette of [offsetPalette(canvas), sizePalette(canvas)])
          for (const { offset, bytes } of palette.flat()) {
            expect(offset % canvas.blockBytes).toBe(0);
            expect(bytes % canvas.blockBytes).toBe(0);
            expect(bytes).toBeGreaterThan(0);
            expect(bytes).toBeLessThanOrEqual(canvas.maxBytes);
            expect(offset + bytes).toBeLessThanOrEqual(canvas.bytes);
          }
      }),
    );
  });

  it('painting offsets uses a band of the disk per row, from the bottom', () => {
    const palette = offsetPalette(CANVAS);
    palette.forEach((row, index) => {
      const band = CANVAS.bytes / (FONT_ROWS + 1);
      for (const { offset } of row)
        expect(Math.floor(offset / band - 0.5 + 4096 / band)).toBe(index);
    });
  });

  it('painting sizes makes sizes grow from row to row by the same factor', () => {
    const { low, high } = sizeRange(CANVAS);
    const ratio = (high / low) ** (1 / FONT_ROWS);
    sizePalette(CANVAS).forEach((row, index) => {
      for (const { bytes } of row) {
        expect(bytes).toBeGreaterThanOrEqual(low * ratio ** index - CANVAS.blockBytes);
        expect(bytes).toBeLessThan(low * ratio ** (index + 1));
      }
    });
  });

  it.each([512, 4096, 16_384, 65_536])(
    'painted sizes of blocks of %i bytes tell the rows apart',
    (blockBytes) => {
      const sizes = sizePalette({ ...CANVAS, blockBytes }).map((row) =>
        row.map(({ bytes }) => bytes),
      );
      for (const [below, row] of sizes.slice(1).entries())
        expect(Math.min(...row)).toBeGreaterThan(Math.max(...sizes[below]!));
    },
  );

  it('painting latencies uses sizes whose latencies are evenly apart, with more room above the lowest', () => {
    const costs = [512, 8192, 65_536, 524_288].map((bytes) => ({ bytes, ns: 1000 + bytes / 10 }));
    const ns = latencySizes(costs, CANVAS)!.map((bytes) => 1000 + bytes / 10);
    expect(ns).toHaveLength(FONT_ROWS);
    const low = 2 * 1051.2;
    expect(ns[0]).toBeCloseTo(1051.2, 0);
    for (let row = 1; row < FONT_ROWS; row++)
      expect(ns[row]! / low / (53_428.8 / low) ** (row / 4)).toBeCloseTo(1, 1);
  });

  it('painting latencies is refused where size hardly changes the latency', () => {
    const costs = [512, 524_288].map((bytes) => ({ bytes, ns: 5e6 + bytes }));
    expect(latencySizes(costs, CANVAS)).toBeUndefined();
    expect(latencySizes([], CANVAS)).toBeUndefined();
  });

  it('a painted latency may lie between the middles to the rows below and above', () => {
    const of = (...times: number[]) => latencyBands(times.map((ns) => ({ bytes: 512, ns })));
    const bands = of(100, 400, 1600, 3600, 14_400)!;
    expect(bands.map(({ lowNs }) => lowNs)).toEqual([0, 200, 800, 2400, 7200]);
    expect(bands.map(({ highNs }) => highNs)).toEqual([200, 800, 2400, 7200, 28_800]);
    expect(of(100, 400, 410, 3600, 14_400)).toBeUndefined();
    expect(of(100, 400, 300, 3600, 14_400)).toBeUndefined();
  });
});
