import { assert } from '../../base/assert.ts';
import type { Interval, Roundness, Scale } from './scale.ts';
import { scaleFromEdges } from './scale.ts';

/** Bins of equal width. */
export function createLinearScale(
  domain: Interval,
  bins: number,
  roundness: Roundness = 'decimal',
): Scale {
  const { low, high } = domain;
  assert(high > low && bins > 0, `linear scale of [${low}, ${high}) in ${bins}`);
  const edges = new Float64Array(bins + 1);
  for (let i = 0; i < bins; i++) edges[i] = low + ((high - low) * i) / bins;
  edges[bins] = high;
  return scaleFromEdges('linear', edges, (count) => linearTicks(domain, count, roundness));
}

/** Multiples of a round step. */
export function linearTicks(
  { low, high }: Interval,
  count: number,
  roundness: Roundness,
): number[] {
  const step = roundStep((high - low) / count, roundness);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step); multiple(i, step) <= high; i++) ticks.push(multiple(i, step));
  return ticks;
}

/** `i` × `step`; dividing by the inverse avoids 0.30000000000000004 instead of 0.3. */
function multiple(i: number, step: number): number {
  return step < 1 ? i / Math.round(1 / step) : i * step;
}

/** The smallest round number ≥ `least`, which is positive. */
export function roundStep(least: number, roundness: Roundness): number {
  const steps = roundness === 'binary' ? [1, 2] : [1, 2, 5, 10];
  const base = roundness === 'binary' ? 2 : 10;
  // One lower, in case the logarithm was rounded up to a whole number.
  const power = base ** (Math.floor(Math.log(least) / Math.log(base)) - 1);
  for (let unit = power; ; unit *= base) {
    const step = steps.find((multiple) => cleanDecimal(unit * multiple) >= least);
    if (step !== undefined) return cleanDecimal(unit * step);
  }
}

/** Removes the rounding errors of powers of ten; powers of two have none. */
function cleanDecimal(value: number): number {
  return value < 1 ? Number(value.toPrecision(12)) : value;
}
