import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countBefore, seedOf } from '../../../src/history/estimate/even-share.ts';

fc.configureGlobal({ seed: 20_100_701 });

describe('I/O spread over its time', () => {
  test('parts of an aggregate distributed over time are whole numbers that add up, each within one of its share', () => {
    const cuts = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(1_000), cuts, (count, key, unsorted) => {
        const seed = seedOf(key, key % 97);
        const edges = [0, ...unsorted.sort((a, b) => a - b), 10_000];
        const before = edges.map((at) => countBefore(at, count, seed, 0, 10_000));
        expect(before.at(-1)).toBe(count);
        for (let i = 1; i < edges.length; i++) {
          const part = before[i]! - before[i - 1]!;
          const share = (count * (edges[i]! - edges[i - 1]!)) / 10_000;
          expect(Number.isInteger(part) && part >= 0).toBe(true);
          expect(Math.abs(part - share)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  test('parts of an aggregate distributed over time lie within its time', () => {
    expect(countBefore(100, 7, 0.99, 100, 200)).toBe(0);
    expect(countBefore(200, 7, 0, 100, 200)).toBe(7);
    expect(countBefore(100, 7, 0.5, 100, 100)).toBe(0);
    expect(countBefore(101, 7, 0.5, 100, 100)).toBe(7);
  });

  test('the rounding of distributed parts differs from value to value', () => {
    const seeds = Array.from({ length: 50 }, (_, bin) => seedOf(3, bin));
    expect(Math.min(...seeds)).toBeLessThan(0.1);
    expect(Math.max(...seeds)).toBeGreaterThan(0.9);
    expect(new Set(seeds).size).toBe(50);
  });
});
