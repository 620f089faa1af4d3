import type { IoheatError } from '../../base/result.ts';
import { ExitCode } from '../../base/result.ts';
import type { NamedTrace } from '../../trace/replay/join-traces.ts';
import type { TraceHeader } from '../../trace/trace-reader.ts';

/** Why times of these traces cannot be in one table; undefined if they can. */
export function mixedDates(traces: readonly NamedTrace[]): IoheatError | undefined {
  return mixed(traces, ({ hasWallClock }) => hasWallClock, 'only one of them has dates');
}

/** Why latencies of these traces cannot be in one table or picture; undefined if they can. */
export function mixedLatencies(traces: readonly NamedTrace[]): IoheatError | undefined {
  const why = 'only one of them has device times, the other has total latencies alone';
  return mixed(traces, ({ latency }) => latency, why);
}

function mixed(
  [first, ...others]: readonly NamedTrace[],
  of: (header: TraceHeader) => unknown,
  why: string,
): IoheatError | undefined {
  const other = others.find(({ reader }) => of(reader.header) !== of(first!.reader.header));
  if (other === undefined) return undefined;
  const what = `cannot combine ${first!.name} and ${other.name}`;
  return { exitCode: ExitCode.failed, what, why, remedy: 'read them one at a time' };
}
