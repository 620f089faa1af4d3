import type { ShouldYield } from '../../base/time.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { Past } from '../../history/scan/visitor.ts';
import { windowStart } from '../../history/window/column-ring.ts';
import { WindowedCount } from '../../history/window/windowed-count.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { LaneFigure, Latency } from '../../model/metric.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { axisOf } from '../axis/axis.ts';
import { FollowedColors } from '../axis/followed-colors.ts';
import type { Interval } from '../axis/scale.ts';
import { LaneCounter } from './lane-counter.ts';
import { LaneCounts } from './lane-counts.ts';
import { areSameLanes, laneCount } from './lane-finder.ts';
import type { LaneOwners } from './lane-finder.ts';

/** What to show, apart from the time. */
export interface LaneSpec {
  readonly owners: LaneOwners;
  readonly metric: Latency;
  readonly figure: LaneFigure;
  readonly columnNs: number;
  readonly columns: number;
  readonly filter: CompiledFilter;
}

const AXIS_KIND = 'log';

/**
 * Latencies of disks, files, cgroups or processes over a moving window of the history: a lane for each subject, a cell
 * for each column.
 */
export class LaneMap {
  counts: LaneCounts;
  private counter: LaneCounter;
  private window: WindowedCount;
  private spec: LaneSpec;
  private readonly colors = new FollowedColors();
  private isStale = true;
  private nowNs = 0;
  private colorVersion = 0;
  private coloredVersion = -1;
  private readonly data: Past;

  constructor(data: Past, spec: LaneSpec) {
    this.data = data;
    this.spec = spec;
    this.counts = this.createCounts(0);
    this.counter = this.createCounter();
    this.window = new WindowedCount(data, this.counter);
  }

  /** Changes whenever the picture changes. */
  get version(): number {
    return this.counts.version + this.colorVersion;
  }

  get figure(): LaneFigure {
    return this.spec.figure;
  }

  /** The latency up to which a cell has the first colour, and that from which it has the last, in ns. */
  get colorRange(): Interval {
    return this.colors.range ?? axisOf(this.spec.metric, AXIS_KIND).initial;
  }

  get observedNs(): number {
    return this.window.observedNs(this.nowNs);
  }

  /** Share of the window that has been counted, 0 to 1, starting at its right edge. */
  get countedShare(): number {
    return this.isStale ? 0 : this.window.share;
  }

  /** Whether an `update` that reached its deadline has work left. */
  get isCounting(): boolean {
    return !this.window.isWhole;
  }

  value(lane: number, column: number): number | undefined {
    return this.counts.value(lane, column, this.spec.figure);
  }

  /** Changes what to show; the next `update` changes the picture. */
  show(spec: LaneSpec): void {
    const before = this.spec;
    this.spec = spec;
    const isSame =
      before.metric === spec.metric &&
      before.columnNs === spec.columnNs &&
      before.columns === spec.columns &&
      before.filter === spec.filter &&
      areSameLanes(before.owners, spec.owners);
    if (!isSame || this.counter.isOutdated()) this.isStale = true;
    const isOther = before.owners.subjects !== spec.owners.subjects;
    if (before.metric !== spec.metric || before.filter !== spec.filter || isOther)
      this.colors.reset();
    if (before.figure !== spec.figure) {
      this.colors.reset();
      this.colorVersion++;
    }
  }

  /** Counts rows that were just added to the history. */
  append(rows: CompletionColumns): void {
    if (!this.isStale) this.window.append(rows);
  }

  /** Counts an aggregate that was just added to the history and does not change any more. */
  appendAggregate(aggregate: CompletionSummary): void {
    if (!this.isStale) this.window.appendAggregate(aggregate);
  }

  /** Moves the window so that its last column contains `nowNs`, and counts until the deadline. */
  update(nowNs: number, shouldYield?: ShouldYield): void {
    const { columnNs, columns } = this.spec;
    this.nowNs = nowNs;
    const startNs = windowStart(nowNs, columnNs, columns);
    if (this.isStale || startNs < this.window.startNs) this.rebuild(startNs);
    else this.window.moveTo(startNs, startNs + columns * columnNs);
    this.window.advance(shouldYield);
    this.refitColors();
  }

  private createCounts(startNs: number): LaneCounts {
    const { metric, owners, columns, columnNs } = this.spec;
    return new LaneCounts(metric, laneCount(owners), columns, columnNs, startNs);
  }

  private createCounter(): LaneCounter {
    const { data, counts, spec } = this;
    const filter = spec.filter.passesAll ? undefined : spec.filter;
    return new LaneCounter(counts, data, filter, spec.owners);
  }

  private rebuild(startNs: number): void {
    const { version } = this.counts;
    this.counts = this.createCounts(startNs);
    this.counts.version = version + 1;
    this.counter = this.createCounter();
    this.window = new WindowedCount(this.data, this.counter);
    this.isStale = false;
  }

  private refitColors(): void {
    if (this.counts.version === this.coloredVersion && this.colors.areSettled) return;
    this.coloredVersion = this.counts.version;
    const extent = this.extent();
    if (extent === undefined) return;
    const before = this.colorRange;
    const fit = axisOf(this.spec.metric, AXIS_KIND).fit(extent);
    this.colors.follow(fit, this.nowNs, !this.isCounting);
    const { low, high } = this.colorRange;
    if (low !== before.low || high !== before.high) this.colorVersion++;
  }

  private extent(): Interval | undefined {
    let [low, high] = [Infinity, -Infinity];
    for (let lane = 0; lane < this.counts.lanes; lane++)
      for (let column = 0; column < this.counts.columns; column++) {
        const value = this.value(lane, column);
        if (value === undefined || value === Infinity) continue;
        low = Math.min(low, value);
        high = Math.max(high, value);
      }
    return high === -Infinity ? undefined : { low, high };
  }
}
