import type { RowChunk } from '../event-ring.ts';
import type { History } from '../history.ts';
import type { SliceView } from '../slices/slice-view.ts';

/** Visits a stretch of the past: each I/O once, as a row or as part of a slice. */
export interface Visitor {
  /** The I/O of a slice that completed in [fromNs, toNs). */
  addSlice(view: SliceView, fromNs: number, toNs: number): void;
  /** The rows that completed in [fromNs, toNs). */
  addRows(chunk: RowChunk, fromNs: number, toNs: number): void;
}

/** The part of the history that a scan reads. */
export type Past = Pick<History, 'query' | 'slices' | 'beforeRows' | 'sliceNs' | 'endNs'>;

/** For a picture that is not made of I/O. */
export const NO_PAST: Past = {
  query: (_, endNs) => ({ rowsFromNs: endNs, chunks: [], slices: [] }),
  slices: () => [],
  beforeRows: () => -Infinity,
  sliceNs: 1,
  endNs: -Infinity,
};

/** Shows `visitor` everything that completed in [fromNs, toNs). */
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
