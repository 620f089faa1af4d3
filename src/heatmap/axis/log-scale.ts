import { assert } from '../../base/assert.ts';
import { linearTicks } from './linear-scale.ts';
import type { Interval, Roundness, Scale } from './scale.ts';
import { scaleFromEdges, snapToInteger } from './scale.ts';

/** Bins of equal ratio. */
export function createLogScale(
  domain: Interval,
  bins: number,
  roundness: Roundness = 'decimal',
): Scale {
  const { low, high } = domain;
  assert(low > 0 && high > low && bins > 0, `log scale of [${low}, ${high}) in ${bins}`);
  const edges = new Float64Array(bins + 1);
  for (let i = 1; i < bins; i++) edges[i] = snapToInteger(low * (high / low) ** (i / bins));
  edges[0] = low;
  edges[bins] = high;
  return scaleFromEdges('log', edges, (count) => logTicks(domain, count, roundness));
}

/** With fewer marks than this, an axis cannot be read. */
const LEAST_TICKS = 2;
/** Up to this ratio between its ends, evenly spaced values are roughly evenly spaced on a log axis: more marks do. */
const NEARLY_LINEAR = 4;
const LEAST_NEARLY_LINEAR_TICKS = 3;

function logTicks(domain: Interval, count: number, roundness: Roundness): readonly number[] {
  const ticks = roundness === 'decimal' ? decimalTicks(domain, count) : binaryTicks(domain, count);
  const isNarrow = domain.high <= domain.low * NEARLY_LINEAR;
  const least = isNarrow ? LEAST_NEARLY_LINEAR_TICKS : LEAST_TICKS;
  if (ticks.length >= least) return ticks;
  const evenly = linearTicks(domain, count, roundness);
  return evenly.length > ticks.length ? evenly : ticks;
}

/** From dense to sparse; the first that fits is used. */
const DECADE_MULTIPLES: readonly (readonly number[])[] = [[1, 2, 5], [1, 3], [1]];

function decimalTicks(domain: Interval, count: number): number[] {
  for (const multiples of DECADE_MULTIPLES) {
    const ticks = decadeTicks(domain, multiples);
    if (ticks.length <= count) return ticks;
  }
  const decades = decadeTicks(domain, [1]);
  return everyNth(decades, count, (tick) => Math.round(Math.log10(tick)));
}

function decadeTicks({ low, high }: Interval, multiples: readonly number[]): number[] {
  const ticks: number[] = [];
  const last = Math.ceil(Math.log10(high));
  for (let exponent = Math.floor(Math.log10(low)); exponent <= last; exponent++) {
    for (const multiple of multiples) {
      const tick = snapToInteger(multiple * 10 ** exponent);
      if (tick >= low && tick <= high) ticks.push(tick);
    }
  }
  return ticks;
}

/** 512, 1K, 2K …; with little room only every n-th of them: 4K, 64K, 1M, 16M. */
function binaryTicks({ low, high }: Interval, count: number): number[] {
  const ticks: number[] = [];
  for (let tick = 2 ** Math.ceil(Math.log2(low)); tick <= high; tick *= 2) ticks.push(tick);
  return everyNth(ticks, count, (tick) => Math.log2(tick));
}

/** Keeps exponents divisible by a step, so that the same values remain when the domain grows. */
function everyNth(
  ticks: readonly number[],
  count: number,
  exponentOf: (tick: number) => number,
): number[] {
  for (let step = 1; ; step++) {
    const kept = ticks.filter((tick) => exponentOf(tick) % step === 0);
    if (kept.length <= count) return kept;
  }
}
