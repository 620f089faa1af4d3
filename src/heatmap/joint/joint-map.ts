import type { ShouldYield } from '../../base/time.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { Matching } from '../../history/estimate/count-matching.ts';
import { columnOf, windowStart } from '../../history/window/column-ring.ts';
import { WindowedCount } from '../../history/window/windowed-count.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { DiskShares, SizedDisk } from '../../model/disk-shares.ts';
import type { AxisValues } from '../../model/metric.ts';
import { axisOf, createScale } from '../axis/axis.ts';
import type { Axis } from '../axis/axis.ts';
import { INITIAL_COLORS } from '../axis/color-range.ts';
import { followDomain, trackDomain } from '../axis/domain-tracker.ts';
import type { TrackedDomain } from '../axis/domain-tracker.ts';
import { extentWithout } from '../axis/fine-histogram.ts';
import { FollowedColors } from '../axis/followed-colors.ts';
import { isSameInterval } from '../axis/scale.ts';
import type { Interval, Scale } from '../axis/scale.ts';
import { Heatmap } from '../time/heatmap.ts';
import {
  isSameQuestion,
  isSameShares,
  isSameSize,
  largestDiskBytes,
  weightOf,
} from '../time/heatmap-spec.ts';
import type { HeatmapData, HeatmapSpec } from '../time/heatmap-spec.ts';
import { sampleRows } from '../time/sample.ts';
import { refitColors } from '../time/refit-colors.ts';
import { countAggregates } from './joint-aggregates.ts';
import { JointCounter, JointParts } from './joint-counter.ts';
import { addJointRows, createJointCounts, totalJointCounts } from './joint-counts.ts';
import type { AcrossMetric, JointAxes, JointTotal, LeftOut } from './joint-counts.ts';

/** A heat map with `metric` on its y axis; all of its columns cover the whole window of time. */
export interface JointSpec extends HeatmapSpec {
  readonly across: AcrossMetric;
}

/** The domains to start counting with. */
interface Guess {
  readonly y?: Interval | undefined;
  readonly x?: Interval | undefined;
}

/** The parts of the window on one pair of axes, as far as they have been counted. */
interface Counted {
  readonly parts: JointParts;
  readonly window: WindowedCount;
}

/** Parts of a window; one of them is counted again when the window moves. */
const PARTS = 16;

/**
 * Number of I/Os of a window of time for each pair of values. The map has a column per bin of the x axis, as many as
 * the time map would have columns. Aggregated I/O has no pairs: it is counted, but not drawn.
 */
export class JointMap {
  private shown: Counted;
  /** The same parts on new axes, as far as they have been counted. */
  private next: Counted | undefined;
  private total: JointTotal;
  /** Version of the parts when they were last added up. */
  private totalledVersion = -1;
  private spec: JointSpec;
  private yDomain: TrackedDomain | undefined;
  private xDomain: TrackedDomain | undefined;
  /** The time for which the axes were fitted. */
  private fittedAtNs: number | undefined;
  private guess: Guess = {};
  private readonly colors = new FollowedColors();
  private isStale = true;
  /** Start of the window and of its rows when aggregates were last counted. */
  private aggregatedAt: string | undefined;
  private nowNs = 0;
  private rowsFromNs = 0;
  /** The window of time in ns: whole columns of the time map. */
  startNs = 0;
  endNs = 0;
  /** Aggregated I/Os. */
  aggregated: Matching = { count: 0, undecided: 0 };
  private readonly data: HeatmapData;

  constructor(data: HeatmapData, spec: JointSpec) {
    this.data = data;
    this.spec = spec;
    this.shown = this.createCounted(0);
    this.total = totalJointCounts(this.shown.parts.axes, []);
  }

  get map(): Heatmap {
    return this.shown.parts.axes.map;
  }

  get across(): Scale {
    return this.shown.parts.axes.across;
  }

  get acrossMetric(): AcrossMetric {
    return this.shown.parts.axes.acrossMetric;
  }

  /** The disks whose shares are on the x axis; undefined where its values are not shares. */
  get sharedDisks(): readonly SizedDisk[] | undefined {
    return this.shown.parts.axes.shares?.disks;
  }

  get acrossValues(): AxisValues {
    return this.sharedDisks === undefined ? this.acrossMetric : 'diskShare';
  }

  get leftOut(): Readonly<LeftOut> {
    return this.total;
  }

