import type { KnownSums, KnownValues } from '../../history/estimate/known-sums.ts';
import { latencySum } from '../../history/estimate/known-sums.ts';
import type { Metric, Weight } from '../../model/metric.ts';

/** Estimated weight of one I/O whose value of the metric is `v`: `v` × `perValue` + `perIo`. */
export interface UnitWeight {
  readonly perValue: number;
  readonly perIo: number;
}

export const WEIGHS_NOTHING: UnitWeight = { perValue: 0, perIo: 0 };

/** What is known of the I/Os that have a value of the metric. */
export interface WeighedValues extends KnownValues {
  /** The sum of the middles of the bins of their total latency, in ns. */
  readonly totalNs: number;
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
  values: WeighedValues,
): UnitWeight {
  const { count, bytes, deviceNs, queueNs } = sums;
  const share = (byValue: number, evenly: number): UnitWeight => ({
    perValue: values.sum > 0 ? byValue / values.sum : 0,
    perIo: evenly / count,
  });
  if (weight === 'count' || count === 0) return WEIGHS_NOTHING;
  if (weight === 'bytes') return metric === 'size' ? share(bytes, 0) : share(0, bytes);
  if (metric === 'total') return share(latencySum(metric, sums, values), 0);
  if (metric === 'device') {
    const all = values.count === count;
    const issuedNs = all ? queueNs : Math.min(queueNs, Math.max(0, values.totalNs - deviceNs));
    return share(deviceNs, values.count === 0 ? 0 : (issuedNs * count) / values.count);
  }
  if (metric === 'queue') return share(queueNs, deviceNs);
  return share(0, deviceNs + queueNs);
}
