import { assert } from '../../base/assert.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import type { IdentityFacts } from './identity-facts.ts';
import { mergeSlices } from './merge-slices.ts';
import { OpenSlice } from './open-slice.ts';
import type { OpenSliceLimits } from './open-slice.ts';
import type { PackedSlice } from './packed-slice.ts';

export interface RecentAggregatesOptions {
  readonly facts: IdentityFacts;
  readonly open: OpenSliceLimits;
  readonly bytes: number;
  /** Width of the finest slices of the history. */
  readonly sliceNs: number;
}

/**
 * The latest aggregates, each over the stretch of time in which it was counted, which may be much shorter than a slice.
 * A picture that is counted again then shows them at the same place as when they arrived. The slices have them as well.
 */
export class RecentAggregates {
  /** In order of arrival. */
  private readonly stretches: PackedSlice[] = [];
  /** Collects the aggregates of the stretch that arrived last. */
  private readonly last: OpenSlice;
  private packedBytes = 0;
  private isUsed = false;
  /** Complete from this time on: every aggregate whose middle is at or after it is here. The edge of a slice. */
  fromNs = -Infinity;

  constructor(private readonly options: RecentAggregatesOptions) {
    this.last = new OpenSlice(options.facts, options.open);
  }

  get memoryBytes(): number {
    return this.isUsed ? this.packedBytes + this.last.memoryBytes : 0;
  }

  add(summary: CompletionSummary, identity: number): void {
    const { last } = this;
    const { startNs } = summary;
    // A stretch without length could not be divided among columns.
    const endNs = Math.max(summary.endNs, startNs + 1);
    this.isUsed = true;
    if (last.startNs !== startNs || last.endNs !== endNs) this.begin(startNs, endNs);
    if (last.addAggregate(summary, identity)) return;
    this.begin(startNs, endNs);
    assert(last.addAggregate(summary, identity), 'an empty slice has room for a summary');
  }

  private begin(startNs: number, endNs: number): void {
    this.pack();
    this.last.reset(startNs, endNs);
  }

  /** Call it before a query: packs what arrived last, for which the oldest may have to go. */
  pack(): void {
    const { last, stretches, options } = this;
    if (last.entries === 0) return;
    const { startNs, endNs } = last;
    const packed = mergeSlices([last], startNs, endNs, options.facts, Infinity);
    last.reset(startNs, endNs);
    stretches.push(packed);
    this.packedBytes += packed.memoryBytes;
    while (this.packedBytes > options.bytes && stretches.length > 0) this.forgetOldest();
  }

  private forgetOldest(): void {
    const { sliceNs } = this.options;
    const oldest = this.stretches.shift()!;
    this.packedBytes -= oldest.memoryBytes;
    this.fromNs = Math.max(this.fromNs, (Math.floor(middleOf(oldest) / sliceNs) + 1) * sliceNs);
  }

  /** Stretches that overlap [startNs, endNs) and whose middle is at or after `middleNs`. */
  *overlapping(startNs: number, endNs: number, middleNs: number): Generator<PackedSlice> {
    for (const stretch of [...this.stretches]) {
      const isWithin = stretch.startNs < endNs && stretch.endNs > startNs;
      if (isWithin && middleOf(stretch) >= middleNs) yield stretch;
    }
  }
}

function middleOf({ startNs, endNs }: PackedSlice): number {
  return (startNs + endNs) / 2;
}
