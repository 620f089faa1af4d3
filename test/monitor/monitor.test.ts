import { describe, expect, it } from 'vitest';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { createSyntheticSource } from '../../src/source/synthetic-source.ts';
import type { PatternName } from '../../src/source/patterns.ts';
import { Monitor, fidelityOf } from '../../src/monitor/monitor.ts';
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
    keys: new IdentityTable(),
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
  it('draws every I/O that the source delivered', () => {
    const { monitor, clock } = monitorOf('two-bands');
    for (clock.ns = 0; clock.ns <= 10e9; clock.ns += 50e6) {
      drain(monitor);
      monitor.show(picture, clock.ns);
    }
    expect(inPicture(monitor.show(picture, 10e9))).toBe(monitor.source.counters().delivered);
  });

  it('shows the same picture however often it was pumped', () => {
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

  it('keeps the frozen picture while tracing goes on, and shows all of it afterwards', () => {
    const { monitor, clock } = monitorOf('two-bands');
    clock.ns = 5.5e9;
    drain(monitor);
    const frozen = inPicture(monitor.show(picture, 4e9));
    clock.ns = 9e9;
    drain(monitor);
    expect(inPicture(monitor.show(picture, 4e9))).toBe(frozen);
    expect(inPicture(monitor.show(picture, 9e9))).toBe(monitor.source.counters().delivered);
  });

  it('counts only what passes the filter, in the picture and in the tables', () => {
    const { monitor, clock } = monitorOf('mixed', term('op', '=', 'write'));
    clock.ns = 6e9;
    drain(monitor);
    const { totals } = monitor.report(6e9);
    expect(totals.readsPerSecond).toBe(0);
    expect(totals.writesPerSecond).toBeGreaterThan(0);
    expect(inPicture(monitor.show(picture, 6e9))).toBeLessThan(monitor.source.counters().delivered);
  });

  it('filters what it has already seen, and shows it all again', () => {
    const { monitor, clock } = monitorOf('mixed');
    clock.ns = 6e9;
    drain(monitor);
    const all = inPicture(monitor.show(picture, 6e9));
    monitor.setFilter(term('lat', '>', 1e6));
    const slow = inPicture(monitor.show(picture, 6e9));
    expect(slow).toBeGreaterThan(0);
    expect(slow).toBeLessThan(all);
    expect(monitor.report(6e9).totals.p50Ns).toBeGreaterThan(1e6);
    monitor.setFilter(negate(term('lat', '>', 1e6)));
    expect(inPicture(monitor.show(picture, 6e9))).toBe(all - slow);
    monitor.setFilter(NO_FILTER);
    expect(inPicture(monitor.show(picture, 6e9))).toBe(all);
  });

  it('fits the axis of offsets to the disks that may pass', () => {
    const { monitor, clock } = monitorOf('mixed');
    clock.ns = 6e9;
    drain(monitor);
    const offsets = { ...picture, metric: 'offset', scale: 'linear' } as const;
    for (const { name, sizeBytes } of monitor.source.info.devices()) {
      monitor.setFilter(term('disk', '=', name));
      expect(monitor.show(offsets, 6e9).map.scale.domain.high).toBe(sizeBytes);
    }
  });

  it('stops after a few batches when more waits than one turn takes', () => {
    const { monitor, clock } = monitorOf('storm');
    clock.ns = 5e9;
    expect(monitor.pump()).toBe(false);
    drain(monitor);
    expect(monitor.source.counters().delivered).toBeGreaterThan(900_000);
  });
});

describe('fidelityOf', () => {
  it('is complete when nothing has happened', () => {
    expect(fidelityOf({ delivered: 0, summarised: 0, lost: 0, losses: {} })).toEqual({
      inPicture: 1,
      inDetail: 1,
      lost: 0,
    });
  });

  it('has summaries in the picture but not in detail, and losses in neither', () => {
    expect(fidelityOf({ delivered: 70, summarised: 20, lost: 10, losses: { ring: 10 } })).toEqual({
      inPicture: 0.9,
      inDetail: 0.7,
      lost: 10,
    });
  });
});
