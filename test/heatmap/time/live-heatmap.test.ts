import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SHRINK_AFTER_NS } from '../../../src/heatmap/axis/domain-tracker.ts';
import type { HeatmapSpec } from '../../../src/heatmap/time/heatmap-spec.ts';
import { LiveHeatmap } from '../../../src/heatmap/time/live-heatmap.ts';
import { mapQuantile } from '../../../src/heatmap/time/map-quantile.ts';
import { totalsOf } from '../../../src/heatmap/time/totals.ts';
import { createHistory } from '../../../src/history/history.ts';
import type { History } from '../../../src/history/history.ts';
import { NO_FILTER, term } from '../../../src/filter/filter.ts';
import type { Filter } from '../../../src/filter/filter.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { METRICS } from '../../../src/model/metric.ts';
import type { CompletionSummary } from '../../../src/trace/completion-summary.ts';
import { SeededRandom } from '../../random.ts';
import {
  columnsOf,
  createInfo,
  keyOf,
  LOOP,
  SDA,
  someKeys,
  uniformSummary,
} from '../../history/fixtures.ts';
import type { Row } from '../../history/fixtures.ts';
import { anyRow, contentsOf, countPlainly } from '../fixtures.ts';

const SECOND = 1e9;

/** A history, a map of it and their common input, as a monitor would hold them. */
class Bench {
  readonly info = createInfo([
    ...someKeys(),
    keyOf({ marks: IdentityMark.noDetail | IdentityMark.ownerUnknown }),
  ]);
  readonly history: History = createHistory({ info: this.info });
  readonly live: LiveHeatmap;
  spec: HeatmapSpec;

  constructor(changes: Partial<HeatmapSpec> = {}, filter: Filter = NO_FILTER) {
    this.spec = {
      metric: 'device',
      scale: 'log',
      outlierCut: 0,
      columnNs: SECOND,
      columns: 20,
      bins: 40,
      filter: compileFilter(filter, this.info.identities, this.info),
      disks: [{ dev: SDA, sizeBytes: 2 ** 30 }],
      ...changes,
    };
    this.live = new LiveHeatmap(this.history, this.spec);
  }

  give(rows: readonly Partial<Row>[]): void {
    const columns = columnsOf(rows);
    this.history.append(columns);
    this.live.append(columns);
  }

  summarise(summary: CompletionSummary): void {
    this.history.appendAggregate(summary);
    this.live.appendAggregate(summary);
  }

  show(changes: Partial<HeatmapSpec>): void {
    this.spec = { ...this.spec, ...changes };
    this.live.show(this.spec);
  }

  /** The same picture, made from the history alone. */
  fresh(nowNs: number): LiveHeatmap {
    const live = new LiveHeatmap(this.history, this.spec);
    live.update(nowNs);
    return live;
  }
}

const noKeys = { key: 8 };
const ordinary: Row = {
  completeNs: 0,
  deviceNs: 100e3,
  queueNs: 10e3,
  sector: 4096,
  bytes: 4096,
  ...noKeys,
};

