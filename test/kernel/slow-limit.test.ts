import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MOST_SLOW_SHARE, SLOW_SHARE, SlowLimit } from '../../src/kernel/counts/slow-limit.ts';
import { FINE_BINS, fineBin } from '../../src/model/fine-bins.ts';
import { columnsOf } from '../history/fixtures.ts';
import { SeededRandom } from '../random.ts';

function rowsOf(totals: readonly number[]) {
  return columnsOf(totals.map((ns) => ({ deviceNs: ns, queueNs: 0 })));
}

/** Long-tailed, as latencies are. */
function latencies(count: number, medianNs: number, seed: number): number[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => Math.round(medianNs / (1 - random.next()) ** 0.7));
}

describe('from which latency on an I/O is slow', () => {
  it('the limit of slow I/O leaves about 0.2 % above it, and up to about twice that at the start', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1000, max: 1e7 }), (seed, medianNs) => {
        const limit = new SlowLimit();
        const seen = latencies(100_000, medianNs, seed);
        limit.addRows(rowsOf(seen));
        const fromNs = limit.step();
        const slow = seen.filter((ns) => ns >= fromNs).length;
        expect(slow).toBeLessThanOrEqual(2.2 * SLOW_SHARE * seen.length);
        expect(slow).toBeGreaterThan((SLOW_SHARE * seen.length) / 2);
      }),
      { numRuns: 20 },
    );
  });

  it('the limit of slow I/O is above everything where all take the same time', () => {
    const limit = new SlowLimit();
    limit.addRows(rowsOf(Array<number>(10_000).fill(5000)));
    expect(limit.step()).toBeGreaterThan(5000);
  });

  it('the limit of slow I/O leaves 0.2 % above it where all take nearly the same time', () => {
    const limit = new SlowLimit();
    const seen = Array.from({ length: 5000 }, (_, i) => 5_000_000 + ((i * 7) % 5000));
    expect(new Set(seen.map(fineBin)).size).toBe(1);
    limit.addRows(rowsOf(seen));
    const fromNs = limit.step();
    expect(seen.filter((ns) => ns >= fromNs).length / seen.length).toBeCloseTo(SLOW_SHARE, 3);
  });

  it('the limit of slow I/O leaves 0.2 % above it where the faster ones are a sample', () => {
    const seen = Array.from({ length: 100_000 }, (_, i) => 5_000_000 + ((i * 7919) % 100_000));
    const limit = new SlowLimit(5_099_000);
    const single = seen.filter((ns, i) => ns >= 5_099_000 || i % 16 === 0);
    const bins = new Uint32Array(FINE_BINS);
    bins[fineBin(seen[0]!)] = seen.length - single.length;
    limit.addCounts(bins);
    limit.addRows(rowsOf(single), 16);
    const fromNs = limit.step();
    expect(seen.filter((ns) => ns >= fromNs).length / seen.length).toBeCloseTo(SLOW_SHARE, 3);
  });

  it('the limit of slow I/O counts what came without rows', () => {
    const limit = new SlowLimit();
    const bins = new Uint32Array(FINE_BINS);
    bins[fineBin(1e6)] = 1_000_000;
    limit.addCounts(bins);
    limit.addRows(rowsOf([2e9]));
    expect(limit.step()).toBeGreaterThan(1e6);
    expect(fineBin(limit.step())).toBe(fineBin(1e6) + 1);
  });

  it('the limit of slow I/O is not above the slowest of the last minute, even in a short storm', () => {
    const limit = new SlowLimit();
    const calm = latencies(25_000, 100_000, 3);
    for (let quarter = 0; quarter < 8; quarter++) {
      limit.addRows(rowsOf(calm));
      limit.step();
    }
    limit.addRows(rowsOf([...calm, ...Array<number>(150).fill(100e6)]));
    expect(limit.step()).toBeLessThan(50e6);
  });

  it('the limit of slow I/O never makes more than 1 % slow, even if all are slower than in the minute before', () => {
    const limit = new SlowLimit();
    for (let quarter = 0; quarter < 100; quarter++) {
      limit.addRows(rowsOf(latencies(5000, 100_000, quarter)));
      limit.step();
    }
    const storm = latencies(50_000, 100_000_000, 5);
    limit.addRows(rowsOf(storm));
    const fromNs = limit.step();
    const slow = storm.filter((ns) => ns >= fromNs).length;
    expect(slow / storm.length).toBeLessThan(MOST_SLOW_SHARE * 1.2);
  });

  it('the limit of slow I/O follows a storm at once, and comes back after it within three seconds', () => {
    const limit = new SlowLimit();
    const calm = rowsOf(latencies(25_000, 100_000, 1));
    limit.addRows(calm);
    const before = limit.step();
    limit.addRows(rowsOf(latencies(25_000, 100_000_000, 2)));
    expect(limit.step()).toBeGreaterThan(100 * before);
    let after = Infinity;
    for (let quarter = 0; quarter < 12; quarter++) {
      limit.addRows(calm);
      after = limit.step();
    }
    expect(after).toBeLessThan(4 * before);
  });
});
