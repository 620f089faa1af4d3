import { FINE_BINS, fineBin } from '../../model/fine-bins.ts';
import type { Activity } from '../../model/activity.ts';
import { NS_PER_SECOND } from '../../base/time.ts';
import { OP_CLASSES } from '../../model/operation.ts';
import { quantile } from '../../model/quantile.ts';
import type { BinList } from '../../history/slices/slice.ts';

const READ = OP_CLASSES.indexOf('read');
const WRITE = OP_CLASSES.indexOf('write');

/** What completions of one row of a table add up to. */
export class ActivityGroup {
  reads = 0;
  writes = 0;
  others = 0;
  readBytes = 0;
  writtenBytes = 0;
  errors = 0;
  /** Queue and device time together, of all for which they are known. */
  waitNs = 0;
  /** Queue time alone; NaN as long as none is known. */
  queueNs = NaN;
  maxNs = 0;
  /** Completions in the histogram. */
  measured = 0;
  private readonly pool: BinPool;
  /** Where the histogram begins in the pool, and which of its bins are filled at most. */
  private readonly origin: number;
  private firstBin = FINE_BINS;
  private endBin = 0;

  constructor(pool: BinPool) {
    this.pool = pool;
    this.origin = pool.claim();
  }

  addCounts(opClass: number, count: number, bytes: number, errors: number): void {
    if (opClass === READ) {
      this.reads += count;
      this.readBytes += bytes;
    } else if (opClass === WRITE) {
      this.writes += count;
      this.writtenBytes += bytes;
    } else this.others += count;
    this.errors += errors;
  }

  /** NaN is no queue time. */
  addQueue(queueNs: number): void {
    if (queueNs >= 0) this.queueNs = (this.queueNs || 0) + queueNs;
  }

  addTimes(waitNs: number, maxNs: number, list: BinList, filled: number): void {
    this.waitNs += waitNs;
    if (filled === 0) return;
    if (maxNs > this.maxNs) this.maxNs = maxNs;
    this.firstBin = Math.min(this.firstBin, list.bins[0]!);
    this.endBin = Math.max(this.endBin, list.bins[filled - 1]! + 1);
    const { origin } = this;
    const { counts } = this.pool;
    for (let i = 0; i < filled; i++) {
      counts[origin + list.bins[i]!]! += list.counts[i]!;
      this.measured += list.counts[i]!;
    }
  }

  /** Adds the times of one I/O; `timeNs` is the one to count, NaN when it has none. */
  addTime(waitNs: number, timeNs: number): void {
    this.waitNs += waitNs;
    if (!(timeNs >= 0)) return;
    const bin = fineBin(timeNs);
    if (timeNs > this.maxNs) this.maxNs = timeNs;
    if (bin < this.firstBin) this.firstBin = bin;
    if (bin >= this.endBin) this.endBin = bin + 1;
    this.pool.counts[this.origin + bin]!++;
    this.measured++;
  }

  quantileNs(share: number): number | undefined {
    const { pool, origin, firstBin, endBin, measured } = this;
    const value = quantile(pool.counts, origin, firstBin, endBin, measured, share);
    return value === undefined ? undefined : Math.min(value, this.maxNs);
  }
}

/** A group as a row of a table. A class, because spreading plain objects cost 5 µs a row. */
export class ActivityRow implements Activity {
  readonly readsPerSecond: number;
  readonly writesPerSecond: number;
  readonly othersPerSecond: number;
  readonly readBytesPerSecond: number;
  readonly writtenBytesPerSecond: number;
  readonly p50Ns: number | undefined;
  readonly p99Ns: number | undefined;
  readonly maxNs: number | undefined;
  readonly queueShare: number | undefined;
  readonly errors: number;

  constructor(group: ActivityGroup, spanNs: number) {
    const perSecond = spanNs > 0 ? NS_PER_SECOND / spanNs : 0;
    this.readsPerSecond = group.reads * perSecond;
    this.writesPerSecond = group.writes * perSecond;
    this.othersPerSecond = group.others * perSecond;
    this.readBytesPerSecond = group.readBytes * perSecond;
    this.writtenBytesPerSecond = group.writtenBytes * perSecond;
    this.p50Ns = group.quantileNs(0.5);
    this.p99Ns = group.quantileNs(0.99);
    this.maxNs = group.measured === 0 ? undefined : group.maxNs;
    this.queueShare =
      group.waitNs > 0 && group.queueNs >= 0 ? group.queueNs / group.waitNs : undefined;
    this.errors = group.errors;
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
