import type { Layer } from '../model/layer.ts';
import type { SelectedRow } from './state.ts';

/** Times of a trace that is being replayed, in ns. */
export interface ReplayExtent {
  readonly startNs: number;
  /** Infinity while unknown. */
  readonly endNs: number;
}

/** A list or a text that keys scroll. */
export interface ListSize {
  readonly rows: number;
  /** Rows that are visible at once. */
  readonly height: number;
}

/** The rows of the open list of I/Os in flight; otherwise of the table that has the focus. */
export interface TableRows {
  readonly length: number;
  /** The place of the selected row, from 0; undefined if none is selected, or it is not in the table now. */
  readonly selected: number | undefined;
  readonly rowAt: (place: number) => SelectedRow;
}

/**
 * What the reducer may know of the clock and the screen at the time of an action. Values only: what must be counted is
 * requested as an effect, and answered with an action.
 */
export interface Facts {
  /** Trace time of the present and of the first I/O, in ns. */
  readonly nowNs: number;
  readonly startNs: number;
  /** Monotonic time in ms, which goes on where a replay stands still. */
  readonly realMs: number;
  /** Wall clock at `nowNs`, in ms since the epoch. */
  readonly wallNowMs: number;
  /** Layers that have had I/O so far. */
  readonly layers: readonly Layer[];
  /** Absent for a live trace, whose end is the present. */
  readonly replay?: ReplayExtent | undefined;
  /** Cells of the map that the cursor can be in. */
  readonly columns: number;
  readonly bins: number;
  /** The number of lines by which the picture is too small for this many maps above each other; 0 if they fit. */
  readonly stackLacks: (maps: number) => number;
  /** The list that the keys for rows move in: the open list or text, otherwise the table that has the focus. */
  readonly list: ListSize;
  readonly table: TableRows;
}
