import type { ValueRange } from '../../filter/box.ts';
import type { Interval } from './scale.ts';

/** Narrower, neighbouring labels of a log axis could not be told apart. */
const LEAST_RATIO = 1.05;

/** Of a log axis that begins at `least`: a range chosen by hand, or as near to it as can be shown. */
export function zoomLog(least: number, range: ValueRange): Interval {
  const low = Math.max(least, range.low);
  const high = Math.max(low, range.high);
  if (high >= low * LEAST_RATIO) return { low, high };
  const middle = Math.sqrt(low * high);
  const from = Math.max(least, middle / Math.sqrt(LEAST_RATIO));
  return { low: from, high: from * LEAST_RATIO };
}

/** Of a linear axis that begins at 0; it is at least `leastWidth` long, and that share of its end. */
export function zoomLinear(leastWidth: number, range: ValueRange, leastShare = 0): Interval {
  const low = Math.max(0, range.low);
  const high = Math.max(low, range.high);
  const width = Math.max(leastWidth, high * leastShare);
  if (high - low >= width) return { low, high };
  const from = Math.max(0, (low + high - width) / 2);
  return { low: from, high: from + width };
}
