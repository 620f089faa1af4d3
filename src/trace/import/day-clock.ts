import type { Stamp } from './log-text.ts';

const SECONDS_PER_DAY = 86_400;

/**
 * Lines are nearly in order. No clock is set back by more than the hour at the end of summer time, so a time of day that
 * is further back belongs to the next day.
 */
const MOST_BACK_SECONDS = 2 * 3600;

/** Makes times of day continue over midnight. */
export class DayClock {
  private day = 0;
  private last = 0;

  /** Seconds since midnight of the first line's day. */
  stamp(secondsOfDay: number, ns: number): Stamp {
    const step = secondsOfDay - this.last;
    if (step < -MOST_BACK_SECONDS) this.day++;
    else if (step > SECONDS_PER_DAY - MOST_BACK_SECONDS && this.day > 0) this.day--;
    this.last = secondsOfDay;
    return { seconds: this.day * SECONDS_PER_DAY + secondsOfDay, ns };
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
 * Wall-clock time of the first line, ns since the epoch, derived from the time at which the last line was written:
 * the tools print the local time of day, but no date. 1 January 1970 when nothing is known.
 */
export function wallNsOf(start: Stamp, writtenMs: number | undefined): bigint {
  const date = new Date(writtenMs ?? 0);
  // Not midnight and so many seconds: days on which the clocks change have 23 or 25 hours.
  date.setHours(0, 0, start.seconds, 0);
  if (date.getTime() > (writtenMs ?? Infinity)) {
    date.setDate(date.getDate() - 1);
    date.setHours(0, 0, start.seconds, 0);
  }
  const wallNs = BigInt(date.getTime()) * 1_000_000n + BigInt(start.ns);
  // Before 1970, where files are that came without a date, recordings have no times.
  return wallNs < 0n ? wallNs + BigInt(SECONDS_PER_DAY) * 1_000_000_000n : wallNs;
}
