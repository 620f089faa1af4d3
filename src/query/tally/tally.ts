import { IdentityMark, operationIsUnknown } from '../../model/identity.ts';
import type { Identity } from '../../model/identity.ts';
import { OP_CLASSES, opClassIndex } from '../../model/operation.ts';
import { LatencyTally } from './latency-tally.ts';

/** Index of a class in `OP_CLASSES`, for the sums of a row by class. */
export const READ = OP_CLASSES.indexOf('read');
export const WRITE = OP_CLASSES.indexOf('write');
/** The class of I/O whose operation a log lacks. */
const UNKNOWN_CLASS = OP_CLASSES.length;
const CLASSES = OP_CLASSES.length + 1;

export function tallyClass(identity: Identity): number {
  return operationIsUnknown(identity) ? UNKNOWN_CLASS : opClassIndex(identity.cmdFlags);
}

/** Sums per row: counts, bytes and waiting time by operation class, then the rest. Times in ns. */
const Sum = {
  count: 0,
  bytes: CLASSES,
  wait: 2 * CLASSES,
  queue: 3 * CLASSES,
  /** I/Os with a known queue latency. */
  queued: 3 * CLASSES + 1,
  errors: 3 * CLASSES + 2,
  /** Variance of the count, where it is an estimate. */
  countVariance: 3 * CLASSES + 3,
  /** Bits of `LACKS` that all identities of the row have, with `NOTED`; 0 without identities. */
  lacks: 3 * CLASSES + 4,
} as const;
const SUMS = 3 * CLASSES + 5;

const LACKS = IdentityMark.sizeUnknown | IdentityMark.errorUnknown;
/** More than any mark. */
const NOTED = 2 ** 30;

const FIRST_ROWS = 16;

/** 19 of 20 values of a normal distribution are within this many standard deviations of the mean. */
const DEVIATIONS_OF_95_PERCENT = 1.96;

/** Sums over groups of I/O: a row per group, such as a process, a disk or a bucket of time. */
export class Tally {
  /** Its rows are those of the tally. */
  readonly latencies: LatencyTally;
  private sums = new Float64Array(FIRST_ROWS * SUMS);

  /** Rows beyond `mostHistograms` have no percentiles. */
  constructor(mostHistograms = Infinity) {
    this.latencies = new LatencyTally(mostHistograms);
  }

  /** Adds an empty row and returns its number. */
  claim(): number {
    const row = this.latencies.claim();
    if ((row + 1) * SUMS > this.sums.length) {
      const larger = new Float64Array(2 * this.sums.length);
      larger.set(this.sums);
      this.sums = larger;
    }
    this.sums.fill(0, row * SUMS, (row + 1) * SUMS);
    return row;
  }

  /** Invalidates all rows. */
  reset(): void {
    this.latencies.reset();
  }

  clear(row: number): void {
    this.latencies.clear(row);
    this.sums.fill(0, row * SUMS, (row + 1) * SUMS);
  }

  /** `waitNs`: queue plus device latency, as far as they are known. */
  add(
    row: number,
    opClass: number,
    count: number,
    bytes: number,
    waitNs: number,
    errors: number,
  ): void {
    const { sums } = this;
    const at = row * SUMS;
    sums[at + Sum.count + opClass]! += count;
    sums[at + Sum.bytes + opClass]! += bytes;
    sums[at + Sum.wait + opClass]! += waitNs;
    if (errors !== 0) sums[at + Sum.errors]! += errors;
  }

  /** To be called at least once for each identity of the row, in any order. */
  note(row: number, { marks }: Identity): void {
    const at = row * SUMS + Sum.lacks;
    const lacks = (marks & LACKS) | NOTED;
    this.sums[at] = this.sums[at] === 0 ? lacks : this.sums[at]! & lacks;
  }

  /** Whether there is I/O and the size of none is known. */
  lacksSizes(row: number): boolean {
    return this.lacks(row, IdentityMark.sizeUnknown);
  }

  /** Whether there is I/O and of none it is known whether it failed. */
  lacksErrors(row: number): boolean {
    return this.lacks(row, IdentityMark.errorUnknown);
  }

  /** Whether there is I/O and the operation of none is known. */
  lacksOperations(row: number): boolean {
    const unknown = this.undividedCount(row);
    return unknown > 0 && unknown === this.totalCount(row);
  }

  private lacks(row: number, mark: number): boolean {
    return (this.sums[row * SUMS + Sum.lacks]! & mark) !== 0;
  }

  /** NaN if the queue latency is not known. */
  addQueue(row: number, queueNs: number): void {
    if (!(queueNs >= 0)) return;
    const at = row * SUMS;
    this.sums[at + Sum.queue]! += queueNs;
    this.sums[at + Sum.queued]!++;
  }

  addCountVariance(row: number, variance: number): void {
    this.sums[row * SUMS + Sum.countVariance]! += variance;
  }

  /** How far the count may be off in 19 of 20 cases, as a share of it; undefined if it is exact. */
  margin(row: number): number | undefined {
    const variance = this.sums[row * SUMS + Sum.countVariance]!;
    return variance > 0
      ? (DEVIATIONS_OF_95_PERCENT * Math.sqrt(variance)) / this.totalCount(row)
      : undefined;
  }

  count(row: number, opClass: number): number {
    return this.sums[row * SUMS + Sum.count + opClass]!;
  }

  bytes(row: number, opClass: number): number {
    return this.sums[row * SUMS + Sum.bytes + opClass]!;
  }

  waitNs(row: number, opClass: number): number {
    return this.sums[row * SUMS + Sum.wait + opClass]!;
  }

  errors(row: number): number {
    return this.sums[row * SUMS + Sum.errors]!;
  }

  /** Undefined if no queue latency is known. */
  queueNs(row: number): number | undefined {
    const at = row * SUMS;
    return this.sums[at + Sum.queued] === 0 ? undefined : this.sums[at + Sum.queue]!;
  }

  /**
   * I/Os that are neither reads nor writes, as far as is known. Summed by class instead of subtracted from the total, because fractional
   * counts do not cancel out exactly.
   */
  otherCount(row: number): number {
    let others = 0;
    for (let opClass = 0; opClass < CLASSES; opClass++)
      if (opClass !== READ && opClass !== WRITE) others += this.count(row, opClass);
    return others;
  }

  /** The count over all operation classes. */
  totalCount(row: number): number {
    return this.overClasses(row, Sum.count);
  }

  totalBytes(row: number): number {
    return this.overClasses(row, Sum.bytes);
  }

  /**
   * Bytes read and written. A discard names gigabytes and transfers none. I/O of unknown operation is taken for reads
   * and writes, as nearly all is.
   */
  movedBytes(row: number): number {
    return this.bytes(row, READ) + this.bytes(row, WRITE) + this.undividedBytes(row);
  }

  /** I/Os of unknown operation. */
  undividedCount(row: number): number {
    return this.count(row, UNKNOWN_CLASS);
  }

  /** Bytes of I/O of unknown operation. */
  undividedBytes(row: number): number {
    return this.bytes(row, UNKNOWN_CLASS);
  }

  /** Waiting time of I/O of unknown operation. */
  undividedWaitNs(row: number): number {
    return this.waitNs(row, UNKNOWN_CLASS);
  }

  totalWaitNs(row: number): number {
    return this.overClasses(row, Sum.wait);
  }

  private overClasses(row: number, sum: number): number {
    const from = row * SUMS + sum;
    let total = 0;
    for (let at = from; at < from + CLASSES; at++) total += this.sums[at]!;
    return total;
  }
}
