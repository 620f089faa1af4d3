import { NS_PER_SECOND } from '../base/time.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import { deviceName } from '../model/device.ts';
import type { CompiledFilter } from '../model/filter-compile.ts';
import type { KeyTable } from '../model/key-table.ts';
import { opClassIndex } from '../model/operation.ts';
import type { DiskTrend, Trend } from '../model/trend.ts';
import { Verdict } from '../model/verdict.ts';
import type { ActivityInfo } from './activity-report.ts';
import type { History, HistoryQuery } from './history.ts';
import { rangesOfEntry } from './known-ranges.ts';
import { createBinList, Field, METRIC_INDEX } from './slice.ts';
import type { Slice } from './slice.ts';
import { perSecond, TrendSums } from './trend-sums.ts';

/** A window of the picture: so many columns, the last of which holds the trace time `endNs`. */
export interface TrendWindow {
  readonly endNs: number;
  readonly columnNs: number;
  readonly columns: number;
}

/** More points than this are no longer told apart on a line of a chart. */
export const MOST_BUCKETS = 100;

/** Utilization "now" is that of the last seconds of the window, as in the tables. */
const UTILIZATION_SPAN_NS = 5 * NS_PER_SECOND;

/**
 * A bucket counts when it is over, a long one after so much of it: I/O comes in bursts of some
 * seconds, and a bucket that ends or begins between two of them would show a peak or a dip.
 */
const LEAST_OBSERVED_NS = 10 * NS_PER_SECOND;

/** The newest I/O may not have been handed out yet: a bucket that lacks it would show a dip. */
const UNDERWAY_NS = 50e6;

/** Rows judged at once: few enough that their values stay in the first-level cache. */
const BLOCK_ROWS = 4096;

/**
 * How the I/O that passes a filter went on over a window of time. A bucket is one column of the
 * picture or several, on edges that do not move when the window does; one that is not over has no
 * value, unless it is long. From slices where they fit the buckets and keys alone decide what
 * passes; else from single I/Os as far back as they reach. Slices wider than a bucket are spread
 * evenly over it.
 */
export function trendOf(
  history: History,
  window: TrendWindow,
  filter: CompiledFilter,
  info: ActivityInfo,
): Trend {
  const grid = gridOf(window);
  const counting = new Counting(grid, latestOf(history, window), filter, info.keys);
  const fitsSlices = grid.bucketNs % history.sliceNs === 0;
  if (fitsSlices && filter.quantities.length === 0)
    for (const slice of history.slices(grid.startNs, grid.endNs)) counting.addSlice(slice);
  else counting.addQuery(history.query(grid.startNs, grid.endNs));
  const { sums } = counting;
  const observedNs = observedOf(grid, history, window);
  return {
    startNs: grid.startNs,
    bucketNs: grid.bucketNs,
    buckets: grid.buckets,
    ...sums.rates(observedNs),
    p50Ns: sums.quantiles(observedNs, 0.5),
    p99Ns: sums.quantiles(observedNs, 0.99),
    maxNs: sums.largest(observedNs),
    errors: sums.errors,
    undecidedCount: counting.undecidedCount,
    disks: diskTrends(history, window.endNs, sums, observedNs, info),
  };
}

interface Grid {
  readonly startNs: number;
  readonly endNs: number;
  readonly bucketNs: number;
  readonly buckets: number;
}

function gridOf({ endNs, columnNs, columns }: TrendWindow): Grid {
  const perBucket = Math.ceil(columns / MOST_BUCKETS);
  const bucketNs = perBucket * columnNs;
  const buckets = Math.ceil(columns / perBucket);
  const lastEndNs = (Math.floor(endNs / bucketNs) + 1) * bucketNs;
  return { startNs: lastEndNs - buckets * bucketNs, endNs: lastEndNs, bucketNs, buckets };
}

/** Until when everything that has happened is known. */
function latestOf(history: History, { endNs }: TrendWindow): number {
  return Math.max(endNs, history.endNs);
}

/** Ns of each bucket that were observed; 0 where they are too few for a value. */
function observedOf(grid: Grid, history: History, window: TrendWindow): Float64Array {
  const { startNs, bucketNs, buckets } = grid;
  const fromNs = Math.min(0, history.startNs);
  const toNs = latestOf(history, window);
  const settledNs = Math.max(window.endNs - Math.min(UNDERWAY_NS, bucketNs / 2), history.endNs);
  return Float64Array.from({ length: buckets }, (_, bucket) => {
    const at = startNs + bucket * bucketNs;
    const isWhole = at >= fromNs && at + bucketNs <= settledNs;
    const ns = Math.min(at + bucketNs, toNs) - Math.max(at, fromNs);
    return isWhole || ns >= LEAST_OBSERVED_NS ? ns : 0;
  });
}

function diskTrends(
  history: History,
  endNs: number,
  sums: TrendSums,
  observedNs: Float64Array,
  info: ActivityInfo,
): DiskTrend[] {
  const fromNs = endNs - UTILIZATION_SPAN_NS;
  const disks = sums.devices.map((dev) => ({
    dev,
    disk: deviceName(info, dev),
    completions: perSecond(sums.ofDevice(dev), observedNs),
    utilization: history.utilization(dev, fromNs, endNs),
    isUtilizationPartial: history.isUtilizationPartial(dev, fromNs, endNs),
  }));
  return disks.sort((a, b) => (a.disk < b.disk ? -1 : 1));
}

