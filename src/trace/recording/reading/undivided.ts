import type { TraceChunk, TraceHeader } from '../../trace-reader.ts';

/**
 * A chunk of a trace with total latencies alone has them as device latency, and no time in the queue. Recordings by
 * earlier versions have no queue latency there, so that the sum of both was unknown.
 */
export function undivided(
  chunk: TraceChunk,
  { latency }: Pick<TraceHeader, 'latency'>,
): TraceChunk {
  if (latency !== 'total') return chunk;
  const { rows, summaries } = chunk;
  rows.queueNs.fill(0, 0, rows.length);
  return {
    ...chunk,
    summaries: summaries.map((one) => ({ ...one, total: one.device })),
  };
}
