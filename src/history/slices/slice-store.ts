import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { assert } from '../../base/assert.ts';
import { COARSENING } from './coarsening.ts';
import type { CoarseningStep } from './coarsening.ts';
import type { IdentityFacts } from './identity-facts.ts';
import { OpenSlice } from './open-slice.ts';
import type { OpenSliceLimits } from './open-slice.ts';
import { PackedSlices } from './packed-slices.ts';
import type { Slice } from './slice.ts';

/** How long a slice stays open for late rows after its end, in slices. */
const LATE_SLICES = 2;

/** Maximum open slices: the current one, late ones, and some older ones that were reopened for late rows. */
export const MAX_OPEN = 6;

export interface SliceStoreOptions {
  readonly facts: IdentityFacts;
  readonly sliceNs: number;
  readonly open: OpenSliceLimits;
  /** Budget of the closed slices. */
  readonly packedBytes: number;
  readonly coarsening?: readonly CoarseningStep[];
}

/**
 * Tier 2: counts of all I/O ever seen, by time slice and identity. A stretch of time may have an open slice in
 * addition to a closed one: late rows are collected and merged when it closes.
 */
export class SliceStore {
  private readonly open: OpenSlice[] = [];
  private readonly idle: OpenSlice[] = [];
  private readonly packed: PackedSlices;
  private readonly options: SliceStoreOptions;

  constructor(options: SliceStoreOptions) {
    this.options = options;
    const { facts, sliceNs, packedBytes, open } = options;
    const steps = options.coarsening ?? COARSENING;
    this.packed = new PackedSlices({
      facts,
      sliceNs,
      packedBytes,
      identityCap: open.identities,
      steps,
    });
  }

  get memoryBytes(): number {
    const pools = [...this.open, ...this.idle];
    return pools.reduce((sum, slice) => sum + slice.memoryBytes, this.packed.memoryBytes);
  }

  /** From this time on, no slice is wider than `sliceNs`. */
  get finestFromNs(): number {
    return this.packed.finestFromNs;
  }

  addRows(rows: CompletionColumns): void {
    let row = 0;
    while (row < rows.length) {
      const slice = this.openAt(rows.completeNs[row]!);
      const next = slice.addRows(rows, row, rows.length);
      if (next === row) this.makeRoom(slice);
      row = next;
    }
  }

  /** Adds all of it to the slice that contains its middle, because it cannot be divided. */
  addAggregate(summary: CompletionSummary, identity: number): void {
    const slice = this.openAt((summary.startNs + summary.endNs) / 2);
    if (slice.addAggregate(summary, identity)) return;
    this.makeRoom(slice);
    assert(slice.addAggregate(summary, identity), 'an empty slice has room for a summary');
  }

  private makeRoom(slice: OpenSlice): void {
    assert(slice.entries > 0, 'an empty slice takes every I/O of its time');
    this.flush(slice);
  }

  /** Closes slices for which no more rows are expected, and coarsens old ones. */
  advance(nowNs: number): void {
    const closeBeforeNs = nowNs - LATE_SLICES * this.options.sliceNs;
    for (let i = this.open.length - 1; i >= 0; i--) {
      if (this.open[i]!.endNs <= closeBeforeNs) this.close(i);
    }
    this.packed.coarsen(nowNs);
  }

  private openAt(atNs: number): OpenSlice {
    for (const slice of this.open) {
      if (atNs >= slice.startNs && atNs < slice.endNs) return slice;
    }
    assert(Number.isFinite(atNs), 'every I/O has a time');
    if (this.open.length >= MAX_OPEN) this.close(this.oldestOpen());
    const { sliceNs, facts, open } = this.options;
    const slice = this.idle.pop() ?? new OpenSlice(facts, open);
    const startNs = Math.floor(atNs / sliceNs) * sliceNs;
    slice.reset(startNs, startNs + sliceNs);
    this.open.push(slice);
    return slice;
  }

  private oldestOpen(): number {
    let oldest = 0;
    for (let i = 1; i < this.open.length; i++) {
      if (this.open[i]!.startNs < this.open[oldest]!.startNs) oldest = i;
    }
    return oldest;
  }

  private close(index: number): void {
    const [slice] = this.open.splice(index, 1);
    this.flush(slice!);
    this.idle.push(slice!);
  }

  /** Merges an open slice into its closed one. */
  private flush(slice: OpenSlice): void {
    if (slice.entries === 0) return;
    this.packed.add(slice);
    slice.reset(slice.startNs, slice.endNs);
  }

  /** All slices that overlap [startNs, endNs), closed ones in order, then the open ones. */
  *overlapping(startNs: number, endNs: number): Generator<Slice> {
    yield* this.packed.overlapping(startNs, endNs);
    for (const slice of this.open) {
      if (slice.entries > 0 && slice.startNs < endNs && slice.endNs > startNs) yield slice;
    }
  }

  /** End of the longest slice that contains a moment and has I/O there; the moment itself if none. */
  endAfter(atNs: number): number {
    let endNs = atNs;
    for (const slice of this.overlapping(atNs, atNs + 1)) {
      if (slice.startNs <= atNs && slice.endNs > endNs) endNs = slice.endNs;
    }
    return endNs;
  }
}
