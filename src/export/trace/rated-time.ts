import type { TimeRange } from '../../base/time.ts';
import type { Stretch } from '../../trace/trace-reader.ts';
import type { TraceEnd } from './read-trace.ts';

/**
 * The part of a range of the trace that was recorded. The first I/Os may have completed before the recorded time starts,
 * while ioheat was still starting.
 */
export function recordedWithin(
  recorded: Stretch,
  all: { readonly firstNs: number; readonly lastNs: number },
  range: TimeRange,
): Stretch {
  return {
    startNs: Math.max(range.fromNs, Math.min(recorded.startNs, all.firstNs)),
    endNs: Math.min(range.toNs, Math.max(recorded.endNs, all.lastNs)),
  };
}

/** The time that rates over a stretch are over: that in which at least one host was recorded. */
export function withoutSilences(
  { startNs, endNs }: Stretch,
  silences: TraceEnd['silences'],
): number {
  const silentNs = silences.map(
    (one) => Math.min(endNs, one.endNs) - Math.max(startNs, one.startNs),
  );
  return Math.max(
    0,
    silentNs.reduce((rest, ns) => rest - Math.max(0, ns), endNs - startNs),
  );
}
