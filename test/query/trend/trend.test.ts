import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NS_PER_MS, NS_PER_SECOND } from '../../../src/base/time.ts';
import { createHistory } from '../../../src/history/history.ts';
import { trendOf } from '../../../src/query/trend/trend.ts';
import { MOST_BUCKETS } from '../../../src/query/trend/trend-grid.ts';
import type { TrendWindow } from '../../../src/query/trend/trend-grid.ts';
import { NO_FILTER, term } from '../../../src/filter/filter.ts';
import type { Filter } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import type { Identity } from '../../../src/model/identity.ts';
import { OP_UNKNOWN } from '../../../src/model/operation.ts';
import type { Trend } from '../../../src/model/trend.ts';
import { parsed } from '../../filter/fixtures.ts';
import {
  anyTrace,
  appendTrace,
  columnsOf,
  createInfo,
  keyOf,
  LOOP,
  someKeys,
} from '../../history/fixtures.ts';

fc.configureGlobal({ seed: 20_100_702 });

const SECOND = NS_PER_SECOND;

function setUp(keys: readonly Identity[], sliceNs = SECOND) {
  const info = createInfo(keys);
  const history = createHistory({ info, budgetBytes: 2 ** 24, sliceNs });
  const trend = (window: TrendWindow, filter: Filter = NO_FILTER): Trend =>
    trendOf(history, window, compileFilter(filter, info.identities, info), info);
  return { info, history, trend };
}

/** The last ten seconds before `endNs`, by the second. */
function seconds(endNs: number, columns = 10): TrendWindow {
  return { endNs, columnNs: SECOND, columns };
}

const READ = keyOf();
const WRITE = keyOf({ tgid: 2, cmdFlags: 1, dev: LOOP, error: -5 });
const FLUSH = keyOf({ tgid: 2, cmdFlags: 2 });

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0);
}