describe('live heat map', () => {
  it('a live heat map followed row by row equals the map from the history', () => {
    const metric = fc.constantFrom('device', 'queue', 'total', 'size', 'offset' as const);
    const seconds = fc.array(fc.array(anyRow, { maxLength: 12 }), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(metric, seconds, fc.boolean(), (of, batches, updatesFirst) => {
        const bench = new Bench({ metric: of, columnNs: 500e6 }, term('pid', '=', 1, 3));
        const all: Row[] = [];
        batches.forEach((batch, second) => {
          const rows = batch.map((row) => ({
            ...row,
            deviceNs: Math.min(row.deviceNs, Math.fround(99e9)),
            completeNs: second * SECOND + (Math.abs(row.completeNs) % SECOND),
          }));
          const nowNs = (second + 1) * SECOND;
          if (updatesFirst) bench.live.update(nowNs);
          bench.give(rows);
          bench.live.update(nowNs);
          all.push(...rows);
        });
        const { map } = bench.live;
        const { filter } = bench.spec;
        const selection = { fromNs: -Infinity, toNs: Infinity, filter };
        expect(contentsOf(map)).toEqual(countPlainly(map, all, selection));
      }),
    );
  });

  it('a live heat map loses no I/O when metric or filter changes', () => {
    const bench = new Bench();
    bench.live.update(10 * SECOND);
    bench.give([1, 2, 3, 4, 5].map((s) => ({ completeNs: s * SECOND, deviceNs: s * 1e5 })));
    bench.live.update(10 * SECOND);
    for (const metric of METRICS.filter((name) => name !== 'utilization')) {
      for (const scale of ['log', 'linear'] as const) {
        for (const columnNs of [100e6, SECOND, 10 * SECOND]) {
          bench.show({ metric, scale, columnNs, columns: 120 });
          bench.live.update(10 * SECOND);
          expect(totalsOf(bench.live.map).all).toBe(5);
        }
      }
    }
  });

  it('a live heat map can be frozen at any time, and catches up afterwards', () => {
    const bench = new Bench();
    bench.live.update(5 * SECOND);
    bench.give([{ completeNs: 4 * SECOND }]);
    bench.live.update(5 * SECOND);
    const frozen = bench.live.map.version;
    for (const second of [7, 9, 11]) {
      bench.give([{ completeNs: second * SECOND }]);
      bench.live.update(5 * SECOND);
    }
    expect(bench.live.map.version).toBe(frozen);
    expect(totalsOf(bench.live.map).all).toBe(1);
    bench.live.update(12 * SECOND);
    expect(totalsOf(bench.live.map).all).toBe(4);
    expect(contentsOf(bench.live.map)).toEqual(contentsOf(bench.fresh(12 * SECOND).map));
  });

  it('a column that enters the picture has the rest of an aggregate that was there before the picture', () => {
    const bench = new Bench();
    const summary = uniformSummary(5.6 * SECOND, 8, 700, ordinary);
    bench.summarise({ ...summary, endNs: 6.3 * SECOND });
    for (const nowNs of [5.5 * SECOND, 6.5 * SECOND]) {
      bench.live.update(nowNs);
      expect(contentsOf(bench.live.map)).toEqual(contentsOf(bench.fresh(nowNs).map));
    }
    expect(totalsOf(bench.live.map).all).toBe(700);
  });

  it('a live heat map may have more I/Os of one latency than fit into 32 bits', () => {
    const bench = new Bench();
    for (let second = 0; second < 4; second++)
      bench.summarise(uniformSummary(second * SECOND, 8, 2 ** 30, ordinary));
    bench.summarise(uniformSummary(5 * SECOND, 8, 100, { ...ordinary, deviceNs: 10e6 }));
    bench.live.update(6 * SECOND);
    const { map } = bench.live;
    const p99Ns = mapQuantile(map, totalsOf(map), 0.99)!;
    expect(p99Ns / ordinary.deviceNs).toBeCloseTo(1, 1);
  });

  it('a live heat map can go back to times that have left the window', () => {
    const bench = new Bench();
    for (let second = 0; second < 100; second++) {
      bench.live.update((second + 1) * SECOND);
      bench.give([{ completeNs: second * SECOND + 1 }]);
    }
    bench.live.update(50 * SECOND);
    expect(totalsOf(bench.live.map).all).toBe(20);
    expect(bench.live.map.endNs).toBe(51 * SECOND);
  });

  it('columns of a live heat map lie on multiples of their width since the trace started, whatever the time', () => {
    const bench = new Bench();
    const starts = [0.1, 0.9, 1, 1.5, 30.2].map((second) => {
      bench.live.update(second * SECOND);
      return bench.live.map.endNs / SECOND;
    });
    expect(starts).toEqual([1, 1, 2, 2, 31]);
  });

  it('rates divide by the time observed, not by the empty left of the picture', () => {
    const bench = new Bench();
    bench.live.update(4.5 * SECOND);
    expect(bench.live.observedNs).toBe(4.5 * SECOND);
    bench.live.update(100.5 * SECOND);
    expect(bench.live.observedNs).toBe(19.5 * SECOND);
  });

  it('rates divide also by the time before the first line of a log whose later lines are earlier', () => {
    const bench = new Bench();
    bench.give([{ ...ordinary, completeNs: -2 * SECOND }]);
    bench.live.update(4.5 * SECOND);
    expect(bench.live.observedNs).toBe(6.5 * SECOND);
  });

  it('rates of a frozen picture divide also by the time after its edge whose I/O its last column has', () => {
    const bench = new Bench({ columnNs: 60 * SECOND });
    bench.live.update(4 * SECOND);
    for (const second of [10, 40, 200]) {
      bench.give([{ ...ordinary, completeNs: second * SECOND }]);
      bench.live.update(4 * SECOND);
      expect(bench.live.observedNs).toBe(Math.min(60, second) * SECOND);
    }
  });
});

