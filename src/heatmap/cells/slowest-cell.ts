import type { Heatmap } from '../time/heatmap.ts';
import type { Cell } from './notable-cell.ts';

/**
 * The cell of the slowest I/O of its time in a map of latencies: in the column of `atNs`, or, if its time is only
 * known to ±`withinNs`, in the column with the slowest value in that range.
 */
export function slowestCell(map: Heatmap, atNs: number, withinNs: number): Cell {
  const columnAt = (ns: number): number => {
    const column = Math.floor(ns / map.columnNs) - map.firstColumn;
    return Math.max(0, Math.min(map.columns - 1, column));
  };
  let found = columnAt(atNs);
  for (let column = columnAt(atNs - withinNs); column <= columnAt(atNs + withinNs); column++)
    if ((map.maxValue(column) ?? -1) > (map.maxValue(found) ?? -1)) found = column;
  return { column: found, bin: Math.max(0, map.scale.binOf(map.maxValue(found) ?? 0)) };
}
