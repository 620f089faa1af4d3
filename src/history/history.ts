import { assert } from '../base/assert.ts';
import { BYTES_PER_ROW } from '../model/completion-columns.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { CompletionSummary } from '../source/completion-summary.ts';
import { EventRing } from './event-ring.ts';
import type { HeldRows, RowChunk } from './event-ring.ts';
import { KeyFacts } from './key-facts.ts';
import type { HistoryInfo } from './key-facts.ts';
import type { Level } from './slices/coarsening.ts';
import { Field } from './slices/slice.ts';
import type { Slice } from './slices/slice.ts';
import { SliceView } from './slices/slice-view.ts';
import { MAX_OPEN, SliceStore } from './slices/slice-store.ts';
import { Utilization } from './utilization/utilization.ts';

export const DEFAULT_BUDGET_BYTES = 256 * 2 ** 20;
export const MIN_BUDGET_BYTES = 16 * 2 ** 20;
export const DEFAULT_SLICE_NS = 1e9;

export interface HistoryOptions {
  readonly info: HistoryInfo;
  readonly budgetBytes?: number;
  /** Most single I/Os to keep, about, when that is less than the budget allows. */
  readonly detailRows?: number;
  /** Width of the finest slices. */
  readonly sliceNs?: number;
  readonly levels?: readonly Level[];
}

/** All I/O of [startNs, endNs), each exactly once: rows as far back as they reach, slices before. */
export interface HistoryQuery {
  /** Rows count only from here on: what completed before is in the slices. */
  readonly rowsFromNs: number;
  /**
   * Rows to test: they may lie outside the range, so count those with
   * `rowsFromNs ≤ completeNs < endNs`.
   */
  readonly chunks: Iterable<HeldRows>;
  /**
   * Slices that overlap the range, whole, even where they reach beyond it. Several may cover the
   * same time. After the border they show only the I/O that is known from summaries.
   */
  readonly slices: Iterable<SliceView>;
}

/**
 * Everything that was seen, within a budget: single I/Os as far back as they fit, and counts of all
 * I/O by time slice, key and value bin since the beginning.
 *
 * The budget: closed slices may take half, open ones an eighth, utilization a sixteenth. Single I/Os
 * have all the rest, and give way when the others grow.
 */
export class History {
  readonly budgetBytes: number;
  readonly sliceNs: number;
  /** Grows whenever the answer to any query may have changed. */
  version = 0;
  private firstNs = Infinity;
  private lastNs = -Infinity;
  private readonly detailBytes: number;
  private readonly facts: KeyFacts;
  private readonly ring: EventRing;
  private readonly store: SliceStore;
  private readonly busy: Utilization;

  constructor(options: HistoryOptions) {
    const { info, levels, budgetBytes = DEFAULT_BUDGET_BYTES, detailRows = Infinity } = options;
    assert(budgetBytes >= MIN_BUDGET_BYTES, `a history takes at least ${MIN_BUDGET_BYTES} bytes`);
    this.budgetBytes = budgetBytes;
    this.sliceNs = options.sliceNs ?? DEFAULT_SLICE_NS;
    this.detailBytes = Math.min(budgetBytes, detailRows * BYTES_PER_ROW);
    this.facts = new KeyFacts(info);
    this.ring = new EventRing(chunkRows(this.detailBytes));
    this.busy = new Utilization(this.facts, budgetBytes / 16);
    this.store = new SliceStore({
      facts: this.facts,
      sliceNs: this.sliceNs,
      packedBytes: budgetBytes / 2,
      open: { keys: keyCap(budgetBytes), bytes: budgetBytes / 8 / MAX_OPEN },
      ...(levels && { levels }),
    });
  }

  /** Adds rows; the columns are copied. */
  append(rows: CompletionColumns): void {
    if (rows.length === 0) return;
    this.facts.refresh();
    this.noteRows(rows);
    this.store.addRows(rows);
    this.busy.addRows(rows);
    this.ring.append(rows, this.ringBudget());
    this.settle();
  }

  /** Adds I/O that is known only as aggregates. It counts at the middle of its time. */
  appendAggregate(summary: CompletionSummary): void {
    if (summary.count === 0) return;
    this.facts.refresh();
    this.note((summary.startNs + summary.endNs) / 2);
    this.store.addAggregate(summary, this.facts.summary(summary.key));
    this.settle();
  }

  private noteRows({ completeNs, length }: CompletionColumns): void {
    let first = Infinity;
    let last = -Infinity;
    for (let row = 0; row < length; row++) {
      const at = completeNs[row]!;
      if (at < first) first = at;
      if (at > last) last = at;
    }
    this.note(first);
    this.note(last);
  }

  private note(atNs: number): void {
    if (atNs < this.firstNs) this.firstNs = atNs;
    if (atNs > this.lastNs) this.lastNs = atNs;
  }

