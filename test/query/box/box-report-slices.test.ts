import { describe, expect, test } from 'vitest';
import { NS_PER_SECOND } from '../../../src/base/time.ts';
import { createBoxBench, rowOf } from './box-bench.ts';
import { columnsOf, keyOf, someKeys, summaryOf, uniformSummary } from '../../history/fixtures.ts';

const SECOND = NS_PER_SECOND;

describe('aggregated I/O', () => {
  const slow = rowOf({ deviceNs: 10e6, queueNs: 0, bytes: 65536 });

  test('aggregates in a box are a group of their own, and not listed as single I/Os', () => {
    const { history, inspect } = createBoxBench([keyOf({ comm: 'db' })]);
    history.append(columnsOf([{ completeNs: 0.5 * SECOND, deviceNs: 1e6, queueNs: 0 }]));
    history.appendAggregate({ ...uniformSummary(0.6 * SECOND, 0, 999, slow), errors: 3 });
    const report = inspect({ metric: 'device' });
    expect(report).toMatchObject({
      count: 1_000,
      fromRows: 1,
      fromSlices: 999,
      errors: 3,
      undecided: 0,
    });
    expect(report.bytes).toBe(4096 + 999 * 65536);
    expect(report.waitedNs).toBe(1e6 + 999 * 10e6);
    expect(report.slowest).toHaveLength(1);
    expect(report.groups[0]).toMatchObject({
      tgid: undefined,
      comm: '(no detail)',
      count: 999,
      maxNs: 10e6,
    });
    expect(report.groups[0]!.p50Ns! / 10e6).toBeCloseTo(1, 1);
  });

  test('aggregates in a box are counted as the picture draws them, with certain bounds', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    history.appendAggregate(uniformSummary(0.6 * SECOND, 0, 10, rowOf({ deviceNs: 1_000 })));
    // The bin of 1,000 ns reaches from 992 to 1,024.
    const lower = inspect({ metric: 'device', low: 0, high: 1_010 });
    expect(lower).toMatchObject({ count: 10, leastCount: 0, mostCount: 10, undecided: 10 });
    const upper = inspect({ metric: 'device', low: 1_010, high: 5_000 });
    expect(upper).toMatchObject({ count: 0, leastCount: 0, mostCount: 10, isEstimated: true });
    const whole = inspect({ metric: 'device', low: 992, high: 1_024 });
    expect(whole).toMatchObject({ count: 10, leastCount: 10, undecided: 0, isEstimated: false });
  });

  test('aggregates are distributed by value where a box lies inside one bin', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    history.appendAggregate(uniformSummary(0.6 * SECOND, 0, 3_200, rowOf({ deviceNs: 1_000 })));
    const edges = [992, 1_000, 1_008, 1_016];
    const counts = edges.map((low) => inspect({ metric: 'device', low, high: low + 8 }).count);
    expect(counts.reduce((a, b) => a + b)).toBe(3_200);
    for (const count of counts) expect(Math.abs(count - 800)).toBeLessThanOrEqual(1);
  });

  test('aggregates are distributed by time where a box covers a part of their stretch', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    const summary = uniformSummary(0, 0, 1_000, slow);
    history.appendAggregate({ ...summary, endNs: SECOND });
    history.append(columnsOf([{ completeNs: 5 * SECOND, deviceNs: 1 }]));
    const part = inspect({ metric: 'device', startNs: 0, endNs: 0.25 * SECOND, low: 1e6 });
    expect(part).toMatchObject({ leastCount: 0, mostCount: 1_000, isEstimated: true });
    expect(Math.abs(part.count - 250)).toBeLessThanOrEqual(1);
    expect(part.bytes).toBe(part.count * 65536);
    const rest = inspect({ metric: 'device', startNs: 0.25 * SECOND, low: 1e6 });
    expect(part.count + rest.count).toBe(1_000);
  });

  test("half of an aggregate's values get the time that belongs to them", () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    const fast = uniformSummary(0.5 * SECOND, 0, 900, rowOf({ deviceNs: 16_000, queueNs: 0 }));
    history.appendAggregate(fast);
    history.appendAggregate(uniformSummary(0.5 * SECOND, 0, 100, slow));
    const tail = inspect({ metric: 'device', low: 1e6 });
    expect(tail).toMatchObject({ count: 100, undecided: 0, isEstimated: true });
    expect(tail.waitedNs / (100 * 10e6)).toBeCloseTo(1, 1);
    expect(tail.groups[0]).toMatchObject({ count: 100, maxNs: 10e6 });
  });

  test('aggregates in a box of total latency leave out queue time of I/O that was never issued', () => {
    const issued = { deviceNs: 100e3, queueNs: 10e3 };
    const never = { deviceNs: NaN, queueNs: 50e6 };
    const rows = Array.from({ length: 900 }, (_, i) => ({
      completeNs: i * 1e7,
      ...(i % 10 === 0 ? never : issued),
    }));
    const waitedNs = (detailRows: number): number => {
      const { history, inspect } = createBoxBench([keyOf()], { detailRows });
      history.append(columnsOf(rows));
      return inspect({ metric: 'total' }).waitedNs;
    };
    expect(waitedNs(1000)).toBe(810 * 110e3);
    expect(waitedNs(1) / (810 * 110e3)).toBeCloseTo(1, 1);
  });

  test('aggregates in a box of sizes have no latency, unless all of the aggregate is in it', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    history.appendAggregate(uniformSummary(0.5 * SECOND, 0, 10, rowOf({ bytes: 4096 })));
    history.appendAggregate(uniformSummary(0.5 * SECOND, 0, 10, slow));
    const some = inspect({ metric: 'size', low: 65536 });
    expect(some.groups[0]).toMatchObject({ count: 10, p50Ns: undefined, maxNs: undefined });
    expect(some.groups[0]!.bytes! / (10 * 65536)).toBeCloseTo(1, 1);
    expect(inspect({ metric: 'size' }).groups[0]).toMatchObject({ count: 20, maxNs: 10e6 });
  });

  test('aggregates stay undecided in a box where only single I/Os could be asked', () => {
    const { history, inspect } = createBoxBench([keyOf({ comm: 'db' })]);
    history.appendAggregate(uniformSummary(0.5 * SECOND, 0, 10, slow));
    const asked = inspect({ metric: 'device' }, { filter: 'comm=db' });
    expect(asked).toMatchObject({ count: 0, leastCount: 0, mostCount: 10, undecided: 10 });
    expect(inspect({ metric: 'device' }, { filter: 'disk=sda' }).count).toBe(10);
    expect(inspect({ metric: 'size' }, { filter: 'dlat>1s' })).toMatchObject({
      count: 0,
      mostCount: 0,
    });
  });

  test('an empty summary does not change a box', () => {
    const { history, inspect } = createBoxBench([keyOf()]);
    history.appendAggregate(summaryOf({ count: 3, startNs: SECOND, endNs: SECOND }));
    expect(inspect({ metric: 'device' })).toMatchObject({ count: 0, allCount: 3, share: 0 });
  });

  test('slices replace single I/Os that were dropped, each counted once in a box', () => {
    const { history, inspect } = createBoxBench(someKeys(), { detailRows: 500, sliceNs: 1e6 });
    const rows = Array.from({ length: 4_000 }, (_, i) =>
      rowOf({ completeNs: i * 1e4, key: i % 8 }),
    );
    for (let i = 0; i < rows.length; i += 50) history.append(columnsOf(rows.slice(i, i + 50)));
    const report = inspect({ metric: 'device' });
    expect(report.count).toBe(4_000);
    expect(report.fromRows).toBe(
      rows.filter(({ completeNs }) => completeNs >= history.detailStartNs).length,
    );
    expect(report.fromRows).toBeGreaterThan(0);
    expect(report.groups.map(({ count }) => count)).toEqual(Array.from({ length: 8 }, () => 500));
    expect(report.bytes).toBe(4_000 * 4096);
    expect(report.isEstimated).toBe(false);
  });
});
