import type { ShouldYield } from '../../base/time.ts';
import { NO_PAST } from '../../history/scan/visitor.ts';
import { windowStart } from '../../history/window/column-ring.ts';
import { WindowedCount } from '../../history/window/windowed-count.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { axisOf, createScale } from '../axis/axis.ts';
import type { Axis } from '../axis/axis.ts';
import { INITIAL_COLORS } from '../axis/color-range.ts';
import { followDomain, trackDomain } from '../axis/domain-tracker.ts';
import type { TrackedDomain } from '../axis/domain-tracker.ts';
import { FollowedColors } from '../axis/followed-colors.ts';
import { extentWithout } from '../axis/fine-histogram.ts';
import { Heatmap } from './heatmap.ts';
import {
  isSameQuestion,
  isSameSize,
  isSameValues,
  largestDiskBytes,
  weightOf,
} from './heatmap-spec.ts';
import type { HeatmapData, HeatmapSpec } from './heatmap-spec.ts';
import { sampleInto } from './sample.ts';
import { TimeCounter } from './time-counter.ts';
import { isSameInterval } from '../axis/scale.ts';
import type { Interval } from '../axis/scale.ts';
import { refitColors } from './refit-colors.ts';
import { totalsOf } from './totals.ts';
import { countDisks } from './utilization-map.ts';

/** A map on one axis, as far as it has been counted. */
interface Counted {
  readonly map: Heatmap;
  readonly window: WindowedCount;
}

/**
 * The heat map of a moving window of the history. I/O is binned row by row as it arrives, and counted again from the
 * history, newest columns first, when the specification changes. When only the axis changes, the old map stays until
 * the one on the new axis is complete.
 *
 * Pass each batch to the history and then to this map, before the next `update`.
 */
export class LiveHeatmap {
  private shown: Counted;
  /** The same map on another axis, as far as it has been counted. */
  private next: Counted | undefined;
  private spec: HeatmapSpec;
  private axis: Axis;
  /** Undefined until there is something to fit. */
  private domain: TrackedDomain | undefined;
  /** The time for which the axis of the map was fitted. */
  private fittedAtNs: number | undefined;
  private readonly colors = new FollowedColors();
  /** Histogram of all values of the previous specification, if they are the same for this one. */
  private sameValues: Float64Array | undefined;
  private nowNs = 0;
  private isStale = true;
  /** Earlier domains of the same I/O on other axes: the first guess when they are chosen again. */
  private readonly fitted = new Map<string, Interval>();
  /** When all columns of the utilization were last read. */
  private allReadNs = -Infinity;
  private readonly data: HeatmapData;
  /** The map of the highlighted I/O, on the same axis. */
  private highlighted: LiveHeatmap | undefined;

  constructor(data: HeatmapData, spec: HeatmapSpec) {
    this.data = data;
    this.spec = spec;
    this.axis = axisFor(spec);
    this.domain = this.chosenDomain();
    this.shown = this.createCount(0);
  }

  /** Replaced when the axis changes; versions continue from one map to the next. */
  get map(): Heatmap {
    return this.shown.map;
  }

  /** The highlighted I/O in the columns and bins of `map`; undefined while nothing is highlighted. */
  get highlight(): Heatmap | undefined {
    return this.highlighted?.map;
  }

  /** Share of the window that has been counted, 0 to 1, starting at its right edge. */
  get countedShare(): number {
    const own = this.isStale ? 0 : this.shown.window.share;
    return Math.min(own, this.highlighted?.countedShare ?? 1);
  }

  /** Whether an `update` that reached its deadline has work left. */
  get isCounting(): boolean {
    const isOwn = !this.shown.window.isWhole || this.next !== undefined;
    return isOwn || this.highlighted?.isCounting === true;
  }

  /**
   * The weight up to which a pixel has the first colour (for counts: one I/O), and that from which it has the last;
   * they change as rarely as the axis.
   */
  get colorRange(): Interval {
    const range = this.colors.range ?? INITIAL_COLORS[this.map.weight];
    const { metric, disks } = this.spec;
    if (metric !== 'utilization') return range;
    // A pixel of utilization cannot count more disks than there are.
    return { low: range.low, high: Math.max(range.low, Math.min(range.high, disks.length)) };
  }

  get ceiling(): number {
    return this.colorRange.high;
  }

  /** Length of the observed part of the window, in ns: rates over the picture are divided by it. */
  get observedNs(): number {
    return this.shown.window.observedNs(this.nowNs);
  }

