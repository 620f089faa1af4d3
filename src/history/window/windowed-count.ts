import type { ShouldYield, TimeRange } from '../../base/time.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { scanBack } from '../scan/scan-back.ts';
import { visitPast } from '../scan/visitor.ts';
import type { Past, Visitor } from '../scan/visitor.ts';
import { columnOf } from './column-ring.ts';
import type { ColumnRing } from './column-ring.ts';
import { Gaps } from './gaps.ts';

/** Sorts I/O into the columns of a window. */
export interface WindowCounter extends Visitor {
  readonly ring: ColumnRing;
  /**
   * Counts an aggregate over its own time, as far as it is in [fromNs, toNs). If absent, aggregates are only counted
   * as part of the history's slices.
   */
  addAggregate?(aggregate: CompletionSummary, fromNs: number, toNs: number): void;
}

/**
 * Enough for two dozen disks with two dozen owners each between two frames, 14 KB each. More accumulate only while the
 * window does not move.
 */
const MOST_AHEAD = 2048;

/**
 * The I/O of a moving window, counted once and then kept up to date. I/O that completes in counted time is counted
 * as it arrives; the rest of the window is read from the history, the newest first.
 *
 * The window is [startNs, endNs), whole columns of the ring unless moved otherwise. Pass each batch to the history
 * and then here.
 */
export class WindowedCount {
  private start: number;
  private end: number;
  private readonly gaps = new Gaps();
  /** Aggregates that extend beyond the right end of the window, to be counted when those columns enter it. */
  private ahead: CompletionSummary[] = [];
  /** Whether `ahead` may lack some of these aggregates. */
  private mayLackAhead: boolean;

  constructor(
    private readonly past: Past,
    private readonly counter: WindowCounter,
    startNs = counter.ring.startNs,
    endNs = counter.ring.endNs,
  ) {
    this.start = startNs;
    this.end = endNs;
    this.gaps.add(startNs, endNs);
    this.mayLackAhead = past.endNs >= endNs;
  }

  get startNs(): number {
    return this.start;
  }

  get endNs(): number {
    return this.end;
  }

  get isWhole(): boolean {
    return this.gaps.newest === undefined;
  }

  /** Everything from this time to the end of the window has been counted. */
  get countedFromNs(): number {
    return this.gaps.newest?.toNs ?? this.start;
  }

  /**
   * How much of the window was observed and has been counted, in ns, in a picture whose edge is at `edgeNs`. I/O after
   * the edge is in its last column, too.
   */
  observedNs(edgeNs: number): number {
    const { past } = this;
    const untilNs = Math.min(Math.max(edgeNs, past.endNs), this.end);
    return Math.max(0, untilNs - Math.max(past.observedFromNs, this.countedFromNs));
  }

  /** Share of the window that has been counted, 0 to 1. */
  get share(): number {
    return this.isWhole ? 1 : 1 - this.gaps.totalNs / (this.end - this.start);
  }

  isCounted(column: number): boolean {
    const { columnNs } = this.counter.ring;
    return !this.gaps.meets(column * columnNs, (column + 1) * columnNs);
  }

  /** Counts rows that were just added to the history. */
  append(rows: CompletionColumns): void {
    const chunk = { rows, from: 0, to: rows.length };
    for (const { fromNs, toNs } of this.gaps.between(this.start, this.end))
      this.counter.addRows(chunk, fromNs, toNs);
  }

  /** Counts an aggregate that was just added to the history and does not change any more. */
  appendAggregate(aggregate: CompletionSummary): void {
    const { counter, end } = this;
    if (counter.addAggregate === undefined) return;
    for (const { fromNs, toNs } of this.gaps.between(this.start, end))
      counter.addAggregate(aggregate, fromNs, toNs);
    if (aggregate.endNs <= end) return;
    if (this.ahead.length === MOST_AHEAD) {
      // Too many: all of them will be read from the history.
      this.ahead = [];
      this.mayLackAhead = true;
    }
    this.ahead.push(aggregate);
  }

