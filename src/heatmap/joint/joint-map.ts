import type { ShouldYield } from '../../base/time.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { axisOf, createScale } from '../axis/axis.ts';
import type { Axis } from '../axis/axis.ts';
import { columnOf } from '../time/binning.ts';
import { colorRange, INITIAL_COLORS } from '../axis/color-range.ts';
import { nextDomain, trackDomain } from '../axis/domain-tracker.ts';
import type { TrackedDomain } from '../axis/domain-tracker.ts';
import { extentWithout } from '../axis/fine-histogram.ts';
import { Heatmap } from '../time/heatmap.ts';
import type { Selection } from '../time/heatmap.ts';
import { isSameQuestion, isSameSize, largestDiskBytes, weightOf } from '../time/heatmap-spec.ts';
import type { HeatmapSpec } from '../time/heatmap-spec.ts';
import { JointBuckets, sampleJointRows, sumJointCounts } from './joint-buckets.ts';
import type { OnlySummed } from './joint-aggregates.ts';
import { countSums } from './joint-aggregates.ts';
import type { AcrossMetric, JointAxes, JointCounts, LeftOut } from './joint-counts.ts';
import type { HeatmapData } from '../time/live-heatmap.ts';
import { isSameInterval } from '../axis/scale.ts';
import type { Interval, Scale } from '../axis/scale.ts';
import { weightExtent } from '../time/totals.ts';

/** A heat map of `metric` upwards; its columns, together, are the window of time. */
export interface JointSpec extends HeatmapSpec {
  readonly across: AcrossMetric;
}

/** Domains to begin with. */
interface Guess {
  readonly y?: Interval | undefined;
  readonly x?: Interval | undefined;
}

interface Counted {
  readonly axes: JointAxes;
  readonly buckets: JointBuckets;
}

/** Parts of a window of which one is counted again when the window moves. */
const BUCKETS = 16;

/**
 * How many I/Os of a window of time have each pair of values. Its map has a column per bin of the x
 * axis, as many as the picture of time would have columns. I/O that is known only in sum has no pairs:
 * it is counted, and not drawn.
 */
export class JointMap {
  private shown: Counted;
  /** The same on other axes, as far as it has been counted. */
  private next: Counted | undefined;
  private sum: JointCounts;
  private spec: JointSpec;
  private yDomain: TrackedDomain | undefined;
  private xDomain: TrackedDomain | undefined;
  private guess: Guess = {};
  private colors: TrackedDomain | undefined;
  /** The colours of half a picture say nothing of the whole one, so they do not stay. */
  private hasWholeColors = false;
  private isStale = true;
  private hasNewRows = false;
  /** Where the window began and where single I/Os began when sums were last counted. */
  private summedAt: string | undefined;
  private nowNs = 0;
  private rowsFromNs = 0;
  /** The window, in ns: whole columns of the picture of time. */
  startNs = 0;
  endNs = 0;
  /** I/Os that are known only in sum: of those that pass, and of which it is not known. */
  onlySummed: OnlySummed = { count: 0, undecided: 0 };
  private readonly data: HeatmapData;

  constructor(data: HeatmapData, spec: JointSpec) {
    this.data = data;
    this.spec = spec;
    this.shown = this.createCounted(0);
    this.sum = sumJointCounts(this.shown.axes, []);
  }

  get map(): Heatmap {
    return this.shown.axes.map;
  }

  get across(): Scale {
    return this.shown.axes.across;
  }

  get acrossMetric(): AcrossMetric {
    return this.shown.axes.acrossMetric;
  }

  get leftOut(): Readonly<LeftOut> {
    return this.sum;
  }

  get colorRange(): Interval {
    return this.colors?.domain ?? INITIAL_COLORS[this.map.weight];
  }

  /** How much of the window is known I/O by I/O, in ns. */
  get observedNs(): number {
    const { nowNs, endNs, rowsFromNs } = this;
    const countedFromNs = Math.max(rowsFromNs, endNs - this.shown.buckets.countedNs);
    return Math.max(0, Math.min(nowNs, endNs) - Math.max(0, countedFromNs));
  }

  /** From 0 to 1: how much of the window has been counted, the newest first. */
  get countedShare(): number {
    const { buckets } = this.shown;
    if (this.isStale) return 0;
    return buckets.isWhole ? 1 : buckets.countedNs / (this.endNs - this.rowsFromNs);
  }

  /** Whether an `update` that was over has left something to do. */
  get isCounting(): boolean {
    return !this.shown.buckets.isWhole || this.next !== undefined;
  }

  show(spec: JointSpec): void {
    const before = this.spec;
    this.spec = spec;
    const isSame = before.across === spec.across && isSameQuestion(before, spec);
    if (!isSame) this.forget();
    else if (!isSameSize(before, spec)) this.isStale = true;
  }

  append(rows: CompletionColumns): void {
    if (this.isStale) return;
    this.shown.buckets.append(rows);
    this.next?.buckets.append(rows);
    this.hasNewRows = true;
  }

  /** The history has got a sum. */
  appendSummary(): void {
    this.summedAt = undefined;
  }