describe('axis of a live heat map', () => {
  it('the live axis leaves out at most the cut, and counts what it leaves out', () => {
    const bench = new Bench({ outlierCut: 0.01 });
    bench.live.update(SECOND);
    bench.give(Array.from({ length: 990 }, () => ({ completeNs: 1, deviceNs: 100e3 })));
    bench.give(Array.from({ length: 10 }, () => ({ completeNs: 2, deviceNs: 2e9 })));
    bench.live.update(SECOND);
    expect(bench.live.map.scale.domain).toEqual({ low: 10e3, high: 1e6 });
    const { above, max } = totalsOf(bench.live.map);
    expect([above, max]).toEqual([10, 2e9]);
    bench.give([{ completeNs: 3, deviceNs: 2e9 }]);
    bench.live.update(SECOND);
    expect(bench.live.map.scale.domain.high).toBeGreaterThan(2e9);
  });

  it('the live axis takes in a slower I/O at once and shrinks late', () => {
    const bench = new Bench();
    const highs: number[] = [];
    for (let second = 0; second < 80; second++) {
      bench.live.update(second * SECOND);
      bench.give([{ completeNs: second * SECOND, deviceNs: second === 10 ? 2e9 : 100e3 }]);
      bench.live.update(second * SECOND);
      highs.push(bench.live.map.scale.domain.high);
    }
    const leavesAt = 10 + 20;
    expect(highs[9]).toBe(1e6);
    expect(highs[10]).toBe(3e9);
    expect(highs[leavesAt + SHRINK_AFTER_NS / SECOND - 1]).toBe(3e9);
    expect(highs[leavesAt + SHRINK_AFTER_NS / SECOND]).toBe(1e6);
  });

  it('an axis that is held takes in no slower I/O that comes late, until time or the question changes', () => {
    const bench = new Bench();
    const give = (deviceNs: number): number => {
      bench.give([{ completeNs: 1, deviceNs }]);
      bench.live.update(SECOND);
      return bench.live.map.scale.domain.high;
    };
    bench.show({ holdsAxis: true });
    expect(give(100e3)).toBe(1e6);
    expect(give(2e9)).toBe(1e6);
    expect(totalsOf(bench.live.map).above).toBe(1);
    bench.show({ weight: 'bytes' });
    expect(give(100e3)).toBe(3e9);
    expect(give(20e9)).toBe(3e9);
    bench.live.update(2 * SECOND);
    expect(bench.live.map.scale.domain.high).toBe(30e9);
    bench.show({ holdsAxis: false });
    expect(give(200e9)).toBe(300e9);
  });

  it('the live axis stays while the same kind of load goes on', () => {
    const random = new SeededRandom(7, 1);
    const bench = new Bench({ columns: 60 });
    let changes = 0;
    let last = '';
    for (let second = 0; second < 600; second++) {
      bench.live.update(second * SECOND);
      bench.give(
        Array.from({ length: 50 }, () => ({
          completeNs: second * SECOND,
          deviceNs: 100e3 * Math.exp(3 * (random.next() + random.next() + random.next() - 1.5)),
        })),
      );
      bench.live.update(second * SECOND);
      const shown = JSON.stringify([bench.live.map.scale.domain, bench.live.ceiling]);
      if (second > 60 && shown !== last) changes++;
      last = shown;
    }
    expect(changes).toBeLessThanOrEqual(2);
  });

  it('the axis of offsets ends at the largest disk shown, or at the largest offset where no size is known', () => {
    const bench = new Bench({ metric: 'offset' });
    bench.give([{ completeNs: 1, sector: 3000, key: 1 }]);
    bench.live.update(SECOND);
    expect(bench.live.map.scale.domain).toEqual({ low: 0, high: 2 ** 30 });
    bench.show({ disks: [{ dev: LOOP }] });
    bench.live.update(SECOND);
    expect(bench.live.map.scale.domain).toEqual({ low: 0, high: 2 ** 21 });
  });
});

