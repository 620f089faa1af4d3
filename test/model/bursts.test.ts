import { describe, expect, it } from 'vitest';
import { findBursts, rhythmAt } from '../../src/model/bursts.ts';
import type { SlowestOfColumn } from '../../src/model/bursts.ts';

/** A minute with one I/O of 1 ms per second, but for these. */
function columns(slow: Readonly<Record<number, number>>): Map<number, SlowestOfColumn> {
  return new Map(
    Array.from({ length: 240 }, (_, second) => {
      const latencyNs = (slow[second] ?? 1) * 1e6;
      return [second, { atNs: second * 1e9 + 5e8, withinNs: 0, latencyNs }] as const;
    }),
  );
}

describe('bursts of slow I/O', () => {
  it('a burst is much slower than a usual column, and is known by its slowest I/O', () => {
    const bursts = findBursts(columns({ 10: 2.9, 20: 50, 21: 80, 23: 40, 30: 9 }));
    expect(bursts).toEqual([
      { firstColumn: 20, lastColumn: 23, atNs: 21.5e9, withinNs: 0, latencyNs: 80e6 },
      { firstColumn: 30, lastColumn: 30, atNs: 30.5e9, withinNs: 0, latencyNs: 9e6 },
    ]);
  });

  it('there is no burst where nothing stands out, or nothing is', () => {
    expect(findBursts(columns({}))).toEqual([]);
    expect(findBursts(new Map())).toEqual([]);
  });

  it('where the latency is usually 0, only columns with more are bursts', () => {
    const none = Object.fromEntries(Array.from({ length: 240 }, (_, second) => [second, 0]));
    expect(findBursts(columns(none))).toEqual([]);
    const bursts = findBursts(columns({ ...none, 20: 5, 100: 7 }));
    expect(bursts.map(({ firstColumn, lastColumn }) => [firstColumn, lastColumn])).toEqual([
      [20, 20],
      [100, 100],
    ]);
  });

  it('bursts at equal intervals have a rhythm, also with others of another size in between', () => {
    const bursts = findBursts(columns({ 10: 200, 30: 20, 55: 210, 100: 190, 120: 25, 145: 205 }));
    expect(bursts).toHaveLength(6);
    for (const at of [0, 2, 3, 5])
      expect(rhythmAt(bursts, at)).toEqual({ count: 4, everyNs: 45e9 });
    expect(rhythmAt(bursts, 1)).toBeUndefined();
  });

  it('a burst at which a rhythm begins has it, whatever was before, and of two rhythms the longer one', () => {
    const begins = findBursts(columns({ 10: 200, 17: 200, 40: 200, 63: 200, 86: 200 }));
    for (const at of [1, 2, 3, 4])
      expect(rhythmAt(begins, at)).toEqual({ count: 4, everyNs: 23e9 });
    expect(rhythmAt(begins, 0)).toBeUndefined();
    const changes = { 10: 200, 40: 200, 70: 200, 80: 200, 90: 200, 100: 200, 110: 200 };
    const bursts = findBursts(columns(changes));
    expect(rhythmAt(bursts, 1)).toEqual({ count: 3, everyNs: 30e9 });
    expect(rhythmAt(bursts, 2)).toEqual({ count: 5, everyNs: 10e9 });
  });

  it('two bursts, or bursts at random, have no rhythm', () => {
    expect(rhythmAt(findBursts(columns({ 10: 200, 55: 200 })), 0)).toBeUndefined();
    const random = findBursts(columns({ 10: 200, 50: 200, 70: 200, 190: 200 }));
    for (const at of [0, 1, 2, 3]) expect(rhythmAt(random, at)).toBeUndefined();
  });
});
