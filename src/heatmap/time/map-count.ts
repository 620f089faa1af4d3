import type { ShouldYield } from '../../base/time.ts';
import type { HistoryQuery } from '../../history/history.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompletionSummary } from '../../source/event-source.ts';
import { countBack } from '../../history/scan/scan-back.ts';
import type { Heatmap, Selection } from './heatmap.ts';
import type { HeatmapData } from './live-heatmap.ts';
import { addSlice, addSummary } from './distribute-aggregates.ts';

/** As many as a second of overload brings from a few disks; more gather only while the picture stands. */
const MOST_AHEAD = 256;

/**
 * A heat map and how far back it has been counted. What arrives is added at once where it completes
 * in counted time; the rest of the window is read from the history, the newest first.
 */
export class MapCount {
  /** What completed before is not counted yet; −Infinity when everything in the window is. */
  countedFromNs: number;
  /** Summaries of which a part lies right of the window, to be counted when its columns enter. */
  private ahead: CompletionSummary[] = [];
  /** There were too many of those: they must be read from the history. */
  private hasMissedSummary = false;

  constructor(
    readonly map: Heatmap,
    private readonly data: Pick<
      HeatmapData,
      'query' | 'slices' | 'beforeRows' | 'sliceNs' | 'endNs'
    >,
    private readonly filter: Selection['filter'],
  ) {
    this.countedFromNs = map.metric === 'utilization' ? -Infinity : map.endNs;
  }

  get isWhole(): boolean {
    return this.countedFromNs === -Infinity;
  }

  /** From 0 to 1: how much of the window has been counted. */
  get share(): number {
    const { map, countedFromNs } = this;
    if (this.isWhole) return 1;
    return (map.endNs - Math.max(countedFromNs, map.startNs)) / (map.endNs - map.startNs);
  }

  /** Rows that the history has just been given. */
  append(rows: CompletionColumns): void {
    if (this.map.metric === 'utilization') return;
    this.map.addRows(rows, 0, rows.length, this.selection(this.countedFromNs, Infinity));
  }

  /** A summary that the history has just been given, and that nobody changes any more. */
  appendSummary(summary: CompletionSummary): void {
    addSummary(this.map, summary, this.selection(this.countedFromNs, Infinity));
    if (summary.endNs <= this.map.endNs) return;
    if (this.ahead.length < MOST_AHEAD) this.ahead.push(summary);
    else this.hasMissedSummary = true;
  }

  /** Goes back over what is not counted yet, until its turn is up. */
  countMore(shouldYield: ShouldYield | undefined): void {
    if (this.isWhole) return;
    const { map, data } = this;
    const toNs = Math.min(this.countedFromNs, map.endNs);
    if (toNs > map.startNs)
      this.countedFromNs = countBack(data, map.startNs, toNs, shouldYield, this.add.bind(this));
    if (this.countedFromNs <= map.startNs) this.countedFromNs = -Infinity;
  }

  private add({ rowsFromNs, chunks, slices }: HistoryQuery, fromNs: number, toNs: number): void {
    const single = this.selection(rowsFromNs, toNs);
    for (const { rows, from, to, timesOf } of chunks)
      this.map.addRows(rows, from, to, single, timesOf);
    const whole = this.selection(fromNs, toNs);
    for (const slice of slices) addSlice(this.map, slice, whole, this.data.endNs);
  }

  /**
   * Usually nothing has happened yet in the columns that enter; after a pause, something has. False
   * when the map has to be counted anew.
   */
  scrollTo(startNs: number): boolean {
    const { map, data } = this;
    const fromNs = map.endNs;
    map.scrollTo(startNs);
    const toNs = map.endNs;
    if (map.metric === 'utilization') return true;
    if (data.endNs < fromNs && this.ahead.length === 0) return true;
    const { rowsFromNs, chunks } = data.query(fromNs, toNs);
    if (this.hasMissedSummary || rowsFromNs > fromNs) return false;
    const selection = this.selection(fromNs, toNs);
    for (const { rows, from, to, timesOf } of chunks)
      map.addRows(rows, from, to, selection, timesOf);
    for (const summary of this.ahead) addSummary(map, summary, selection);
    this.ahead = this.ahead.filter((summary) => summary.endNs > toNs);
    return true;
  }

  private selection(fromNs: number, toNs: number): Selection {
    return { fromNs, toNs, filter: this.filter };
  }
}