  /**
   * Moves the window so that its last column holds `nowNs`, and the axes to what is then visible.
   * Counts until its turn is up, or until all is counted.
   */
  update(nowNs: number, shouldYield?: ShouldYield): void {
    const { columnNs, columns } = this.spec;
    const startNs = (columnOf(nowNs, columnNs) + 1 - columns) * columnNs;
    if (!this.isStale && Math.abs(startNs - this.startNs) >= columns * columnNs) this.forget();
    this.nowNs = nowNs;
    this.startNs = startNs;
    this.endNs = startNs + columns * columnNs;
    this.rowsFromNs = this.data.query(startNs, this.endNs).rowsFromNs;
    if (this.isStale) this.rebuild();
    const isMoved = this.shown.buckets.moveTo(this.rowsFromNs, this.endNs, shouldYield);
    if (isMoved || this.hasNewRows) this.sumUp();
    if (this.shown.buckets.isWhole) this.refit(shouldYield);
    this.refitColors();
    this.countSums();
  }

  private forget(): void {
    this.yDomain = this.chosenDomain();
    this.xDomain = undefined;
    this.colors = undefined;
    this.summedAt = undefined;
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
    return axisOf(this.spec.across, 'log');
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
    return { map, across, acrossMetric };
  }

  private createCounted(version: number): Counted {
    const { columns, columnNs } = this.spec;
    const axes = this.createAxes(version);
    const bucketNs = Math.ceil(columns / BUCKETS) * columnNs;
    return { axes, buckets: new JointBuckets(this.data, axes, this.wanted(), bucketNs) };
  }

  private rebuild(): void {
    this.guess = {};
    if (this.yDomain === undefined || this.xDomain === undefined) this.guess = this.guessed();
    this.shown = this.createCounted(this.map.version + 1);
    this.next = undefined;
    this.isStale = false;
    this.hasNewRows = true;
  }

  /** The axes that the window probably asks for; if it does, its rows are gone through only once. */
  private guessed(): Guess {
    const window = { fromNs: this.startNs, toNs: this.endNs, filter: this.wanted() };
    const counts = sampleJointRows(this.data, this.createAxes(0), window);
    const extent = extentWithout(counts.fine, this.spec.outlierCut);
    return { y: extent && this.yAxis().fit(extent), x: this.fitAcross(counts) };
  }

  private wanted(): Selection['filter'] {
    const { filter } = this.spec;
    return filter.passesAll ? undefined : filter;
  }

  private sumUp(): void {
    this.sum = sumJointCounts(this.shown.axes, this.shown.buckets.parts());
    this.hasNewRows = false;
  }

  /** Counts on other axes if the map needs them, and shows that when it is whole. */
  private refit(shouldYield: ShouldYield | undefined): void {
    this.fitAxes();
    if (this.isFitting(this.shown.axes)) {
      this.next = undefined;
      return;
    }
    if (this.next === undefined || !this.isFitting(this.next.axes))
      this.next = this.createCounted(0);
    this.next.buckets.moveTo(this.rowsFromNs, this.endNs, shouldYield);
    if (!this.next.buckets.isWhole) return;
    this.next.axes.map.version = this.map.version + 1;
    this.shown = this.next;
    this.next = undefined;
    this.sumUp();
  }

  private fitAxes(): void {
    const { spec, nowNs, sum } = this;
    const extent = extentWithout(sum.fine, spec.outlierCut);
    if (extent !== undefined && spec.valueRange === undefined)
      this.yDomain = follow(this.yDomain, this.yAxis().fit(extent), nowNs);
    const across = this.fitAcross(sum);
    if (across !== undefined) this.xDomain = follow(this.xDomain, across, nowNs);
  }

  private isFitting({ map, across }: JointAxes): boolean {
    const { yDomain, xDomain } = this;
    return (
      (yDomain === undefined || isSameInterval(yDomain.domain, map.scale.domain)) &&
      (xDomain === undefined || isSameInterval(xDomain.domain, across.domain))
    );
  }

  private fitAcross(sum: JointCounts): Interval | undefined {
    const { spec } = this;
    if (spec.across === 'size') {
      const extent = extentWithout(sum.acrossFine, 0);
      return extent && this.xAxis().fit(extent);
    }
    const capacity = largestDiskBytes(spec.disks);
    if (capacity !== undefined && sum.farthest < capacity) return { low: 0, high: capacity };
    return sum.farthest < 0 ? undefined : this.xAxis().fit({ low: 0, high: sum.farthest + 1 });
  }

  private refitColors(): void {
    const extent = weightExtent(this.map);
    if (extent === undefined) return;
    const before = this.colorRange;
    const fit = colorRange(this.map.weight, extent);
    this.colors = follow(this.hasWholeColors ? this.colors : undefined, fit, this.nowNs);
    this.hasWholeColors = this.shown.buckets.isWhole;
    const { low, high } = this.colorRange;
    if (low !== before.low || high !== before.high) this.map.version++;
  }

  /** What has no pairs of values, spread over its time as a heat map would. */
  private countSums(): void {
    const { startNs, endNs, rowsFromNs } = this;
    const at = `${startNs} ${rowsFromNs}`;
    if (at === this.summedAt) return;
    this.summedAt = at;
    const window = { fromNs: startNs, toNs: endNs, filter: this.wanted() };
    this.onlySummed = countSums(this.data, this.spec.metric, window);
    this.map.version++;
  }
}

function follow(tracked: TrackedDomain | undefined, fit: Interval, nowNs: number): TrackedDomain {
  return tracked === undefined ? trackDomain(fit) : nextDomain(tracked, fit, nowNs);
}
