import { describe, expect, it } from 'vitest';
import { latencyBands, latencyPalette } from '../../src/paint/plan.ts';
import { SizeController } from '../../src/paint/size-controller.ts';

const SIZES = [512, 8192, 32_768, 131_072, 524_288];
const BANDS = latencyBands(SIZES.map((bytes) => ({ bytes, ns: bytes / 4 })))!;

/** The size of each row after many I/Os that took this long per byte. */
function sizesAfter(nsPerByte: number): number[] {
  const steering = new SizeController(latencyPalette(SIZES), BANDS, 512);
  for (let tries = 0; tries < 500; tries++)
    for (const row of SIZES.keys())
      steering.took(row, steering.stroke(row, tries).bytes * nsPerByte);
  return SIZES.map((_, row) => steering.stroke(row, 0).bytes);
}

describe('size controller', () => {
  it('the size controller keeps sizes that take the wanted time', () => {
    for (const [row, bytes] of sizesAfter(0.25).entries())
      expect(Math.abs(bytes - SIZES[row]!)).toBeLessThan(0.05 * SIZES[row]! + 512);
  });

  it('the size controller makes I/Os smaller where bytes take longer', () => {
    const sizes = sizesAfter(0.25 * 1.4);
    for (const row of [1, 2, 3, 4]) expect((sizes[row]! * 1.4) / SIZES[row]!).toBeCloseTo(1, 1);
  });

  it('the size controller keeps the sizes of rows distinct, ascending and at most the largest', () => {
    for (const nsPerByte of [0.001, 100]) {
      const sizes = sizesAfter(nsPerByte);
      expect(sizes.toSorted((a, b) => a - b)).toEqual(sizes);
      expect(new Set(sizes).size).toBe(SIZES.length);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(Math.max(...SIZES));
      for (const bytes of sizes) expect(bytes % 512).toBe(0);
    }
  });

  it('the size controller ignores an I/O that was delayed', () => {
    const steering = new SizeController(latencyPalette(SIZES), BANDS, 512);
    for (let tries = 0; tries < 100; tries++) steering.took(2, 1e9);
    expect(steering.stroke(2, 0).bytes).toBe(SIZES[2]);
  });
});
