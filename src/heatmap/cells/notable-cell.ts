import type { Heatmap } from '../time/heatmap.ts';

/** A cell of the map: column 0 is the leftmost; bin `bins` is the outlier row. */
export interface Cell {
  readonly column: number;
  readonly bin: number;
}

/**
 * The cell to look at first: the slowest I/O in a map of latencies, otherwise the pixel with the highest count.
 * Undefined for an empty map.
 */
export function notableCell(map: Heatmap): Cell | undefined {
  return ['device', 'queue', 'total'].includes(map.metric) ? largestCell(map) : fullestCell(map);
}

function largestCell(map: Heatmap): Cell | undefined {
  let found: Cell | undefined;
  let slowest = -Infinity;
  for (let column = 0; column < map.columns; column++) {
    const max = map.maxValue(column);
    // Of equal values, the newest.
    if (max === undefined || max < slowest) continue;
    slowest = max;
    found = { column, bin: Math.max(0, map.scale.binOf(max)) };
  }
  return found;
}

function fullestCell(map: Heatmap): Cell | undefined {
  let found: Cell | undefined;
  let most = 1;
  for (let column = 0; column < map.columns; column++)
    for (let bin = 0; bin < map.bins; bin++) {
      const count = map.count(column, bin);
      if (count < most) continue;
      most = count;
      found = { column, bin };
    }
  return found;
}

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

/** The bin with the highest count from `lowBin` to `highBin`; of equal counts, the lowest bin. */
export function fullerBin(
  map: Heatmap,
  at: { readonly column: number; readonly lowBin: number; readonly highBin: number },
): number {
  let fullest = at.lowBin;
  for (let bin = at.lowBin + 1; bin <= at.highBin; bin++)
    if (map.count(at.column, bin) > map.count(at.column, fullest)) fullest = bin;
  return fullest;
}