/** Where the I/O of one key is added. */
interface Target {
  readonly opClass: number;
  readonly device: Float64Array;
  readonly isError: boolean;
}

const list = createBinList();

/** Sorts what passes into buckets. */
class Counting {
  readonly sums: TrendSums;
  undecidedCount = 0;
  private readonly targets: (Target | undefined)[] = [];

  constructor(
    private readonly grid: Grid,
    private readonly latestNs: number,
    private readonly filter: CompiledFilter,
    private readonly keys: KeyTable,
  ) {
    this.sums = new TrendSums(grid.buckets);
  }

  addSlice(slice: Slice): void {
    for (let entry = 0; entry < slice.entries; entry++) this.addEntry(slice, entry);
  }

  /** Each I/O of the query once: as a row, or as part of an entry. */
  addQuery({ rowsFromNs, chunks, slices }: HistoryQuery): void {
    for (const view of slices) {
      view.forEachShown((slice, entry) => {
        this.addEntry(slice, entry);
      });
    }
    for (const { rows, from, to } of chunks)
      for (let at = from; at < to; at += BLOCK_ROWS)
        this.addRows(rows, at, Math.min(to, at + BLOCK_ROWS), rowsFromNs);
  }

  private addEntry(slice: Slice, entry: number): void {
    const verdict = this.judgeEntry(slice, entry);
    if (verdict === Verdict.none) return;
    const endNs = Math.min(slice.endNs, Math.max(this.latestNs, slice.startNs + 1));
    const widthNs = endNs - slice.startNs;
    const { startNs, bucketNs, buckets } = this.grid;
    const first = Math.max(0, Math.floor((slice.startNs - startNs) / bucketNs));
    const last = Math.min(buckets, Math.ceil((endNs - startNs) / bucketNs));
    const totals = slice.readBins(entry, METRIC_INDEX.total, list);
    const filled = totals > 0 ? totals : slice.readBins(entry, METRIC_INDEX.device, list);
    const maxNs = slice.field(entry, totals > 0 ? Field.maxTotalNs : Field.maxDeviceNs);
    for (let bucket = first; bucket < last; bucket++) {
      const at = startNs + bucket * bucketNs;
      const ns = Math.min(at + bucketNs, endNs) - Math.max(at, slice.startNs);
      const share = ns / widthNs;
      this.addShare(slice, entry, bucket, verdict, share);
      if (verdict === Verdict.all) this.sums.addTimes(bucket, list, filled, share, maxNs);
    }
  }

  private addShare(
    slice: Slice,
    entry: number,
    bucket: number,
    verdict: Verdict,
    share: number,
  ): void {
    const count = slice.field(entry, Field.count) * share;
    if (verdict === Verdict.unknown) {
      this.undecidedCount += count;
      return;
    }
    const { opClass, device, isError } = this.targetOf(slice.key(entry));
    const bytes = slice.field(entry, Field.bytes) * share;
    const waitNs = slice.field(entry, Field.deviceNs) + slice.field(entry, Field.queueNs);
    this.sums.addCounts(bucket, opClass, count, bytes, waitNs * share);
    this.sums.errors += isError ? count : slice.field(entry, Field.summaryErrors) * share;
    device[bucket]! += count;
  }

  private judgeEntry(slice: Slice, entry: number): Verdict {
    const { filter } = this;
    const key = slice.key(entry);
    const verdict = filter.judge(key);
    if (verdict !== Verdict.unknown || filter.quantities.length === 0) return verdict;
    const ranges = rangesOfEntry(slice, entry, filter.quantities);
    return filter.judge(key, (quantity) => ranges[quantity]);
  }

  private addRows(rows: CompletionColumns, from: number, to: number, fromNs: number): void {
    const { filter } = this;
    const { startNs, endNs, bucketNs } = this.grid;
    const { completeNs, key } = rows;
    const verdicts = filter.passesAll ? undefined : filter.judgeRows(rows, from, to);
    const leastNs = Math.max(fromNs, startNs);
    for (let row = from; row < to; row++) {
      const at = completeNs[row]!;
      if (!(at >= leastNs && at < endNs)) continue;
      const verdict = verdicts === undefined ? Verdict.all : verdicts[row - from]!;
      if (verdict === Verdict.none) continue;
      if (verdict === Verdict.unknown) this.undecidedCount++;
      else this.addRow(rows, row, Math.floor((at - startNs) / bucketNs), key[row]!);
    }
  }

  private addRow(rows: CompletionColumns, row: number, bucket: number, key: number): void {
    const { opClass, device, isError } = this.targetOf(key);
    const deviceNs = rows.deviceNs[row]!;
    const queueNs = rows.queueNs[row]!;
    const totalNs = deviceNs + queueNs;
    const isWhole = totalNs >= 0;
    const waitNs = isWhole ? totalNs : (deviceNs || 0) + (queueNs || 0);
    this.sums.addCounts(bucket, opClass, 1, rows.bytes[row]!, waitNs);
    this.sums.addTime(bucket, isWhole ? totalNs : deviceNs);
    if (isError) this.sums.errors++;
    device[bucket]!++;
  }

  private targetOf(key: number): Target {
    const known = this.targets[key];
    if (known !== undefined) return known;
    const { dev, cmdFlags, error } = this.keys.get(key);
    const device = this.sums.ofDevice(dev);
    const target = { opClass: opClassIndex(cmdFlags), device, isError: error !== 0 };
    this.targets[key] = target;
    return target;
  }
}
