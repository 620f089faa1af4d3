import { assert } from '../base/assert.ts';
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

function linearTicks({ low, high }: Interval, count: number, roundness: Roundness): number[] {
  const step = roundStep((high - low) / count, roundness);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step); multiple(i, step) <= high; i++) ticks.push(multiple(i, step));
  return ticks;
}

/** `i` × `step`; dividing by the inverse keeps 0.3 from becoming 0.30000000000000004. */
function multiple(i: number, step: number): number {
  return step < 1 ? i / Math.round(1 / step) : i * step;
}

/** The smallest round number ≥ `least`. */
export function roundStep(least: number, roundness: Roundness): number {
  if (roundness === 'binary') return 2 ** Math.ceil(Math.log2(least) - 1e-9);
  const decade = 10 ** Math.floor(Math.log10(least) + 1e-9);
  for (const multiple of [1, 2, 5]) {
    if (decade * multiple >= least * (1 - 1e-9)) return cleanDecimal(decade * multiple);
  }
  return cleanDecimal(decade * 10);
}

function cleanDecimal(value: number): number {
  return Number(value.toPrecision(12));
}
