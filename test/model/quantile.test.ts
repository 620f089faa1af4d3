import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantile } from '../../src/model/quantile.ts';
import { fineBin, FINE_BINS } from '../../src/model/fine-bins.ts';

fc.configureGlobal({ seed: 20_100_701 });

function histogramOf(values: readonly number[], origin: number): Float64Array {
  const counts = new Float64Array(origin + FINE_BINS);
  for (const value of values) counts[origin + fineBin(value)]!++;
  return counts;
}

test('a quantile is within 6.25 % of the value at its rank', () => {
  const values = fc.array(fc.integer({ min: 16, max: 2 ** 40 }), { minLength: 1 });
  fc.assert(
    fc.property(values, fc.constantFrom(0.5, 0.9, 0.99, 0.999), (sample, share) => {
      const counts = histogramOf(sample, 7);
      const found = quantile(counts, 7, 0, FINE_BINS, sample.length, share)!;
      const sorted = [...sample].sort((a, b) => a - b);
      const exact = sorted[Math.ceil(share * sample.length) - 1]!;
      expect(Math.abs(found - exact) / exact).toBeLessThanOrEqual(0.0625);
    }),
  );
});

test('a quantile spreads the I/Os of one bin over its width', () => {
  const counts = histogramOf(new Array<number>(100).fill(1_000), 0);
  expect(quantile(counts, 0, 0, FINE_BINS, 100, 0.5)).toBe(1_008);
  expect(quantile(counts, 0, 0, FINE_BINS, 100, 1)).toBe(1_024);
});

test('a histogram without values has no quantile', () => {
  expect(quantile(histogramOf([], 0), 0, 0, FINE_BINS, 0, 0.5)).toBeUndefined();
});
