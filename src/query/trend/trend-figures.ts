import { NS_PER_SECOND } from '../../base/time.ts';
import type { Trend } from '../../model/trend.ts';
import { READ, WRITE } from '../tally/tally.ts';
import type { TrendSums } from './trend-sums.ts';

type TrendFigures = Omit<Trend, 'startNs' | 'bucketNs' | 'buckets' | 'countedShare' | 'disks'>;

/**
 * The figures of the buckets in `slots`, in that order: rates per second, latencies in ns, NaN where nothing was
 * observed or known. `observedNs` has the observed time of each bucket. Means in flight follow from Little's law: the
 * sum of the waiting times of a bucket, divided by its observed time.
 */
export function figuresOf(
  { tally, undecided, lacksSizes }: TrendSums,
  slots: Int32Array,
  observedNs: Float64Array,
): TrendFigures {
  const { latencies } = tally;
  const rate = (of: ValueOf): Float64Array => perSecond(of, slots, observedNs);
  const known = (of: (slot: number) => number | undefined): Float64Array =>
    observedNs.map((ns, bucket) => (ns > 0 ? (of(slots[bucket]!) ?? NaN) : NaN));
  const bytes = (of: ValueOf): Float64Array => rate((slot) => (lacksSizes ? NaN : of(slot)));
  const lacksTimes =
    slots.some((slot) => tally.totalCount(slot) > 0) &&
    slots.every((slot) => latencies.maxNs(slot) === undefined);
  const inFlight = (of: ValueOf): Float64Array =>
    shares((slot) => (lacksTimes ? NaN : of(slot)), slots, observedNs);
  return {
    reads: rate((slot) => tally.count(slot, READ)),
    writes: rate((slot) => tally.count(slot, WRITE)),
    others: rate((slot) => tally.otherCount(slot)),
    undivided: rate((slot) => tally.undividedCount(slot)),
    readBytes: bytes((slot) => tally.bytes(slot, READ)),
    writtenBytes: bytes((slot) => tally.bytes(slot, WRITE)),
    undividedBytes: bytes((slot) => tally.undividedBytes(slot)),
    readsInFlight: inFlight((slot) => tally.waitNs(slot, READ)),
    writesInFlight: inFlight((slot) => tally.waitNs(slot, WRITE)),
    undividedInFlight: inFlight((slot) => tally.undividedWaitNs(slot)),
    p50Ns: known((slot) => latencies.quantileNs(slot, 0.5)),
    p99Ns: known((slot) => latencies.quantileNs(slot, 0.99)),
    maxNs: known((slot) => latencies.maxNs(slot)),
    errors: totalOf((slot) => tally.errors(slot), slots),
    undecidedCount: totalOf((slot) => undecided[slot]!, slots),
  };
}

type ValueOf = (slot: number) => number;

/** Sums of the buckets in `slots` per observed second; NaN where nothing was observed. */
export function perSecond(
  valueOf: ValueOf,
  slots: Int32Array,
  observedNs: Float64Array,
): Float64Array {
  return shares(valueOf, slots, observedNs).map((share) => share * NS_PER_SECOND);
}

export function totalOf(valueOf: ValueOf, slots: Int32Array): number {
  return slots.reduce((sum, slot) => sum + valueOf(slot), 0);
}

function shares(valueOf: ValueOf, slots: Int32Array, observedNs: Float64Array): Float64Array {
  return observedNs.map((ns, bucket) => (ns > 0 ? valueOf(slots[bucket]!) / ns : NaN));
}
