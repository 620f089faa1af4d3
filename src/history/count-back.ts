import type { IsOver } from '../base/time.ts';
import type { History, HistoryQuery } from './history.ts';

/** Rows counted before `IsOver` is asked again: a few milliseconds under any filter. */
const STRETCH_ROWS = 65_536;

/** Parts of a window whose sums are read before that. */
export const SUM_STRETCHES = 16;

type CountedData = Pick<History, 'query' | 'beforeRows' | 'sliceNs'>;

/**
 * Goes back over the history from `endNs` to `startNs`, the newest first, until it is over; without
 * `isOver` in one go. Returns how far it came. What is known only in sum is read `sumStretchNs` at a
 * time. Each stretch is asked of the history when it is its
 * turn, so that what moves from single I/Os into sums meanwhile is met exactly once.
 */
export function countBack(
  data: CountedData,
  startNs: number,
  endNs: number,
  sumStretchNs: number,
  isOver: IsOver | undefined,
  count: (query: HistoryQuery, fromNs: number, toNs: number) => void,
): number {
  let toNs = endNs;
  do {
    const fromNs = isOver === undefined ? startNs : stretchStart(data, startNs, toNs, sumStretchNs);
    count(data.query(fromNs, toNs), fromNs, toNs);
    toNs = fromNs;
  } while (toNs > startNs && isOver?.() === false);
  return toNs;
}

/**
 * On the edge of a slice: of half a slice nobody could say what it holds, once its single I/Os have
 * gone.
 */
function stretchStart(
  data: CountedData,
  startNs: number,
  toNs: number,
  sumStretchNs: number,
): number {
  const { rowsFromNs, slices } = data.query(startNs, toNs);
  const hasRows = rowsFromNs < toNs;
  const beforeNs = hasRows ? data.beforeRows(toNs, STRETCH_ROWS) : -Infinity;
  if (beforeNs === -Infinity && isEmpty(slices)) return startNs;
  const fromNs = hasRows ? beforeNs : toNs - sumStretchNs;
  const edgeNs = Math.floor(fromNs / data.sliceNs) * data.sliceNs;
  return Math.max(hasRows ? rowsFromNs : startNs, edgeNs);
}

function isEmpty(all: Iterable<unknown>): boolean {
  for (const _ of all) return false;
  return true;
}
