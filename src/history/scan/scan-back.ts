import type { ShouldYield } from '../../base/time.ts';
import { visitPast } from './visitor.ts';
import type { Past, Visitor } from './visitor.ts';

/** Rows visited between calls of `ShouldYield`: a few milliseconds with any filter. */
const STRETCH_ROWS = 65_536;

/**
 * Scans the past from `endNs` back to `startNs`, newest first, until the deadline; without `shouldYield`, to the
 * end. Returns how far it came. Aggregated I/O is read slice by slice. Each stretch is queried when it is its turn,
 * so that I/O that moves from rows into aggregates meanwhile is visited exactly once.
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
  // Ends at the edge of a slice: half a slice could not be counted once its rows are gone.
  return Math.max(startNs, Math.floor(fromNs / past.sliceNs) * past.sliceNs);
}

function newestSliceStart(past: Past, startNs: number, toNs: number): number {
  let newestNs = startNs;
  for (const slice of past.slices(startNs, toNs)) newestNs = Math.max(newestNs, slice.startNs);
  return newestNs;
}
