import type { Box } from '../model/box.ts';
import type { CompiledFilter } from '../model/filter.ts';
import { FINE_BINS, fineBin } from '../model/fine-bins.ts';
import type { BoxTally, EntryLatencies, EntryPart } from './box-tally.ts';
import { isLatencyMetric, upperLimit } from './box-rows.ts';
import type { LatencyMetric } from './box-rows.ts';
import { BinSpans } from './bin-spans.ts';
import { countBefore, seedOf } from './even-share.ts';
import { createBinList, Field, METRIC_INDEX } from './slice.ts';
import type { BinList, Slice } from './slice.ts';
import type { SliceView } from './slice-view.ts';

const MAX_FIELDS = {
  device: Field.maxDeviceNs,
  queue: Field.maxQueueNs,
  total: Field.maxTotalNs,
} as const;

const list = createBinList();

/** Adds what the slices of the history know of a box. */
export class BoxSlices {
  /** I/Os that pass the filter in the time of the box, whatever their value. */
  inTime = 0;
  /** Of these, in the box: as the picture shows it, and the bounds of it. */
  count = 0;
  least = 0;
  most = 0;
  /** Some entries lie in the box with a part of their I/O only. */
  isEstimated = false;
  private readonly box: Box;
  private readonly filter: CompiledFilter;
  private readonly latestNs: number;
  private readonly tally: BoxTally;
  private readonly split: EntrySplit;

  /** `latestNs`: when the last I/O of the history completed, so a slice that still grows ends there. */
  constructor(box: Box, filter: CompiledFilter, latestNs: number, tally: BoxTally) {
    this.box = box;
    this.filter = filter;
    this.latestNs = latestNs;
    this.tally = tally;
    this.split = new EntrySplit(box);
  }

  add(view: SliceView): void {
    const { startNs } = view;
    const endNs = Math.min(view.endNs, Math.max(this.latestNs, startNs));
    this.split.begin(startNs, endNs, this.isInside(view), this.latestNs >= this.box.startNs);
    view.forEachShown((slice, entry, key) => {
      if (this.filter.passesKey(key)) this.addEntry(slice, entry, key);
    });
  }

  /** Whether all that the slice holds completed in the time of the box. */
  private isInside({ startNs, endNs }: SliceView): boolean {
    const { box, latestNs } = this;
    return startNs >= box.startNs && (endNs <= box.endNs || latestNs < box.endNs);
  }

  private addEntry(slice: Slice, entry: number, key: number): void {
    const { split, tally } = this;
    split.read(slice, entry, key);
    this.inTime += split.inTime;
    this.count += split.inside;
    this.least += split.least;
    this.most += split.most;
    if (split.least < split.most) this.isEstimated = true;
    if (split.inside === 0) return;
    if (split.inside < slice.field(entry, Field.count)) this.isEstimated = true;
    tally.addEntry(key, split.part(slice, entry), split.latencies(slice, entry));
  }
}

/** How much of an entry of a slice lies in the box, as far as its histogram tells. */
class EntrySplit {
  inTime = 0;
  inside = 0;
  least = 0;
  most = 0;
  /** I/Os whose value lies in the box, whenever they completed. */
  private matching = 0;
  /** Sums of the values of I/Os: those in the box, and all. */
  private insideSum = 0;
  private allSum = 0;
  private insideBins = 0;
  private startNs = 0;
  private endNs = 0;
  private isTimeInside = false;
  private isTimeNear = false;
  private readonly inner: BinList = createBinList();
  private readonly box: Box;
  private readonly limit: number;
  private readonly spans: BinSpans;

  constructor(box: Box) {
    this.box = box;
    this.limit = upperLimit(box);
    this.spans = new BinSpans(box.metric);
  }

  /** The entries that follow are of this stretch of time. */
  begin(startNs: number, endNs: number, isTimeInside: boolean, isTimeNear: boolean): void {
    this.startNs = startNs;
    this.endNs = endNs;
    this.isTimeInside = isTimeInside;
    this.isTimeNear = isTimeNear;
  }

