import type { Term } from './filter.ts';
import type { Metric } from '../model/metric.ts';

/** A part of the picture: a stretch of time and an interval of values of one metric. */
export interface Box {
  readonly metric: Metric;
  /** Trace time in ns, [startNs, endNs). */
  readonly startNs: number;
  readonly endNs: number;
  /**
   * In the metric's unit (ns, bytes, share), [low, high). `high` is Infinity where there is no upper
   * end, as in the outlier row.
   */
  readonly low: number;
  readonly high: number;
  /** What else holds of all I/O in it: in a map of two values the other value, in a lane the disk. */
  readonly where?: readonly Term[];
}

export interface ValueRange {
  readonly low: number;
  readonly high: number;
}
