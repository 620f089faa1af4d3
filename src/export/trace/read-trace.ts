import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompletionSummary, SourceCounters } from '../../trace/completion-summary.ts';
import type { TraceReader } from '../../trace/trace-reader.ts';

/** Who takes what a trace holds. `rows` may return a promise; `stop` ends the reading. */
export interface TraceTaker {
  rows(rows: CompletionColumns): void | Promise<void>;
  summary?(summary: CompletionSummary): void;
  /** Whether nothing more is wanted. */
  readonly isDone?: boolean;
}

export interface TraceEnd {
  /** As the trace told them last. */
  readonly counters: SourceCounters | undefined;
  readonly gaps: readonly { readonly startNs: number; readonly endNs: number }[];
}

/** More than anybody reads; a series of a thousand files has a gap between any two. */
const MOST_GAPS = 1000;

/** Those that reach into [fromNs, toNs). */
export function gapsWithin(
  gaps: TraceEnd['gaps'],
  { fromNs, toNs }: { readonly fromNs: number; readonly toNs: number },
): TraceEnd['gaps'] {
  return gaps.filter(({ startNs, endNs }) => endNs > fromNs && startNs < toNs);
}

/** Reads a trace to its end, however long that takes to come. */
export async function readTrace(
  reader: TraceReader,
  taker: TraceTaker,
  wait: () => Promise<void>,
): Promise<TraceEnd> {
  let counters: SourceCounters | undefined;
  const gaps: { startNs: number; endNs: number }[] = [];
  while (taker.isDone !== true) {
    const chunk = reader.next();
    if (chunk === 'ended') break;
    if (chunk === 'waiting') {
      await wait();
      continue;
    }
    counters = chunk.counters ?? counters;
    if (chunk.gap !== undefined && gaps.length < MOST_GAPS) gaps.push({ ...chunk.gap });
    for (const summary of chunk.summaries) taker.summary?.(summary);
    if (chunk.rows.length > 0) await taker.rows(chunk.rows);
  }
  return { counters, gaps };
}
