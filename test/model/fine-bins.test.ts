import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  FINE_BINS,
  fineBin,
  fineBinHigh,
  fineBinLow,
  fineBinMiddle,
  fineBinMost,
} from '../../src/model/fine-bins.ts';

fc.configureGlobal({ seed: 20_100_701 });

const LARGEST = fineBinLow(FINE_BINS);
const anyValue = fc.oneof(
  fc.double({ min: 0, max: LARGEST, maxExcluded: true, noNaN: true }),
  fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  fc
    .tuple(fc.integer({ min: 0, max: FINE_BINS - 1 }), fc.constantFrom(0, 1, -1))
    .map(([bin, off]) => Math.max(0, fineBinLow(bin) + off)),
);

describe('fine bins', () => {
  test('every value lies in its fine bin', () => {
    fc.assert(
      fc.property(anyValue, (value) => {
        const bin = fineBin(value);
        expect(fineBinLow(bin)).toBeLessThanOrEqual(value);
        expect(fineBinHigh(bin)).toBeGreaterThan(value);
      }),
      { numRuns: 2_000 },
    );
  });

  test('a value on the edge of a fine bin belongs to the upper bin, the value just below to the lower one', () => {
    for (let bin = 16; bin < FINE_BINS; bin++) {
      const edge = fineBinLow(bin);
      expect(fineBin(edge)).toBe(bin);
      expect(fineBin(edge * (1 - Number.EPSILON))).toBe(bin - 1);
    }
  });

  test('fine bins join without gaps and none is wider than 6.25 % of its lower edge', () => {
    for (let bin = 16; bin < FINE_BINS; bin++) {
      const [low, high] = [fineBinLow(bin), fineBinHigh(bin)];
      expect(fineBinHigh(bin - 1)).toBe(low);
      expect((high - low) / low).toBeLessThanOrEqual(0.0625);
    }
  });

  test('the middle of a fine bin lies in that bin', () => {
    for (let bin = 0; bin < FINE_BINS; bin++) expect(fineBin(fineBinMiddle(bin))).toBe(bin);
  });

  test('the largest whole number of a fine bin lies in that bin, and the next one does not', () => {
    for (let bin = 0; bin < FINE_BINS - 1; bin++) {
      expect(fineBin(fineBinMost(bin))).toBe(bin);
      expect(fineBin(fineBinMost(bin) + 1)).toBe(bin + 1);
    }
    expect(fineBinMost(FINE_BINS - 1)).toBe(Infinity);
  });

  test('values beyond the last fine bin fall into the last, values below zero into the first', () => {
    for (const value of [LARGEST, LARGEST * 1e9, 1e300, Infinity]) {
      expect(fineBin(value)).toBe(FINE_BINS - 1);
    }
    for (const value of [0, -0, -1, -Infinity]) expect(fineBin(value)).toBe(0);
  });

  test('a larger value never has a smaller fine bin', () => {
    fc.assert(
      fc.property(anyValue, anyValue, (a, b) => {
        expect(fineBin(Math.min(a, b))).toBeLessThanOrEqual(fineBin(Math.max(a, b)));
      }),
    );
  });
});
