import type { IdentityFacts } from './identity-facts.ts';
import { createBinList, METRIC_INDEX } from './slice.ts';
import type { Slice, SliceMetric } from './slice.ts';

/**
 * Called per non-empty bin. Device, queue, total and size are in fine bins; an offset bin covers 2^`offsetShift`
 * sectors, starting at `bin` · 2^`offsetShift`.
 */
export type VisitBin = (identity: number, bin: number, count: number, offsetShift: number) => void;

/** The part of a slice that a query counts. */
export class SliceView {
  readonly startNs: number;
  readonly endNs: number;
  /** Whether only I/O from summaries is shown, because the rest is delivered as rows. */
  readonly aggregatesOnly: boolean;
  /** Whether all of its time has passed; if not, it may still grow. */
  readonly isOver: boolean;
  private readonly slice: Slice;
  private readonly facts: IdentityFacts;

  constructor(slice: Slice, facts: IdentityFacts, aggregatesOnly: boolean, isOver = false) {
    this.startNs = slice.startNs;
    this.endNs = slice.endNs;
    this.aggregatesOnly = aggregatesOnly;
    this.isOver = isOver;
    this.slice = slice;
    this.facts = facts;
  }

  /** Visits the bins of all entries, or only of those whose identity is accepted (called once per entry). */
  forEachBin(metric: SliceMetric, visit: VisitBin, accepts?: (identity: number) => boolean): void {
    const { slice } = this;
    const index = METRIC_INDEX[metric];
    for (let entry = 0; entry < slice.entries; entry++) {
      const identity = slice.identity(entry);
      if (!this.shows(identity) || accepts?.(identity) === false) continue;
      const shift = slice.offsetShift(entry);
      const filled = slice.readBins(entry, index, list);
      for (let i = 0; i < filled; i++) visit(identity, list.bins[i]!, list.counts[i]!, shift);
    }
  }

  /** Visits one total of each entry, such as its count. */
  forEachEntry(field: number, visit: (identity: number, value: number) => void): void {
    const { slice } = this;
    for (let entry = 0; entry < slice.entries; entry++) {
      const identity = slice.identity(entry);
      if (this.shows(identity)) visit(identity, slice.field(entry, field));
    }
  }

  /** Visits the entries themselves, for callers that need several totals of each. */
  forEachShown(visit: (slice: Slice, entry: number, identity: number) => void): void {
    const { slice } = this;
    for (let entry = 0; entry < slice.entries; entry++) {
      const identity = slice.identity(entry);
      if (this.shows(identity)) visit(slice, entry, identity);
    }
  }

  private shows(identity: number): boolean {
    return !this.aggregatesOnly || this.facts.isAggregate(identity);
  }
}

const list = createBinList();
