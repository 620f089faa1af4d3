import {
  formatByteRate,
  formatDuration,
  formatPercent,
  formatRate,
  plural,
  UNKNOWN,
} from '../base/format.ts';
import { NS_PER_SECOND } from '../base/time.ts';
import type { Activity } from '../model/activity.ts';

const BYTES_PER_MEGABYTE = 1e6;

/** For columns headed MB/s, so that their figures compare at a glance. */
export function megabytes(bytesPerSecond: number): string {
  return formatRate(bytesPerSecond / BYTES_PER_MEGABYTE);
}

/** For columns with the per cent sign in their heading. */
export function percentFigure(share: number | undefined): string {
  return formatPercent(share).replace('%', '');
}

/** The same in whole numbers, which do not flicker: `<1`, `97`, `>99`, and 100 for nothing less. */
export function wholePercentFigure(share: number | undefined): string {
  if (share === undefined || !Number.isFinite(share)) return UNKNOWN;
  if (share > 0 && share < 0.01) return '<1';
  return share > 0.99 && share < 1 ? '>99' : String(Math.round(share * 100));
}

export function bytesPerSecond(activity: Activity): number {
  return activity.readBytesPerSecond + activity.writtenBytesPerSecond;
}

export function completionsPerSecond(activity: Activity): number {
  return activity.readsPerSecond + activity.writesPerSecond + activity.othersPerSecond;
}

/** More digits than any trace has I/Os. */
const MOST_DECIMALS = 9;
/** What a share that is 1 less another may be off by, in steps of its last digit. */
const ROUNDING = 1e-4;

/** `99.997`: with the digits that it takes not to call complete what is not. Rounded down. */
export function completePercent(share: number): string {
  if (share < 0.99 || share >= 1) return percentFigure(share);
  return (100 - Number(missingPercent(1 - share))).toFixed(decimalsOf(1 - share));
}

/** `0.003`: the share that is missing, rounded up. */
export function missingPercent(share: number): string {
  if (share <= 0 || share > 0.01) return percentFigure(share);
  const decimals = decimalsOf(share);
  const steps = share * 100 * 10 ** decimals;
  return (Math.max(1, Math.ceil(steps - ROUNDING)) / 10 ** decimals).toFixed(decimals);
}

/** As many as show the first digit of a small share in per cent. */
function decimalsOf(share: number): number {
  return Math.min(MOST_DECIMALS, Math.max(1, Math.ceil(-Math.log10(share * 100) - ROUNDING)));
}

/** `5 s`, `500 ms`: a duration within a sentence. */
export function spanText(ns: number): string {
  return formatDuration(ns).replace(/(\d)(\D+)$/, '$1 $2');
}

/** `last 5 s`. Of longer spans no fractions: a figure that nobody asks for must not flicker. */
export function lastText(spanNs: number): string {
  const isLong = spanNs >= NS_PER_SECOND;
  return `last ${spanText(isLong ? Math.round(spanNs / NS_PER_SECOND) * NS_PER_SECOND : spanNs)}`;
}

/** `148 kB`, `48 MB`: a sum of bytes within a sentence, in the units of throughput. */
export function byteSumText(bytes: number): string {
  return formatByteRate(bytes).replace('/s', '');
}

/** `1,234 I/Os`, `1 I/O`: as `exactCount`, with what is counted. */
export function exactAmount(count: number, one: string): string {
  const whole = Math.round(count);
  return `${exactCount(whole)} ${plural(whole, one)}`;
}

/** `1,234`: a count within a sentence, to the last digit. */
export function exactCount(count: number): string {
  return Math.round(count).toLocaleString('en-US');
}
