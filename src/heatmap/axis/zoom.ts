import type { ValueRange } from '../../filter/box.ts';
import type { Interval } from './scale.ts';

/** With a smaller ratio, neighbouring labels of a log axis would be equal. */
const LEAST_RATIO = 1.05;

/** For a log axis that starts at `least`: the chosen range, or the nearest that can be shown. */
export function zoomLog(least: number, range: ValueRange): Interval {
  const low = Math.max(least, range.low);
  const high = Math.max(low, range.high);
  if (high >= low * LEAST_RATIO) return { low, high };
  const middle = Math.sqrt(low * high);
  const from = Math.max(least, middle / Math.sqrt(LEAST_RATIO));
  return { low: from, high: from * LEAST_RATIO };
}

/**
 * For a linear axis that starts at 0: the result is at least `leastWidth` wide, and at least `leastShare` of its
 * end.
 */
export function zoomLinear(leastWidth: number, range: ValueRange, leastShare = 0): Interval {
  const low = Math.max(0, range.low);
  const high = Math.max(low, range.high);
  const width = Math.max(leastWidth, high * leastShare);
  if (high - low >= width) return { low, high };
  const from = Math.max(0, (low + high - width) / 2);
  return { low: from, high: from + width };
}
