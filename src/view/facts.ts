import type { Layer } from '../model/layer.ts';

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

/**
 * What the reducer may know of clock and screen at the moment of an action. Values only: what must be
 * counted is requested as an effect and answered with an action.
 */
export interface Facts {
  /** Trace time of the present and of the first I/O, in ns. */
  readonly nowNs: number;
  readonly startNs: number;
  /** Wall clock at `nowNs`, in ms since the epoch. */
  readonly wallNowMs: number;
  /** Layers that have had I/O so far. */
  readonly layers: readonly Layer[];
  /** Absent where the present is the end of the trace. */
  readonly replay?: ReplayExtent | undefined;
  /** Cells of the map that the cursor can be in. */
  readonly columns: number;
  readonly bins: number;
  /** Lines that the picture lacks for so many maps above each other; 0 where they fit. */
  readonly stackLacks: (maps: number) => number;
  /** What the keys for rows move in: the open list or text, else the table that has the focus. */
  readonly list: ListSize;
}
