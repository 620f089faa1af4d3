import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeatmapSpec } from '../../src/heatmap/time/heatmap-spec.ts';
import { LiveHeatmap } from '../../src/heatmap/time/live-heatmap.ts';
import { totalsOf } from '../../src/heatmap/time/totals.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../src/history/history.ts';
import { OUTLIER_CUTS, SCALE_KINDS } from '../../src/model/metric.ts';
import type { Filter } from '../../src/filter/filter.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import { fineBin, fineBinHigh, fineBinLow } from '../../src/model/fine-bins.ts';
import { Verdict } from '../../src/filter/verdict.ts';
import { columnsOf, createInfo, LOOP, SDA, someKeys } from '../history/fixtures.ts';
import type { Row } from '../history/fixtures.ts';
import { parsed } from '../filter/fixtures.ts';
import {
  anyRowInSlices,
  contentsOf,
  countPlainly,
  ROW_METRICS,
  SLICE_NS,
  valueOf,
} from './fixtures.ts';
import type { RowMetric } from './fixtures.ts';

fc.configureGlobal({ seed: 20_100_701, endOnFailure: true });

const COLUMNS = 20;

const anyRow = anyRowInSlices(
  [10e3, 30e3, 100e3, 300e3, 1e6, 10e6],
  [0, 512, 4096, 65_536, 2 ** 20],
);

/** Those that ask for the key alone are decided in both tiers. */
const anyFilter = fc
  .constantFrom('', 'pid!=1', 'disk=sda', 'op=write pid=2,3', 'pid=1 or pid=4')
  .map(parsed);

const anyRange = fc.option(
  fc
    .tuple(fc.integer({ min: 0, max: 5_000_000 }), fc.integer({ min: 1, max: 10_000_000 }))
    .map(([low, width]) => ({ low, high: low + width })),
  { nil: undefined },
);

type View = Pick<
  HeatmapSpec,
  'metric' | 'scale' | 'outlierCut' | 'columnNs' | 'bins' | 'valueRange'
> & { readonly metric: RowMetric };

const anyView: fc.Arbitrary<View> = fc.record({
  metric: fc.constantFrom(...ROW_METRICS),
  scale: fc.constantFrom(...SCALE_KINDS),
  outlierCut: fc.constantFrom(...OUTLIER_CUTS),
  columnNs: fc.constantFrom(1, 2, 5).map((slices) => slices * SLICE_NS),
  bins: fc.integer({ min: 1, max: 60 }),
  valueRange: anyRange,
});

const anyNow = fc.integer({ min: 0, max: 70 * SLICE_NS });
const byTime = (a: Row, b: Row): number => a.completeNs - b.completeNs;

function createMap(
  rows: readonly Row[],
  view: View,
  filterOf: Filter,
  nowNs: number,
  detailRows?: number,
) {
  const info = createInfo(someKeys());
  const filter = compileFilter(filterOf, info.identities, info);
  const options = { info, sliceNs: SLICE_NS, budgetBytes: MIN_BUDGET_BYTES };
  const history = createHistory({ ...options, ...(detailRows !== undefined && { detailRows }) });
  // A chunk at a time, as a chunk is what the ring forgets.
  for (let from = 0; from < rows.length; from += 4)
    history.append(columnsOf(rows.slice(from, from + 4)));
  const disks = [
    { dev: SDA, sizeBytes: 2 ** 30 },
    { dev: LOOP, sizeBytes: 2 ** 30 },
  ];
  const live = new LiveHeatmap(history, { ...view, columns: COLUMNS, filter, disks });
  live.update(nowNs);
  return { live, history, filter };
}

describe('the heat map that the history gives', () => {
  it('the heat map from the history equals counting each event, for any filter, window, zoom and outlier mode', () => {
    fc.assert(
      fc.property(
        fc.array(anyRow, { maxLength: 200 }),
        anyView,
        anyFilter,
        anyNow,
        (rows, view, asked, nowNs) => {
          const { live, filter } = createMap(rows, view, asked, nowNs);
          const { map } = live;
          const selection = { fromNs: -Infinity, toNs: Infinity, filter };
          expect(contentsOf(map)).toEqual(countPlainly(map, rows, selection));
          if (view.valueRange !== undefined) return;
          const { above, all } = totalsOf(map);
          expect(above).toBeLessThanOrEqual(Math.max(0, all * view.outlierCut));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('the heat map across rows and aggregates equals counting each event, up to the place in a fine bin', () => {
    let bordersMet = 0;
    fc.assert(
      fc.property(
        fc.array(anyRow, { minLength: 40, maxLength: 300 }),
        anyView,
        anyFilter,
        anyNow,
        fc.integer({ min: 1, max: 200 }),
        (unordered, view, asked, nowNs, detailRows) => {
          const rows = [...unordered].sort(byTime);
          const { live, history, filter } = createMap(rows, view, asked, nowNs, detailRows);
          const { map } = live;
          if (history.detailStartNs > map.startNs && history.detailStartNs < map.endNs)
            bordersMet++;
          for (let column = 0; column < map.columns; column++) {
            const from = map.startNs + column * map.columnNs;
            const inside = rows.filter(
              ({ completeNs, key }) =>
                completeNs >= from &&
                completeNs < from + map.columnNs &&
                filter.judge(key) === Verdict.yes,
            );
            const values = inside.map((row) => valueOf(view.metric, row));
            const known = values.filter((value) => value !== undefined);
            expect(map.columnTotal(column)).toBe(known.length);
            expect(map.unmeasurableCount(column)).toBe(values.length - known.length);
            if (view.metric === 'offset') continue;
            expectBinsNear(known, (bin) => map.count(column, bin), map.scale.edges);
          }
        },
      ),
      { numRuns: 200 },
    );
    expect(bordersMet).toBeGreaterThan(20);
  });
});

/**
 * Up to each edge of the axis, the map counts at least the values whose fine bins end before it and at
 * most those whose fine bins begin before it.
 */
function expectBinsNear(
  values: readonly number[],
  countOf: (bin: number) => number,
  edges: Float64Array,
): void {
  let counted = 0;
  for (let bin = -1; bin < edges.length - 1; bin++) {
    counted += countOf(bin);
    const edge = edges[bin + 1]!;
    const least = values.filter((value) => fineBinHigh(fineBin(value)) <= edge).length;
    const most = values.filter((value) => fineBinLow(fineBin(value)) < edge).length;
    expect(counted).toBeGreaterThanOrEqual(least);
    expect(counted).toBeLessThanOrEqual(most);
  }
}
