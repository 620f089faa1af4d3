import { assertUnreachable } from '../base/assert.ts';
import { formatBytes, formatDuration, formatPercent } from '../base/format.ts';
import type { Heatmap } from '../heatmap/heatmap.ts';
import type { Metric } from '../model/metric.ts';

/** A round value and the row of the map that it lies in, 0 being the top row. */
export interface RowLabel {
  readonly row: number;
  readonly text: string;
  /** The first bin above the value, to the nearest edge. */
  readonly bin: number;
}

/** Closer labels stand at visibly uneven distances, as each has to be on a whole row. */
const LEAST_ROWS_PER_LABEL = 3;

/** In the unit of the metric. */
export function formatValue(metric: Metric, value: number): string {
  if (value === 0) return '0';
  switch (metric) {
    case 'device':
    case 'queue':
    case 'total':
      return formatDuration(value);
    case 'offset':
    case 'size':
      return formatBytes(value);
    case 'utilization':
      return formatPercent(value);
    default:
      return assertUnreachable(metric);
  }
}

/** Bottom to top. The end of the domain has no row, as it is the first value that is not shown. */
export function rowLabels(map: Heatmap, rows: number): RowLabel[] {
  const labels: RowLabel[] = [];
  for (const tick of map.scale.ticks(Math.max(2, rows / LEAST_ROWS_PER_LABEL))) {
    const inside = map.scale.binOf(tick);
    if (inside >= map.bins && map.metric !== 'utilization') continue;
    const bin = Math.min(inside, map.bins - 1);
    const row = rows - 1 - Math.floor((bin * rows) / map.bins);
    if (labels.at(-1)?.row === row) continue;
    labels.push({ row, text: formatValue(map.metric, tick), bin: nearestEdge(map, tick, bin) });
  }
  return labels;
}

function nearestEdge(map: Heatmap, value: number, bin: number): number {
  const { low, high } = map.scale.invertExtent(bin);
  return value - low <= high - value ? bin : bin + 1;
}
