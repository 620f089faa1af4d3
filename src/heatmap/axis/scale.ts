import { assert } from '../../base/assert.ts';
import type { ScaleKind } from '../../model/metric.ts';

/** Half-open, [low, high), in the unit of the metric: ns, bytes or a share. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

export function isSameInterval(a: Interval, b: Interval): boolean {
  return a.low === b.low && a.high === b.high;
}

/** Which numbers are round: 1-2-5 for time and shares, powers of two for bytes. */
export type Roundness = 'decimal' | 'binary';

/** Divides a domain of values into bins. The terms are those of d3. */
export interface Scale {
  readonly kind: ScaleKind;
  readonly domain: Interval;
  readonly bins: number;
  /** `bins` + 1 edges, ascending: bin `b` is [edges[b], edges[b + 1]). */
  readonly edges: Float64Array;
  /** −1 below the domain, `bins` above it; a value on an edge is in the upper bin. */
  binOf(value: number): number;
  /** The values of a bin, 0 to `bins` − 1. */
  invertExtent(bin: number): Interval;
  /** About `count` round values or fewer inside the domain, ascending. */
  ticks(count: number): readonly number[];
}

/** `edges`: ascending, one more than there are bins. `ticks`: see `Scale.ticks`; its count is whole and at least 1. */
export function scaleFromEdges(
  kind: ScaleKind,
  edges: Float64Array,
  ticks: (count: number) => readonly number[],
): Scale {
  const bins = edges.length - 1;
  const domain = { low: edges[0]!, high: edges[bins]! };
  return {
    kind,
    domain,
    bins,
    edges,
    binOf: (value) => upperBound(edges, value) - 1,
    invertExtent: (bin) => {
      assert(bin >= 0 && bin < bins, `bin ${bin} of ${bins}`);
      return { low: edges[bin]!, high: edges[bin + 1]! };
    },
    ticks: (count) => ticks(Math.max(1, Math.floor(count))),
  };
}

/**
 * Snaps edges that should be whole numbers: otherwise rounding in `pow` would put exactly 1 ms, or a 4 KiB I/O, one
 * bin below its label.
 */
export function snapToInteger(edge: number): number {
  const rounded = Math.round(edge);
  return Math.abs(rounded - edge) < edge * 1e-12 ? rounded : edge;
}

/** Number of ascending `edges` that are ≤ `value`. */
function upperBound(edges: Float64Array, value: number): number {
  let from = 0;
  let to = edges.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (edges[middle]! <= value) from = middle + 1;
    else to = middle;
  }
  return from;
}
