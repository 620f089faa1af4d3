import type { ShouldYield } from '../../base/time.ts';
import type { History, HistoryQuery } from '../history.ts';

/** Rows counted before `ShouldYield` is asked again: a few milliseconds under any filter. */
const STRETCH_ROWS = 65_536;

type CountedData = Pick<History, 'query' | 'slices' | 'beforeRows' | 'sliceNs'>;

/**
 * Goes back over the history from `endNs` to `startNs`, the newest first, until its turn is up; without
 * `shouldYield` in one go. Returns how far it came. What is known only in sum is read a slice at a time.
 * Each stretch is asked of the history when it is its turn, so that what moves from single I/Os into
 * sums meanwhile is met exactly once.
 */
export function countBack(
  data: CountedData,
  startNs: number,
  endNs: number,
  shouldYield: ShouldYield | undefined,
  count: (query: HistoryQuery, fromNs: number, toNs: number) => void,
): number {
  let toNs = endNs;
  do {
    const fromNs = shouldYield === undefined ? startNs : stretchStart(data, startNs, toNs);
    count(data.query(fromNs, toNs), fromNs, toNs);
    toNs = fromNs;
  } while (toNs > startNs && shouldYield?.() === false);
  return toNs;
}

function stretchStart(data: CountedData, startNs: number, toNs: number): number {
  const { rowsFromNs } = data.query(startNs, toNs);
  if (rowsFromNs >= toNs) return newestSliceStart(data, startNs, toNs);
  const beforeNs = data.beforeRows(toNs, STRETCH_ROWS);
  // On the edge of a slice: of half a slice nobody could say what it holds, once its rows have gone.
  return Math.max(rowsFromNs, Math.floor(beforeNs / data.sliceNs) * data.sliceNs);
}

function newestSliceStart(data: CountedData, startNs: number, toNs: number): number {
  let newestNs = startNs;
  for (const slice of data.slices(startNs, toNs)) newestNs = Math.max(newestNs, slice.startNs);
  return newestNs;
}