  /** Continues counting, from new to old, until the deadline. Returns whether there was anything to count. */
  advance(shouldYield?: ShouldYield): boolean {
    const { past, counter, gaps } = this;
    const isChanging = !this.isWhole;
    for (let gap = gaps.newest; gap !== undefined; gap = gaps.newest) {
      const { fromNs, toNs } = gap;
      const reachedNs = scanBack(past, counter, fromNs, toNs, shouldYield);
      gaps.remove(reachedNs, toNs);
      if (shouldYield?.() === true) break;
    }
    return isChanging;
  }

  /** Marks columns that overlap [fromNs, toNs) as not counted. */
  forget(fromNs: number, toNs: number): void {
    const { ring } = this.counter;
    const { columnNs } = ring;
    for (let column = columnOf(fromNs, columnNs); column * columnNs < toNs; column++)
      if (ring.slotOf(column) >= 0) this.forgetColumn(column);
  }

  /**
   * Moves the window. Columns that enter on the right are counted at once if aggregates are counted individually: these
   * columns are usually empty.
   */
  moveTo(startNs: number, endNs: number): void {
    const { start, end, counter, gaps } = this;
    if (startNs === start && endNs === end) return;
    const { columnNs } = counter.ring;
    this.start = startNs;
    this.end = endNs;
    counter.ring.scrollTo(columnOf(startNs, columnNs) * columnNs);
    if (startNs >= end || endNs <= start) {
      this.forgetAll();
      return;
    }
    gaps.cutTo(startNs, endNs);
    gaps.add(startNs, start);
    if (endNs > end) this.enter(end);
    if (startNs > start) this.cutColumn(startNs);
    if (endNs < end) this.cutEnd(endNs);
  }

  /** If an edge of the window has moved into a column, the rest of that column has to be counted again. */
  private cutColumn(edgeNs: number): void {
    const { columnNs } = this.counter.ring;
    const column = columnOf(edgeNs, columnNs);
    if (column * columnNs === edgeNs) return;
    const wasCounted = this.isCounted(column);
    const { fromNs, toNs } = this.forgetColumn(column);
    if (!wasCounted) return;
    visitPast(this.past, this.counter, fromNs, toNs);
    this.gaps.remove(fromNs, toNs);
  }

  /** The ring may be longer than the window. */
  private cutEnd(endNs: number): void {
    const { ring } = this.counter;
    this.cutColumn(endNs);
    for (let column = Math.ceil(endNs / ring.columnNs); ring.slotOf(column) >= 0; column++)
      ring.empty(column);
  }

  private enter(fromNs: number): void {
    const { past, counter, ahead, end } = this;
    if (counter.addAggregate === undefined) {
      this.gaps.add(fromNs, end);
      return;
    }
    if (past.endNs < fromNs && ahead.length === 0) return;
    const { rowsFromNs, chunks, slices } = past.query(fromNs, end);
    // After `rowsFromNs`, slices have only aggregates.
    if (rowsFromNs > fromNs || (this.mayLackAhead && !isEmpty(slices))) {
      this.forgetAll();
      return;
    }
    for (const chunk of chunks) counter.addRows(chunk, fromNs, end);
    for (const aggregate of ahead) counter.addAggregate(aggregate, fromNs, end);
    this.ahead = ahead.filter((aggregate) => aggregate.endNs > end);
    this.mayLackAhead &&= past.endNs >= end;
  }

  private forgetColumn(column: number): TimeRange {
    const { ring } = this.counter;
    const fromNs = Math.max(this.start, column * ring.columnNs);
    const toNs = Math.min(this.end, (column + 1) * ring.columnNs);
    ring.empty(column);
    this.gaps.add(fromNs, toNs);
    return { fromNs, toNs };
  }

  private forgetAll(): void {
    this.counter.ring.clear();
    this.gaps.add(this.start, this.end);
    this.gaps.cutTo(this.start, this.end);
    this.ahead = [];
    this.mayLackAhead = this.past.endNs >= this.end;
  }
}

function isEmpty(items: Iterable<unknown>): boolean {
  return items[Symbol.iterator]().next().done === true;
}
