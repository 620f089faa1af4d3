import { countBefore, seedOf } from '../history/even-share.ts';
import { judgeEntry } from '../history/judge-bins.ts';
import { Field } from '../history/slice.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import { Verdict } from '../model/verdict.ts';
import { axisOf, createScale } from './axis.ts';
import type { Axis } from './axis.ts';
import { columnOf } from './binning.ts';
import { colorRange, INITIAL_COLORS } from './color-range.ts';
import { nextDomain, trackDomain } from './domain-tracker.ts';
import type { TrackedDomain } from './domain-tracker.ts';
import { extentWithout } from './fine-histogram.ts';
import { Heatmap } from './heatmap.ts';
import type { Selection } from './heatmap.ts';
import { isSameQuestion, isSameSize, largestDiskBytes, weightOf } from './heatmap-spec.ts';
import type { HeatmapSpec } from './heatmap-spec.ts';
import { JointBuckets, sumJointCounts } from './joint-buckets.ts';
import { addJointRows, createJointCounts } from './joint-counts.ts';
import type { AcrossMetric, JointAxes, JointCounts, LeftOut } from './joint-counts.ts';
import type { HeatmapData } from './live-heatmap.ts';
import { sampleRows } from './sample.ts';
import type { Interval, Scale } from './scale.ts';
import { weightExtent } from './totals.ts';

/** A heat map of `metric` upwards; its columns, together, are the window of time. */
export interface JointSpec extends HeatmapSpec {
  readonly across: AcrossMetric;
}

/** Domains to begin with. */
interface Guess {
  readonly y?: Interval | undefined;
  readonly x?: Interval | undefined;
}

/** Parts of a window of which one is counted again when the window moves. */
const BUCKETS = 16;

/**
 * How many I/Os of a window of time have each pair of values. Its map has a column per bin of the x
 * axis, as many as the picture of time would have columns. I/O that is known only in sum has no pairs:
 * it is counted, and not drawn.
 */
export class JointMap {
  private axes: JointAxes;
  private buckets: JointBuckets;
  private sum: JointCounts;
  private spec: JointSpec;
  private yDomain: TrackedDomain | undefined;
  private xDomain: TrackedDomain | undefined;
  private guess: Guess = {};
  private colors: TrackedDomain | undefined;
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
  onlySummed = { count: 0, undecided: 0 };
  private readonly data: HeatmapData;

  constructor(data: HeatmapData, spec: JointSpec) {
    this.data = data;
    this.spec = spec;
    this.axes = this.createAxes(0);
    this.buckets = this.createBuckets();
    this.sum = sumJointCounts(this.axes, []);
  }

  get map(): Heatmap {
    return this.axes.map;
  }

  get across(): Scale {
    return this.axes.across;
  }

  get acrossMetric(): AcrossMetric {
    return this.axes.acrossMetric;
  }

  get leftOut(): Readonly<LeftOut> {
    return this.sum;
  }

  get colorRange(): Interval {
    return this.colors?.domain ?? INITIAL_COLORS[this.map.weight];
  }

  /** How much of the window is known I/O by I/O, in ns. */
  get observedNs(): number {
    return Math.max(0, Math.min(this.nowNs, this.endNs) - Math.max(0, this.rowsFromNs));
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
    this.buckets.append(rows);
    this.hasNewRows = true;
  }

  /** The history has got a sum. */
  appendSummary(): void {
    this.summedAt = undefined;
  }

