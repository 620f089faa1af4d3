import type { Heatmap } from './heatmap.ts';
import type { Interval } from '../axis/scale.ts';

/** Sums over all visible columns. */
export interface HeatmapTotals {
  /** By bin. */
  readonly bins: Float64Array;
  readonly below: number;
  readonly above: number;
  readonly unmeasurable: number;
  /** All I/Os that match the filter, including those without a bin. */
  readonly all: number;
  /** I/Os that may match the filter; not included in `all`. */
  readonly undecided: number;
  /** The largest value, on the axis or above, in the unit of the metric; undefined when there is none. */
  readonly max: number | undefined;
}

export function totalsOf(map: Heatmap): HeatmapTotals {
  const { counts, columns, stride } = map;
  const sums = new Float64Array(stride);
  for (let slot = 0; slot < columns; slot++) {
    const base = slot * stride;
    for (let i = 0; i < stride; i++) sums[i]! += counts[base + i]!;
  }
  const max = map.columnMax.reduce((a, b) => Math.max(a, b), -Infinity);
  const undecided = sums[map.bins + 3]!;
  return {
    bins: sums.subarray(1, map.bins + 1),
    below: sums[0]!,
    above: sums[map.bins + 1]!,
    unmeasurable: sums[map.bins + 2]!,
    all: sums.reduce((a, b) => a + b, 0) - undecided,
    undecided,
    max: max === -Infinity ? undefined : max,
  };
}

/** The smallest and the largest weight of non-empty pixels; undefined when all are empty. */
export function weightExtent(map: Heatmap): Interval | undefined {
  const { pixels, columns, stride, bins } = map;
  let [low, high] = [Infinity, 0];
  for (let slot = 0; slot < columns; slot++) {
    const end = slot * stride + bins + 1;
    for (let i = slot * stride + 1; i < end; i++) {
      const weight = pixels[i]!;
      if (weight === 0) continue;
      if (weight > high) high = weight;
      if (weight < low) low = weight;
    }
  }
  return high === 0 ? undefined : { low, high };
}
