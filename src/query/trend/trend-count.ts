import type { ShouldYield } from '../../base/time.ts';
import { NS_PER_SECOND } from '../../base/time.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { deviceName } from '../../model/device.ts';
import type { CompiledFilter } from '../../filter/match.ts';
import type { DiskTrend, Trend } from '../../model/trend.ts';
import type { CompletionSummary } from '../../source/event-source.ts';
import type { ActivityInfo } from '../activity/activity-report.ts';
import { countBack } from '../../history/scan/scan-back.ts';
import type { History, HistoryQuery } from '../../history/history.ts';
import type { Slice } from '../../history/slices/slice.ts';
import { TrendAdder } from './trend-adder.ts';
import { figuresOf, perSecond, totalOf } from './trend-figures.ts';
import { gridOf, latestOf, observedOf } from './trend-grid.ts';
import type { TrendGrid, TrendWindow } from './trend-grid.ts';
import { TrendSlots } from './trend-slots.ts';
import type { UncountedRun } from './trend-slots.ts';

/** Parts of the whole time after which `ShouldYield` is asked. */
const STRETCHES = 64;

/** Utilization "now" is that of the last seconds of the window, as in the tables. */
const UTILIZATION_SPAN_NS = 5 * NS_PER_SECOND;

/**
 * Buckets of one width, of a window that moves: what is new is added to the buckets it is in, and the
 * rest of the window is read from the history, the newest first. From slices where they fit the
 * buckets and keys alone decide what passes; else from single I/Os as far back as they reach. Slices
 * wider than a bucket are spread evenly over it.
 *
 * Each batch goes to the history and then here, both before the next `update`.
 */
export class TrendCount {
  private readonly slots: TrendSlots;
  private readonly adder: TrendAdder;
  /** Slices hold all there is to know for these buckets and this filter. */
  private readonly fitsSlices: boolean;
  private latestNs = -Infinity;

  constructor(
    private readonly history: History,
    private readonly filter: CompiledFilter,
    private readonly info: ActivityInfo,
    { bucketNs, buckets }: TrendGrid,
  ) {
    this.slots = new TrendSlots(buckets, bucketNs);
    this.adder = new TrendAdder(this.slots, filter, info.keys);
    this.fitsSlices = bucketNs % history.sliceNs === 0 && filter.quantities.length === 0;
  }

  /** Whether an `update` that was over has left something to count. */
  get isCounting(): boolean {
    return !this.slots.isWhole;
  }

  isFor(filter: CompiledFilter): boolean {
    return this.filter === filter;
  }

  hasGrid({ bucketNs, buckets }: TrendGrid): boolean {
    return this.slots.bucketNs === bucketNs && this.slots.length === buckets;
  }

  /** Rows that the history has just been given. */
  append(rows: CompletionColumns): void {
    if (!this.fitsSlices) this.adder.addNewRows(rows);
    else this.forgetBucketsOf(rows);
  }

  /** A summary that the history has just been given: it is in the slice of its middle. */
  appendSummary({ startNs, endNs }: CompletionSummary): void {
    const { sliceNs } = this.history;
    const fromNs = Math.floor((startNs + endNs) / 2 / sliceNs) * sliceNs;
    this.forgetBetween(fromNs, fromNs + sliceNs);
  }

  /** Moves the window and counts it until its turn is up, or until all is counted. */
  update(window: TrendWindow, shouldYield?: ShouldYield): void {
    const { slots } = this;
    const { first } = gridOf(window);
    const latestNs = latestOf(this.history, window);
    slots.moveTo(first, (slot) => {
      this.adder.sums.empty(slot);
    });
    if (latestNs !== this.latestNs) this.forgetUnsettled();
    this.latestNs = latestNs;
    let run = slots.newestRun();
    while (run !== undefined) {
      slots.noteCounted(run, this.countRun(run, shouldYield));
      if (shouldYield?.() === true) return;
      run = slots.newestRun();
    }
  }

