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
  return ['device', 'queue', 'total'].includes(map.metric) ? slowestCell(map) : fullestCell(map);
}

function slowestCell(map: Heatmap): Cell | undefined {
  let found: Cell | undefined;
  let slowest = -Infinity;
  for (let column = 0; column < map.columns; column++) {
    const max = map.maxValue(column);
    // The newest of equals.
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