  read(slice: Slice, entry: number, key: number): void {
    this.clear();
    const { metric } = this.box;
    const all = slice.field(entry, Field.count);
    if (metric === 'utilization') {
      this.addTimed(all, this.shareOf(all, key, FINE_BINS));
      return;
    }
    this.spans.shift = slice.offsetShift(entry);
    const filled = slice.readBins(entry, METRIC_INDEX[metric], list);
    let measured = 0;
    for (let i = 0; i < filled; i++) {
      const bin = list.bins[i]!;
      if (this.spans.isAbsent(bin)) continue;
      measured += list.counts[i]!;
      this.addBin(key, bin, list.counts[i]!);
    }
    this.inTime += this.shareOf(all - measured, key, FINE_BINS);
  }

  private clear(): void {
    this.inTime = this.inside = this.least = this.most = 0;
    this.matching = this.insideSum = this.allSum = this.insideBins = 0;
  }

  /** How many of so many I/Os of a bin completed in the time of the box, as the picture has it. */
  private shareOf(count: number, key: number, bin: number): number {
    const { startNs, endNs, box } = this;
    const seed = seedOf(key, bin);
    const before = countBefore(box.startNs, count, seed, startNs, endNs);
    return countBefore(box.endNs, count, seed, startNs, endNs) - before;
  }

  private addTimed(count: number, share: number): void {
    this.inTime += share;
    this.inside += share;
    this.matching += count;
    if (this.isTimeNear) this.most += count;
    if (this.isTimeInside) this.least += count;
  }

  private addBin(key: number, bin: number, count: number): void {
    const { spans, limit, inner } = this;
    const { low } = this.box;
    const share = this.shareOf(count, key, bin);
    const value = spans.middle(bin);
    const from = spans.low(bin);
    const to = spans.high(bin);
    this.inTime += share;
    this.allSum += value * count;
    if (value >= low && !(value >= limit)) {
      this.inside += share;
      this.matching += count;
      this.insideSum += value * share;
      if (share > 0) {
        inner.bins[this.insideBins] = bin;
        inner.counts[this.insideBins++] = share;
      }
    }
    if (to > low && !(from >= limit) && this.isTimeNear) this.most += count;
    if (from >= low && !(to > limit) && this.isTimeInside) this.least += count;
  }

  /**
   * Sums are known per entry. Of what the box is about, its part is known from the histogram; all
   * else is taken to be the same for every I/O.
   */
  part(slice: Slice, entry: number): EntryPart {
    const { metric } = this.box;
    const byCount = this.inside / slice.field(entry, Field.count);
    const byValue = this.allSum > 0 ? this.insideSum / this.allSum : byCount;
    const shareOf = (about: boolean): number => (about ? byValue : byCount);
    const deviceNs = slice.field(entry, Field.deviceNs);
    const queueNs = slice.field(entry, Field.queueNs);
    return {
      count: this.inside,
      bytes: slice.field(entry, Field.bytes) * shareOf(metric === 'size'),
      waitedNs:
        deviceNs * shareOf(metric === 'device' || metric === 'total') +
        queueNs * shareOf(metric === 'queue' || metric === 'total'),
      errors: slice.field(entry, Field.summaryErrors) * byCount,
    };
  }

  /** Undefined where the latencies of just these I/Os are not known. */
  latencies(slice: Slice, entry: number): EntryLatencies | undefined {
    const { metric } = this.box;
    if (isLatencyMetric(metric)) return this.ownLatencies(metric, slice, entry);
    const all = slice.field(entry, Field.count);
    if (this.matching < all) return undefined;
    const hasTotals = slice.readBins(entry, METRIC_INDEX.total, list);
    const filled = hasTotals > 0 ? hasTotals : slice.readBins(entry, METRIC_INDEX.device, list);
    const maxNs = slice.field(entry, hasTotals > 0 ? Field.maxTotalNs : Field.maxDeviceNs);
    return { list, filled, factor: this.inside / all, maxNs };
  }

  private ownLatencies(metric: LatencyMetric, slice: Slice, entry: number): EntryLatencies {
    const { inner, insideBins, limit, spans } = this;
    const { low } = this.box;
    const top = inner.bins[insideBins - 1]!;
    const largest = slice.field(entry, MAX_FIELDS[metric]);
    const isLargestHere = fineBin(largest) === top && largest >= low && !(largest >= limit);
    return {
      list: inner,
      filled: insideBins,
      factor: 1,
      maxNs: isLargestHere ? largest : spans.middle(top),
    };
  }
}
