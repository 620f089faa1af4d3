import type { Weight } from '../../model/metric.ts';
import type { Interval } from './scale.ts';

/** With fewer I/Os per pixel, the colours would exaggerate small differences. */
const LEAST_COUNT = 10;
/** Lighter pixels share the first colour: with more decades, each colour would span several of them. */
const MOST_DECADES = 1e5;

/** Weights of the first and the last colour while there is nothing to show. */
export const INITIAL_COLORS: Readonly<Record<Weight, Interval>> = {
  count: { low: 1, high: LEAST_COUNT },
  time: { low: 100e3, high: 1e9 },
  bytes: { low: 4096, high: 2 ** 24 },
};

/** Rounds the extent of pixel weights, in steps so wide that a picture rarely changes its colours. */
export function colorRange(weight: Weight, { low, high }: Interval): Interval {
  if (weight === 'count') return { low: 1, high: Math.max(LEAST_COUNT, decimalCeiling(high)) };
  const ceiling = weight === 'time' ? decimalCeiling : binaryCeiling;
  const top = ceiling(high);
  const bottom = ceiling(Math.max(low, top / MOST_DECADES));
  return { low: Math.min(bottom, top / LEAST_COUNT), high: top };
}

/** The next of 1, 3, 10, 30 … */
function decimalCeiling(weight: number): number {
  let decade = 1;
  while (weight > 3 * decade) decade *= 10;
  return weight <= decade ? decade : 3 * decade;
}

/** The next of 1, 4, 16 … */
function binaryCeiling(weight: number): number {
  let power = 1;
  while (weight > power) power *= 4;
  return power;
}
