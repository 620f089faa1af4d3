import type { CompiledFilter } from '../../filter/match/match.ts';
import type { RowChunk } from '../../history/event-ring.ts';
import type { Past } from '../../history/scan/visitor.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';
import type { WindowCounter } from '../../history/window/windowed-count.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { distributeAggregate, distributeSlice } from './lane-aggregates.ts';
import type { LaneCounts } from './lane-counts.ts';
import { LaneFinder } from './lane-finder.ts';
import type { LaneOwners } from './lane-finder.ts';

/** Counts latencies into lanes. */
export class LaneCounter implements WindowCounter {
  private readonly finder: LaneFinder;

  /** A `filter` that is undefined matches everything. */
  constructor(
    readonly ring: LaneCounts,
    private readonly past: Pick<Past, 'endNs'>,
    private readonly filter: CompiledFilter | undefined,
    owners: LaneOwners,
  ) {
    this.finder = new LaneFinder(owners);
  }

  /** Whether everything has to be counted again, because a subject got its name only now. */
  isOutdated(): boolean {
    return this.finder.isOutdated();
  }

  addRows({ rows, from, to }: RowChunk, fromNs: number, toNs: number): void {
    const { ring, filter } = this;
    ring.addRows(rows, from, to, this.finder.ofRows(), { fromNs, toNs, filter });
  }

  addSlice(view: SliceView, fromNs: number, toNs: number): void {
    const { ring, filter, past, finder } = this;
    distributeSlice(ring, view, finder, { fromNs, toNs, filter }, past.endNs);
  }

  addAggregate(aggregate: CompletionSummary, fromNs: number, toNs: number): void {
    const { ring, filter, finder } = this;
    distributeAggregate(ring, aggregate, finder, { fromNs, toNs, filter });
  }
}