describe('a trend', () => {
  test('a trend has rates, bytes, waiting and latencies of each second', () => {
    const { history, trend } = setUp([READ, WRITE, FLUSH]);
    const at = (s: number, ms: number) => s * SECOND + ms * NS_PER_MS;
    history.append(
      columnsOf([
        { completeNs: at(5, 100), key: 0, bytes: 1_000, deviceNs: 3e6, queueNs: 1e6 },
        { completeNs: at(5, 200), key: 0, bytes: 3_000, deviceNs: 3e6, queueNs: 1e6 },
        { completeNs: at(6, 100), key: 1, bytes: 500, deviceNs: 80e6, queueNs: 20e6 },
        { completeNs: at(6, 200), key: 2, bytes: 0, deviceNs: 1e6, queueNs: 0 },
      ]),
    );
    const { startNs, bucketNs, buckets, ...it } = trend(seconds(at(9, 999)));
    expect([startNs, bucketNs, buckets]).toEqual([0, SECOND, 10]);
    expect([...it.reads.subarray(4, 8)]).toEqual([0, 2, 0, 0]);
    expect([...it.writes.subarray(4, 8)]).toEqual([0, 0, 1, 0]);
    expect([...it.others.subarray(4, 8)]).toEqual([0, 0, 1, 0]);
    expect(it.readBytes[5]).toBe(4_000);
    expect(it.writtenBytes[6]).toBe(500);
    expect(it.readsInFlight[5]).toBeCloseTo(0.008, 9);
    expect(it.writesInFlight[6]).toBeCloseTo(0.1, 9);
    expect([it.maxNs[5], it.maxNs[6], it.maxNs[7]]).toEqual([4e6, 100e6, NaN]);
    expect(Math.abs(it.p50Ns[5]! - 4e6)).toBeLessThan(4e6 / 16);
    expect(it.errors).toBe(1);
    expect(it.disks.map(({ disk }) => disk)).toEqual(['7:0', 'sda']);
    expect([...it.disks[1]!.completions.subarray(4, 8)]).toEqual([0, 2, 1, 0]);
    expect(it.disks[0]!.utilization).toBeCloseTo(80e6 / (5 * SECOND), 6);
  });

  test('I/O of a log without operations, sizes or times is apart from reads and writes, and has no bytes or depth', () => {
    const { sizeUnknown } = IdentityMark;
    const { history, trend } = setUp([keyOf({ cmdFlags: OP_UNKNOWN, marks: sizeUnknown })]);
    const row = { completeNs: 5.1 * SECOND, bytes: 0, deviceNs: NaN, queueNs: NaN };
    history.append(columnsOf([row, row]));
    const it = trend(seconds(9.999 * SECOND));
    expect([it.reads[5], it.writes[5], it.undivided[5]]).toEqual([0, 0, 2]);
    expect([...it.readBytes, ...it.writtenBytes, ...it.undividedBytes].every(Number.isNaN)).toBe(
      true,
    );
    expect([...it.readsInFlight, ...it.undividedInFlight].every(Number.isNaN)).toBe(true);
  });

  test('I/O of a log without operations has its own bytes and depth where these are known', () => {
    const { history, trend } = setUp([keyOf({ cmdFlags: OP_UNKNOWN })]);
    history.append(
      columnsOf([{ completeNs: 5.1 * SECOND, bytes: 500, deviceNs: 80e6, queueNs: 20e6 }]),
    );
    const it = trend(seconds(9.999 * SECOND));
    expect([it.readBytes[5], it.writtenBytes[5], it.undividedBytes[5]]).toEqual([0, 0, 500]);
    expect(it.undividedInFlight[5]).toBeCloseTo(0.1, 9);
  });

  test('a trend has no values before the trace started and for a second that is not over', () => {
    const { history, trend } = setUp([READ]);
    history.append(columnsOf([{ completeNs: 1.5 * SECOND }, { completeNs: 3.1 * SECOND }]));
    const { startNs, reads } = trend(seconds(3.2 * SECOND, 6));
    expect(startNs).toBe(-2 * SECOND);
    expect([...reads]).toEqual([NaN, NaN, 0, 1, 0, NaN]);
  });

  test('a trend has the utilization of disks since the trace started', () => {
    const { history, trend } = setUp([READ]);
    history.append(columnsOf([{ completeNs: 1 * SECOND, deviceNs: SECOND }]));
    history.append(columnsOf([{ completeNs: 2 * SECOND, deviceNs: SECOND }]));
    expect(trend(seconds(2 * SECOND)).disks[0]!.utilization).toBe(1);
    expect(trend(seconds(4 * SECOND)).disks[0]!.utilization).toBe(0.5);
  });

  test('a trend shows a long bucket by the part that has passed, once that is enough', () => {
    const { history, trend } = setUp([READ]);
    history.append(
      columnsOf(Array.from({ length: 200 }, (_, i) => ({ completeNs: i * 0.1 * SECOND }))),
    );
    const { reads } = trend({ endNs: 20 * SECOND, columnNs: 60 * SECOND, columns: 1 });
    expect([...reads]).toEqual([10]);
    const early = trend({ endNs: 63 * SECOND, columnNs: 60 * SECOND, columns: 1 });
    expect([...early.reads]).toEqual([NaN]);
  });

  test('a trend shows no peak for a burst in a bucket that is not over', () => {
    const { history, trend } = setUp([READ]);
    const every = Array.from({ length: 5 }, (_, i) => 2 * i + 0.5);
    history.append(columnsOf(every.map((s) => ({ completeNs: s * SECOND }))));
    const { reads } = trend({ endNs: 9.2 * SECOND, columnNs: 2 * SECOND, columns: 5 });
    expect([...reads]).toEqual([0.5, 0.5, 0.5, 0.5, NaN]);
  });

  test('a trend joins columns on edges that do not move', () => {
    const { history, trend } = setUp([READ]);
    history.append(columnsOf([{ completeNs: 100.5 * SECOND }, { completeNs: 900.5 * SECOND }]));
    const columns = 3 * MOST_BUCKETS - 10;
    const earlier = trend(seconds(900 * SECOND, columns));
    const later = trend(seconds(901 * SECOND, columns));
    expect(earlier.bucketNs).toBe(3 * SECOND);
    expect(earlier.buckets).toBeLessThanOrEqual(MOST_BUCKETS);
    expect(earlier.startNs % earlier.bucketNs).toBe(0);
    expect(later.startNs).toBe(earlier.startNs);
    expect(earlier.buckets * earlier.bucketNs).toBeGreaterThanOrEqual(columns * SECOND);
  });

  test('a trend counts single I/Os where columns are shorter than slices', () => {
    const { history, trend } = setUp([READ]);
    const times = [1.01, 1.02, 1.31].map((s) => ({ completeNs: s * SECOND }));
    history.append(columnsOf(times));
    const shownAt = (endNs: number) => [...trend({ endNs, columnNs: 100e6, columns: 5 }).reads];
    expect(shownAt(1.46 * SECOND)).toEqual([20, 0, 0, 10, NaN]);
    // What completed right before is still to come.
    expect(shownAt(1.42 * SECOND)).toEqual([20, 0, 0, NaN, NaN]);
  });

  test('a trend obeys a filter by identity and by value', () => {
    const { history, trend } = setUp([READ, WRITE]);
    history.append(
      columnsOf([
        { completeNs: 0.1 * SECOND, key: 0, deviceNs: 1e6 },
        { completeNs: 0.2 * SECOND, key: 0, deviceNs: 50e6 },
        { completeNs: 0.3 * SECOND, key: 1, deviceNs: 50e6 },
      ]),
    );
    const window = seconds(1.1 * SECOND, 2);
    const second = (filter: Filter) => trend(window, filter);
    expect(sumOf(second(term('pid', '=', 1)).reads)).toBe(2);
    expect(sumOf(second(term('pid', '=', 1)).writes)).toBe(0);
    const slow = second(parsed('device>10ms'));
    expect([sumOf(slow.reads), sumOf(slow.writes)]).toEqual([1, 1]);
  });

  test('a trend loses nothing of any trace, however its slices have aged', () => {
    fc.assert(
      fc.property(
        anyTrace(8),
        fc.constantFrom(300, 1_000, 3_000, 10_000),
        fc.boolean(),
        (steps, columnNs, isFiltered) => {
          const { info, history, trend } = setUp(someKeys(), 1_000);
          const truth = appendTrace(history, info.identities, steps, 7);
          const filter = isFiltered ? parsed('size>=1 or not size>=1') : NO_FILTER;
          fc.pre(history.startNs >= 0);
          // All buckets are over, so that a rate is a count.
          const endNs = history.endNs + columnNs * MOST_BUCKETS;
          const columns = Math.ceil(endNs / columnNs) + 1;
          const { bucketNs, undecidedCount, ...it } = trend({ endNs, columnNs, columns }, filter);
          const rates = sumOf(it.reads) + sumOf(it.writes) + sumOf(it.others);
          const perDisk = it.disks.reduce((sum, disk) => sum + sumOf(disk.completions), 0);
          const all = truth.reduce((sum, { count }) => sum + count, 0);
          expect((rates * bucketNs) / SECOND + undecidedCount).toBeCloseTo(all, 3);
          expect(perDisk).toBeCloseTo(rates, 3);
        },
      ),
      { numRuns: 60 },
    );
  });
});
