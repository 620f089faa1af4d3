import { clockText } from '../../base/clock-text.ts';
import { parseDuration } from '../../base/parse.ts';
import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import type { ClockBase } from '../../base/time.ts';
import { wallMs } from '../../base/time.ts';
import { parseMoment, parseSinceStart } from '../../view/moment.ts';
import { usageError } from '../options/usage-error.ts';
import type { StartAt } from '../playback/playback-control.ts';

/** The bounds of a trace, in ns. */
export interface TraceSpan {
  readonly startNs: number;
  /** Undefined while it is not known. */
  readonly endNs: number | undefined;
  readonly hasDates: boolean;
}

/**
 * The moment of `--at`: `50%`, `14:02`, `3m ago` (before the end), `+90s` or `90s` after the start. A frame that is
 * printed `once` ends there, so it must be after the first I/O.
 */
export function parseStartAt(
  text: string,
  base: ClockBase,
  span: TraceSpan,
  once = false,
): Result<StartAt> {
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(text.trim());
  if (percent !== null) return ok({ kind: 'share', share: Math.min(1, Number(percent[1]) / 100) });
  const duration = parseSinceStart(text) ?? parseDuration(text.trim());
  if (duration.ok) return within(span, base, text, span.startNs + duration.value, once);
  const unknown = whatIsUnknown(text, span);
  if (unknown !== undefined) return err(usageError('--at', unknown, 'use 50% or +90s'));
  const startMs = wallMs(base, span.startNs);
  const endMs = span.endNs === undefined ? Infinity : wallMs(base, span.endNs);
  const moment = parseMoment(text, Number.isFinite(endMs) ? endMs : startMs, {
    fromMs: startMs,
    toMs: endMs,
  });
  if (!moment.ok) return err(usageError(`--at: ${moment.error}, or 50%`));
  return within(span, base, text, span.startNs + (moment.value - startMs) * 1e6, once);
}

function whatIsUnknown(text: string, { endNs, hasDates }: TraceSpan): string | undefined {
  const isAgo = /^-|ago$/.test(text.trim());
  if (isAgo) return endNs === undefined ? 'the end of this trace is not known yet' : undefined;
  return hasDates ? undefined : 'this log has no dates';
}

/** A time without seconds means its whole minute. */
const MINUTE_NS = 60e9;

function within(
  span: TraceSpan,
  base: ClockBase,
  text: string,
  atNs: number,
  once: boolean,
): Result<StartAt> {
  const { startNs, endNs = Infinity } = span;
  const clock = (ns: number): string => clockText(wallMs(base, ns));
  const problem =
    atNs > endNs
      ? `${text} is after the end, ${clock(endNs)}`
      : `${text} is before the first I/O, ${clock(startNs)}`;
  if (atNs > endNs || atNs <= startNs - (once ? 0 : MINUTE_NS))
    return err(usageError('--at', problem, 'choose a time in the trace'));
  return ok({ kind: 'time', atNs: Math.max(startNs, atNs) });
}
