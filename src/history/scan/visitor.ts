import type { RowChunk } from '../event-ring.ts';
import type { History } from '../history.ts';
import type { SliceView } from '../slices/slice-view.ts';

/** Visits a stretch of the past: each I/O once, as a row or as part of a slice. */
export interface Visitor {
  /** Called with a slice: counts its I/O that completed in [fromNs, toNs). */
  addSlice(view: SliceView, fromNs: number, toNs: number): void;
  /** Called with rows: counts those that completed in [fromNs, toNs). */
  addRows(chunk: RowChunk, fromNs: number, toNs: number): void;
}

/** The part of the history that a scan reads. */
export type Past = Pick<
  History,
  'query' | 'slices' | 'beforeRows' | 'sliceNs' | 'observedFromNs' | 'endNs'
>;

/** An empty past, for a picture that does not count I/O. */
export const NO_PAST: Past = {
  query: (_, endNs) => ({ rowsFromNs: endNs, chunks: [], slices: [] }),
  slices: () => [],
  beforeRows: () => -Infinity,
  sliceNs: 1,
  observedFromNs: 0,
  endNs: -Infinity,
};

/** Passes everything that completed in [fromNs, toNs) to `visitor`. */
export function visitPast(
  past: Pick<Past, 'query'>,
  visitor: Visitor,
  fromNs: number,
  toNs: number,
): void {
  const { rowsFromNs, chunks, slices } = past.query(fromNs, toNs);
  for (const view of slices) visitor.addSlice(view, fromNs, toNs);
  for (const chunk of chunks) visitor.addRows(chunk, rowsFromNs, toNs);
}
