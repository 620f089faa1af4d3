import type { Stamp } from './log-text.ts';

const SECONDS_PER_DAY = 86_400;

/** If a time of day is this much earlier than the previous one, it belongs to the next day. */
const NEXT_DAY_SECONDS = SECONDS_PER_DAY / 2;

/** Makes times of day continue over midnight. */
export class DayClock {
  private day = 0;
  private last = 0;

  /** Seconds since midnight of the first line's day. */
  stamp(secondsOfDay: number, ns: number): Stamp {
    if (secondsOfDay < this.last - NEXT_DAY_SECONDS) this.day++;
    else if (secondsOfDay > this.last + NEXT_DAY_SECONDS && this.day > 0) this.day--;
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
  const midnight = new Date(writtenMs ?? 0);
  midnight.setHours(0, 0, 0, 0);
  const startedLater = midnight.getTime() + start.seconds * 1e3 > (writtenMs ?? Infinity);
  if (startedLater) midnight.setDate(midnight.getDate() - 1);
  return (
    BigInt(midnight.getTime()) * 1_000_000n +
    BigInt(start.seconds) * 1_000_000_000n +
    BigInt(start.ns)
  );
}
