import { describe, expect, it } from 'vitest';
import { NO_FILTER, term } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { Totals } from '../../../src/model/activity.ts';
import type { Latency } from '../../../src/model/metric.ts';
import { Op, RequestFlag } from '../../../src/model/operation.ts';
import { reportActivity } from '../fixtures/at-once.ts';
import type { ActivityInfo } from '../../../src/query/activity/activity-report.ts';
import { columnsOf, createInfo, keyOf } from '../../history/fixtures.ts';

/** A hundred I/Os of which the last waited for 200 ms in the queue, and 1 ms at the device. */
function totalsOf(
  latency: Latency,
  queueNs = (i: number): number => (i === 99 ? 200e6 : 1e3),
  origin: ActivityInfo['origin'] = {},
): Totals {
  const info = createInfo([keyOf({ tgid: 1, comm: 'db' })]);
  const history = createHistory({ info, budgetBytes: 2 ** 24 });
  const rows = Array.from({ length: 100 }, (_, i) => ({
    ...{ completeNs: i * 1e6, key: 0, deviceNs: 1e6, queueNs: queueNs(i) },
  }));
  history.append(columnsOf(rows));
  const filter = compileFilter(NO_FILTER, info.identities, info);
  return reportActivity(history, 0, 1e9, filter, { ...info, origin }, { latency }).totals;
}

describe('the percentiles of all I/O', () => {
  it('the percentiles of all I/O are of the latency that is asked for', () => {
    expect(totalsOf('total').maxNs).toBe(201e6);
    expect(totalsOf('device').maxNs).toBe(1e6);
    expect(totalsOf('queue').maxNs).toBe(200e6);
    expect(totalsOf('queue').p50Ns).toBeLessThan(2e3);
  });

  it('the percentiles of all I/O say how the slowest spent their time', () => {
    const { tail, p99Ns = NaN } = totalsOf('total', (i) => (i >= 90 ? 200e6 : 1e3));
    expect(p99Ns).toBeGreaterThan(100e6);
    expect(tail!.queueNs / (tail!.queueNs + tail!.deviceNs)).toBeCloseTo(200 / 201, 6);
  });

  it('the percentiles of all I/O have no such division of device latency, or without queue times', () => {
    expect(totalsOf('device').tail).toBeUndefined();
    expect(totalsOf('total', () => NaN).tail).toBeUndefined();
    const ofTotal = totalsOf('total', () => 0, { latency: 'total' });
    expect(ofTotal).toMatchObject({ maxNs: 1e6, queueShare: undefined, tail: undefined });
  });
});

describe('the time before a write that flushes the cache of its disk first', () => {
  const COMMIT = keyOf({ tgid: 9, comm: 'jbd2/sda1-8', cmdFlags: Op.write | RequestFlag.preflush });
  const LOG = keyOf({ tgid: 9, comm: 'jbd2/sda1-8', cmdFlags: Op.write });

  /** A log write that queued for 1 ms, and a commit that was issued 40 ms after it was queued. */
  function reportOf(filterText: 'rows' | 'slices') {
    const info = createInfo([LOG, COMMIT]);
    const history = createHistory({ info, budgetBytes: 2 ** 24 });
    history.append(
      columnsOf([
        { completeNs: 1e6, key: 0, queueNs: 1e6, deviceNs: 1e6 },
        { completeNs: 2e6, key: 1, queueNs: 40e6, deviceNs: 1e6 },
      ]),
    );
    const asked = filterText === 'rows' ? term('size', '>=', 0) : NO_FILTER;
    const filter = compileFilter(asked, info.identities, info);
    return reportActivity(history, 0, 1e9, filter, info);
  }

  it.each(['rows', 'slices'] as const)(
    'the time before a write that flushes the cache of its disk first is not waiting in the queue, from %s',
    (from) => {
      const { processes, totals } = reportOf(from);
      expect(processes[0]!.queueShare).toBeCloseTo(1 / 43, 6);
      expect(totals.tail).toEqual({ queueNs: 0, deviceNs: 41e6 });
    },
  );
});
