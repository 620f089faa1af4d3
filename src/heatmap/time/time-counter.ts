import type { CompiledFilter } from '../../filter/match/match.ts';
import type { RowChunk } from '../../history/event-ring.ts';
import type { Past } from '../../history/scan/visitor.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';
import type { WindowCounter } from '../../history/window/windowed-count.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { binRows } from './bin-rows.ts';
import { distributeAggregate, distributeSlice } from './distribute-aggregates.ts';
import type { Heatmap, Selection } from './heatmap.ts';

/** Counts into a heat map whose columns are time. */
export class TimeCounter implements WindowCounter {
  /** A `filter` that is undefined matches everything. */
  constructor(
    readonly ring: Heatmap,
    private readonly past: Pick<Past, 'endNs'>,
    private readonly filter: CompiledFilter | undefined,
  ) {}

  addRows({ rows, from, to, timesOf }: RowChunk, fromNs: number, toNs: number): void {
    binRows(this.ring, rows, from, to, this.selection(fromNs, toNs), timesOf);
  }

  addSlice(view: SliceView, fromNs: number, toNs: number): void {
    distributeSlice(this.ring, view, this.selection(fromNs, toNs), this.past.endNs);
  }

  addAggregate(aggregate: CompletionSummary, fromNs: number, toNs: number): void {
    distributeAggregate(this.ring, aggregate, this.selection(fromNs, toNs));
  }

  private selection(fromNs: number, toNs: number): Selection {
    return { fromNs, toNs, filter: this.filter };
  }
}
