import { FINE_BINS, fineBinHigh, fineBinLow } from '../../model/fine-bins.ts';
import type { Interval } from './scale.ts';

type Histogram = Uint32Array | Float64Array;

/**
 * From the lowest value to the one that at most `share` (0 to 1) of the values exceed, widened to whole fine bins;
 * undefined when there are no values. `histogram` has `FINE_BINS` counts.
 * This is the extent that an axis with an outlier cut has to show.
 */
export function extentWithout(histogram: Histogram, share: number): Interval | undefined {
  const high = upperBin(histogram, share);
  if (high === undefined) return undefined;
  const low = histogram.findIndex((count) => count > 0);
  return { low: fineBinLow(low), high: fineBinHigh(high) };
}

function upperBin(histogram: Histogram, share: number): number | undefined {
  let allowed = share === 0 ? 0 : Math.floor(total(histogram) * share);
  for (let bin = FINE_BINS - 1; bin >= 0; bin--) {
    allowed -= histogram[bin]!;
    if (allowed < 0) return bin;
  }
  return undefined;
}

function total(histogram: Histogram): number {
  let sum = 0;
  for (const count of histogram) sum += count;
  return sum;
}
