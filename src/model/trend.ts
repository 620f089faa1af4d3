/** Rates and latencies over time: one value per bucket, NaN where nothing was observed. */
export interface Trend {
  /** Trace time at the left edge. */
  readonly startNs: number;
  readonly bucketNs: number;
  readonly buckets: number;
  /** From 0 to 1: how much of the buckets has been counted; one that is not whole has no values. */
  readonly countedShare: number;
  /** Completions per second. */
  readonly reads: Float64Array;
  readonly writes: Float64Array;
  /** Flushes, discards and everything else. */
  readonly others: Float64Array;
  /** Bytes per second. */
  readonly readBytes: Float64Array;
  readonly writtenBytes: Float64Array;
  /** Mean I/Os waiting or in service: summed total time / span (Little's law). */
  readonly readsInFlight: Float64Array;
  readonly writesInFlight: Float64Array;
  /** Of the total time (queue + device), in ns; NaN also where no completion had a measurable one. */
  readonly p50Ns: Float64Array;
  readonly p99Ns: Float64Array;
  readonly maxNs: Float64Array;
  /** Failed I/Os in all buckets together. */
  readonly errors: number;
  /** I/Os of which is not known whether they pass the filter: in no other figure here. */
  readonly undecidedCount: number;
  /** In order of their names. */
  readonly disks: readonly DiskTrend[];
}

export interface DiskTrend {
  readonly dev: number;
  readonly disk: string;
  /** Completions per second, of all operations. */
  readonly completions: Float64Array;
  /** Share of the last seconds with at least one request at the device; undefined if unmeasurable. */
  readonly utilization: number | undefined;
  /** Some of the I/O came without times of its own, so `utilization` is a lower bound. */
  readonly isUtilizationPartial: boolean;
}
