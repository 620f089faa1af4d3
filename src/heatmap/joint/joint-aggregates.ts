import { countBefore, seedOf } from '../../history/estimate/even-share.ts';
import { judgeEntry } from '../../history/estimate/judge-bins.ts';
import { Field } from '../../history/slices/slice.ts';
import type { Metric } from '../../model/metric.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { Selection } from '../time/heatmap.ts';
import type { HeatmapData } from '../time/heatmap-spec.ts';

/** Number of aggregated I/Os that match the filter, and number of those that may match. */
export interface Aggregated {
  readonly count: number;
  readonly undecided: number;
}

/** Counts the I/O of a window that has no pairs of values, spread over its time as in a heat map. */
export function countAggregates(
  data: Pick<HeatmapData, 'query' | 'endNs'>,
  metric: Metric,
  { fromNs, toNs, filter }: Selection,
): Aggregated {
  const found = { count: 0, undecided: 0 };
  for (const view of data.query(fromNs, toNs).slices) {
    view.forEachShown((slice, entry, identity) => {
      const { verdict } = judgeEntry(filter, slice, entry, metric);
      if (verdict === Verdict.no) return;
      const total = slice.field(entry, Field.count);
      const until = Math.min(slice.endNs, Math.max(data.endNs, slice.startNs + 1));
      const before = (atNs: number): number =>
        countBefore(atNs, total, seedOf(identity, 0), slice.startNs, until);
      found[verdict === Verdict.yes ? 'count' : 'undecided'] += before(toNs) - before(fromNs);
    });
  }
  return found;
}
