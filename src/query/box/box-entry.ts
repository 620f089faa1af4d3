import type { Box } from '../../filter/box.ts';
import type { DiskShares } from '../../model/disk-shares.ts';
import type { CompiledFilter, KnownRange } from '../../filter/match/match.ts';
import { FINE_BINS, fineBin, fineBinMiddle } from '../../model/fine-bins.ts';
import { Verdict } from '../../filter/verdict.ts';
import { isLatencyMetric, upperLimit } from './box-rows.ts';
import type { LatencyMetric } from './box-rows.ts';
import type { EntryLatencies, EntryPart } from './box-tally.ts';
import { countBefore, seedOf } from '../../history/estimate/even-share.ts';
import { judgeEntry } from '../../history/estimate/judge-bins.ts';
import type { BinJudge } from '../../history/estimate/judge-bins.ts';
import { latencySum, sumsOfEntry } from '../../history/estimate/known-sums.ts';
import { offsetMiddle, NO_VALUE, rangeOfBin } from '../../history/estimate/known-ranges.ts';
import {
  createBinList,
  Field,
  isSliceMetric,
  MAX_FIELDS,
  METRIC_INDEX,
  readLatencies,
} from '../../history/slices/slice.ts';
import type { BinList, Slice, SliceMetric } from '../../history/slices/slice.ts';

const list = createBinList();

/** When the I/O of a slice completed, relative to the time of the box. */
export interface SliceTime {
  readonly startNs: number;
  readonly endNs: number;
  /** All of it completed within the time of the box. */
  readonly isInside: boolean;
  /** Some of it may have completed within the time of the box. */
  readonly isNear: boolean;
}

const NO_TIME: SliceTime = { startNs: 0, endNs: 0, isInside: false, isNear: false };

/**
 * How much of a slice's entry is in the box, estimated from its histogram. Reused for each entry.
 */
export class BoxEntry {
  /** I/Os, as drawn, that match the filter and completed in the time of the box, with any value. */
  inTime = 0;
  /** Those of them that are also in the box by their value, with lower and upper bound. */
  inside = 0;
  least = 0;
  most = 0;
  /** I/Os that match the filter and have a value in the box, whenever they completed. */
  private matching = 0;
  /** The sum of values of the I/Os in the box, and that of all I/Os of the entry that have one. */
  private insideSum = 0;
  private allSum = 0;
  private valued = 0;
  /** Bins with I/O in the box, and their counts. */
  private readonly inner: BinList = createBinList();
  private innerBins = 0;
  private identity = 0;
  private time: SliceTime = NO_TIME;
  private readonly box: Box;
  /** Ends of the value range of the box. For shares of disks, in bytes of the disk of this entry. */
  private low: number;
  private limit: number;
  private readonly filter: CompiledFilter | undefined;

  constructor(
    box: Box,
    filter: CompiledFilter,
    private readonly shares?: DiskShares,
  ) {
    this.box = box;
    this.low = box.low;
    this.limit = upperLimit(box);
    this.filter = filter.passesAll ? undefined : filter;
  }

  read(slice: Slice, entry: number, time: SliceTime): void {
    this.inTime = this.inside = this.least = this.most = 0;
    this.matching = this.insideSum = this.allSum = this.valued = this.innerBins = 0;
    this.identity = slice.identity(entry);
    this.time = time;
    if (this.shares !== undefined) this.scaleTo(this.shares.bytesOf[this.identity]!);
    const { metric } = this.box;
    const judge = judgeEntry(this.filter, slice, entry, metric);
    if (judge.verdict === Verdict.no) return;
    if (metric === 'utilization') this.addWhole(slice.field(entry, Field.count), judge.verdict);
    else if (isSliceMetric(metric)) this.addBins(slice, entry, metric, judge);
    else this.addUnknown(slice.field(entry, Field.count), judge.verdict);
  }

  private scaleTo(diskBytes: number): void {
    this.low = this.box.low * diskBytes;
    this.limit = upperLimit(this.box) * diskBytes;
  }

  /** Counts I/O for a box that contains all values. */
  private addWhole(count: number, verdict: Verdict): void {
    if (this.time.isNear) this.most += count;
    if (verdict !== Verdict.yes) return;
    if (this.time.isInside) this.least += count;
    const share = this.shareOf(count, FINE_BINS);
    this.inTime += share;
    this.inside += share;
    this.matching += count;
  }

  /** There is no histogram of these values, so that any of the I/Os may be inside. */
  private addUnknown(count: number, verdict: Verdict): void {
    if (this.time.isNear) this.most += count;
    if (verdict === Verdict.yes) this.inTime += this.shareOf(count, FINE_BINS);
  }