  /** Moves the window so that its last column holds `nowNs`, and the axes to what is then visible. */
  update(nowNs: number): void {
    const { columnNs, columns } = this.spec;
    const startNs = (columnOf(nowNs, columnNs) + 1 - columns) * columnNs;
    if (!this.isStale && Math.abs(startNs - this.startNs) >= columns * columnNs) this.forget();
    this.nowNs = nowNs;
    this.startNs = startNs;
    this.endNs = startNs + columns * columnNs;
    this.rowsFromNs = this.data.query(startNs, this.endNs).rowsFromNs;
    if (this.isStale) this.rebuild();
    const isMoved = this.buckets.moveTo(this.rowsFromNs, this.endNs);
    if (isMoved || this.hasNewRows) this.sumUp();
    if (this.refit()) {
      this.rebuild();
      this.buckets.moveTo(this.rowsFromNs, this.endNs);
      this.sumUp();
    }
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

  private createBuckets(): JointBuckets {
    const { columns, columnNs } = this.spec;
    const bucketNs = Math.ceil(columns / BUCKETS) * columnNs;
    return new JointBuckets(this.data, this.axes, this.wanted(), bucketNs);
  }

  private rebuild(): void {
    this.guess = {};
    if (this.yDomain === undefined || this.xDomain === undefined) this.guess = this.guessed();
    this.axes = this.createAxes(this.map.version + 1);
    this.buckets = this.createBuckets();
    this.isStale = false;
    this.hasNewRows = true;
  }

  /** The axes that the window probably asks for; if it does, its rows are gone through only once. */
  private guessed(): Guess {
    const axes = this.createAxes(0);
    const counts = createJointCounts(axes.map);
    const { rowsFromNs, chunks } = this.data.query(this.startNs, this.endNs);
    const selection = { fromNs: rowsFromNs, toNs: this.endNs, filter: this.wanted() };
    for (const { rows, from, to } of sampleRows(chunks))
      addJointRows(counts, axes, rows, from, to, selection);
    const extent = extentWithout(counts.fine, this.spec.outlierCut);
    return { y: extent && this.yAxis().fit(extent), x: this.fitAcross(counts) };
  }

  private wanted(): Selection['filter'] {
    const { filter } = this.spec;
    return filter.passesAll ? undefined : filter;
  }

  private sumUp(): void {
    this.sum = sumJointCounts(this.axes, this.buckets.all());
    this.hasNewRows = false;
  }

  /** Whether an axis has moved. */
  private refit(): boolean {
    const { spec, nowNs, sum } = this;
    const before = [this.map.scale.domain, this.across.domain];
    const extent = extentWithout(sum.fine, spec.outlierCut);
    if (extent !== undefined && spec.valueRange === undefined)
      this.yDomain = follow(this.yDomain, this.yAxis().fit(extent), nowNs);
    const across = this.fitAcross(sum);
    if (across !== undefined) this.xDomain = follow(this.xDomain, across, nowNs);
    const after = [this.yDomain?.domain ?? before[0]!, this.xDomain?.domain ?? before[1]!];
    return before.some(({ low, high }, i) => after[i]!.low !== low || after[i]!.high !== high);
  }

  private fitAcross(sum: JointCounts): Interval | undefined {
    const { spec } = this;
    if (spec.across === 'size') {
      const extent = extentWithout(sum.acrossFine, 0);
      return extent && this.xAxis().fit(extent);
    }
    const capacity = largestDiskBytes(spec.disks);
    if (capacity !== undefined) return { low: 0, high: capacity };
    return sum.farthest < 0 ? undefined : this.xAxis().fit({ low: 0, high: sum.farthest + 1 });
  }

  private refitColors(): void {
    const extent = weightExtent(this.map);
    if (extent === undefined) return;
    const before = this.colorRange;
    this.colors = follow(this.colors, colorRange(this.map.weight, extent), this.nowNs);
    const { low, high } = this.colorRange;
    if (low !== before.low || high !== before.high) this.map.version++;
  }

  /** What has no pairs of values, spread over its time as a heat map would. */
  private countSums(): void {
    const { startNs, endNs, rowsFromNs } = this;
    const at = `${startNs} ${rowsFromNs}`;
    if (at === this.summedAt) return;
    this.summedAt = at;
    const { metric } = this.spec;
    const asked = this.wanted();
    const found = { count: 0, undecided: 0 };
    for (const view of this.data.query(startNs, endNs).slices) {
      view.forEachShown((slice, entry, key) => {
        const { verdict } = judgeEntry(asked, slice, entry, metric);
        if (verdict === Verdict.none) return;
        const total = slice.field(entry, Field.count);
        const until = Math.min(slice.endNs, Math.max(this.data.endNs, slice.startNs + 1));
        const before = (atNs: number): number =>
          countBefore(atNs, total, seedOf(key, 0), slice.startNs, until);
        const inside = before(endNs) - before(startNs);
        found[verdict === Verdict.all ? 'count' : 'undecided'] += inside;
      });
    }
    this.onlySummed = found;
    this.map.version++;
  }
}

function follow(tracked: TrackedDomain | undefined, fit: Interval, nowNs: number): TrackedDomain {
  return tracked === undefined ? trackDomain(fit) : nextDomain(tracked, fit, nowNs);
}
