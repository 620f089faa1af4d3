import { matchingOfEntry } from '../../history/estimate/count-matching.ts';
import type { Matching } from '../../history/estimate/count-matching.ts';
import { countBefore, seedOf } from '../../history/estimate/even-share.ts';
import type { Selection } from '../time/heatmap.ts';
import type { HeatmapData } from '../time/heatmap-spec.ts';

/** Counts the I/O of a window that has no pairs of values, spread over its time as in a heat map. */
export function countAggregates(
  data: Pick<HeatmapData, 'query' | 'endNs'>,
  { fromNs, toNs, filter }: Selection,
): Matching {
  const found = { count: 0, undecided: 0 };
  for (const view of data.query(fromNs, toNs).slices) {
    view.forEachShown((slice, entry, identity) => {
      const { count, undecided } = matchingOfEntry(filter, slice, entry);
      const until = Math.min(slice.endNs, Math.max(data.endNs, slice.startNs + 1));
      const seed = seedOf(identity, 0);
      const inWindow = (total: number): number =>
        countBefore(toNs, total, seed, slice.startNs, until) -
        countBefore(fromNs, total, seed, slice.startNs, until);
      found.count += inWindow(count);
      found.undecided += inWindow(undecided);
    });
  }
  return found;
}
