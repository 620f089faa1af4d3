import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LiveHeatmap } from '../../src/heatmap/time/live-heatmap.ts';
import type { HeatmapSpec } from '../../src/heatmap/time/heatmap-spec.ts';
import { totalsOf } from '../../src/heatmap/time/totals.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../src/history/history.ts';
import type { History } from '../../src/history/history.ts';
import type { HistoryInfo } from '../../src/history/slices/identity-facts.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import type { Filter } from '../../src/filter/filter.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { Verdict } from '../../src/filter/verdict.ts';
import {
  anyTrace,
  appendTrace,
  columnsOf,
  createInfo,
  keyOf,
  someKeys,
  uniformSummary,
} from '../history/fixtures.ts';
import type { Row } from '../history/fixtures.ts';
import { anyFilter, parsed } from '../filter/fixtures.ts';
import { ROW_METRICS } from './fixtures.ts';

// Shrinking a trace takes minutes: take `endOnFailure` out to hunt a failure down.
fc.configureGlobal({ seed: 20_100_701, endOnFailure: true });

const SLICE_NS = 1_000;

/** A window over everything from time 0 to `endNs`. */
function spec(info: HistoryInfo, filter: Filter, changes: Partial<HeatmapSpec> = {}): HeatmapSpec {
  return {
    metric: 'total',
    scale: 'log',
    outlierCut: 0,
    columnNs: 10_000,
    columns: 200,
    bins: 30,
    filter: compileFilter(filter, info.identities, info),
    disks: [],
    ...changes,
  };
}

function shown(history: History, of: HeatmapSpec): { all: number; undecided: number } {
  const heatmap = new LiveHeatmap(history, of);
  heatmap.update(1_990_000);
  const { all } = totalsOf(heatmap.map);
  return { all, undecided: heatmap.undecidedCount };
}

describe('a filtered heat map', () => {
  it('a filtered heat map draws only what matches, and counts what it leaves out', () => {
    const trace = anyTrace(8);
    const metrics = fc.constantFrom(...ROW_METRICS);
    fc.assert(
      fc.property(trace, anyFilter, metrics, fc.nat(300), (steps, filter, metric, detailRows) => {
        const info = createInfo(someKeys());
        const options = { info, sliceNs: SLICE_NS, budgetBytes: MIN_BUDGET_BYTES };
        const history = createHistory({ ...options, detailRows });
        const truth = appendTrace(history, info.identities, steps, 7);
        const of = spec(info, filter, { metric });
        const [passing, open] = judgePlainly(of, truth);
        const { all, undecided } = shown(history, of);
        expect(all).toBeLessThanOrEqual(passing + open);
        expect(all + undecided).toBeGreaterThanOrEqual(passing);
        if (undecided === 0) expect(all).toBe(passing);
      }),
      { numRuns: 200 },
    );
  });

  it('a filtered heat map matches every row while rows are kept', () => {
    const info = createInfo([keyOf({ tgid: 7 })]);
    const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
    history.append(columnsOf([1e3, 2e3, 3e3].map((deviceNs) => ({ deviceNs, completeNs: 500 }))));
    const count = (text: string) => shown(history, spec(info, parsed(text))).all;
    expect(['dlat>1us', 'dlat>=1us', 'dlat<1.5us pid=7', 'size>8k'].map(count)).toEqual([
      2, 3, 1, 0,
    ]);
  });

  it('a filtered heat map draws those bins of aggregates that match as a whole', () => {
    const info = createInfo([keyOf()]);
    const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
    const row: Row = {
      completeNs: 500,
      deviceNs: 900,
      queueNs: 100,
      sector: 2 ** 14,
      bytes: 4096,
      key: 0,
    };
    history.appendAggregate(uniformSummary(500, 0, 10, row));
    history.appendAggregate(uniformSummary(500, 0, 5, { ...row, deviceNs: 9_000, bytes: 512 }));
    const drawn = (text: string, metric: HeatmapSpec['metric']) =>
      shown(history, spec(info, parsed(text), { metric }));
    expect(drawn('lat>5us', 'total')).toEqual({ all: 5, undecided: 0 });
    expect(drawn('lat>1us', 'total')).toEqual({ all: 5, undecided: 10 });
    expect(drawn('lat>5us', 'size')).toEqual({ all: 0, undecided: 15 });
    expect(drawn('lat>50us', 'size')).toEqual({ all: 0, undecided: 0 });
    expect(drawn('lat>500ns size<1m', 'offset')).toEqual({ all: 15, undecided: 0 });
    expect(drawn('pid=1', 'total')).toEqual({ all: 0, undecided: 15 });
    expect(drawn('op=read', 'total')).toEqual({ all: 15, undecided: 0 });
  });

  it('undecided aggregates are no longer counted when they leave the window', () => {
    const info = createInfo([keyOf()]);
    const history = createHistory({ info, budgetBytes: MIN_BUDGET_BYTES });
    const heatmap = new LiveHeatmap(
      history,
      spec(info, parsed('pid=1'), { columns: 5, columnNs: 1_000 }),
    );
    heatmap.update(2_500);
    const row: Row = {
      completeNs: 2_400,
      deviceNs: 9,
      queueNs: 1,
      sector: 0,
      bytes: 512,
      key: 0,
    };
    const key = info.identities.intern(
      keyOf({ marks: IdentityMark.noDetail | IdentityMark.ownerUnknown }),
    );
    const summary = uniformSummary(2_400, key, 10, row);
    history.appendAggregate(summary);
    heatmap.appendAggregate(summary);
    expect(heatmap.undecidedCount).toBe(10);
    heatmap.update(6_500);
    expect(heatmap.undecidedCount).toBe(10);
    heatmap.update(7_500);
    expect(heatmap.undecidedCount).toBe(0);
  });
});

/** How many of the window's I/Os pass, and how many of them may. */
function judgePlainly(
  { filter }: HeatmapSpec,
  truth: readonly { row: Row; key: number; count: number }[],
): [number, number] {
  let [passing, open] = [0, 0];
  for (const { row, key, count } of truth) {
    if (row.completeNs < -10_000 || row.completeNs >= 1_991_000) continue;
    const verdict = filter.judgeRows(columnsOf([{ ...row, key }]), 0, 1)[0];
    if (verdict === Verdict.yes) passing += count;
    if (verdict === Verdict.maybe) open += count;
  }
  return [passing, open];
}
