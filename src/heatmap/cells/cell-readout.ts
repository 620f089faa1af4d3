import { boxOfCells } from './box-of-cells.ts';
import type { Box } from '../../filter/box.ts';
import type { Heatmap } from '../time/heatmap.ts';

/** Figures of the cell under the cross-hair. */
export interface CellReadout {
  /** The stretch of time and the interval of values of the cell. */
  readonly box: Box;
  /** I/Os in the cell, or disks in the map of utilization. */
  readonly count: number;
  /** I/Os of the column with a value, on or off the axis. */
  readonly columnCount: number;
  /** `count` / `columnCount`, 0 to 1; 0 in an empty column. */
  readonly share: number;
  /** Largest value of the column; undefined when it has none. */
  readonly columnMax: number | undefined;
}

/** Column 0 is the leftmost; bin `bins` is the outlier row. */
export function cellReadout(map: Heatmap, column: number, bin: number): CellReadout {
  const count = map.count(column, bin);
  const columnCount = map.columnTotal(column);
  return {
    box: boxOfCells(map, column, column, bin, bin),
    count,
    columnCount,
    share: columnCount === 0 ? 0 : count / columnCount,
    columnMax: map.maxValue(column),
  };
}

/** The bin with the highest count from `lowBin` to `highBin`; the lowest of equals. */
export function fullerBin(
  map: Heatmap,
  at: { readonly column: number; readonly lowBin: number; readonly highBin: number },
): number {
  let fullest = at.lowBin;
  for (let bin = at.lowBin + 1; bin <= at.highBin; bin++)
    if (map.count(at.column, bin) > map.count(at.column, fullest)) fullest = bin;
  return fullest;
}
