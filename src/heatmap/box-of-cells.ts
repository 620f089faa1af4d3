import type { Box } from '../model/box.ts';
import type { Heatmap } from './heatmap.ts';

/**
 * The part of the picture between two cells, both included and in any order. Bin `bins` is the
 * outlier lane, which has no upper end. The edges are the scale's own, so the box holds exactly the
 * I/Os that the map counted there.
 */
export function boxOfCells(
  map: Heatmap,
  column0: number,
  column1: number,
  bin0: number,
  bin1: number,
): Box {
  const { metric, columnNs, firstColumn, scale } = map;
  const top = Math.max(bin0, bin1);
  return {
    metric,
    startNs: (firstColumn + Math.min(column0, column1)) * columnNs,
    endNs: (firstColumn + Math.max(column0, column1) + 1) * columnNs,
    low: scale.edges[Math.min(bin0, bin1)]!,
    high: top >= scale.bins ? Infinity : scale.edges[top + 1]!,
  };
}
