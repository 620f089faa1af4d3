import type { Layer, TraceLatency } from './layer.ts';

/** Rates and latencies over time: one value per bucket, NaN where nothing was observed. */
export interface Trend {
  /** Undefined if the filter decides which layers are counted. */
  readonly layer?: Layer | undefined;
  /** Of the trace. */
  readonly traceLatency?: TraceLatency;
  /** Trace time at the left edge. */
  readonly startNs: number;
  readonly bucketNs: number;
  readonly buckets: number;
  /** Share of the buckets that has been counted, 0 to 1; a bucket that is not complete has no values. */
  readonly countedShare: number;
  /** Completions per second. */
  readonly reads: Float64Array;
  readonly writes: Float64Array;
  /** Flushes, discards and everything else, also I/O of unknown operation. */
  readonly others: Float64Array;
  /** I/O of unknown operation. */
  readonly undivided: Float64Array;
  /** Bytes per second; NaN everywhere if no size is known. */
  readonly readBytes: Float64Array;
  readonly writtenBytes: Float64Array;
  readonly undividedBytes: Float64Array;
  /** Mean I/Os waiting or in service: total time / span (Little's law). NaN everywhere if no time is known. */
  readonly readsInFlight: Float64Array;
  readonly writesInFlight: Float64Array;
  readonly undividedInFlight: Float64Array;
  /** Of the total time (queue + device), in ns; NaN also when no completion has a known time. */
  readonly p50Ns: Float64Array;
  readonly p99Ns: Float64Array;
  readonly maxNs: Float64Array;
  /** Failed I/Os in all buckets. */
  readonly errors: number;
  /** I/Os that may match the filter; they are in no other figure here. */
  readonly undecidedCount: number;
  /** Sorted by name. */
  readonly disks: readonly DiskTrend[];
}

export interface DiskTrend {
  readonly dev: number;
  readonly disk: string;
  /** Completions per second, of all operations. */
  readonly completions: Float64Array;
  /** Share of the last seconds with at least one request at the device; undefined when unknown. */
  readonly utilization: number | undefined;
  /** Some of the I/O has no times of its own, so `utilization` is a lower bound. */
  readonly isUtilizationPartial: boolean;
}
