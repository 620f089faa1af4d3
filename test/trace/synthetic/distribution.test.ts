import { expect, test } from 'vitest';
import { around, between, mixture } from '../../../src/trace/synthetic/distribution.ts';
import { Random } from '../../../src/trace/synthetic/random.ts';

function sorted(draw: { sample(random: Random): number }): number[] {
  const random = new Random();
  return Array.from({ length: 20_001 }, () => draw.sample(random)).sort((a, b) => a - b);
}

test('half of the values around a median are below it', () => {
  const values = sorted(around(100, 0.2));
  expect(values[10_000]! / 100).toBeCloseTo(1, 1);
});

test('one value in a hundred is far above the median, and all are finite', () => {
  const values = sorted(around(100, 0.2));
  expect(values[19_800]! / (100 * 100 ** 0.2)).toBeCloseTo(1, 1);
  expect(values.at(-1)!).toBeLessThan(100 * 3000 ** 0.2);
  expect(values[0]!).toBeGreaterThan(0);
});

test('values between two bounds stay there', () => {
  const values = sorted(between(5, 9));
  expect(values[0]!).toBeGreaterThanOrEqual(5);
  expect(values.at(-1)!).toBeLessThanOrEqual(9);
});

test('a mixed distribution leaves the gap between its parts empty and keeps their shares', () => {
  const draw = mixture([
    [0.8, between(1, 2)],
    [0.2, between(10, 20)],
  ]);
  const values = sorted(draw);
  const low = values.filter((value) => value <= 2).length;
  expect(values.some((value) => value > 2 && value < 10)).toBe(false);
  expect(low / values.length).toBeCloseTo(0.8, 1);
});
