import { parseDuration } from '../base/parse.ts';
import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';

const MINUTE_MS = 60_000;
const EXAMPLES = '14:02, 14:02:30, "3m ago", 2026-01-31 14:02 or +30s';

/** The extent of an earlier trace, in ms since the epoch. */
export interface MomentRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/**
 * The moment that a text names, in ms since the epoch: a time of day (the most recent one, or the one
 * `within` a trace), a date and a time, or how long ago. Times are local to this machine; a date may have a zone, as
 * exported times have.
 */
export function parseMoment(
  text: string,
  nowMs: number,
  within?: MomentRange,
): Result<number, string> {
  const word = text.trim();
  return ago(word, nowMs) ?? dated(word) ?? timeOfDay(word, nowMs, within) ?? refusal(text);
}

/** `+30s`: so many ns after the first I/O; undefined for any other form. */
export function parseSinceStart(text: string): Result<number, string> | undefined {
  const word = text.trim();
  return word.startsWith('+') ? parseDuration(word.slice(1)) : undefined;
}

function ago(word: string, nowMs: number): Result<number, string> | undefined {
  const match = /^(?:-\s*(\S+)|(\S+)\s+ago)$/.exec(word);
  if (match === null) return undefined;
  const duration = parseDuration(match[1] ?? match[2] ?? '');
  return duration.ok ? ok(nowMs - duration.value / 1e6) : err(duration.error);
}

const DATED = /^(\d{4})-(\d\d)-(\d\d)[ T](\S+?)\s*(Z|[+-]\d\d:?\d\d)?$/;

function dated(word: string): Result<number, string> | undefined {
  const match = DATED.exec(word);
  if (match === null) return undefined;
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  const clock = parseClock(match[4] ?? '');
  const utc = new Date(Date.UTC(year, month - 1, day));
  const isReal = utc.getUTCMonth() === month - 1 && utc.getUTCDate() === day;
  if (clock === undefined || !isReal) return refusal(word);
  const zone = match[5];
  if (zone === undefined) return ok(atClock(new Date(year, month - 1, day), clock));
  const [hours, minutes, seconds, ms] = clock;
  return ok(utc.setUTCHours(hours, minutes, seconds) + ms - zoneMinutes(zone) * MINUTE_MS);
}

/** Minutes by which clocks in a zone such as `Z`, `+01:00` or `-0330` are ahead of UTC. */
function zoneMinutes(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2));
  return zone.startsWith('-') ? -minutes : minutes;
}

function timeOfDay(
  word: string,
  nowMs: number,
  within: MomentRange | undefined,
): Result<number, string> | undefined {
  const clock = parseClock(word);
  if (clock === undefined) return undefined;
  if (within !== undefined) return ok(nearest(clock, nowMs, within));
  const latest = [0, -1].flatMap((day) => timesAt(dayFrom(nowMs, day), clock));
  return ok(latest.find((ms) => ms <= nowMs) ?? latest[0]!);
}

/** A time of day on the day on which it is within the range; if there is none, on the day closest to now. */
function nearest(clock: ClockTime, nowMs: number, { fromMs, toMs }: MomentRange): number {
  const days = [0, -1, 1].flatMap((day) => timesAt(dayFrom(nowMs, day), clock));
  days.sort((a, b) => Math.abs(a - nowMs) - Math.abs(b - nowMs));
  // A time without seconds means its whole minute.
  return days.find((ms) => ms >= fromMs - MINUTE_MS && ms <= toMs) ?? days[0]!;
}

type ClockTime = readonly [hours: number, minutes: number, seconds: number, ms: number];

/** With fractions of a second, as lists of single I/Os and exports have them. */
function parseClock(word: string): ClockTime | undefined {
  const match = /^(\d{1,2}):(\d\d)(?::(\d\d)(\.\d+)?)?$/.exec(word);
  if (match === null) return undefined;
  const [hours, minutes, seconds] = [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)];
  const ms = Number(match[4] ?? 0) * 1000;
  return hours < 24 && minutes < 60 && seconds < 60 ? [hours, minutes, seconds, ms] : undefined;
}

/** So many days later. Not a number of hours: days on which the clocks change have 23 or 25. */
function dayFrom(ms: number, days: number): Date {
  const day = new Date(ms);
  day.setDate(day.getDate() + days);
  return day;
}

function atClock(day: Date, [hours, minutes, seconds, ms]: ClockTime): number {
  return new Date(day).setHours(hours, minutes, seconds, 0) + ms;
}

/** Longer than any clock is set back. */
const CHANGE_MS = 3 * 3_600_000;

/** A time of day, the latest first: the hour in which summer time ends comes twice. */
function timesAt(day: Date, clock: ClockTime): number[] {
  const ms = atClock(day, clock);
  const minutesBack = zoneOf(ms + CHANGE_MS) - zoneOf(ms);
  const again = ms + minutesBack * MINUTE_MS;
  return minutesBack > 0 && zoneOf(again) !== zoneOf(ms) ? [again, ms] : [ms];
}

/** Minutes from local time to UTC. */
function zoneOf(ms: number): number {
  return new Date(ms).getTimezoneOffset();
}

function refusal(text: string): Result<number, string> {
  return err(`"${text.trim()}" is not a time; try ${EXAMPLES}`);
}