  /** The figures as far as they have been counted. */
  trend(window: TrendWindow): Trend {
    const { slots, history } = this;
    const grid = gridOf(window);
    const order = slots.order();
    const observedNs = observedOf(grid, history, window);
    let bucket = 0;
    for (const number of slots.numbers()) {
      if (!slots.isCounted(number)) observedNs[bucket] = 0;
      bucket++;
    }
    return {
      startNs: grid.first * grid.bucketNs,
      bucketNs: grid.bucketNs,
      buckets: grid.buckets,
      countedShare: slots.share,
      ...figuresOf(this.adder.sums, order, observedNs),
      disks: this.diskTrends(window.endNs, order, observedNs),
    };
  }

  private diskTrends(endNs: number, order: Int32Array, observedNs: Float64Array): DiskTrend[] {
    const { history, info } = this;
    const fromNs = endNs - UTILIZATION_SPAN_NS;
    const shown = [...this.adder.sums.byDevice].filter(([, counts]) => totalOf(counts, order) > 0);
    const disks = shown.map(([dev, counts]) => ({
      dev,
      disk: deviceName(info, dev),
      completions: perSecond(counts, order, observedNs),
      utilization: history.utilization(dev, fromNs, endNs),
      isUtilizationPartial: history.isUtilizationPartial(dev, fromNs, endNs),
    }));
    return disks.sort((a, b) => (a.disk < b.disk ? -1 : 1));
  }

  /** Returns how far back it came. */
  private countRun({ startNs, toNs }: UncountedRun, shouldYield: ShouldYield | undefined): number {
    const { slots, history } = this;
    if (!this.fitsSlices)
      return countBack(history, startNs, toNs, shouldYield, this.addQuery.bind(this));
    const stretchNs = Math.ceil(slots.length / STRETCHES) * slots.bucketNs;
    let fromNs = toNs;
    do {
      const untilNs = fromNs;
      fromNs = shouldYield === undefined ? startNs : Math.max(startNs, untilNs - stretchNs);
      for (const slice of history.slices(fromNs, untilNs)) this.addSlice(slice, fromNs, untilNs);
    } while (fromNs > startNs && shouldYield?.() === false);
    return fromNs;
  }

  private addSlice(slice: Slice, fromNs: number, toNs: number): void {
    for (let entry = 0; entry < slice.entries; entry++)
      this.adder.addEntry(slice, entry, fromNs, toNs, this.latestNs);
  }

  /** Each I/O of the query once: as a row, or as part of an entry. */
  private addQuery(
    { rowsFromNs, chunks, slices }: HistoryQuery,
    fromNs: number,
    toNs: number,
  ): void {
    for (const view of slices) {
      view.forEachShown((slice, entry) => {
        this.adder.addEntry(slice, entry, fromNs, toNs, this.latestNs);
      });
    }
    for (const { rows, from, to } of chunks) this.adder.addRows(rows, from, to, rowsFromNs, toNs);
  }

  private forgetBucketsOf({ completeNs, length }: CompletionColumns): void {
    const { bucketNs } = this.slots;
    let last = NaN;
    for (let row = 0; row < length; row++) {
      const number = Math.floor(completeNs[row]! / bucketNs);
      if (number === last) continue;
      last = number;
      this.forget(number);
    }
  }

  private forgetBetween(fromNs: number, toNs: number): void {
    const { bucketNs } = this.slots;
    for (let number = Math.floor(fromNs / bucketNs); number * bucketNs < toNs; number++)
      this.forget(number);
  }

  private forgetUnsettled(): void {
    const { slots } = this;
    for (const number of slots.numbers())
      if (slots.isUnsettled[slots.of(number)] === 1) this.forget(number);
  }

  private forget(number: number): void {
    const slot = this.slots.of(number);
    if (slot < 0) return;
    this.adder.sums.empty(slot);
    this.slots.forget(number);
  }
}
