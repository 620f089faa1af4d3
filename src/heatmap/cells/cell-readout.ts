import { boxOfCells } from './box-of-cells.ts';
import type { Box } from '../../filter/box.ts';
import type { Heatmap } from '../time/heatmap.ts';

/** What stands beside the cross-hair: one cell of the picture in figures. */
export interface CellReadout {
  /** The stretch of time and the interval of values that the cell stands for. */
  readonly box: Box;
  /** What the map counts there: I/Os, or disks in the map of utilization. */
  readonly count: number;
  /** All of the column that has a value, on the axis or off it. */
  readonly columnCount: number;
  /** `count` of `columnCount`, 0 to 1; 0 where there is nothing. */
  readonly share: number;
  /** Largest value of the column; undefined when it has none. */
  readonly columnWorst: number | undefined;
}

/** Column 0 is the leftmost; bin `bins` is the outlier lane. */
export function cellReadout(map: Heatmap, column: number, bin: number): CellReadout {
  const count = map.count(column, bin);
  const columnCount = map.columnTotal(column);
  return {
    box: boxOfCells(map, column, column, bin, bin),
    count,
    columnCount,
    share: columnCount === 0 ? 0 : count / columnCount,
    columnWorst: map.worstValue(column),
  };
}

/** Of the bins from `lowBin` to `highBin`, the one that holds most; of equals the lowest. */
export function fullerBin(
  map: Heatmap,
  at: { readonly column: number; readonly lowBin: number; readonly highBin: number },
): number {
  let fullest = at.lowBin;
  for (let bin = at.lowBin + 1; bin <= at.highBin; bin++)
    if (map.count(at.column, bin) > map.count(at.column, fullest)) fullest = bin;
  return fullest;
}