  /** I/Os in the window that may match the filter; they are in no bin. */
  get undecidedCount(): number {
    return totalsOf(this.map).undecided;
  }

  /** Changes the specification; the next `update` changes the picture. */
  show(spec: HeatmapSpec): void {
    const before = this.spec;
    this.spec = spec;
    if (before.filter !== spec.filter || before.columnNs !== spec.columnNs) this.fitted.clear();
    const areSame = !this.isStale && this.shown.window.isWhole && isSameValues(before, spec);
    if (!isSameQuestion(before, spec)) this.forget(areSame ? this.map.fineTotal : undefined);
    else if (!isSameSize(before, spec)) this.isStale = true;
  }

  /** Counts rows that were just added to the history. */
  append(rows: CompletionColumns): void {
    this.highlighted?.append(rows);
    if (this.isStale || !this.isOfIo) return;
    this.shown.window.append(rows);
    this.next?.window.append(rows);
  }

  /** Counts an aggregate that was just added to the history and does not change any more. */
  appendAggregate(aggregate: CompletionSummary): void {
    this.highlighted?.appendAggregate(aggregate);
    if (this.isStale || !this.isOfIo) return;
    this.shown.window.appendAggregate(aggregate);
    this.next?.window.appendAggregate(aggregate);
  }

  private get isOfIo(): boolean {
    return this.spec.metric !== 'utilization';
  }

  /**
   * Moves the window so that its last column contains `nowNs`, and fits the axis to what is then visible. Counts
   * until the deadline, or until everything is counted.
   */
  update(nowNs: number, shouldYield?: ShouldYield): void {
    this.nowNs = nowNs;
    const { columnNs, columns } = this.spec;
    const startNs = windowStart(nowNs, columnNs, columns);
    const moved = (startNs - this.map.startNs) / columnNs;
    if (!this.isStale && Math.abs(moved) >= columns) this.forget();
    if (this.isStale || moved < 0) this.rebuild(startNs);
    else if (moved > 0) this.scroll(startNs);
    this.shown.window.advance(shouldYield);
    if (!this.isOfIo) this.readUtilization();
    if (this.shown.window.isWhole) this.refitDomain(shouldYield);
    refitColors(this, this.colors, this.nowNs, this.shown.window.isWhole);
    this.updateHighlight(nowNs, shouldYield);
  }

  /** The highlight is counted in the columns and on the axis that the map has now. */
  private updateHighlight(nowNs: number, shouldYield: ShouldYield | undefined): void {
    const { highlight, ...whole } = this.spec;
    if (highlight === undefined || !this.isOfIo) {
      this.highlighted = undefined;
      return;
    }
    const spec = { ...whole, filter: highlight, domain: this.map.scale.domain };
    if (this.highlighted === undefined) this.highlighted = new LiveHeatmap(this.data, spec);
    else this.highlighted.show(spec);
    const before = this.highlighted.map.version;
    this.highlighted.update(nowNs, shouldYield);
    if (this.highlighted.map.version !== before) this.map.version++;
  }

  private forget(sameValues?: Float64Array): void {
    this.sameValues = sameValues;
    this.axis = axisFor(this.spec);
    this.domain = this.chosenDomain();
    this.colors.reset();
    this.isStale = true;
  }

  private chosenDomain(): TrackedDomain | undefined {
    const { valueRange, domain } = this.spec;
    if (domain !== undefined) return trackDomain(domain);
    return valueRange && trackDomain(this.axis.zoom(valueRange));
  }

  private createMap(startNs: number, domain = this.domain?.domain ?? this.axis.initial): Heatmap {
    const { metric, bins, columns, columnNs, shares } = this.spec;
    const scale = createScale(this.axis, domain, bins);
    const weight = weightOf(this.spec);
    const isZoomed = this.spec.valueRange !== undefined;
    return new Heatmap({ metric, weight, isZoomed, scale, shares, columns, columnNs, startNs });
  }

  private createCount(startNs: number, domain?: Interval): Counted {
    const { data } = this;
    const map = this.createMap(startNs, domain);
    const counter = new TimeCounter(map, data, this.wanted());
    return { map, window: new WindowedCount(this.isOfIo ? data : NO_PAST, counter) };
  }

  private wanted(): CompiledFilter | undefined {
    const { filter } = this.spec;
    return filter.passesAll ? undefined : filter;
  }

