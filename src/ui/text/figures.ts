import type { ActivityReport, ReportScope } from '../../model/activity.ts';
import { formatDuration, formatPercent, formatRate, plural, UNKNOWN } from '../../base/format.ts';
import { NS_PER_SECOND } from '../../base/time.ts';
import { sumOfKnown } from '../../model/add-known.ts';
import type { Activity } from '../../model/activity.ts';

const BYTES_PER_MEGABYTE = 1e6;

/** For columns headed MB or MB/s, so that their figures compare at a glance. */
export function megabytes(bytes: number | undefined): string {
  return formatRate(bytes === undefined ? undefined : bytes / BYTES_PER_MEGABYTE);
}

/** For columns with a percent sign in their heading. */
export function percentFigure(share: number | undefined): string {
  return formatPercent(share).replace('%', '');
}

/** The same in whole numbers, which do not flicker: `<1`, `97`, `>99`; 100 only when complete. */
export function wholePercentFigure(share: number | undefined): string {
  if (share === undefined || !Number.isFinite(share)) return UNKNOWN;
  if (share > 0 && share < 0.01) return '<1';
  return share > 0.99 && share < 1 ? '>99' : String(Math.round(share * 100));
}

/** Read and written, as far as it is known; undefined if no size is known. */
export function bytesPerSecond(activity: Activity): number | undefined {
  const { readBytesPerSecond, writtenBytesPerSecond, undividedBytesPerSecond } = activity;
  return [readBytesPerSecond, writtenBytesPerSecond, undividedBytesPerSecond].reduce(sumOfKnown);
}

/** A figure of waiting times; undefined if there is I/O and the times of none are known. */
export function ifTimed(activity: Activity, figure: number): number | undefined {
  const isTimed = figure > 0 || activity.maxNs !== undefined;
  return isTimed || completionsPerSecond(activity) === 0 ? figure : undefined;
}

export function completionsPerSecond(activity: Activity): number {
  const { readsPerSecond = 0, writesPerSecond = 0, othersPerSecond } = activity;
  return readsPerSecond + writesPerSecond + othersPerSecond;
}

/** More digits than any trace has I/Os. */
const MOST_DECIMALS = 9;
/** Rounding error of a share computed as 1 less another, in steps of its last digit. */
const ROUNDING = 1e-4;

/** `99.997`: with enough digits that an incomplete share never reads 100. Rounded down. */
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

/** Decimals that show the first digit of a small share in percent; one fewer where it rounds up to ten: 0.0096 is 0.01. */
function decimalsOf(share: number): number {
  const percent = share * 100;
  const decimals = Math.min(MOST_DECIMALS, Math.max(1, Math.ceil(-Math.log10(percent) - ROUNDING)));
  const isTen = Math.ceil(percent * 10 ** decimals - ROUNDING) === 10;
  return isTen ? Math.max(1, decimals - 1) : decimals;
}

const SCOPE_TEXTS: Record<ReportScope, string> = {
  recent: 'last',
  picture: 'picture,',
  column: 'column,',
  box: 'box,',
};

/** Whether a column or a box lies where nothing was traced, as before the start. */
export function isUntraced({
  scope = 'recent',
  spanNs,
}: Pick<ActivityReport, 'scope' | 'spanNs'>): boolean {
  return spanNs === 0 && scope !== 'recent';
}

/** `last 5s`, `picture, 110s`. Without fractions from a second on, so that it does not flicker. */
export function scopeText({
  scope = 'recent',
  spanNs,
}: Pick<ActivityReport, 'scope' | 'spanNs'>): string {
  if (isUntraced({ scope, spanNs })) return `${SCOPE_TEXTS[scope]} not traced`;
  const isLong = spanNs >= NS_PER_SECOND;
  const ns = isLong ? Math.round(spanNs / NS_PER_SECOND) * NS_PER_SECOND : spanNs;
  return `${SCOPE_TEXTS[scope]} ${formatDuration(ns)}`;
}

/** `1,234 I/Os`, `1 I/O`: as `exactCount`, with what is counted. */
export function exactAmount(count: number, one: string): string {
  const whole = Math.round(count);
  return `${exactCount(whole)} ${plural(whole, one)}`;
}

/** `1,234`: a count within a sentence, to the last digit. */
export function exactCount(count: number): string {
  return String(Math.round(count)).replace(/\B(?=(\d{3})+$)/g, ',');
}
