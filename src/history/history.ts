import type { TimeRange } from '../base/time.ts';
import { assert } from '../base/assert.ts';
import { BYTES_PER_ROW } from '../model/completion-columns.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { DiskBusy } from '../model/disk-busy.ts';
import type { CompletionSummary } from '../trace/completion-summary.ts';
import { EventRing } from './event-ring.ts';
import type { HeldRows, RowChunk } from './event-ring.ts';
import { IdentityFacts } from './slices/identity-facts.ts';
import type { HistoryInfo } from './slices/identity-facts.ts';
import type { CoarseningStep } from './slices/coarsening.ts';
import { Field } from './slices/slice.ts';
import type { Slice } from './slices/slice.ts';
import { RecentAggregates } from './slices/recent-aggregates.ts';
import { SliceView } from './slices/slice-view.ts';
import { MAX_OPEN, SliceStore } from './slices/slice-store.ts';
import { HeldTimes } from './utilization/held-times.ts';
import { Utilization } from './utilization/utilization.ts';

const DEFAULT_BUDGET_BYTES = 256 * 2 ** 20;
export const MIN_BUDGET_BYTES = 16 * 2 ** 20;
const DEFAULT_SLICE_NS = 1e9;

export interface HistoryOptions {
  readonly info: HistoryInfo;
  readonly budgetBytes?: number;
  /** Approximate maximum number of rows, if it is less than the budget allows. */
  readonly detailRows?: number;
  /** Width of the finest slices. */
  readonly sliceNs?: number;
  readonly coarsening?: readonly CoarseningStep[];
}

/** All I/O of [startNs, endNs), each exactly once: rows as far back as there are any, slices before. */
export interface HistoryQuery {
  /** Count rows only from this time on: I/O that completed earlier is counted in the slices. */
  readonly rowsFromNs: number;
  /** Chunks with rows to test. Count those with `rowsFromNs ≤ completeNs < endNs`; others are outside the range. */
  readonly chunks: Iterable<HeldRows>;
  /**
   * Slices that overlap the range and may extend beyond it. Several may cover the same time. After `rowsFromNs` they
   * show only aggregates, because the rest is in the rows.
   */
  readonly slices: Iterable<SliceView>;
}

/**
 * All I/O seen, within a memory budget: rows as far back as they fit, and counts of all I/O by time slice, identity
 * and value bin since the start.
 *
 * Of the budget, closed slices may use half, open ones an eighth, utilization and recent aggregates a sixteenth each.
 * Rows use the rest, and the oldest are forgotten when the others grow.
 */
export class History {
  readonly budgetBytes: number;
  readonly sliceNs: number;
  /** Grows whenever the answer to any query may have changed. */
  version = 0;
  private firstNs = Infinity;
  private lastNs = -Infinity;
  private readonly detailBytes: number;
  private readonly facts: IdentityFacts;
  private readonly ring: EventRing;
  private readonly store: SliceStore;
  private readonly recent: RecentAggregates;
  private readonly busy: Utilization;

