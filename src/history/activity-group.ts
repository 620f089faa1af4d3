import { FINE_BINS } from '../model/fine-bins.ts';
import type { Activity } from '../model/activity.ts';
import { NS_PER_SECOND } from '../base/time.ts';
import { OP_CLASSES } from '../model/operation.ts';
import { quantile } from './quantile.ts';

const READ = OP_CLASSES.indexOf('read');
const WRITE = OP_CLASSES.indexOf('write');

/** What completions of one row of a table add up to. Plain numbers, mutable, one per row. */
export class ActivityGroup {
  reads = 0;
  writes = 0;
  others = 0;
  readBytes = 0;
  writtenBytes = 0;
  errors = 0;
  /** Queue and device time together, of all for which they are known. */
  waitNs = 0;
  maxNs = 0;
  /** Completions in the histogram. */
  measured = 0;
  /** Where the group's `FINE_BINS` of the pool begin. */
  readonly firstBin: number;
  private readonly pool: BinPool;

  constructor(pool: BinPool) {
    this.pool = pool;
    this.firstBin = pool.claim();
  }

  addCounts(opClass: number, count: number, bytes: number, isError: boolean): void {
    if (opClass === READ) {
      this.reads += count;
      this.readBytes += bytes;
    } else if (opClass === WRITE) {
      this.writes += count;
      this.writtenBytes += bytes;
    } else this.others += count;
    if (isError) this.errors += count;
  }

  addTimes(waitNs: number, maxNs: number, measured: number): void {
    this.waitNs += waitNs;
    if (maxNs > this.maxNs) this.maxNs = maxNs;
    this.measured += measured;
  }

  quantileNs(share: number): number | undefined {
    const { firstBin, measured } = this;
    const { counts } = this.pool;
    const value = quantile(counts, firstBin, firstBin + FINE_BINS, measured, share);
    return value === undefined ? undefined : Math.min(value, this.maxNs);
  }

  toActivity(spanNs: number): Activity {
    const perSecond = spanNs > 0 ? NS_PER_SECOND / spanNs : 0;
    return {
      readsPerSecond: this.reads * perSecond,
      writesPerSecond: this.writes * perSecond,
      othersPerSecond: this.others * perSecond,
      readBytesPerSecond: this.readBytes * perSecond,
      writtenBytesPerSecond: this.writtenBytes * perSecond,
      p50Ns: this.quantileNs(0.5),
      p99Ns: this.quantileNs(0.99),
      maxNs: this.measured === 0 ? undefined : this.maxNs,
      errors: this.errors,
    };
  }
}

/** Histograms of all groups of a report in one array, reused from report to report. */
export class BinPool {
  counts = new Float64Array(16 * FINE_BINS);
  private used = 0;

  clear(): void {
    this.counts.fill(0, 0, this.used);
    this.used = 0;
  }

  claim(): number {
    const first = this.used;
    this.used += FINE_BINS;
    if (this.used > this.counts.length) {
      const larger = new Float64Array(this.counts.length * 2);
      larger.set(this.counts);
      this.counts = larger;
    }
    return first;
  }
}
