import { Field } from '../../history/slices/slice.ts';
import type { Slice } from '../../history/slices/slice.ts';
import type { Latency, Metric, Weight } from '../../model/metric.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';

/** Totals of I/Os that were only counted. Times in ns, over the I/Os whose time is known. */
export interface KnownSums {
  readonly count: number;
  readonly bytes: number;
  readonly deviceNs: number;
  readonly queueNs: number;
}

/** Estimated weight of one I/O whose value of the metric is `v`: `v` × `perValue` + `perIo`. */
export interface UnitWeight {
  readonly perValue: number;
  readonly perIo: number;
}

export const WEIGHS_NOTHING: UnitWeight = { perValue: 0, perIo: 0 };

export function sumsOfEntry(slice: Slice, entry: number): KnownSums {
  return {
    count: slice.field(entry, Field.count),
    bytes: slice.field(entry, Field.bytes),
    deviceNs: slice.field(entry, Field.deviceNs),
    queueNs: slice.field(entry, Field.queueNs),
  };
}

export function sumsOfAggregate(summary: CompletionSummary): KnownSums {
  const { count, bytes, deviceNsSum, queueNsSum } = summary;
  return { count, bytes, deviceNs: deviceNsSum, queueNs: queueNsSum };
}

/** I/Os of an aggregate that have a value of the metric, and the sum of the middles of their bins. */
export interface KnownValues {
  readonly count: number;
  readonly sum: number;
}

/**
 * The total latency of I/Os in ns, as exactly as it is known. The queue time of an I/O that was never issued is in the
 * sums, but it has no total latency: next to such I/O, only the histogram tells the others'.
 */
export function latencySum(
  metric: Latency,
  { count, deviceNs, queueNs }: KnownSums,
  values: KnownValues,
): number {
  if (metric === 'device') return deviceNs;
  if (metric === 'queue') return queueNs;
  const bothNs = deviceNs + queueNs;
  return values.count === count ? bothNs : Math.min(bothNs, values.sum);
}

/**
 * Distributes totals of I/Os that have a histogram of the metric. The part of the weight that the metric itself
 * measures is distributed in proportion to the value, so that a bin of slow I/O gets the time that it took; the rest
 * is distributed evenly.
 */
export function unitWeight(
  weight: Weight,
  metric: Metric,
  sums: KnownSums,
  values: KnownValues,
): UnitWeight {
  const { count, bytes, deviceNs, queueNs } = sums;
  const share = (byValue: number, evenly: number): UnitWeight => ({
    perValue: values.sum > 0 ? byValue / values.sum : 0,
    perIo: evenly / count,
  });
  if (weight === 'count' || count === 0) return WEIGHS_NOTHING;
  if (weight === 'bytes') return metric === 'size' ? share(bytes, 0) : share(0, bytes);
  if (metric === 'total') return share(latencySum(metric, sums, values), 0);
  if (metric === 'device') return share(deviceNs, queueNs);
  if (metric === 'queue') return share(queueNs, deviceNs);
  return share(0, deviceNs + queueNs);
}
