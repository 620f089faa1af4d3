import type { IdentityFacts } from './identity-facts.ts';
import { createBinList, METRIC_INDEX } from './slice.ts';
import type { Slice, SliceMetric } from './slice.ts';

/**
 * Called per non-empty bin. Device, queue, total and size are in fine bins; an offset bin covers 2^`offsetShift`
 * sectors, starting at `bin` · 2^`offsetShift`.
 */
export type VisitBin = (key: number, bin: number, count: number, offsetShift: number) => void;

/** The part of a slice that a query counts. */
export class SliceView {
  readonly startNs: number;
  readonly endNs: number;
  /** Whether only I/O from summaries is shown, because the rest is delivered as rows. */
  readonly aggregatesOnly: boolean;
  private readonly slice: Slice;
  private readonly facts: IdentityFacts;

  constructor(slice: Slice, facts: IdentityFacts, aggregatesOnly: boolean) {
    this.startNs = slice.startNs;
    this.endNs = slice.endNs;
    this.aggregatesOnly = aggregatesOnly;
    this.slice = slice;
    this.facts = facts;
  }

  /** Visits the bins of all entries, or of those whose identity is accepted (called once per entry). */
  forEachBin(metric: SliceMetric, visit: VisitBin, accepts?: (key: number) => boolean): void {
    const { slice } = this;
    const index = METRIC_INDEX[metric];
    for (let entry = 0; entry < slice.entries; entry++) {
      const key = slice.key(entry);
      if (!this.shows(key) || accepts?.(key) === false) continue;
      const shift = slice.offsetShift(entry);
      const filled = slice.readBins(entry, index, list);
      for (let i = 0; i < filled; i++) visit(key, list.bins[i]!, list.counts[i]!, shift);
    }
  }

  /** Visits one of the `Field` totals of each entry, such as its count. */
  forEachEntry(field: number, visit: (key: number, value: number) => void): void {
    const { slice } = this;
    for (let entry = 0; entry < slice.entries; entry++) {
      const key = slice.key(entry);
      if (this.shows(key)) visit(key, slice.field(entry, field));
    }
  }

  /** Visits the entries themselves, for callers that need several things of each. */
  forEachShown(visit: (slice: Slice, entry: number, key: number) => void): void {
    const { slice } = this;
    for (let entry = 0; entry < slice.entries; entry++) {
      const key = slice.key(entry);
      if (this.shows(key)) visit(slice, entry, key);
    }
  }

  private shows(key: number): boolean {
    return !this.aggregatesOnly || this.facts.isAggregate(key);
  }
}

const list = createBinList();
