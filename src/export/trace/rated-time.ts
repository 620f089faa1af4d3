import type { Stretch } from '../../trace/trace-reader.ts';
import type { TraceEnd } from './read-trace.ts';

/**
 * The part of a range of the trace that was recorded. The first I/Os may have completed before the recorded time starts,
 * while ioheat was still starting.
 */
export function recordedWithin(
  recorded: Stretch,
  all: { readonly firstNs: number; readonly lastNs: number },
  range: { readonly fromNs: number; readonly toNs: number },
): Stretch {
  return {
    startNs: Math.max(range.fromNs, Math.min(recorded.startNs, all.firstNs)),
    endNs: Math.min(range.toNs, Math.max(recorded.endNs, all.lastNs)),
  };
}

/** The time that rates over a stretch are over. */
export function withoutGaps({ startNs, endNs }: Stretch, gaps: TraceEnd['gaps']): number {
  const gapNs = gaps.map((gap) => Math.min(endNs, gap.endNs) - Math.max(startNs, gap.startNs));
  return Math.max(
    0,
    gapNs.reduce((rest, ns) => rest - Math.max(0, ns), endNs - startNs),
  );
}