describe('a disk number that comes back as a smaller disk', () => {
  it('when a disk number comes back as a smaller disk, I/O beyond its end stays until it has scrolled out', () => {
    const bench = new Bench({ metric: 'offset' });
    bench.give([{ completeNs: 1, sector: 2 ** 20, key: 1 }]);
    bench.live.update(SECOND);
    bench.show({ disks: [{ dev: SDA, sizeBytes: 2 ** 24 }] });
    bench.give([{ completeNs: SECOND, sector: 2 ** 14, key: 1 }]);
    bench.live.update(2 * SECOND);
    const { map } = bench.live;
    expect(map.scale.domain.high).toBeGreaterThan(2 ** 29);
    const counts = Array.from({ length: map.bins }, (_, bin) =>
      Array.from({ length: map.columns }, (_, column) => map.count(column, bin)),
    ).flat();
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(2);
    bench.live.update(60 * SECOND);
    bench.live.update(61 * SECOND + SHRINK_AFTER_NS);
    expect(bench.live.map.scale.domain).toEqual({ low: 0, high: 2 ** 24 });
  });
});

describe('colours of a live heat map', () => {
  it('the colours of a live heat map end at a round count not above the fullest pixel', () => {
    const bench = new Bench();
    for (const [count, ceiling] of [
      [5, 10],
      [12, 30],
      [100, 100],
      [301, 1000],
    ] as const) {
      const fresh = new Bench();
      fresh.give(Array.from({ length: count }, () => ({ completeNs: 1, deviceNs: 100e3 })));
      fresh.live.update(SECOND);
      expect(fresh.live.ceiling).toBe(ceiling);
    }
    expect(bench.live.ceiling).toBe(10);
  });
});

describe('live heat map of aggregated I/O', () => {
  const key = 8;

  it('a live heat map counts every I/O of a summary once, over the columns that it covers', () => {
    const bench = new Bench({ columnNs: 100e6, columns: 60 });
    bench.give([{ completeNs: 0, deviceNs: 100e3 }]);
    bench.live.update(3 * SECOND);
    const summary = { ...uniformSummary(0, key, 1001, ordinary), startNs: 1.03e9, endNs: 1.27e9 };
    bench.summarise(summary);
    bench.live.update(3 * SECOND);
    const { map } = bench.live;
    const filled = Array.from({ length: map.columns }, (_, column) => map.columnTotal(column));
    const first = (SECOND - map.startNs) / 100e6;
    expect(filled.reduce((a, b) => a + b)).toBe(1002);
    for (const [column, share] of [70 / 240, 100 / 240, 70 / 240].entries()) {
      expect(Math.abs(filled[first + column]! - share * 1001)).toBeLessThanOrEqual(1);
    }
  });

  it('a live heat map counts I/O of a summary that has no value as unmeasurable', () => {
    const bench = new Bench({ metric: 'queue' });
    bench.live.update(3 * SECOND);
    const summary = { ...uniformSummary(1e9, key, 100, ordinary), count: 130 };
    bench.summarise(summary);
    bench.live.update(3 * SECOND);
    const { unmeasurable, all } = totalsOf(bench.live.map);
    expect([unmeasurable, all]).toEqual([30, 130]);
    expect(totalsOf(bench.fresh(3 * SECOND).map)).toMatchObject({ unmeasurable: 30, all: 130 });
  });

  it('a live heat map counts the rest of a summary when its columns enter', () => {
    const bench = new Bench({ columnNs: 100e6, columns: 50 });
    bench.live.update(1 * SECOND);
    bench.summarise({ ...uniformSummary(0, key, 1000, ordinary), startNs: 0.9e9, endNs: 1.4e9 });
    expect(totalsOf(bench.live.map).all).toBe(400);
    for (let at = 1.05e9; at < 1.5e9; at += 50e6) bench.live.update(at);
    expect(totalsOf(bench.live.map).all).toBe(1000);
  });

  it('a heat map resumed after a freeze has all that came meanwhile, also with another metric', () => {
    const bench = new Bench();
    bench.live.update(1 * SECOND);
    for (let i = 0; i < 10; i++)
      bench.summarise(uniformSummary(2.5e9 + i * 100e6, key, 10, ordinary));
    bench.show({ metric: 'total' });
    bench.live.update(1 * SECOND);
    expect(totalsOf(bench.live.map).all).toBe(0);
    bench.live.update(4 * SECOND);
    expect(totalsOf(bench.live.map).all).toBe(100);
  });

  it('a live heat map has everything after a long pause', () => {
    const bench = new Bench({ columns: 600 });
    bench.live.update(SECOND);
    for (let i = 0; i < 1000; i++) {
      bench.summarise(uniformSummary(2e9 + i * 100e6, key, 10, ordinary));
      bench.live.update(SECOND);
    }
    bench.live.update(110 * SECOND);
    expect(totalsOf(bench.live.map).all).toBe(10_000);
  });

  it("the filter applies to a summary's disk and operation", () => {
    const bench = new Bench({}, term('disk', '=', '7:0'));
    bench.live.update(SECOND);
    bench.summarise(uniformSummary(1, key, 10, ordinary));
    bench.live.update(SECOND);
    expect(totalsOf(bench.live.map).all).toBe(0);
    expect(totalsOf(bench.fresh(SECOND).map).all).toBe(0);
  });
});