  get colorRange(): Interval {
    return this.colors.range ?? INITIAL_COLORS[this.map.weight];
  }

  /** Length of the part of the window with rows, in ns. */
  get observedNs(): number {
    return this.shown.window.observedNs(this.nowNs);
  }

  /** Share of the window that has been counted, 0 to 1; the newest part is counted first. */
  get countedShare(): number {
    return this.isStale ? 0 : this.shown.window.share;
  }

  /** Whether an `update` that reached its deadline has work left. */
  get isCounting(): boolean {
    return !this.shown.window.isWhole || this.next !== undefined;
  }

  show(spec: JointSpec): void {
    const before = this.spec;
    this.spec = spec;
    const isSameAcross =
      before.across === spec.across && (spec.across !== 'offset' || isSameShares(before, spec));
    const isSame = isSameAcross && isSameQuestion(before, spec);
    if (!isSame) this.forget();
    else if (!isSameSize(before, spec)) this.isStale = true;
  }

  /** Counts rows that were just added to the history. */
  append(rows: CompletionColumns): void {
    if (this.isStale) return;
    this.shown.window.append(rows);
    this.next?.window.append(rows);
  }

  /** Call when the history received an aggregate. */
  appendAggregate(): void {
    this.aggregatedAt = undefined;
  }

  /**
   * Moves the window so that its last column contains `nowNs`, and fits the axes to what is then visible. Counts
   * until the deadline, or until everything is counted.
   */
  update(nowNs: number, shouldYield?: ShouldYield): void {
    const { columnNs, columns } = this.spec;
    const startNs = windowStart(nowNs, columnNs, columns);
    if (!this.isStale && Math.abs(startNs - this.startNs) >= columns * columnNs) this.forget();
    this.nowNs = nowNs;
    this.startNs = startNs;
    this.endNs = startNs + columns * columnNs;
    this.rowsFromNs = this.data.query(startNs, this.endNs).rowsFromNs;
    if (this.isStale) this.rebuild();
    this.count(this.shown, shouldYield);
    if (this.shown.parts.version !== this.totalledVersion) this.addUp();
    if (this.shown.window.isWhole) this.refit(shouldYield);
    refitColors(this, this.colors, this.nowNs, this.shown.window.isWhole);
    this.countAggregates();
  }

  /** Start of the rows that are counted; the end of the window if none are left. */
  private get countedFromNs(): number {
    return Math.min(this.rowsFromNs, this.endNs);
  }

  private count({ window }: Counted, shouldYield: ShouldYield | undefined): void {
    window.moveTo(this.countedFromNs, this.endNs);
    window.advance(shouldYield);
  }

  private forget(): void {
    this.yDomain = this.chosenDomain();
    this.xDomain = undefined;
    this.colors.reset();
    this.aggregatedAt = undefined;
    this.isStale = true;
  }

  private chosenDomain(): TrackedDomain | undefined {
    const { valueRange } = this.spec;
    return valueRange && trackDomain(this.yAxis().zoom(valueRange));
  }

  private yAxis(): Axis {
    return axisOf(this.spec.metric, this.spec.scale);
  }

  private xAxis(): Axis {
    return axisOf(this.shares === undefined ? this.spec.across : 'diskShare', 'log');
  }

  private get shares(): DiskShares | undefined {
    return this.spec.across === 'offset' ? this.spec.shares : undefined;
  }

  private createAxes(version: number): JointAxes {
    const { metric, bins, columns, across: acrossMetric, valueRange } = this.spec;
    const [y, x] = [this.yAxis(), this.xAxis()];
    this.yDomain ??= this.chosenDomain();
    const { guess } = this;
    const scale = createScale(y, this.yDomain?.domain ?? guess.y ?? y.initial, bins);
    const across = createScale(x, this.xDomain?.domain ?? guess.x ?? x.initial, columns);
    const weight = weightOf(this.spec);
    const isZoomed = valueRange !== undefined;
    const shape = { metric, weight, isZoomed, scale, columns, columnNs: 1, startNs: 0 };
    const map = new Heatmap(shape);
    map.version = version;
    return { map, across, acrossMetric, shares: this.shares };
  }

