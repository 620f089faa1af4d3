import { NS_PER_SECOND } from '../base/time.ts';
import { FINE_BINS, fineBin } from '../model/fine-bins.ts';
import { OP_CLASSES } from '../model/operation.ts';
import { quantile } from './quantile.ts';
import type { BinList } from './slice.ts';

const READ = OP_CLASSES.indexOf('read');
const WRITE = OP_CLASSES.indexOf('write');

/** Histograms of all buckets in one array, reused from trend to trend: it takes 5 KB per bucket. */
let pool = new Float64Array(0);

function claim(buckets: number): Float64Array {
  if (pool.length < buckets * FINE_BINS) pool = new Float64Array(buckets * FINE_BINS);
  else pool.fill(0, 0, buckets * FINE_BINS);
  return pool;
}

/** What completions of each bucket of time add up to. Only one may be in use at a time. */
export class TrendSums {
  errors = 0;
  private readonly counts: Float64Array[] = OP_CLASSES.map(() => new Float64Array(0));
  private readonly bytes: Float64Array[] = [];
  private readonly waitNs: Float64Array[] = [];
  private readonly maxNs: Float64Array;
  private readonly measured: Float64Array;
  private readonly histograms: Float64Array;
  private readonly byDevice = new Map<number, Float64Array>();

  constructor(private readonly buckets: number) {
    OP_CLASSES.forEach((_, opClass) => {
      this.counts[opClass] = new Float64Array(buckets);
      this.bytes[opClass] = new Float64Array(buckets);
      this.waitNs[opClass] = new Float64Array(buckets);
    });
    this.maxNs = new Float64Array(buckets);
    this.measured = new Float64Array(buckets);
    this.histograms = claim(buckets);
  }

  get devices(): readonly number[] {
    return [...this.byDevice.keys()];
  }

  /** Completions of one disk by bucket, to add to. */
  ofDevice(dev: number): Float64Array {
    const known = this.byDevice.get(dev);
    if (known !== undefined) return known;
    const counts = new Float64Array(this.buckets);
    this.byDevice.set(dev, counts);
    return counts;
  }

  addCounts(bucket: number, opClass: number, count: number, bytes: number, waitNs: number): void {
    this.counts[opClass]![bucket]! += count;
    this.bytes[opClass]![bucket]! += bytes;
    this.waitNs[opClass]![bucket]! += waitNs;
  }

  /** Adds one latency; NaN when it is not known. */
  addTime(bucket: number, timeNs: number): void {
    if (!(timeNs >= 0)) return;
    this.histograms[bucket * FINE_BINS + fineBin(timeNs)]!++;
    this.measured[bucket]!++;
    if (timeNs > this.maxNs[bucket]!) this.maxNs[bucket] = timeNs;
  }

  /** Adds a share of a histogram. Which share held its largest value is not known: any may have. */
  addTimes(bucket: number, list: BinList, filled: number, share: number, maxNs: number): void {
    const { histograms } = this;
    const origin = bucket * FINE_BINS;
    let sum = 0;
    for (let i = 0; i < filled; i++) {
      const count = list.counts[i]! * share;
      histograms[origin + list.bins[i]!]! += count;
      sum += count;
    }
    this.measured[bucket]! += sum;
    if (filled > 0 && maxNs > this.maxNs[bucket]!) this.maxNs[bucket] = maxNs;
  }

  quantiles(observedNs: Float64Array, share: number): Float64Array {
    return observedNs.map((ns, bucket) => {
      const total = this.measured[bucket]!;
      if (ns === 0 || total === 0) return NaN;
      const origin = bucket * FINE_BINS;
      const value = quantile(this.histograms, origin, 0, FINE_BINS, total, share);
      return Math.min(value ?? NaN, this.maxNs[bucket]!);
    });
  }

  largest(observedNs: Float64Array): Float64Array {
    return observedNs.map((ns, bucket) =>
      ns === 0 || this.measured[bucket] === 0 ? NaN : this.maxNs[bucket]!,
    );
  }

  rates(observedNs: Float64Array): TrendRates {
    const { counts, bytes, waitNs } = this;
    const others = counts
      .filter((_, opClass) => opClass !== READ && opClass !== WRITE)
      .reduce((sum, more) => sum.map((value, bucket) => value + more[bucket]!));
    return {
      reads: perSecond(counts[READ]!, observedNs),
      writes: perSecond(counts[WRITE]!, observedNs),
      others: perSecond(others, observedNs),
      readBytes: perSecond(bytes[READ]!, observedNs),
      writtenBytes: perSecond(bytes[WRITE]!, observedNs),
      readsInFlight: shares(waitNs[READ]!, observedNs),
      writesInFlight: shares(waitNs[WRITE]!, observedNs),
    };
  }
}

type TrendRates = Readonly<
  Record<
    | 'reads'
    | 'writes'
    | 'others'
    | 'readBytes'
    | 'writtenBytes'
    | 'readsInFlight'
    | 'writesInFlight',
    Float64Array
  >
>;

export function perSecond(sums: Float64Array, observedNs: Float64Array): Float64Array {
  return shares(sums, observedNs).map((share) => share * NS_PER_SECOND);
}

function shares(sums: Float64Array, observedNs: Float64Array): Float64Array {
  return sums.map((sum, bucket) => {
    const ns = observedNs[bucket]!;
    return ns > 0 ? sum / ns : NaN;
  });
}
