import type { ClockBase } from './time.ts';
import { NS_PER_SECOND, wallMs } from './time.ts';

/** `14:02:11`, in local time. */
export function clockText(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map(twoDigits).join(':');
}

/** `14:02:11.123`, in local time. */
export function preciseClockText(ms: number): string {
  const whole = Math.floor(ms);
  return `${clockText(whole)}.${String(new Date(whole).getMilliseconds()).padStart(3, '0')}`;
}

/** A stretch of trace time in wall-clock time, with milliseconds if it is too short for seconds. */
export function timeRangeText(base: ClockBase, startNs: number, endNs: number): string {
  const text = endNs - startNs < NS_PER_SECOND ? preciseClockText : clockText;
  return `${text(wallMs(base, startNs))}–${text(wallMs(base, endNs))}`;
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
