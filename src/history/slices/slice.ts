import { FINE_BINS, OFFSET_BINS } from '../../model/fine-bins.ts';
import type { Metric } from '../../model/metric.ts';

/** Metrics for which a slice has histograms. */
export const SLICE_METRICS = [
  'device',
  'queue',
  'total',
  'size',
  'offset',
] as const satisfies Metric[];
export type SliceMetric = (typeof SLICE_METRICS)[number];

export function isSliceMetric(quantity: string): quantity is SliceMetric {
  return SLICE_METRICS.some((one) => one === quantity);
}

/** Index of each metric in the layouts of slices. */
export const METRIC_INDEX = { device: 0, queue: 1, total: 2, size: 3, offset: 4 } as const;

/** Totals of a slice per identity, in this order. Times in ns. */
export const Field = {
  count: 0,
  bytes: 1,
  /** Sums over the completions whose time is known. */
  deviceNs: 2,
  queueNs: 3,
  /** Failed I/Os in aggregates. The error of a row is part of its identity. */
  aggregateErrors: 4,
  /** Variance of the count, where it is an estimate. */
  countVariance: 5,
  /**
   * Exact for rows. For aggregates, in the fine bin of the largest value: the device and queue latency are mostly the
   * kernel's own maximum, and the total, which the kernel does not keep, is at least the start of its bin.
   */
  maxDeviceNs: 6,
  maxQueueNs: 7,
  maxTotalNs: 8,
} as const;
export const FIELDS = 9;

/** The field with the maximum of each latency. */
export const MAX_FIELDS = {
  device: Field.maxDeviceNs,
  queue: Field.maxQueueNs,
  total: Field.maxTotalNs,
} as const;
export const FIRST_MAX_FIELD = Field.maxDeviceNs;

/** Non-empty bins of one histogram, ascending; reused between reads, so copy what must last. */
export interface BinList {
  readonly bins: Uint16Array;
  readonly counts: Float64Array;
}

export function createBinList(): BinList {
  const capacity = Math.max(FINE_BINS, OFFSET_BINS);
  return { bins: new Uint16Array(capacity), counts: new Float64Array(capacity) };
}

/**
 * Reads the total latency of an entry, or the device latency if only that is known. Returns how many bins are
 * non-empty, and the largest value: the device latency of an I/O without a queue latency may be larger than any total.
 */
export function readLatencies(
  slice: Slice,
  entry: number,
  into: BinList,
): { readonly filled: number; readonly maxNs: number; readonly hasTotals: boolean } {
  const maxNs = Math.max(
    slice.field(entry, Field.maxTotalNs),
    slice.field(entry, Field.maxDeviceNs),
  );
  const totals = slice.readBins(entry, METRIC_INDEX.total, into);
  if (totals > 0) return { filled: totals, maxNs, hasTotals: true };
  const filled = slice.readBins(entry, METRIC_INDEX.device, into);
  return { filled, maxNs, hasTotals: false };
}

/**
 * All I/O that completed in [startNs, endNs), one entry per identity. Device, queue and total latency and size are
 * in fine bins; offsets in `OFFSET_BINS` bins of 2^`offsetShift(entry)` sectors.
 */
export interface Slice {
  readonly startNs: number;
  readonly endNs: number;
  readonly entries: number;
  /** Whether some of the I/O is from aggregates. */
  readonly hasAggregates: boolean;
  /** Index into the `IdentityTable`; unique within a slice. */
  identity(entry: number): number;
  /** One of `Field`: a count, bytes or ns. */
  field(entry: number, field: number): number;
  offsetShift(entry: number): number;
  /** Reads the non-empty bins of a metric (by `METRIC_INDEX`) and returns their number. */
  readBins(entry: number, metric: number, into: BinList): number;
}
