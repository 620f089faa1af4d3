import type { Stamp } from './log-text.ts';

const SECONDS_PER_DAY = 86_400;
const HOUR = 3600;
/** Lines of different processors are out of order by less than this. */
const MOST_DISORDER_SECONDS = 60;

/**
 * Lines are nearly in order. No clock is set back by more than the hour at the end of summer time, so a time of day that
 * is further back belongs to the next day.
 */
const MOST_BACK_SECONDS = 2 * 3600;

/** Makes times of day continue over midnight, and where clocks change. */
export class DayClock {
  private midnight: Date | undefined;
  private day = 0;
  private last = NaN;
  /** Of the line before, since midnight of the first line's day. */
  private lastSeconds = 0;

  /** For `writtenMs`, see `midnightBefore`. */
  constructor(private readonly writtenMs: number | undefined) {}

  /** The time since midnight of the first line's day. */
  stamp(secondsOfDay: number, ns: number): Stamp {
    this.midnight ??= midnightBefore(secondsOfDay, this.writtenMs);
    const step = secondsOfDay - this.last;
    if (step < -MOST_BACK_SECONDS) this.day++;
    else if (step > SECONDS_PER_DAY - MOST_BACK_SECONDS && this.day > 0) this.day--;
    if (step !== 0) this.lastSeconds = this.sinceMidnight(this.midnight, secondsOfDay);
    this.last = secondsOfDay;
    return { seconds: this.lastSeconds, ns };
  }

  /** Wall-clock time of the first line, ns since the epoch. */
  wallNsOf(first: Stamp): bigint {
    const ms = (this.midnight?.getTime() ?? 0) + first.seconds * 1000;
    const wallNs = BigInt(ms) * 1_000_000n + BigInt(first.ns);
    // Before 1970, where files are that came without a date, recordings have no times.
    return wallNs < 0n ? wallNs + BigInt(SECONDS_PER_DAY) * 1_000_000_000n : wallNs;
  }

  /** At the end of summer time an hour comes twice: the second time if the first is over. */
  private sinceMidnight(midnight: Date, secondsOfDay: number): number {
    const at = new Date(midnight);
    at.setDate(at.getDate() + this.day);
    // Not midnight and so many seconds: days on which the clocks change have 23 or 25 hours.
    at.setHours(0, 0, secondsOfDay);
    const seconds = (at.getTime() - midnight.getTime()) / 1000;
    if (seconds > this.lastSeconds - MOST_DISORDER_SECONDS) return seconds;
    const again = new Date(at.getTime() + HOUR * 1000);
    return again.getHours() === at.getHours() ? seconds + HOUR : seconds;
  }
}

/** `19:02:01` → seconds since midnight; undefined when it is not a time of day. */
export function secondsOfDay(text: string): number | undefined {
  const parts = /^(\d\d):(\d\d):(\d\d)$/.exec(text);
  if (parts === null) return undefined;
  const [hours, minutes, seconds] = parts.slice(1).map(Number) as [number, number, number];
  return hours < 24 && minutes < 60 && seconds <= 60
    ? hours * 3600 + minutes * 60 + seconds
    : undefined;
}

/**
 * Midnight of the first line's day, derived from the time at which the last line was written: the tools print the local
 * time of day, but no date. On 1 January 1970 when nothing is known.
 */
function midnightBefore(secondsOfDay: number, writtenMs: number | undefined): Date {
  const date = new Date(writtenMs ?? 0);
  date.setHours(0, 0, secondsOfDay, 0);
  if (date.getTime() > (writtenMs ?? Infinity)) date.setDate(date.getDate() - 1);
  date.setHours(0, 0, 0, 0);
  return date;
}
