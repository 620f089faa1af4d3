import { localMs, NS_PER_MS, wallMs } from '../../base/time.ts';
import type { ClockBase } from '../../base/time.ts';

const MS_PER_DAY = 86_400_000;
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** Trace times as local wall-clock times of this machine; for a log without a calendar, since its start. */
export class LocalTime {
  private readonly base: ClockBase;
  readonly hasWallClock: boolean;

  constructor(base: ClockBase, hasWallClock: boolean) {
    this.base = base;
    this.hasWallClock = hasWallClock;
  }

  /** Local time in ms, so that local hours are multiples of an hour. */
  ms(traceNs: number): number {
    return this.hasWallClock ? localMs(wallMs(this.base, traceNs)) : traceNs / NS_PER_MS;
  }

  /** `Sat 2026-01-31`; empty without a calendar. */
  date(traceNs: number): string {
    if (!this.hasWallClock) return '';
    const local = new Date(this.ms(traceNs));
    return `${WEEKDAYS[local.getUTCDay()]!} ${local.toISOString().slice(0, 10)}`;
  }

  /** `14:02:11`, with `decimals` digits of a second. */
  clock(traceNs: number, decimals = 0): string {
    return this.clockAt(this.ms(traceNs), decimals);
  }

  /**
   * The same for local ms. Times since the start of a log are negative where lines are slightly out of order and the first
   * is not the earliest.
   */
  clockAt(ms: number, decimals: number): string {
    return ms < 0 && !this.hasWallClock ? `-${clockText(-ms, decimals)}` : clockText(ms, decimals);
  }

  /** `UTC+01:00`; `UTC+01:00 to UTC+02:00` if clocks change in between. */
  zones(startNs: number, endNs: number): string {
    const [first, last] = [this.zone(startNs), this.zone(endNs)];
    return first === last ? first : `${first} to ${last}`;
  }

  /** `UTC+01:00` at that time. */
  private zone(traceNs: number): string {
    if (!this.hasWallClock) return 'since the start of the log';
    const minutes = -new Date(wallMs(this.base, traceNs)).getTimezoneOffset();
    if (minutes === 0) return 'UTC';
    const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
    return `UTC${minutes < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(rest)}`;
  }
}

/**
 * The time of day of local ms; truncated, not rounded, as on clocks. For logs without a calendar, with the number of
 * days.
 */
function clockText(ms: number, decimals: number): string {
  const whole = Math.floor(ms * 10 ** 3) / 10 ** 3;
  const text = new Date(whole).toISOString();
  const time = text.slice(11, decimals === 0 ? 19 : 20 + Math.min(3, decimals));
  const isCalendar = ms >= 365 * MS_PER_DAY;
  const days = isCalendar ? 0 : Math.floor(ms / MS_PER_DAY);
  return days > 0 ? `${days}d ${time}` : time;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
