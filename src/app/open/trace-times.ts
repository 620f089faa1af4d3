import type { TimeRange } from '../../base/time.ts';
import type { Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { traceNsAt, wallMs } from '../../base/time.ts';
import type { TraceHeader } from '../../trace/trace-reader.ts';
import { parseMoment, parseSinceStart } from '../../view/moment.ts';
import type { MomentRange } from '../../view/moment.ts';

export const ALL_TIME: TimeRange = { fromNs: -Infinity, toNs: Infinity };

/**
 * The time that `--from` or `--to` names in a trace that ends at `endNs`: `14:02` (the last one in it, or else the
 * nearest), `3m ago` (before its end), `2026-01-31 14:02`, the same with a zone, or `+30s` after its start.
 */
export function timeRange(
  from: string | undefined,
  to: string | undefined,
  header: TraceHeader,
  endNs: number,
): Result<TimeRange> {
  const fromNs = from === undefined ? ok(-Infinity) : nearTime('--from', from, header, endNs);
  if (!fromNs.ok) return fromNs;
  const toNs = to === undefined ? ok(Infinity) : nearTime('--to', to, header, endNs);
  if (!toNs.ok) return toNs;
  if (fromNs.value < toNs.value) return ok({ fromNs: fromNs.value, toNs: toNs.value });
  return refuse('--from must be earlier than --to');
}

/** A picture from a time to the trace has ten years at most: dates have limits, and a typo must not make a file of megabytes. */
const MOST_AWAY_NS = 10 * 365.25 * 24 * 3600e9;

function nearTime(
  option: string,
  text: string,
  header: TraceHeader,
  endNs: number,
): Result<number> {
  const time = traceTime(option, text, header, endNs);
  if (!time.ok) return time;
  const firstNs = (header.extent?.startNs ?? 0) - MOST_AWAY_NS;
  const lastNs = Math.max(endNs, header.extent?.startNs ?? 0) + MOST_AWAY_NS;
  if (time.value >= firstNs && time.value <= lastNs) return time;
  const what = `${option}: ${text.trim()} is more than 10 years from the trace`;
  return err({ exitCode: ExitCode.usage, what, remedy: 'choose a time in it' });
}

function traceTime(
  option: string,
  text: string,
  header: TraceHeader,
  endNs: number,
): Result<number> {
  const word = text.trim();
  const sinceStart = parseSinceStart(word);
  if (sinceStart !== undefined) {
    return sinceStart.ok
      ? ok((header.extent?.startNs ?? 0) + sinceStart.value)
      : refuse(`${option}: ${sinceStart.error}`);
  }
  const isAgo = /^-|ago$/.test(word);
  if (!header.hasWallClock && !isAgo) {
    return refuse(`${option}: this log has no dates; use +30s for a time after its start`);
  }
  const moment = parseMoment(word, wallMs(header.clockBase, endNs), extentOf(header));
  return moment.ok
    ? ok(traceNsAt(header.clockBase, moment.value))
    : refuse(`${option}: ${moment.error}`);
}

/** So that a time of day soon after the end is not that of the day before. */
function extentOf({ extent, clockBase }: TraceHeader): MomentRange | undefined {
  if (extent === undefined) return undefined;
  return { fromMs: wallMs(clockBase, extent.startNs), toMs: wallMs(clockBase, extent.endNs) };
}

function refuse(what: string): Result<never> {
  return err({ exitCode: ExitCode.usage, what });
}
