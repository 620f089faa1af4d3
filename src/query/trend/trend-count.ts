import type { ShouldYield } from '../../base/time.ts';
import { NS_PER_SECOND } from '../../base/time.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { deviceName } from '../../model/device.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { DiskTrend, Trend } from '../../model/trend.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import type { ActivityInfo } from '../activity/activity-report.ts';
import type { History } from '../../history/history.ts';
import type { Past } from '../../history/scan/visitor.ts';
import { columnOf } from '../../history/window/column-ring.ts';
import { WindowedCount } from '../../history/window/windowed-count.ts';
import { TrendCounter } from './trend-counter.ts';
import { figuresOf, perSecond, totalOf } from './trend-figures.ts';
import { gridOf, latestOf, observedOf } from './trend-grid.ts';
import type { TrendGrid, TrendWindow } from './trend-grid.ts';
import { TrendSums } from './trend-sums.ts';

/** The current utilization is taken over the last seconds of the window, as in the tables. */
const UTILIZATION_SPAN_NS = 5 * NS_PER_SECOND;

/**
 * Buckets of one width over a moving window. They are counted from slices if these fit the buckets and the filter asks
 * only for identities; otherwise from rows, as far back as there are any.
 *
 * Append each batch to the history first and then here, both before the next `update`.
 */
export class TrendCount {
  private readonly sums: TrendSums;
  private readonly counter: TrendCounter;
  private readonly window: WindowedCount;
  /** Whether slices suffice for these buckets and this filter. */
  private readonly fitsSlices: boolean;

  constructor(
    private readonly history: History,
    private readonly filter: CompiledFilter,
    private readonly info: ActivityInfo,
    { first, bucketNs, buckets }: TrendGrid,
  ) {
    this.fitsSlices = bucketNs % history.sliceNs === 0 && !filter.asksSingleIo;
    this.sums = new TrendSums(buckets, bucketNs, first * bucketNs);
    this.counter = new TrendCounter(this.sums, filter, info.identities);
    const past = this.fitsSlices ? slicesAlone(history) : history;
    this.window = new WindowedCount(past, this.counter);
  }

  /** Whether the last `update` ran out of time. */
  get isCounting(): boolean {
    return !this.window.isWhole;
  }

  isFor(filter: CompiledFilter): boolean {
    return this.filter === filter;
  }

  hasGrid({ bucketNs, buckets }: TrendGrid): boolean {
    return this.sums.columnNs === bucketNs && this.sums.columns === buckets;
  }

  /** Adds rows that were just appended to the history. */
  append(rows: CompletionColumns): void {
    if (this.fitsSlices) this.forgetBucketsOf(rows);
    else this.window.append(rows);
  }

  /**
   * Adds an aggregate that was just appended to the history, which keeps it in the slice of its middle, and while it is
   * recent, over its own time, which may extend beyond that slice.
   */
  appendAggregate({ startNs, endNs }: CompletionSummary): void {
    const { sliceNs } = this.history;
    const fromNs = Math.floor((startNs + endNs) / 2 / sliceNs) * sliceNs;
    this.window.forget(fromNs, fromNs + sliceNs);
    if (!this.fitsSlices) this.window.forget(startNs, endNs);
  }

  /** Moves the window and counts until the deadline, or until everything is counted. */
  update(shown: TrendWindow, shouldYield?: ShouldYield): void {
    const { first, bucketNs, buckets } = gridOf(shown);
    this.window.moveTo(first * bucketNs, (first + buckets) * bucketNs);
    for (const bucket of this.counter.moveOn(latestOf(this.history, shown)))
      this.window.forget(bucket * bucketNs, (bucket + 1) * bucketNs);
    this.window.advance(shouldYield);
  }

  /** The figures counted so far. */
  trend(window: TrendWindow): Trend {
    const grid = gridOf(window);
    const order = this.sums.order();
    const observedNs = observedOf(grid, this.history, window);
    for (let bucket = 0; bucket < grid.buckets; bucket++)
      if (!this.window.isCounted(grid.first + bucket)) observedNs[bucket] = 0;
    return {
      layer: this.filter.layer,
      traceLatency: this.info.origin?.latency,
      startNs: grid.first * grid.bucketNs,
      bucketNs: grid.bucketNs,
      buckets: grid.buckets,
      countedShare: this.window.share,
      ...figuresOf(this.sums, order, observedNs),
      disks: this.diskTrends(window.endNs, order, observedNs),
    };
  }

  private diskTrends(endNs: number, order: Int32Array, observedNs: Float64Array): DiskTrend[] {
    const { history, info } = this;
    const fromNs = Math.max(endNs - UTILIZATION_SPAN_NS, history.observedFromNs);
    const shown = [...this.sums.byDevice].filter(
      ([, counts]) => totalOf((slot) => counts[slot]!, order) > 0,
    );
    const disks = shown.map(([dev, counts]) => ({
      dev,
      disk: deviceName(info, dev),
      completions: perSecond((slot) => counts[slot]!, order, observedNs),
      utilization: history.utilization(dev, fromNs, endNs),
      isUtilizationPartial: history.isUtilizationPartial(dev, fromNs, endNs),
    }));
    return disks.sort((a, b) => (a.disk < b.disk ? -1 : 1));
  }

  private forgetBucketsOf({ completeNs, length }: CompletionColumns): void {
    const { columnNs } = this.sums;
    let [fromNs, toNs] = [NaN, NaN];
    for (let row = 0; row < length; row++) {
      const at = completeNs[row]!;
      if (at >= fromNs && at < toNs) continue;
      fromNs = columnOf(at, columnNs) * columnNs;
      toNs = fromNs + columnNs;
      this.window.forget(fromNs, toNs);
    }
  }
}

/** The history as if it had no rows: slices hold everything. */
function slicesAlone(history: History): Past {
  return {
    query: (startNs, endNs) => ({
      rowsFromNs: endNs,
      chunks: [],
      slices: history.wholeSlices(startNs, endNs),
    }),
    slices: (startNs, endNs) => history.slices(startNs, endNs),
    beforeRows: () => -Infinity,
    sliceNs: history.sliceNs,
    get observedFromNs() {
      return history.observedFromNs;
    },
    get endNs() {
      return history.endNs;
    },
  };
}
