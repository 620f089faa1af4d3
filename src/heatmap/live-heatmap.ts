import type { History, HistoryQuery } from '../history/history.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { CompletionSummary } from '../source/event-source.ts';
import { axisOf, createScale } from './axis.ts';
import type { Axis } from './axis.ts';
import { columnOf } from './binning.ts';
import { colorRange, INITIAL_COLORS } from './color-range.ts';
import { nextDomain, trackDomain } from './domain-tracker.ts';
import type { TrackedDomain } from './domain-tracker.ts';
import { extentWithout } from './fine-histogram.ts';
import { EVERYTHING, Heatmap } from './heatmap.ts';
import type { Selection } from './heatmap.ts';
import {
  isSameQuestion,
  isSameSize,
  isSameValues,
  largestDiskBytes,
  weightOf,
} from './heatmap-spec.ts';
import type { HeatmapSpec } from './heatmap-spec.ts';
import { sampleOf, sampleRows } from './sample.ts';
import type { Interval } from './scale.ts';
import { addSlice, addSummary } from './spread.ts';
import { totalsOf, weightExtent } from './totals.ts';
import { countDisks } from './utilization-map.ts';

/** What a heat map reads of the history. */
export type HeatmapData = Pick<History, 'query' | 'busySeries' | 'utilization' | 'endNs'>;

/** As many as a second of overload brings from a few disks; more gather only while the picture stands. */
const MOST_AHEAD = 256;

/**
 * The heat map of a moving window of the history: binned row by row as I/O arrives, and again from
 * the history whenever the question changes.
 *
 * Each batch goes to the history and then to this map, both before the next `update`.
 */
export class LiveHeatmap {
  /** Replaced when the axis changes; its version goes on from one to the next. */
  map: Heatmap;
  private spec: HeatmapSpec;
  private axis: Axis;
  /** Undefined until there is something that it can fit. */
  private domain: TrackedDomain | undefined;
  private colors: TrackedDomain | undefined;
  /** All values of the question before, if they are those of this one too. */
  private sameValues: Uint32Array | undefined;
  private nowNs = 0;
  private isStale = true;
  /** Summaries of which a part lies right of the window, to be counted when its columns enter. */
  private ahead: CompletionSummary[] = [];
  /** There were too many of those: they must be read from the history. */
  private hasMissedSummary = false;
  /** When all columns of the utilization were last read. */
  private allReadNs = -Infinity;
  private readonly data: HeatmapData;

  constructor(data: HeatmapData, spec: HeatmapSpec) {
    this.data = data;
    this.spec = spec;
    this.axis = axisOf(spec.metric, spec.scale);
    this.domain = this.chosenDomain();
    this.map = this.createMap(0);
  }

  /**
   * The weights up to which a pixel has the first colour (of counts: one I/O) and from which it has
   * the last; they move as seldom as the axis does.
   */
  get colorRange(): Interval {
    return this.colors?.domain ?? INITIAL_COLORS[this.map.weight];
  }

  get ceiling(): number {
    return this.colorRange.high;
  }

  /** How much of the window has been observed, in ns: what a rate over the picture divides by. */
  get observedNs(): number {
    return Math.max(0, Math.min(this.nowNs, this.map.endNs) - Math.max(0, this.map.startNs));
  }

  /** I/Os in the window of which is not known whether they pass the filter: they are in no bin. */
  get undecidedCount(): number {
    return totalsOf(this.map).undecided;
  }

  /** Changes the question; the picture follows with the next `update`. */
  show(spec: HeatmapSpec): void {
    const before = this.spec;
    this.spec = spec;
    const areSame = !this.isStale && isSameValues(before, spec);
    if (!isSameQuestion(before, spec)) this.forget(areSame ? this.map.fineTotal : undefined);
    else if (!isSameSize(before, spec)) this.isStale = true;
  }

  /** Rows that the history has just been given. */
  append(rows: CompletionColumns): void {
    if (this.spec.metric !== 'utilization' && !this.isStale) {
      this.map.addRows(rows, 0, rows.length, this.selection(EVERYTHING));
    }
  }

  /** A summary that the history has just been given, and that nobody changes any more. */
  appendSummary(summary: CompletionSummary): void {
    if (this.isStale) return;
    addSummary(this.map, summary, this.selection(EVERYTHING));
    if (summary.endNs <= this.map.endNs) return;
    if (this.ahead.length < MOST_AHEAD) this.ahead.push(summary);
    else this.hasMissedSummary = true;
  }

  /** Moves the window so that its last column holds `nowNs`, and the axis to what is then visible. */
  update(nowNs: number): void {
    this.nowNs = nowNs;
    const { columnNs, columns } = this.spec;
    const startNs = (columnOf(nowNs, columnNs) + 1 - columns) * columnNs;
    const moved = (startNs - this.map.startNs) / columnNs;
    if (!this.isStale && Math.abs(moved) >= columns) this.forget();
    if (this.isStale || moved < 0) this.rebuild(startNs);
    else if (moved > 0) this.scroll(startNs);
    if (this.spec.metric === 'utilization') this.readUtilization();
    this.refitDomain();
    this.refitColors();
  }

  private forget(sameValues?: Uint32Array): void {
    this.sameValues = sameValues;
    this.axis = axisOf(this.spec.metric, this.spec.scale);
    this.domain = this.chosenDomain();
    this.colors = undefined;
    this.isStale = true;
  }

  private chosenDomain(): TrackedDomain | undefined {
    const { valueRange } = this.spec;
    return valueRange && trackDomain(this.axis.zoom(valueRange));
  }

