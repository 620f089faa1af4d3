import type { ShouldYield } from '../../base/time.ts';
import type { HistoryQuery } from '../../history/history.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompiledFilter } from '../../filter/match.ts';
import type { KeyTable } from '../../model/key-table.ts';
import type { LaneFigure, Latency } from '../../model/metric.ts';
import type { CompletionSummary } from '../../source/event-source.ts';
import { axisOf } from '../axis/axis.ts';
import { columnOf } from '../time/binning.ts';
import { countBack } from '../../history/scan/scan-back.ts';
import { nextDomain, trackDomain } from '../axis/domain-tracker.ts';
import type { TrackedDomain } from '../axis/domain-tracker.ts';
import type { Selection } from '../time/heatmap.ts';
import { LaneCounts } from './lane-counts.ts';
import type { LaneOf } from './lane-counts.ts';
import { addLaneSlice, addLaneSummary } from './lane-aggregates.ts';
import type { HeatmapData } from '../time/live-heatmap.ts';
import type { Interval } from '../axis/scale.ts';

/** What to show, apart from when. */
export interface LaneSpec {
  readonly metric: Latency;
  readonly figure: LaneFigure;
  readonly columnNs: number;
  readonly columns: number;
  readonly filter: CompiledFilter;
  readonly keys: KeyTable;
  /** A lane each, in this order. */
  readonly devs: readonly number[];
}

const AXIS_KIND = 'log';
/** More summaries than this right of the window are read again from the history. */
const MOST_AHEAD = 256;

/** Latencies of disks over a moving window of the history: a lane per disk, a cell per column. */
export class LaneMap {
  counts: LaneCounts;
  private spec: LaneSpec;
  private colors: TrackedDomain | undefined;
  /** The colours of half a picture say nothing of the whole one, so they do not stay. */
  private hasWholeColors = false;
  private isStale = true;
  /** What completed before is not counted yet; −Infinity when everything in the window is. */
  private countedFromNs = -Infinity;
  private nowNs = 0;
  /** Lane by key, as far as keys have been seen. */
  private laneOfKey = new Int16Array(0);
  private keysSeen = 0;
  private ahead: CompletionSummary[] = [];
  private colorVersion = 0;
  private coloredVersion = -1;
  private readonly data: HeatmapData;

  constructor(data: HeatmapData, spec: LaneSpec) {
    this.data = data;
    this.spec = spec;
    this.counts = this.createCounts(0);
  }

  /** Changes whenever the picture does. */
  get version(): number {
    return this.counts.version + this.colorVersion;
  }

  get devs(): readonly number[] {
    return this.spec.devs;
  }

  get figure(): LaneFigure {
    return this.spec.figure;
  }

  /** In ns: up to which a cell has the first colour, and from which it has the last. */
  get colorRange(): Interval {
    return this.colors?.domain ?? axisOf(this.spec.metric, AXIS_KIND).initial;
  }

  get observedNs(): number {
    const { startNs, endNs } = this.counts;
    return Math.max(0, Math.min(this.nowNs, endNs) - Math.max(0, startNs, this.countedFromNs));
  }

  /** From 0 to 1: how much of the window has been counted, from its right edge on. */
  get countedShare(): number {
    const { startNs, endNs } = this.counts;
    if (!this.isCounting) return this.isStale ? 0 : 1;
    return (endNs - Math.max(startNs, this.countedFromNs)) / (endNs - startNs);
  }

  /** Whether an `update` that was over has left something to do. */
  get isCounting(): boolean {
    return this.countedFromNs !== -Infinity;
  }

  value(lane: number, column: number): number | undefined {
    return this.counts.value(lane, column, this.spec.figure);
  }

  /** Changes the question; the picture follows with the next `update`. */
  show(spec: LaneSpec): void {
    const before = this.spec;
    this.spec = spec;
    const isSame =
      before.metric === spec.metric &&
      before.columnNs === spec.columnNs &&
      before.columns === spec.columns &&
      before.filter === spec.filter &&
      before.devs.length === spec.devs.length &&
      before.devs.every((dev, lane) => dev === spec.devs[lane]);
    if (!isSame) this.isStale = true;
    if (before.metric !== spec.metric || before.filter !== spec.filter) this.colors = undefined;
    if (before.figure !== spec.figure) {
      this.colors = undefined;
      this.colorVersion++;
    }
  }

  /** Rows that the history has just been given. */
  append(rows: CompletionColumns): void {
    if (this.isStale) return;
    this.counts.addRows(
      rows,
      0,
      rows.length,
      this.laneOf(),
      this.selection(this.countedFromNs, Infinity),
    );
  }