  private addBins(slice: Slice, entry: number, metric: SliceMetric, judge: BinJudge): void {
    const shift = slice.offsetShift(entry);
    const filled = slice.readBins(entry, METRIC_INDEX[metric], list);
    for (let i = 0; i < filled; i++) {
      const bin = list.bins[i]!;
      const range = rangeOfBin(metric, bin, shift);
      if (range === NO_VALUE) continue;
      const count = list.counts[i]!;
      const value = metric === 'offset' ? offsetMiddle(bin, shift) : fineBinMiddle(bin);
      this.valued += count;
      this.allSum += value * count;
      const verdict = judge.ofBin(bin, shift);
      if (verdict === Verdict.no) continue;
      this.bound(range, count, verdict);
      if (verdict === Verdict.yes) this.addBin(bin, range, value, count);
    }
    const unmeasured = slice.field(entry, Field.count) - this.valued;
    if (judge.ofUnmeasured() === Verdict.yes) this.inTime += this.shareOf(unmeasured, FINE_BINS);
  }

  /** Updates the bounds with what is certain of the I/Os in a bin. */
  private bound({ low, high }: KnownRange, count: number, verdict: Verdict): void {
    const { low: least, limit, time } = this;
    if (time.isNear && high > least && !(low >= limit)) this.most += count;
    if (verdict !== Verdict.yes || !time.isInside) return;
    if (low >= least && !(high > limit)) this.least += count;
  }

  private addBin(bin: number, range: KnownRange, middle: number, count: number): void {
    const matching = this.matchingOf(bin, range, middle, count);
    const share = this.shareOf(matching, bin);
    // Both shares are rounded, so that the part may exceed the whole by one.
    this.inTime += Math.max(share, this.shareOf(count, bin));
    this.inside += share;
    this.matching += matching;
    this.insideSum += middle * share;
    if (share === 0) return;
    this.inner.bins[this.innerBins] = bin;
    this.inner.counts[this.innerBins++] = share;
  }

  /**
   * How many I/Os of a bin have a value in the box. The picture draws a bin at its middle, but spreads it evenly when
   * it is zoomed in so far that a box may be inside one bin.
   */
  private matchingOf(
    bin: number,
    { low, high }: KnownRange,
    middle: number,
    count: number,
  ): number {
    const { low: least, limit } = this;
    if (!(least >= low && limit <= high)) return middle >= least && !(middle >= limit) ? count : 0;
    const seed = seedOf(this.identity, bin);
    return countBefore(limit, count, seed, low, high) - countBefore(least, count, seed, low, high);
  }

  /** How many I/Os of a bin completed in the time of the box, as drawn. */
  private shareOf(count: number, bin: number): number {
    const { startNs, endNs } = this.time;
    const seed = seedOf(this.identity, bin);
    const before = countBefore(this.box.startNs, count, seed, startNs, endNs);
    return countBefore(this.box.endNs, count, seed, startNs, endNs) - before;
  }

  /**
   * Sums are known per entry. The histogram divides the sum of the box's own metric; the other sums are divided as if
   * each I/O had the same share.
   */
  part(slice: Slice, entry: number): EntryPart {
    const { metric } = this.box;
    const byCount = this.inside / slice.field(entry, Field.count);
    const byValue = this.allSum > 0 ? this.insideSum / this.allSum : byCount;
    return {
      count: this.inside,
      bytes: slice.field(entry, Field.bytes) * (metric === 'size' ? byValue : byCount),
      waitedNs: this.waitedNs(slice, entry, byValue, byCount),
      errors: slice.field(entry, Field.aggregateErrors) * byCount,
    };
  }

  private waitedNs(slice: Slice, entry: number, byValue: number, byCount: number): number {
    const { metric } = this.box;
    const sums = sumsOfEntry(slice, entry);
    if (metric === 'total')
      return latencySum(metric, sums, { count: this.valued, sum: this.allSum }) * byValue;
    return (
      sums.deviceNs * (metric === 'device' ? byValue : byCount) +
      sums.queueNs * (metric === 'queue' ? byValue : byCount)
    );
  }

  /** Undefined unless the latencies of exactly these I/Os are known. */
  latencies(slice: Slice, entry: number): EntryLatencies | undefined {
    const { metric } = this.box;
    if (isLatencyMetric(metric)) return this.ownLatencies(slice, entry, metric);
    const all = slice.field(entry, Field.count);
    if (this.matching < all) return undefined;
    const { filled, maxNs } = readLatencies(slice, entry, list);
    return { list, filled, factor: this.inside / all, maxNs };
  }

  private ownLatencies(slice: Slice, entry: number, metric: LatencyMetric): EntryLatencies {
    const { inner, innerBins, limit } = this;
    const top = inner.bins[innerBins - 1]!;
    const largest = slice.field(entry, MAX_FIELDS[metric]);
    const isHere = fineBin(largest) === top && largest >= this.low && !(largest >= limit);
    const maxNs = isHere ? largest : fineBinMiddle(top);
    return { list: inner, filled: innerBins, factor: 1, maxNs };
  }
}
