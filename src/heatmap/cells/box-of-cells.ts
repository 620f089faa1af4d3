import type { Box } from '../../filter/box.ts';
import type { Heatmap } from '../time/heatmap.ts';
import type { Interval } from '../axis/scale.ts';

/**
 * The rectangle between two cells, both included, in any order. Column 0 is the leftmost; bin −1 is below the axis,
 * and bin `bins` is the outlier row. The edges are those of the map's bins, so the box contains exactly the I/O in
 * the cells.
 */
export function boxOfCells(
  map: Heatmap,
  column0: number,
  column1: number,
  bin0: number,
  bin1: number,
): Box {
  const { metric, firstColumn, columnNs, shares } = map;
  return {
    metric,
    startNs: (firstColumn + Math.min(column0, column1)) * columnNs,
    endNs: (firstColumn + Math.max(column0, column1) + 1) * columnNs,
    low: extentOf(map, Math.min(bin0, bin1)).low,
    high: extentOf(map, Math.max(bin0, bin1)).high,
    ...(shares && { disks: shares.disks }),
  };
}

/** The values of a bin, including the bins outside the axis. */
export function extentOf({ scale, bins }: Heatmap, bin: number): Interval {
  const { low, high } = scale.domain;
  if (bin < 0) return { low: 0, high: low };
  return bin < bins ? scale.invertExtent(bin) : { low: high, high: Infinity };
}