  private createMap(startNs: number, domain = this.domain?.domain ?? this.axis.initial): Heatmap {
    const { metric, bins, columns, columnNs } = this.spec;
    const scale = createScale(this.axis, domain, bins);
    const weight = weightOf(this.spec);
    const isZoomed = this.spec.valueRange !== undefined;
    return new Heatmap({ metric, weight, isZoomed, scale, columns, columnNs, startNs });
  }

  private rebuild(startNs: number): void {
    const { version } = this.map;
    this.map = this.createMap(startNs, this.domain?.domain ?? this.likelyDomain(startNs));
    this.map.version = version + 1;
    this.isStale = false;
    this.sameValues = undefined;
    this.ahead = [];
    this.hasMissedSummary = false;
    this.allReadNs = -Infinity;
    const { endNs } = this.map;
    this.addAll(this.map, this.data.query(startNs, endNs));
  }

  /**
   * The axis that what will be visible probably asks for. It is found out in the end, but if it is the
   * same then, the rows need not be gone through again.
   */
  private likelyDomain(startNs: number): Interval | undefined {
    const known = this.knownDomain();
    if (known !== undefined) return known;
    if (this.sameValues !== undefined) return this.fitValues(this.sameValues);
    const sample = this.createMap(startNs);
    const { rowsFromNs, chunks, slices } = this.data.query(startNs, sample.endNs);
    this.addAll(sample, {
      rowsFromNs,
      chunks: sampleRows(chunks),
      slices: sampleOf(slices),
    });
    return this.fitDomain(sample);
  }

  private addAll(map: Heatmap, { rowsFromNs, chunks, slices }: HistoryQuery): void {
    this.addChunks(map, chunks, { fromNs: rowsFromNs, toNs: map.endNs });
    const selection = this.selection(EVERYTHING);
    for (const slice of slices) addSlice(map, slice, selection, this.data.endNs);
  }

  private addChunks(
    map: Heatmap,
    chunks: HistoryQuery['chunks'],
    range: Pick<Selection, 'fromNs' | 'toNs'>,
  ): void {
    if (this.spec.metric === 'utilization') return;
    const selection = this.selection(range);
    for (const { rows, from, to } of chunks) map.addRows(rows, from, to, selection);
  }

  private selection({ fromNs, toNs }: Pick<Selection, 'fromNs' | 'toNs'>): Selection {
    const { filter } = this.spec;
    return { fromNs, toNs, filter: filter.passesAll ? undefined : filter };
  }

  /** Usually nothing has happened yet in the columns that enter; after a pause, something has. */
  private scroll(startNs: number): void {
    const fromNs = this.map.endNs;
    this.map.scrollTo(startNs);
    const toNs = this.map.endNs;
    if (this.data.endNs < fromNs && this.ahead.length === 0) return;
    const { rowsFromNs, chunks } = this.data.query(fromNs, toNs);
    if (this.hasMissedSummary || rowsFromNs > fromNs) {
      this.rebuild(startNs);
      return;
    }
    this.addChunks(this.map, chunks, { fromNs, toNs });
    const selection = this.selection({ fromNs, toNs });
    for (const summary of this.ahead) addSummary(this.map, summary, selection);
    this.ahead = this.ahead.filter((summary) => summary.endNs > toNs);
  }

  /** An I/O that completes late makes its disk busy in columns long past, so all are read again. */
  private readUtilization(): void {
    const { map, data, nowNs, spec } = this;
    const isDue = Math.abs(nowNs - this.allReadNs) >= spec.columnNs;
    if (isDue) this.allReadNs = nowNs;
    countDisks(map, data, spec.disks, isDue ? 0 : map.columns - 1, nowNs);
  }

  private refitDomain(): void {
    if (this.spec.valueRange !== undefined) return;
    const fit = this.fitDomain(this.map);
    if (fit === undefined) return;
    this.domain = this.domain ? nextDomain(this.domain, fit, this.nowNs) : trackDomain(fit);
    const { low, high } = this.map.scale.domain;
    const { domain } = this.domain;
    if (domain.low !== low || domain.high !== high) this.rebuild(this.map.startNs);
  }

  private refitColors(): void {
    const extent = weightExtent(this.map);
    if (extent === undefined) return;
    const before = this.colorRange;
    const fit = colorRange(this.map.weight, extent);
    this.colors = this.colors ? nextDomain(this.colors, fit, this.nowNs) : trackDomain(fit);
    const { low, high } = this.colorRange;
    if (low !== before.low || high !== before.high) this.map.version++;
  }

  /** The domain that what is visible asks for; undefined when nothing is. */
  private fitDomain(map: Heatmap): Interval | undefined {
    const known = this.knownDomain();
    if (known !== undefined) return known;
    if (this.spec.metric !== 'offset') return this.fitValues(map.fineTotal);
    const farthest = map.worst.reduce((a, b) => Math.max(a, b), -1);
    return farthest < 0 ? undefined : this.axis.fit({ low: 0, high: farthest + 1 });
  }

  /** The domain where it does not depend on what is visible. */
  private knownDomain(): Interval | undefined {
    const { spec, axis } = this;
    if (spec.metric === 'utilization') return axis.initial;
    const capacity = spec.metric === 'offset' ? largestDiskBytes(spec.disks) : undefined;
    return capacity === undefined ? undefined : { low: 0, high: capacity };
  }

  private fitValues(values: Uint32Array): Interval | undefined {
    const extent = extentWithout(values, this.spec.outlierCut);
    return extent && this.axis.fit(extent);
  }
}
