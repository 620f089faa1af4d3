import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findSlowest } from '../../../src/query/box/slowest-search.ts';
import type { SlowestMoment } from '../../../src/query/box/slowest-search.ts';
import { createHistory } from '../../../src/history/history.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { fineBin, fineBinLow } from '../../../src/model/fine-bins.ts';
import { parsed } from '../../filter/fixtures.ts';
import { rowOf } from '../box/box-bench.ts';
import { columnsOf, createInfo, someKeys, uniformSummary } from '../../history/fixtures.ts';

fc.configureGlobal({ seed: 20_100_701 });

const SECOND = 1e9;

function setUp(detailRows = Infinity) {
  const info = createInfo(someKeys());
  const history = createHistory({ info, budgetBytes: 2 ** 24, detailRows });
  const slowest = (startNs: number, endNs: number, filter?: string): SlowestMoment | undefined => {
    const asked = filter === undefined ? NO_FILTER : parsed(filter);
    return findSlowest(history, startNs, endNs, compileFilter(asked, info.identities, info));
  };
  return { history, slowest };
}

describe('the slowest moment', () => {
  test('the slowest moment of a range is when its slowest I/O completed', () => {
    const latency = fc.oneof(fc.nat(1_000), fc.constant(NaN));
    const row = fc.record({ completeNs: fc.nat(1_000), deviceNs: latency, queueNs: latency });
    fc.assert(
      fc.property(fc.array(row, { maxLength: 60 }), fc.nat(500), (rows, startNs) => {
        const { history, slowest } = setUp();
        history.append(columnsOf(rows));
        const found = slowest(startNs, startNs + 400);
        const known = rows
          .filter(({ completeNs }) => completeNs >= startNs && completeNs < startNs + 400)
          .filter(({ deviceNs, queueNs }) => !Number.isNaN(deviceNs) || !Number.isNaN(queueNs))
          .map(({ completeNs, deviceNs, queueNs }) => ({
            completeNs,
            latencyNs: (deviceNs || 0) + (queueNs || 0),
          }));
        if (known.length === 0) {
          expect(found).toBeUndefined();
          return;
        }
        const longest = Math.max(...known.map(({ latencyNs }) => latencyNs));
        const times = known.filter(({ latencyNs }) => latencyNs === longest);
        expect(found).toMatchObject({ latencyNs: longest, withinNs: 0 });
        expect(times.map(({ completeNs }) => completeNs)).toContain(found!.atNs);
      }),
    );
  });

  test('the slowest moment obeys the filter', () => {
    const { history, slowest } = setUp();
    history.append(
      columnsOf([
        { completeNs: 10, deviceNs: 900, queueNs: 0, key: 0 },
        { completeNs: 20, deviceNs: 100, queueNs: 0, key: 1 },
      ]),
    );
    expect(slowest(0, 100)!.atNs).toBe(10);
    expect(slowest(0, 100, 'disk=7:0')!.atNs).toBe(20);
    expect(slowest(0, 100, 'lat<500ns')!.atNs).toBe(20);
    expect(slowest(0, 100, 'pid=9')).toBeUndefined();
  });

  test('the slowest moment of aggregated I/O is known to the stretch in which it was counted', () => {
    const { history, slowest } = setUp();
    const row = rowOf({ deviceNs: 9e6, queueNs: 0 });
    history.append(columnsOf([{ completeNs: 0.5 * SECOND, deviceNs: 1e6, queueNs: 0 }]));
    const summary = uniformSummary(3 * SECOND, 0, 5, row);
    history.appendAggregate({ ...summary, endNs: 4 * SECOND });
    expect(slowest(0, 10 * SECOND)).toEqual({
      atNs: 3.5 * SECOND,
      withinNs: 0.5 * SECOND,
      latencyNs: 9e6,
    });
    expect(slowest(0, 3 * SECOND)).toEqual({ atNs: 0.5 * SECOND, withinNs: 0, latencyNs: 1e6 });
    expect(slowest(3.5 * SECOND, 10 * SECOND)!.atNs).toBe(3.75 * SECOND);
    expect(slowest(0, 10 * SECOND, 'lat<5ms')!.latencyNs).toBe(1e6);
  });

  test('the slowest moment is found in aggregates of dropped rows', () => {
    const { history, slowest } = setUp(100);
    for (let i = 0; i < 1_000; i++) {
      const deviceNs = i === 333 ? 5e6 : 1e3;
      history.append(columnsOf([{ completeNs: i * 1e7, deviceNs, queueNs: 0 }]));
    }
    expect(history.detailStartNs).toBeGreaterThan(4 * SECOND);
    const found = slowest(0, 10 * SECOND)!;
    expect(found.latencyNs).toBe(5e6);
    expect(Math.abs(found.atNs - 3.33 * SECOND)).toBeLessThanOrEqual(found.withinNs);
  });

  test('the slowest moment of dropped rows may be that of an I/O that was never issued', () => {
    const { history, slowest } = setUp(100);
    for (let i = 0; i < 1_000; i++) {
      const [deviceNs, queueNs] = i === 333 ? [NaN, 5e6] : [1e3, 0];
      history.append(columnsOf([{ completeNs: i * 1e7, deviceNs, queueNs }]));
    }
    expect(history.detailStartNs).toBeGreaterThan(4 * SECOND);
    expect(slowest(0, 10 * SECOND)!.latencyNs).toBe(5e6);
    expect(slowest(0, 10 * SECOND, 'lat<1ms')!.latencyNs).toBe(1e3);
  });

  test('the slowest moment of dropped rows below a limit is found next to slower ones', () => {
    const { history, slowest } = setUp(100);
    for (let i = 0; i < 1_000; i++) {
      const deviceNs = i % 10 === 0 ? 5e6 : i === 333 ? 2e6 : 1e3;
      history.append(columnsOf([{ completeNs: i * 1e7, deviceNs, queueNs: 0 }]));
    }
    expect(history.detailStartNs).toBeGreaterThan(4 * SECOND);
    const { latencyNs, atNs, withinNs } = slowest(0, 10 * SECOND, 'lat<4ms')!;
    expect(latencyNs).toBe(fineBinLow(fineBin(2e6)));
    expect(Math.abs(atNs - 3.33 * SECOND)).toBeLessThanOrEqual(withinNs);
  });
});
