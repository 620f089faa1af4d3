import { describe, expect, it } from 'vitest';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { createSyntheticSource } from '../../src/trace/synthetic/synthetic-source.ts';
import type { PatternName } from '../../src/trace/synthetic/patterns.ts';
import { Monitor, completenessOf } from '../../src/monitor/monitor.ts';
import { negate, NO_FILTER, term } from '../../src/filter/filter.ts';
import type { Filter } from '../../src/filter/filter.ts';

class ManualClock {
  ns = 0;
  nowNs(): number {
    return this.ns;
  }
}

function monitorOf(
  pattern: PatternName,
  filter: Filter = NO_FILTER,
): { monitor: Monitor; clock: ManualClock } {
  const clock = new ManualClock();
  const source = createSyntheticSource({
    pattern,
    seed: 7,
    clock,
    identities: new IdentityTable(),
    clockBase: { monotonicNs: 0n, wallNs: 0n },
  });
  return { monitor: new Monitor({ source, historyBytes: 64 * 2 ** 20, filter }), clock };
}

const picture = {
  metric: 'total',
  scale: 'log',
  outlierCut: 0,
  columnNs: 1e9,
  columns: 20,
  bins: 40,
} as const;

function inPicture({ map }: ReturnType<Monitor['show']>): number {
  let sum = 0;
  for (let column = 0; column < map.columns; column++) sum += map.columnTotal(column);
  return sum;
}

function drain(monitor: Monitor): void {
  while (!monitor.pump());
}

describe('Monitor', () => {
  it('the monitor draws every I/O that the source delivered', () => {
    const { monitor, clock } = monitorOf('two-bands');
    for (clock.ns = 0; clock.ns <= 10e9; clock.ns += 50e6) {
      drain(monitor);
      monitor.show(picture, clock.ns);
    }
    expect(inPicture(monitor.show(picture, 10e9))).toBe(monitor.source.counters().delivered);
  });

  it('the monitor shows the same picture however often it is pumped', () => {
    const often = monitorOf('mixed');
    for (; often.clock.ns <= 8e9; often.clock.ns += 50e6) {
      drain(often.monitor);
      often.monitor.show(picture, often.clock.ns);
    }
    const once = monitorOf('mixed');
    once.clock.ns = 8e9;
    drain(once.monitor);
    const [a, b] = [often.monitor.show(picture, 8e9), once.monitor.show(picture, 8e9)];
    expect(a.map.scale.domain).toEqual(b.map.scale.domain);
    for (let column = 0; column < picture.columns; column++)
      for (let bin = 0; bin < picture.bins; bin++)
        expect(a.map.count(column, bin)).toBe(b.map.count(column, bin));
  });

  it('the monitor keeps a frozen picture while tracing goes on, and shows everything afterwards', () => {
    const { monitor, clock } = monitorOf('two-bands');
    clock.ns = 5.5e9;
    drain(monitor);
    const frozen = inPicture(monitor.show(picture, 4e9));
    clock.ns = 9e9;
    drain(monitor);
    expect(inPicture(monitor.show(picture, 4e9))).toBe(frozen);
    expect(inPicture(monitor.show(picture, 9e9))).toBe(monitor.source.counters().delivered);
  });

  it('the monitor counts only what passes the filter, in the picture and in the tables', () => {
    const { monitor, clock } = monitorOf('mixed', term('op', '=', 'write'));
    clock.ns = 6e9;
    drain(monitor);
    const { totals } = monitor.report({ scope: 'recent', startNs: 1e9, endNs: 6e9 });
    expect(totals.readsPerSecond).toBe(0);
    expect(totals.writesPerSecond).toBeGreaterThan(0);
    expect(inPicture(monitor.show(picture, 6e9))).toBeLessThan(monitor.source.counters().delivered);
  });

  it('the monitor filters what it has already seen, and shows it all again', () => {
    const { monitor, clock } = monitorOf('mixed');
    clock.ns = 6e9;
    drain(monitor);
    const all = inPicture(monitor.show(picture, 6e9));
    monitor.setFilter(term('lat', '>', 1e6));
    const slow = inPicture(monitor.show(picture, 6e9));
    expect(slow).toBeGreaterThan(0);
    expect(slow).toBeLessThan(all);
    expect(
      monitor.report({ scope: 'recent', startNs: 1e9, endNs: 6e9 }).totals.p50Ns,
    ).toBeGreaterThan(1e6);
    monitor.setFilter(negate(term('lat', '>', 1e6)));
    expect(inPicture(monitor.show(picture, 6e9))).toBe(all - slow);
    monitor.setFilter(NO_FILTER);
    expect(inPicture(monitor.show(picture, 6e9))).toBe(all);
  });

  it('the monitor has rates over the observed time where a column ends after the edge of the picture', () => {
    const { monitor, clock } = monitorOf('two-bands');
    for (clock.ns = 0; clock.ns <= 6e9; clock.ns += 50e6) drain(monitor);
    const recent = monitor.report({ scope: 'recent', startNs: 0, endNs: 6e9 });
    const column = { scope: 'column', startNs: 0, endNs: 600e9, edgeNs: 6e9 } as const;
    expect(monitor.report(column)).toMatchObject({
      spanNs: recent.spanNs,
      totals: { readsPerSecond: recent.totals.readsPerSecond },
      disks: [{ queueDepth: recent.disks[0]!.queueDepth }],
    });
    const idle = monitor.report({ ...column, edgeNs: 100e9 });
    expect(idle.spanNs).toBe(100e9);
  });

  it('the monitor fits the axis of offsets to the disks that may match the filter', () => {
    const { monitor, clock } = monitorOf('mixed');
    clock.ns = 6e9;
    drain(monitor);
    const offsets = { ...picture, metric: 'offset', scale: 'linear' } as const;
    for (const { name, sizeBytes } of monitor.source.info.devices()) {
      monitor.setFilter(term('disk', '=', name));
      expect(monitor.show(offsets, 6e9).map.scale.domain.high).toBe(sizeBytes);
    }
  });

  it('the monitor stops after a few batches when more are waiting than one turn takes', () => {
    const { monitor, clock } = monitorOf('storm');
    clock.ns = 5e9;
    expect(monitor.pump()).toBe(false);
    drain(monitor);
    expect(monitor.source.counters().delivered).toBeGreaterThan(900_000);
  });
});

describe('completenessOf', () => {
  it('completeness is full before anything has happened', () => {
    expect(completenessOf({ delivered: 0, summarised: 0, lost: 0, losses: {} })).toEqual({
      inPicture: 1,
      inDetail: 1,
      lost: 0,
    });
  });

  it('summaries count as in the picture but not in detail, losses as neither', () => {
    expect(
      completenessOf({ delivered: 70, summarised: 20, lost: 10, losses: { ring: 10 } }),
    ).toEqual({
      inPicture: 0.9,
      inDetail: 0.7,
      lost: 10,
    });
  });
});
