import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRUE_COLOR } from '../../src/base/cell-block.ts';
import { PALETTES } from '../../src/model/metric.ts';
import { createLevelScale } from '../../src/raster/levels.ts';
import { legendsOf, legendWidth, UNITS } from '../../src/raster/legend.ts';
import { paletteOf } from '../../src/raster/palette.ts';

const scale = fc
  .tuple(
    fc.constantFrom('log' as const, 'linear' as const),
    fc.integer({ min: 1, max: 16 }),
    fc.constantFrom(1, 10, 30, 100, 3000, 10_000, 100_000, 30_000_000),
  )
  .map(([kind, levels, ceiling]) => createLevelScale(kind, levels, ceiling));
const count = fc.oneof(fc.nat(100), fc.nat(10_000), fc.nat(2 ** 31));

describe('level scale', () => {
  it('the legend says of every count exactly which level it has', () => {
    fc.assert(
      fc.property(scale, count, (levels, value) => {
        const level = levels.levelOf(value);
        const { least, most } = levels.countsOf(level) ?? { least: 0, most: 0 };
        expect(value).toBeGreaterThanOrEqual(least);
        expect(value).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('both ends of what the legend says have that level', () => {
    fc.assert(
      fc.property(scale, (levels) => {
        for (let level = 1; level <= levels.levels; level++) {
          const counts = levels.countsOf(level);
          if (counts === undefined) continue;
          expect(levels.levelOf(counts.least)).toBe(level);
          if (counts.most < Infinity) expect(levels.levelOf(counts.most)).toBe(level);
        }
      }),
    );
  });

  it('a single I/O is never nothing, and more I/O never looks like less', () => {
    fc.assert(
      fc.property(scale, count, count, (levels, a, b) => {
        expect(levels.levelOf(1)).toBeGreaterThan(0);
        const [fewer, more] = a < b ? [a, b] : [b, a];
        expect(levels.levelOf(fewer)).toBeLessThanOrEqual(levels.levelOf(more));
      }),
    );
  });

  it('one I/O and a hundred thousand are as far apart as levels go', () => {
    const levels = createLevelScale('log', 10, 100_000);
    expect([1, 100_000].map((value) => levels.levelOf(value))).toEqual([1, 10]);
  });

  it('linear levels wash out what is rare: the reason why they are not the default', () => {
    const levels = createLevelScale('linear', 10, 1000);
    expect([1, 99, 100, 101, 950].map((value) => levels.levelOf(value))).toEqual([1, 1, 2, 2, 10]);
  });
});

describe('legend', () => {
  it('has true counts at each swatch in its fullest form, and gets shorter from there', () => {
    const legends = legendsOf(createLevelScale('log', 4, 10_000), UNITS.count);
    const texts = legends.map((parts) =>
      parts.map((part) => ('text' in part ? part.text : '#')).join(''),
    );
    expect(texts).toEqual([
      '#1 #10 #100 #1k I/Os per pixel',
      '1 #### 1k+ I/Os per pixel',
      '1 #### 1k+/pixel',
      '1 #### 1k+',
    ]);
    const widths = legends.map(legendWidth);
    expect(widths).toEqual([...widths].sort((a, b) => b - a));
  });

  it('leaves out levels that no whole number has', () => {
    const [full] = legendsOf(createLevelScale('log', 10, 10), UNITS.count);
    const swatches = full!.flatMap((part) => ('level' in part ? [part.level] : []));
    expect(swatches).toEqual([1, 4, 5, 7, 8, 9, 10]);
  });
});

/** Linear light of a colour of the 6×6×6 cube or the grey ramp. */
function linearRgb(index: number): number[] {
  const steps = [0, 95, 135, 175, 215, 255];
  const cube = index - 16;
  const rgb =
    index >= 232
      ? Array<number>(3).fill(8 + 10 * (index - 232))
      : [Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((i) => steps[i]!);
  return rgb.map((value) => {
    const share = value / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
}

function luminance(index: number): number {
  const [red, green, blue] = linearRgb(index);
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
}

function lightness(index: number): number {
  return 116 * Math.cbrt(luminance(index)) - 16;
}

/** As WCAG defines it. */
function contrast(a: number, b: number): number {
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const COLOURED = PALETTES.filter((name) => name !== 'mono');

describe('palette', () => {
  it('shows a single I/O plainly on a dark and on a light background', () => {
    for (const name of COLOURED) {
      const single = luminance(paletteOf(name).colors[0]!);
      expect(contrast(single, 0)).toBeGreaterThan(name === 'false' ? 4 : 2);
      expect(contrast(single, 1)).toBeGreaterThan(4);
    }
  });

  it('gets lighter, or at least no darker that an eye could tell, with every level', () => {
    for (const name of COLOURED) {
      const levels = paletteOf(name).colors.map(lightness);
      levels.slice(1).forEach((next, i) => {
        expect(next).toBeGreaterThan(levels[i]! - 1.5);
      });
    }
  });

  it('has no colour twice', () => {
    for (const name of COLOURED) {
      for (const depth of ['16', '256', 'truecolor'] as const) {
        const { colors } = paletteOf(name, depth);
        expect(new Set(colors).size).toBe(colors.length);
      }
    }
  });

  it('of false colours has no red', () => {
    for (const color of paletteOf('false').colors) {
      const [red, green] = linearRgb(color);
      expect(green!).toBeGreaterThanOrEqual(red! * 0.6);
    }
  });

  it('has only what a terminal of 16 colours has, and exact colours where there are all', () => {
    for (const name of COLOURED) {
      for (const color of paletteOf(name, '16').colors) expect(color).toBeLessThan(16);
    }
    expect(paletteOf('heat', 'truecolor').colors.every((color) => color >= TRUE_COLOR)).toBe(true);
    expect(paletteOf('false', 'truecolor')).toEqual(paletteOf('false'));
  });
});
