import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { Field } from '../slices/slice.ts';
import type { Slice } from '../slices/slice.ts';
import { fineBinMiddle } from '../../model/fine-bins.ts';
import type { Latency } from '../../model/metric.ts';

/** Totals of I/Os that were only counted. Times in ns, over the I/Os whose time is known. */
export interface KnownSums {
  readonly count: number;
  readonly bytes: number;
  readonly deviceNs: number;
  readonly queueNs: number;
}

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

/** `filled`: the number of bins in use. */
export function knownValues(
  { bins, counts }: { readonly bins: ArrayLike<number>; readonly counts: ArrayLike<number> },
  filled: number,
): KnownValues {
  let [count, sum] = [0, 0];
  for (let i = 0; i < filled; i++) {
    count += counts[i]!;
    sum += fineBinMiddle(bins[i]!) * counts[i]!;
  }
  return { count, sum };
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