  private rebuild(startNs: number): void {
    const { version } = this.map;
    this.shown = this.createCount(startNs, this.domain?.domain ?? this.likelyDomain(startNs));
    this.map.version = version + 1;
    this.next = undefined;
    this.fittedAtNs = undefined;
    this.isStale = false;
    this.sameValues = undefined;
    this.allReadNs = -Infinity;
  }

  /**
   * The probable axis for what will be visible. The final axis is computed at the end; if the guess is right, the
   * rows need not be read again.
   */
  private likelyDomain(startNs: number): Interval | undefined {
    const known = this.knownDomain() ?? this.fitted.get(axisName(this.spec));
    if (known !== undefined) return known;
    if (this.sameValues !== undefined) return this.fitValues(this.sameValues);
    const sample = this.createMap(startNs);
    sampleInto(sample, this.data, this.wanted());
    return this.fitDomain(sample);
  }

  private scroll(startNs: number): void {
    const endNs = startNs + this.map.columns * this.map.columnNs;
    this.shown.window.moveTo(startNs, endNs);
    this.next?.window.moveTo(startNs, endNs);
  }

  /** An I/O that completes late makes its disk busy in much earlier columns, so all are read again. */
  private readUtilization(): void {
    const { map, data, nowNs, spec } = this;
    const isDue = Math.abs(nowNs - this.allReadNs) >= spec.columnNs;
    if (isDue) this.allReadNs = nowNs;
    countDisks(map, data, spec.disks, isDue ? 0 : map.columns - 1, nowNs);
  }

  /** Counts on another axis if the map needs one, and shows the new map when it is complete. */
  private refitDomain(shouldYield: ShouldYield | undefined): void {
    const { valueRange, domain: chosen, holdsAxis = false } = this.spec;
    if (valueRange !== undefined || chosen !== undefined) return;
    if (holdsAxis && this.fittedAtNs === this.nowNs) return;
    const fit = this.fitDomain(this.map);
    if (fit === undefined) return;
    this.domain = followDomain(this.domain, fit, this.nowNs);
    const { domain } = this.domain;
    this.fitted.set(axisName(this.spec), domain);
    if (isSameInterval(domain, this.map.scale.domain)) {
      this.next = undefined;
      this.fittedAtNs = this.nowNs;
      return;
    }
    if (this.next === undefined || !isSameInterval(domain, this.next.map.scale.domain))
      this.next = this.createCount(this.map.startNs, domain);
    this.next.window.advance(shouldYield);
    if (!this.next.window.isWhole) return;
    this.next.map.version = this.map.version + 1;
    this.shown = this.next;
    this.next = undefined;
    this.fittedAtNs = this.nowNs;
    this.allReadNs = -Infinity;
  }

  /** The domain for what is visible; undefined when nothing is. */
  private fitDomain(map: Heatmap): Interval | undefined {
    const known = this.knownDomain();
    if (map.axisValues !== 'offset' && map.axisValues !== 'file-offset')
      return known ?? this.fitValues(map.fineTotal);
    const farthest = map.columnMax.reduce((a, b) => Math.max(a, b), -1);
    // The number may have belonged to a larger disk before, or the disk has shrunk.
    if (known !== undefined && farthest < known.high) return known;
    return farthest < 0 ? undefined : this.axis.fit({ low: 0, high: farthest + 1 });
  }

  /** The domain, if it does not depend on what is visible. */
  private knownDomain(): Interval | undefined {
    const { spec, axis } = this;
    if (spec.metric === 'utilization') return axis.initial;
    // I/O beyond the end of a disk that has shrunk is in the outlier row.
    if (spec.metric === 'offset' && spec.shares !== undefined) return axis.initial;
    const capacity = spec.metric === 'offset' ? largestDiskBytes(spec.disks) : undefined;
    return capacity === undefined ? undefined : { low: 0, high: capacity };
  }

  private fitValues(values: Float64Array): Interval | undefined {
    const extent = extentWithout(values, this.spec.outlierCut);
    return extent && this.axis.fit(extent);
  }
}

function axisFor({ metric, scale, shares }: HeatmapSpec): Axis {
  return axisOf(metric === 'offset' && shares !== undefined ? 'diskShare' : metric, scale);
}

/** A name for everything that determines the domain for the same I/O. */
function axisName({ metric, scale, outlierCut }: HeatmapSpec): string {
  return `${metric} ${scale} ${outlierCut}`;
}
