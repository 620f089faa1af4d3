import type { History } from '../../history/history.ts';

/** A window of the picture: its last column contains trace time `endNs`. */
export interface TrendWindow {
  readonly endNs: number;
  readonly columnNs: number;
  readonly columns: number;
}

/** Buckets of a window: bucket `n` of the trace is [n · bucketNs, (n + 1) · bucketNs). */
export interface TrendGrid {
  /** Number of the leftmost bucket. */
  readonly first: number;
  readonly bucketNs: number;
  readonly buckets: number;
}

/** More points than this cannot be distinguished on the line of a chart. */
export const MOST_BUCKETS = 100;

/**
 * A bucket is shown when its time is over, a long one as soon as this much of it was observed. I/O comes in bursts of
 * some seconds: a short bucket that starts or ends between two bursts would show a dip or a peak.
 */
const LEAST_OBSERVED_NS = 10e9;

/** The newest I/O may not have been delivered yet: a bucket that lacks it would show a dip. */
const UNDERWAY_NS = 50e6;

/** The edges of buckets do not move when the window does. */
export function gridOf({ endNs, columnNs, columns }: TrendWindow): TrendGrid {
  const perBucket = Math.ceil(columns / MOST_BUCKETS);
  const bucketNs = perBucket * columnNs;
  const buckets = Math.ceil(columns / perBucket);
  return { first: Math.floor(endNs / bucketNs) + 1 - buckets, bucketNs, buckets };
}

/** Trace time until which everything that happened is known. */
export function latestOf(history: History, { endNs }: TrendWindow): number {
  return Math.max(endNs, history.endNs);
}

/** Observed time of each bucket in ns; 0 if it is too short to show a value. */
export function observedOf(grid: TrendGrid, history: History, window: TrendWindow): Float64Array {
  const { first, bucketNs, buckets } = grid;
  const fromNs = history.observedFromNs;
  const toNs = latestOf(history, window);
  const settledNs = Math.max(window.endNs - Math.min(UNDERWAY_NS, bucketNs / 2), history.endNs);
  return Float64Array.from({ length: buckets }, (_, bucket) => {
    const at = (first + bucket) * bucketNs;
    const isWhole = at >= fromNs && at + bucketNs <= settledNs;
    const ns = Math.min(at + bucketNs, toNs) - Math.max(at, fromNs);
    return isWhole || ns >= LEAST_OBSERVED_NS ? ns : 0;
  });
}