  constructor(options: HistoryOptions) {
    const { info, coarsening, budgetBytes = DEFAULT_BUDGET_BYTES, detailRows = Infinity } = options;
    assert(budgetBytes >= MIN_BUDGET_BYTES, `a history takes at least ${MIN_BUDGET_BYTES} bytes`);
    this.budgetBytes = budgetBytes;
    this.sliceNs = options.sliceNs ?? DEFAULT_SLICE_NS;
    this.detailBytes = Math.min(budgetBytes, detailRows * BYTES_PER_ROW);
    this.facts = new IdentityFacts(info);
    this.ring = new EventRing(chunkRows(this.detailBytes));
    const held = new HeldTimes(() => info.inFlight);
    this.busy = new Utilization(this.facts, budgetBytes / 16, held);
    const open = { identities: identityCap(budgetBytes), bytes: budgetBytes / 8 / MAX_OPEN };
    const { facts, sliceNs } = this;
    this.recent = new RecentAggregates({ facts, open, bytes: budgetBytes / 16, sliceNs });
    this.store = new SliceStore({
      facts,
      sliceNs,
      packedBytes: budgetBytes / 2,
      open,
      ...(coarsening && { coarsening }),
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

  /** Adds aggregated I/O. A slice counts all of it if the middle of its stretch is in the slice. */
  appendAggregate(summary: CompletionSummary): void {
    if (summary.count === 0) return;
    this.facts.refresh();
    this.note(summary.startNs);
    this.note(Math.max(summary.startNs, summary.endNs - 1));
    const identity = this.facts.summary(summary.identity);
    this.store.addAggregate(summary, identity);
    this.recent.add(summary, identity);
    this.settle();
  }

  /** Adds the kernel's own count of how long a disk was busy, for stretches in which I/O was aggregated. */
  appendBusy(busy: DiskBusy): void {
    this.busy.addCounted(busy);
    this.version++;
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
    const { store, recent, busy, facts } = this;
    return store.memoryBytes + recent.memoryBytes + busy.memoryBytes + facts.memoryBytes;
  }

  /** Completion time of the earliest I/O; for aggregates, the earliest possible one. 0 when there is none yet. */
  get startNs(): number {
    return this.firstNs === Infinity ? 0 : this.firstNs;
  }

  /** Since when I/O was observed: the start of the trace, or the first I/O, as the lines of a log may be out of order. */
  get observedFromNs(): number {
    return Math.min(0, this.firstNs);
  }

  /** Completion time of the latest I/O; for aggregates, the latest possible one. 0 when there is none yet. */
  get endNs(): number {
    return this.lastNs === -Infinity ? 0 : this.lastNs;
  }

  /**
   * The border between the tiers: every row that completed at or after it is still here. It is the edge of a slice,
   * so no slice has I/O on both sides.
   */
  get detailStartNs(): number {
    const { evictedNs } = this.ring;
    return evictedNs === -Infinity ? this.startNs : this.store.endAfter(evictedNs);
  }

  /** Number of rows. */
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
    const { facts, store, recent } = this;
    recent.pack();
    const recentNs = Math.max(recent.fromNs, store.finestFromNs);
    const middleNs = Math.max(recentNs, borderNs);
    for (const slice of recent.overlapping(startNs, endNs, middleNs))
      yield new SliceView(slice, facts, true, true);
    for (const slice of store.overlapping(startNs, endNs)) {
      const isBefore = slice.endNs <= borderNs;
      if (isBefore || (slice.hasAggregates && slice.startNs < recentNs))
        yield new SliceView(slice, facts, !isBefore);
    }
  }

  /** Chunks of rows that may complete in the range. Unlike `query`, it does not say which of them to count. */
  chunks(startNs: number, endNs: number): Iterable<RowChunk> {
    return this.ring.overlapping(startNs, endNs);
  }

  /** As `EventRing.beforeRows`. */
  beforeRows(toNs: number, rows: number): number {
    return this.ring.beforeRows(toNs, rows);
  }

  /** All slices that overlap the range, with everything in them. */
  slices(startNs: number, endNs: number): Iterable<Slice> {
    return this.store.overlapping(startNs, endNs);
  }

  /** The same slices as a query shows them, but including I/O that also has rows. */
  *wholeSlices(startNs: number, endNs: number): Generator<SliceView> {
    for (const slice of this.store.overlapping(startNs, endNs))
      yield new SliceView(slice, this.facts, false);
  }

  /**
   * Share of [startNs, endNs) in which the disk had at least one request, 0 to 1. It is known from rows, and where I/O
   * is aggregated, from the kernel's own count. Undefined when it is unknown; a lower bound if `isUtilizationPartial`.
   */
  utilization(dev: number, startNs: number, endNs: number): number | undefined {
    if (endNs <= startNs) return undefined;
    const aggregated = this.aggregatedStretches(dev, startNs, endNs);
    const busyNs = this.busy.busyNs(dev, startNs, endNs, aggregated);
    return busyNs === undefined ? undefined : Math.min(1, busyNs / (endNs - startNs));
  }

  /**
   * Utilization, 0 to 1, per column of `columnNs`, starting at `startNs`. Cells are 100 ms wide for the last ten
   * minutes, then wider (`BUSY_RESOLUTIONS`); narrower columns share a cell evenly.
   */
  busySeries(
    dev: number,
    startNs: number,
    endNs: number,
    columnNs: number,
  ): Float32Array | undefined {
    const aggregated = this.aggregatedStretches(dev, startNs, endNs);
    return this.busy.columns(dev, startNs, endNs, columnNs, aggregated);
  }

  /** The parts of the stretches passed to `appendBusy` within [startNs, endNs), as far as they are still known. */
  countedBusy(startNs: number, endNs: number): Iterable<DiskBusy> {
    return this.busy.countedWithin(Math.max(startNs, this.startNs), Math.min(endNs, this.endNs));
  }

  /** Whether some of the disk's I/O in the range is aggregated, and the kernel's own count is not known for it. */
  isUtilizationPartial(dev: number, startNs: number, endNs: number): boolean {
    const aggregated = this.aggregatedStretches(dev, startNs, endNs);
    return aggregated.some((stretch) => !this.busy.isCounted(dev, stretch));
  }

  /**
   * The stretches in which some of a disk's I/O is aggregated and has no times of its own: slices, cut to the range.
   */
  private aggregatedStretches(dev: number, startNs: number, endNs: number): readonly TimeRange[] {
    const device = this.facts.indexOf(dev);
    const found: TimeRange[] = [];
    for (const slice of this.store.overlapping(startNs, endNs)) {
      if (device === undefined || !this.hasAggregatesOf(slice, device)) continue;
      const fromNs = Math.max(startNs, slice.startNs);
      // Later time has not been observed yet.
      found.push({ fromNs, toNs: Math.min(endNs, slice.endNs, this.lastNs) });
    }
    return disjoint(found);
  }

  private hasAggregatesOf(slice: Slice, device: number): boolean {
    if (!slice.hasAggregates) return false;
    for (let entry = 0; entry < slice.entries; entry++) {
      const identity = slice.identity(entry);
      if (!this.facts.isAggregate(identity) || this.facts.device[identity] !== device) continue;
      // Calls are sampled on their own: those of a disk say nothing about its requests.
      if (this.facts.keepsBusy[identity] === 0) continue;
      if (slice.field(entry, Field.count) > 0) return true;
    }
    return false;
  }
}

export function createHistory(options: HistoryOptions): History {
  return new History(options);
}

/** An open slice may cover the same time as a closed one. */
function disjoint(stretches: readonly TimeRange[]): TimeRange[] {
  let endNs = -Infinity;
  const parts = stretches.toSorted((a, b) => a.fromNs - b.fromNs);
  return parts.flatMap(({ fromNs, toNs }) => {
    const part = { fromNs: Math.max(fromNs, endNs), toNs };
    endNs = Math.max(endNs, toNs);
    return part.toNs > part.fromNs ? [part] : [];
  });
}

/**
 * Rows per chunk: a power of two, and few enough for at least ten chunks, so that a small part is forgotten at a time.
 */
function chunkRows(detailBytes: number): number {
  const most = Math.max(1, detailBytes / 32 / BYTES_PER_ROW);
  return Math.min(65_536, 2 ** Math.floor(Math.log2(most)));
}

/** Identities per slice: a few slices must fit into the budget even with every bin of every identity filled. */
function identityCap(budgetBytes: number): number {
  return Math.min(1_024, Math.floor(budgetBytes / 2 / 65_536));
}
