import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HeatmapSpec } from '../../src/heatmap/time/heatmap-spec.ts';
import type { LiveHeatmap } from '../../src/heatmap/time/live-heatmap.ts';
import { createHistory, MIN_BUDGET_BYTES } from '../../src/history/history.ts';
import { compileFilter } from '../../src/filter/match/match.ts';
import type { CompiledFilter } from '../../src/filter/match/match.ts';
import { LATENCIES, OUTLIER_CUTS, SCALE_KINDS } from '../../src/model/metric.ts';
import { Pictures } from '../../src/monitor/pictures.ts';
import { anyRowInSlices, contentsOf, countPlainly, SLICE_NS } from '../heatmap/fixtures.ts';
import { columnsOf, createInfo, LOOP, SDA, someKeys } from '../history/fixtures.ts';
import { parsed } from '../filter/fixtures.ts';

fc.configureGlobal({ seed: 20_100_701, endOnFailure: true });

const anyRow = anyRowInSlices([], [0, 512, 4096, 65_536, 2 ** 20]);

const anyView = fc.record({
  latency: fc.constantFrom(...LATENCIES),
  scale: fc.constantFrom(...SCALE_KINDS),
  outlierCut: fc.constantFrom(...OUTLIER_CUTS),
  columnNs: fc.constantFrom(1, 2, 5).map((slices) => slices * SLICE_NS),
  columns: fc.constantFrom(1, 2, 20),
  bins: fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 1, max: 30 }))),
});
type View = typeof anyView extends fc.Arbitrary<infer T> ? T : never;

/** Where the right edge goes, how many rows have come by then, and whether it shows one map or three. */
const anySteps = fc.array(
  fc.record({
    nowNs: fc.integer({ min: 0, max: 70 * SLICE_NS }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    view: anyView,
    isStacked: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

const DISKS = [
  { dev: SDA, sizeBytes: 2 ** 30 },
  { dev: LOOP, sizeBytes: 2 ** 30 },
];

function specsOf({ latency: metric, bins, ...view }: View, filter: CompiledFilter): HeatmapSpec[] {
  const metrics = [metric, 'offset', 'size'] as const;
  return metrics.map((one, i) => ({
    ...view,
    metric: one,
    scale: one === 'offset' ? 'linear' : view.scale,
    bins: bins[i]!,
    filter,
    disks: DISKS,
  }));
}

describe('stacked maps', () => {
  it('each of the stacked maps equals counting each event, after any scrolling and growing', () => {
    const rowsOf = fc.array(anyRow, { maxLength: 150 });
    const filters = fc.constantFrom('', 'pid!=1', 'disk=sda', 'op=write pid=2,3').map(parsed);
    fc.assert(
      fc.property(rowsOf, filters, anySteps, (rows, asked, steps) => {
        const info = createInfo(someKeys());
        const filter = compileFilter(asked, info.identities, info);
        const history = createHistory({ info, sliceNs: SLICE_NS, budgetBytes: MIN_BUDGET_BYTES });
        const pictures = new Pictures(history);
        let given = 0;
        let maps: LiveHeatmap[] = [];
        for (const [i, { nowNs, share, view, isStacked }] of steps.entries()) {
          const isLast = i === steps.length - 1;
          const until = isLast ? rows.length : Math.max(given, Math.floor(share * rows.length));
          const part = columnsOf(rows.slice(given, until));
          given = until;
          history.append(part);
          pictures.append(part);
          const specs = specsOf(view, filter);
          maps = pictures.showMaps(isLast || isStacked ? specs : specs.slice(1, 2), nowNs);
        }
        expect(maps).toHaveLength(3);
        const selection = { fromNs: -Infinity, toNs: Infinity, filter };
        for (const { map } of maps)
          expect(contentsOf(map)).toEqual(countPlainly(map, rows, selection));
        expect(new Set(maps.map(({ map }) => map.startNs)).size).toBe(1);
      }),
      { numRuns: 300 },
    );
  });
});