  /** A summary that the history has just been given, and that nobody changes any more. */
  appendSummary(summary: CompletionSummary): void {
    if (this.isStale) return;
    addLaneSummary(
      this.counts,
      summary,
      this.laneOf(),
      this.selection(this.countedFromNs, Infinity),
    );
    if (summary.endNs <= this.counts.endNs) return;
    if (this.ahead.length < MOST_AHEAD) this.ahead.push(summary);
    else this.isStale = true;
  }

  /**
   * Moves the window so that its last column holds `nowNs`. Counts until its turn is up, or until all is
   * counted.
   */
  update(nowNs: number, shouldYield?: ShouldYield): void {
    const { columnNs, columns } = this.spec;
    this.nowNs = nowNs;
    const startNs = (columnOf(nowNs, columnNs) + 1 - columns) * columnNs;
    const moved = (startNs - this.counts.startNs) / columnNs;
    if (this.isStale || moved < 0 || moved >= columns) this.rebuild(startNs);
    else if (moved > 0) this.scroll(startNs);
    this.countMore(shouldYield);
    this.refitColors();
  }

  private createCounts(startNs: number): LaneCounts {
    const { metric, devs, columns, columnNs } = this.spec;
    return new LaneCounts(metric, devs.length, columns, columnNs, startNs);
  }

  private rebuild(startNs: number): void {
    const { version } = this.counts;
    this.counts = this.createCounts(startNs);
    this.counts.version = version + 1;
    this.isStale = false;
    this.ahead = [];
    this.keysSeen = 0;
    this.countedFromNs = this.counts.endNs;
  }

  private scroll(startNs: number): void {
    const fromNs = this.counts.endNs;
    this.counts.scrollTo(startNs);
    const { endNs } = this.counts;
    const { rowsFromNs, chunks } = this.data.query(fromNs, endNs);
    if (rowsFromNs > fromNs) {
      this.rebuild(startNs);
      return;
    }
    const selection = this.selection(fromNs, endNs);
    for (const { rows, from, to } of chunks)
      this.counts.addRows(rows, from, to, this.laneOf(), selection);
    for (const summary of this.ahead)
      addLaneSummary(this.counts, summary, this.laneOf(), selection);
    this.ahead = this.ahead.filter((summary) => summary.endNs > endNs);
  }

  /** Goes back over what is not counted yet, until its turn is up. */
  private countMore(shouldYield: ShouldYield | undefined): void {
    if (!this.isCounting) return;
    const { startNs, endNs } = this.counts;
    const toNs = Math.min(this.countedFromNs, endNs);
    if (toNs > startNs)
      this.countedFromNs = countBack(this.data, startNs, toNs, shouldYield, this.add.bind(this));
    if (this.countedFromNs <= startNs) this.countedFromNs = -Infinity;
  }

  private add({ rowsFromNs, chunks, slices }: HistoryQuery, fromNs: number, toNs: number): void {
    const single = this.selection(rowsFromNs, toNs);
    for (const { rows, from, to } of chunks)
      this.counts.addRows(rows, from, to, this.laneOf(), single);
    const whole = this.selection(fromNs, toNs);
    for (const slice of slices)
      addLaneSlice(this.counts, slice, this.laneOf(), whole, this.data.endNs);
  }

  private selection(fromNs: number, toNs: number): Selection {
    const { filter } = this.spec;
    return { fromNs, toNs, filter: filter.passesAll ? undefined : filter };
  }

  private laneOf(): LaneOf {
    const { keys, devs } = this.spec;
    if (keys.size > this.laneOfKey.length) {
      const larger = new Int16Array(2 * keys.size);
      larger.set(this.laneOfKey.subarray(0, this.keysSeen));
      this.laneOfKey = larger;
    }
    for (; this.keysSeen < keys.size; this.keysSeen++)
      this.laneOfKey[this.keysSeen] = devs.indexOf(keys.get(this.keysSeen).dev);
    return this.laneOfKey;
  }

  private refitColors(): void {
    if (this.counts.version === this.coloredVersion && this.hasWholeColors) return;
    this.coloredVersion = this.counts.version;
    const extent = this.extent();
    if (extent === undefined) return;
    const before = this.colorRange;
    const fit = axisOf(this.spec.metric, AXIS_KIND).fit(extent);
    const settled = this.hasWholeColors ? this.colors : undefined;
    this.colors = settled ? nextDomain(settled, fit, this.nowNs) : trackDomain(fit);
    this.hasWholeColors = !this.isCounting;
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
