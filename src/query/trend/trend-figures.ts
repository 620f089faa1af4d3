import { NS_PER_SECOND } from '../../base/time.ts';
import { FINE_BINS } from '../../model/fine-bins.ts';
import { OP_CLASSES } from '../../model/operation.ts';
import type { Trend } from '../../model/trend.ts';
import { quantile } from '../../model/quantile.ts';
import type { TrendSums } from './trend-sums.ts';

const READ = OP_CLASSES.indexOf('read');
const WRITE = OP_CLASSES.indexOf('write');

type TrendFigures = Omit<Trend, 'startNs' | 'bucketNs' | 'buckets' | 'countedShare' | 'disks'>;

/** Of the buckets in `slots`, in that order; of each so many ns were observed. */
export function figuresOf(
  sums: TrendSums,
  slots: Int32Array,
  observedNs: Float64Array,
): TrendFigures {
  const { counts, bytes, waitNs } = sums;
  const rate = (values: Float64Array): Float64Array => perSecond(values, slots, observedNs);
  const others = counts.filter((_, opClass) => opClass !== READ && opClass !== WRITE);
  return {
    reads: rate(counts[READ]!),
    writes: rate(counts[WRITE]!),
    others: rate(others.reduce((sum, more) => sum.map((value, slot) => value + more[slot]!))),
    readBytes: rate(bytes[READ]!),
    writtenBytes: rate(bytes[WRITE]!),
    readsInFlight: shares(waitNs[READ]!, slots, observedNs),
    writesInFlight: shares(waitNs[WRITE]!, slots, observedNs),
    p50Ns: quantiles(sums, slots, observedNs, 0.5),
    p99Ns: quantiles(sums, slots, observedNs, 0.99),
    maxNs: largest(sums, slots, observedNs),
    errors: totalOf(sums.errors, slots),
    undecidedCount: totalOf(sums.undecided, slots),
  };
}

export function perSecond(
  values: Float64Array,
  slots: Int32Array,
  observedNs: Float64Array,
): Float64Array {
  return shares(values, slots, observedNs).map((share) => share * NS_PER_SECOND);
}

export function totalOf(values: Float64Array, slots: Int32Array): number {
  return slots.reduce((sum, slot) => sum + values[slot]!, 0);
}

function shares(values: Float64Array, slots: Int32Array, observedNs: Float64Array): Float64Array {
  return observedNs.map((ns, bucket) => (ns > 0 ? values[slots[bucket]!]! / ns : NaN));
}

function quantiles(
  { histograms, measured, maxNs }: TrendSums,
  slots: Int32Array,
  observedNs: Float64Array,
  share: number,
): Float64Array {
  return observedNs.map((ns, bucket) => {
    const slot = slots[bucket]!;
    const total = measured[slot]!;
    if (ns === 0 || total === 0) return NaN;
    const value = quantile(histograms, slot * FINE_BINS, 0, FINE_BINS, total, share);
    return Math.min(value ?? NaN, maxNs[slot]!);
  });
}

function largest(
  { measured, maxNs }: TrendSums,
  slots: Int32Array,
  observedNs: Float64Array,
): Float64Array {
  return observedNs.map((ns, bucket) => {
    const slot = slots[bucket]!;
    return ns === 0 || measured[slot] === 0 ? NaN : maxNs[slot]!;
  });
}
