import type { TimeRange } from '../../base/time.ts';
import { createHistory } from '../../history/history.ts';
import type { History } from '../../history/history.ts';
import { createColumns, appendRows } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { TimeExtent } from './time-extent.ts';
import type { TraceTaker } from './read-trace.ts';
import type { TraceInfo } from './trace-info.ts';

/** Fills a history with the I/O of a range of time, so that it has room for all details there. */
export class HistoryTaker implements TraceTaker {
  readonly history: History;
  /** Everything in the trace, also outside the range. */
  readonly all = new TimeExtent();
  /** Whether some of it is in the range. */
  hasInside = false;
  private readonly range: TimeRange;
  private readonly inside = createColumns(1 << 16);

  constructor(info: TraceInfo, budgetBytes: number, range: TimeRange) {
    this.history = createHistory({ info, budgetBytes });
    this.range = range;
  }

  rows(rows: CompletionColumns): void {
    for (let row = 0; row < rows.length; row++) this.all.add(rows.completeNs[row]!);
    const { fromNs, toNs } = this.range;
    const { inside } = this;
    for (let from = 0; from < rows.length;) {
      const isIn = isWithin(rows.completeNs[from]!, fromNs, toNs);
      let to = from + 1;
      while (to < rows.length && isWithin(rows.completeNs[to]!, fromNs, toNs) === isIn) to++;
      if (isIn) this.append(rows, from, to);
      from = to;
    }
    this.flush(inside);
  }

  private append(rows: CompletionColumns, from: number, to: number): void {
    this.hasInside = true;
    const { inside } = this;
    for (let at = from; at < to;) {
      const end = Math.min(to, at + inside.identity.length - inside.length);
      appendRows(inside, rows, at, end);
      if (inside.length === inside.identity.length) this.flush(inside);
      at = end;
    }
  }

  private flush(inside: CompletionColumns): void {
    this.history.append(inside);
    inside.length = 0;
  }

  /** An aggregate that overlaps the range counts as a whole: nobody knows which of its I/Os are inside. */
  summary(summary: CompletionSummary): void {
    const { fromNs, toNs } = this.range;
    this.all.add(summary.startNs);
    this.all.add(summary.endNs);
    if (summary.endNs <= fromNs || summary.startNs >= toNs) return;
    this.hasInside = true;
    this.history.appendAggregate(summary);
  }
}

function isWithin(at: number, fromNs: number, toNs: number): boolean {
  return at >= fromNs && at < toNs;
}
