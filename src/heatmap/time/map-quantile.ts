import { FINE_BINS } from '../../model/fine-bins.ts';
import { quantile } from '../../model/quantile.ts';
import type { Heatmap } from './heatmap.ts';
import type { HeatmapTotals } from './totals.ts';

/**
 * The value below which a `share` (0 to 1) of the I/Os of a map are, in the unit of its metric. It is read from the
 * histogram that the axis is fitted to, whose bins are 6 % wide. Undefined where no value is known.
 */
export function mapQuantile(
  { fineTotal }: Heatmap,
  { max }: HeatmapTotals,
  share: number,
): number | undefined {
  if (max === undefined) return undefined;
  const total = fineTotal.reduce((a, b) => a + b, 0);
  return Math.min(max, quantile(fineTotal, 0, 0, FINE_BINS, total, share) ?? max);
}
