import type { TimeRange } from '../../base/time.ts';
import { setImmediate as turn } from 'node:timers/promises';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompletionSummary, SourceCounters } from '../../trace/completion-summary.ts';
import type { Stretch, TraceReader } from '../../trace/trace-reader.ts';

/** Receives the contents of a trace. `rows` may return a promise; `isDone` ends the reading. */
export interface TraceTaker {
  rows(rows: CompletionColumns): void | Promise<void>;
  summary?(summary: CompletionSummary): void;
  /** Whether it needs nothing more, so that reading may stop. */
  readonly isDone?: boolean;
}

export interface TraceEnd {
  /** Read to the end without any I/O, known individually or aggregated. */
  readonly isEmpty: boolean;
  /** The counters that the trace reported last. */
  readonly counters: SourceCounters | undefined;
  readonly gaps: readonly Stretch[];
  /** The stretches in which no host was recorded, in order; rates are over the time without them. */
  readonly silences: readonly Stretch[];
}

/** Gaps to keep: more than anyone reads. A series of a thousand files has a gap between each two. */
const MOST_GAPS = 1000;

/** How long Ctrl-C may wait. */
const TURN_MS = 50;

/** Gaps that overlap [fromNs, toNs). */
export function gapsWithin(gaps: TraceEnd['gaps'], { fromNs, toNs }: TimeRange): TraceEnd['gaps'] {
  return gaps.filter(({ startNs, endNs }) => endNs > fromNs && startNs < toNs);
}

/** Reads a trace to its end, however long it takes to arrive. */
export async function readTrace(
  reader: TraceReader,
  taker: TraceTaker,
  wait: () => Promise<void>,
): Promise<TraceEnd> {
  let counters: SourceCounters | undefined;
  let [hasEnded, hasIo] = [false, false];
  const gaps: Stretch[] = [];
  let turnMs = performance.now();
  while (taker.isDone !== true) {
    // Signals are only received between turns of the event loop.
    if (performance.now() - turnMs > TURN_MS) {
      await turn();
      turnMs = performance.now();
    }
    const chunk = reader.next();
    hasEnded = chunk === 'ended';
    if (chunk === 'ended') break;
    if (chunk === 'waiting') {
      await wait();
      continue;
    }
    counters = chunk.counters ?? counters;
    if (chunk.gap !== undefined && gaps.length < MOST_GAPS) gaps.push({ ...chunk.gap });
    hasIo ||= chunk.rows.length + chunk.summaries.length > 0;
    for (const summary of chunk.summaries) taker.summary?.(summary);
    if (chunk.rows.length > 0) await taker.rows(chunk.rows);
  }
  return { isEmpty: hasEnded && !hasIo, counters, gaps, silences: reader.silences ?? gaps };
}