  private createCounted(version: number): Counted {
    const { columns, columnNs } = this.spec;
    const { countedFromNs, endNs, data } = this;
    const partNs = Math.ceil(columns / PARTS) * columnNs;
    const count = Math.ceil((columns * columnNs) / partNs) + 1;
    const startNs = columnOf(countedFromNs, partNs) * partNs;
    const parts = new JointParts(this.createAxes(version), count, partNs, startNs);
    const counter = new JointCounter(parts, this.wanted());
    return { parts, window: new WindowedCount(data, counter, countedFromNs, endNs) };
  }

  private rebuild(): void {
    this.guess = {};
    if (this.yDomain === undefined || this.xDomain === undefined) this.guess = this.guessed();
    this.shown = this.createCounted(this.map.version + 1);
    this.next = undefined;
    this.fittedAtNs = undefined;
    this.isStale = false;
    this.totalledVersion = -1;
  }

  /** The probable axes of the window; if the guess is right, its rows are read only once. */
  private guessed(): Guess {
    const axes = this.createAxes(0);
    const counts = createJointCounts(axes.map);
    const { countedFromNs: fromNs, endNs: toNs, data } = this;
    const window = { fromNs, toNs, filter: this.wanted() };
    for (const { rows, from, to } of sampleRows(data.query(fromNs, toNs).chunks, data.rows))
      addJointRows(counts, axes, rows, from, to, window);
    const extent = extentWithout(counts.fine, this.spec.outlierCut);
    return { y: extent && this.yAxis().fit(extent), x: this.fitAcross(counts) };
  }

  private wanted(): CompiledFilter | undefined {
    const { filter } = this.spec;
    return filter.passesAll ? undefined : filter;
  }

  private addUp(): void {
    const { parts } = this.shown;
    this.total = totalJointCounts(parts.axes, parts.filled());
    this.totalledVersion = parts.version;
  }

  /** Counts on new axes if the map needs them, and shows the new map when it is complete. */
  private refit(shouldYield: ShouldYield | undefined): void {
    if (this.spec.holdsAxis === true && this.fittedAtNs === this.nowNs) return;
    this.fitAxes();
    if (this.isFitting(this.shown.parts.axes)) {
      this.next = undefined;
      this.fittedAtNs = this.nowNs;
      return;
    }
    if (this.next === undefined || !this.isFitting(this.next.parts.axes))
      this.next = this.createCounted(0);
    this.count(this.next, shouldYield);
    if (!this.next.window.isWhole) return;
    this.next.parts.axes.map.version = this.map.version + 1;
    this.shown = this.next;
    this.next = undefined;
    this.fittedAtNs = this.nowNs;
    this.addUp();
  }

  private fitAxes(): void {
    const { spec, nowNs, total } = this;
    const extent = extentWithout(total.fine, spec.outlierCut);
    if (extent !== undefined && spec.valueRange === undefined)
      this.yDomain = followDomain(this.yDomain, this.yAxis().fit(extent), nowNs);
    const across = this.fitAcross(total);
    if (across !== undefined) this.xDomain = followDomain(this.xDomain, across, nowNs);
  }

  private isFitting({ map, across }: JointAxes): boolean {
    const { yDomain, xDomain } = this;
    return (
      (yDomain === undefined || isSameInterval(yDomain.domain, map.scale.domain)) &&
      (xDomain === undefined || isSameInterval(xDomain.domain, across.domain))
    );
  }

  private fitAcross(counted: Pick<JointTotal, 'acrossFine' | 'farthest'>): Interval | undefined {
    const { spec } = this;
    if (spec.across === 'size') {
      const extent = extentWithout(counted.acrossFine, 0);
      return extent && this.xAxis().fit(extent);
    }
    if (this.shares !== undefined) return this.xAxis().initial;
    const capacity = largestDiskBytes(spec.disks);
    if (capacity !== undefined && counted.farthest < capacity) return { low: 0, high: capacity };
    return counted.farthest < 0
      ? undefined
      : this.xAxis().fit({ low: 0, high: counted.farthest + 1 });
  }

  /** Counts I/O without pairs of values, spread over its time as in a heat map. */
  private countAggregates(): void {
    const { startNs, endNs, rowsFromNs } = this;
    const at = `${startNs} ${rowsFromNs}`;
    if (at === this.aggregatedAt) return;
    this.aggregatedAt = at;
    const window = { fromNs: startNs, toNs: endNs, filter: this.wanted() };
    this.aggregated = countAggregates(this.data, window);
    this.map.version++;
  }
}