describe('live heat map beyond the reach of single I/Os', () => {
  it('a live heat map beyond the kept rows still shows every I/O, with the slowest exact', () => {
    const info = createInfo([keyOf()]);
    const history = createHistory({ info, budgetBytes: 16 * 2 ** 20 });
    const perSecond = 20_000;
    for (let second = 0; second < 60; second++) {
      history.append(
        columnsOf(
          Array.from({ length: perSecond }, (_, i) => ({
            completeNs: second * SECOND + i * 50e3,
            deviceNs: i === 77 ? 1_234_567_890 : 100e3,
            sector: i % 5 === 0 ? NaN : 4096,
          })),
        ),
      );
    }
    expect(history.detailStartNs).toBeGreaterThan(30 * SECOND);
    const bench = new Bench();
    for (const metric of ['device', 'offset', 'size'] as const) {
      for (const columnNs of [500e6, SECOND, 2 * SECOND]) {
        const spec = { ...bench.spec, metric, columnNs, columns: 200 };
        const live = new LiveHeatmap(history, spec);
        live.update(59.9 * SECOND);
        const { all, unmeasurable, max } = totalsOf(live.map);
        expect(all).toBe(60 * perSecond);
        expect(unmeasurable).toBe(metric === 'offset' ? 12 * perSecond : 0);
        if (metric === 'device') expect(max).toBe(Math.fround(1_234_567_890));
      }
    }
  });
});

describe('live heat map of utilization', () => {
  it('a heat map of utilization counts disks by how busy they were, and draws 100 % in the top bin', () => {
    const disks = [{ dev: SDA }, { dev: LOOP }];
    const bench = new Bench({ metric: 'utilization', bins: 10, disks });
    for (let second = 0; second < 10; second++) {
      const end = (second + 1) * SECOND;
      bench.live.update(end);
      bench.give([
        { completeNs: end, deviceNs: SECOND, key: 0 },
        { completeNs: end - 1, deviceNs: 0.25e9, key: 1 },
      ]);
    }
    bench.live.update(10 * SECOND - 1);
    const { map } = bench.live;
    for (let column = 10; column < 20; column++) {
      const bins = Array.from({ length: 10 }, (_, bin) => map.count(column, bin));
      expect(bins).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0, 1]);
    }
    expect(totalsOf(map).all).toBe(20);
  });

  it('utilization of the column in progress is that of the part that has passed', () => {
    const bench = new Bench({ metric: 'utilization', bins: 10, columnNs: 10 * SECOND });
    bench.give([{ completeNs: 3 * SECOND, deviceNs: 3 * SECOND }]);
    bench.live.update(3 * SECOND);
    expect(bench.live.map.count(19, 9)).toBe(1);
    bench.live.update(6 * SECOND);
    expect(bench.live.map.count(19, 5)).toBe(1);
    expect(totalsOf(bench.live.map).all).toBe(1);
  });

  it('utilization before the trace started is unknown', () => {
    const bench = new Bench({ metric: 'utilization' });
    bench.give([{ completeNs: SECOND, deviceNs: 1e6 }]);
    bench.live.update(2.5 * SECOND);
    expect(totalsOf(bench.live.map).all).toBe(3);
  });
});