  private settle(): void {
    this.store.advance(this.lastNs);
    this.ring.shrink(this.ringBudget());
    this.version++;
  }

  private ringBudget(): number {
    return Math.min(this.detailBytes, this.budgetBytes - this.otherBytes());
  }

  private otherBytes(): number {
    return this.store.memoryBytes + this.busy.memoryBytes + this.facts.memoryBytes;
  }

  /** Completion time of the earliest I/O, 0 when there is none yet. */
  get startNs(): number {
    return this.firstNs === Infinity ? 0 : this.firstNs;
  }

  /** Completion time of the latest I/O, 0 when there is none yet. */
  get endNs(): number {
    return this.lastNs === -Infinity ? 0 : this.lastNs;
  }

  /**
   * The border between the tiers: every row that completed at or after it is still here. It is the
   * edge of a slice, so no slice has I/O on both sides.
   */
  get detailStartNs(): number {
    const { evictedNs } = this.ring;
    return evictedNs === -Infinity ? this.startNs : this.store.endAfter(evictedNs);
  }

  /** Single I/Os held now. */
  get rows(): number {
    return this.ring.length;
  }

  get memoryBytes(): number {
    return this.otherBytes() + this.ring.memoryBytes;
  }

  query(startNs: number, endNs: number): HistoryQuery {
    const borderNs = this.detailStartNs;
    const rowsFromNs = Math.max(startNs, borderNs);
    return {
      rowsFromNs,
      chunks: this.ring.overlapping(rowsFromNs, endNs),
      slices: this.views(startNs, endNs, borderNs),
    };
  }

  private *views(startNs: number, endNs: number, borderNs: number): Generator<SliceView> {
    for (const slice of this.store.overlapping(startNs, endNs)) {
      const isBefore = slice.endNs <= borderNs;
      if (isBefore || slice.hasAggregates) yield new SliceView(slice, this.facts, !isBefore);
    }
  }

  /** Chunks of rows that may complete in the range; `query` also says which of them to count. */
  chunks(startNs: number, endNs: number): Iterable<RowChunk> {
    return this.ring.overlapping(startNs, endNs);
  }

  /** A time before `toNs`, about `rows` single I/Os earlier; −Infinity when there are fewer. */
  beforeRows(toNs: number, rows: number): number {
    return this.ring.beforeRows(toNs, rows);
  }

  /** All slices that overlap the range, with everything in them. */
  slices(startNs: number, endNs: number): Iterable<Slice> {
    return this.store.overlapping(startNs, endNs);
  }

  /** The same slices as a query shows them, rows or no rows. */
  *wholeSlices(startNs: number, endNs: number): Generator<SliceView> {
    for (const slice of this.store.overlapping(startNs, endNs))
      yield new SliceView(slice, this.facts, false);
  }

  /**
   * Share of [startNs, endNs) in which the disk had at least one request, 0 to 1. Undefined when it
   * is not measurable; a lower bound where `isUtilizationPartial`.
   */
  utilization(dev: number, startNs: number, endNs: number): number | undefined {
    const busyNs = this.busy.busyNs(dev, startNs, endNs);
    if (busyNs === undefined || endNs <= startNs) return undefined;
    return Math.min(1, busyNs / (endNs - startNs));
  }

  /**
   * Share busy, 0 to 1, per column of `columnNs` from `startNs` on. Cells are 100 ms wide for the
   * last ten minutes, then wider (`BUSY_LEVELS`); narrower columns share out a cell evenly.
   */
  busySeries(
    dev: number,
    startNs: number,
    endNs: number,
    columnNs: number,
  ): Float32Array | undefined {
    return this.busy.columns(dev, startNs, endNs, columnNs);
  }

  /** Whether some of the disk's I/O in the range is known only as aggregates, with no times of its own. */
  isUtilizationPartial(dev: number, startNs: number, endNs: number): boolean {
    const device = this.facts.indexOf(dev);
    for (const slice of this.store.overlapping(startNs, endNs)) {
      if (!slice.hasAggregates) continue;
      for (let entry = 0; entry < slice.entries; entry++) {
        const key = slice.key(entry);
        if (!this.facts.isAggregate(key) || this.facts.device[key] !== device) continue;
        if (slice.field(entry, Field.count) > 0) return true;
      }
    }
    return false;
  }
}

export function createHistory(options: HistoryOptions): History {
  return new History(options);
}

/** A power of two, so that the ring has at least ten chunks to forget one by one. */
function chunkRows(detailBytes: number): number {
  const most = Math.max(1, detailBytes / 32 / BYTES_PER_ROW);
  return Math.min(65_536, 2 ** Math.floor(Math.log2(most)));
}

/** Keys per slice: a few slices must fit into the budget even with every bin of every key filled. */
function keyCap(budgetBytes: number): number {
  return Math.min(1_024, Math.floor(budgetBytes / 2 / 65_536));
}
