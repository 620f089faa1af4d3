import { expect, test } from 'vitest';
import { Random } from '../../../src/trace/synthetic/random.ts';

function draws(seed: number, stream: number, count: number): number[] {
  const random = new Random();
  random.reseed(seed, stream);
  return Array.from({ length: count }, () => random.next());
}

test('the same seed and stream give the same numbers', () => {
  expect(draws(7, 3, 20)).toEqual(draws(7, 3, 20));
});

test('neighbouring streams and seeds are independent', () => {
  const all = [draws(7, 3, 50), draws(7, 4, 50), draws(8, 3, 50), draws(3, 7, 50)].flat();
  expect(new Set(all).size).toBe(all.length);
});

test('numbers lie in [0, 1) and spread evenly', () => {
  const tenths = new Array<number>(10).fill(0);
  for (const value of draws(1, 0, 100_000)) tenths[Math.floor(value * 10)]!++;
  for (const count of tenths) expect(Math.abs(count - 10_000)).toBeLessThan(400);
});

test('first numbers of successive streams spread evenly too', () => {
  const tenths = new Array<number>(10).fill(0);
  for (let stream = 0; stream < 10_000; stream++) {
    tenths[Math.floor(draws(1, stream, 1)[0]! * 10)]!++;
  }
  for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150);
});

test('a random count has the expected mean and differs from it by less than one', () => {
  const random = new Random();
  let sum = 0;
  for (let i = 0; i < 10_000; i++) {
    const count = random.count(2.25);
    expect([2, 3]).toContain(count);
    sum += count;
  }
  expect(sum / 10_000).toBeCloseTo(2.25, 1);
});
