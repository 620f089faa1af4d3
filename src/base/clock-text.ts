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

/** From this length on, parts of a second do not matter. */
const LONG_NS = 10 * NS_PER_SECOND;
const TENTHS = -2;

/**
 * A stretch of trace time in wall-clock time, with milliseconds if it is too short for seconds, and with tenths where
 * whole seconds would be of another length: 1.5 s from 14:02:11.4 on.
 */
export function timeRangeText(base: ClockBase, startNs: number, endNs: number): string {
  const ends = [wallMs(base, startNs), wallMs(base, endNs)];
  const lengthNs = endNs - startNs;
  if (lengthNs < NS_PER_SECOND) return ends.map(preciseClockText).join('–');
  if (lengthNs >= LONG_NS || lengthNs % NS_PER_SECOND === 0) return ends.map(clockText).join('–');
  return ends.map((ms) => preciseClockText(ms).slice(0, TENTHS)).join('–');
}

function twoDigits(part: number): string {
  return String(part).padStart(2, '0');
}
