import type { ShouldYield } from '../../base/time.ts';
import { visitPast } from './visitor.ts';
import type { Past, Visitor } from './visitor.ts';

/** Rows visited before `ShouldYield` is asked again: a few milliseconds under any filter. */
const STRETCH_ROWS = 65_536;

/**
 * Goes back over the past from `endNs` to `startNs`, the newest first, until its turn is up; without
 * `shouldYield` in one go. Returns how far it came. What is known only as aggregates is read a slice
 * at a time. Each stretch is asked of the history when it is its turn, so that what moves from single
 * I/Os into aggregates meanwhile is met exactly once.
 */
export function scanBack(
  past: Past,
  visitor: Visitor,
  startNs: number,
  endNs: number,
  shouldYield?: ShouldYield,
): number {
  let toNs = endNs;
  do {
    const fromNs = shouldYield === undefined ? startNs : stretchStart(past, startNs, toNs);
    visitPast(past, visitor, fromNs, toNs);
    toNs = fromNs;
  } while (toNs > startNs && shouldYield?.() === false);
  return toNs;
}

function stretchStart(past: Past, startNs: number, toNs: number): number {
  const { rowsFromNs } = past.query(startNs, toNs);
  if (rowsFromNs >= toNs) return newestSliceStart(past, startNs, toNs);
  const beforeNs = past.beforeRows(toNs, STRETCH_ROWS);
  const fromNs = Math.max(rowsFromNs, beforeNs);
  // On the edge of a slice: of half a slice nobody could say what it holds, once its rows have gone.
  return Math.max(startNs, Math.floor(fromNs / past.sliceNs) * past.sliceNs);
}

function newestSliceStart(past: Past, startNs: number, toNs: number): number {
  let newestNs = startNs;
  for (const slice of past.slices(startNs, toNs)) newestNs = Math.max(newestNs, slice.startNs);
  return newestNs;
}
