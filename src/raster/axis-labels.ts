import type { Scale } from '../heatmap/axis/scale.ts';
import type { Heatmap } from '../heatmap/time/heatmap.ts';
import { formatValue, distinctLabels } from './distinct-labels.ts';

/** A round value and the row of the map that contains it; 0 is the top row. */
export interface RowLabel {
  readonly row: number;
  readonly text: string;
  /** The bin whose lower edge is nearest to the value. */
  readonly bin: number;
}

/** Labels closer than this look unevenly spaced, because each must be on a whole row. */
const LEAST_ROWS_PER_LABEL = 3;

/** Columns of a label: `>100ms` without its mark. */
const LABEL_WIDTH = 6;

/** The label of an end of the axis, with the digits that a narrow axis needs if they fit into `width` columns. */
export function formatEdge(map: Heatmap, value: number, width: number): string {
  const { low, high } = map.scale.domain;
  const ends = distinctLabels(map.axisValues, [low, high], width);
  const text = ends[value === low ? 0 : 1]!;
  return text.startsWith('+') ? formatValue(map.axisValues, value) : text;
}

/** Labels of the scales on the screen: an axis stays the same for many frames. */
const known = new WeakMap<Heatmap['scale'], { rows: number; labels: readonly RowLabel[] }>();

/**
 * The labels of the axis, from bottom to top. The end of the domain has no row: it is the first value that is not
 * shown.
 */
export function rowLabels(map: Heatmap, rows: number): readonly RowLabel[] {
  const before = known.get(map.scale);
  if (before?.rows === rows) return before.labels;
  const labels = chooseLabels(map, rows);
  known.set(map.scale, { rows, labels });
  return labels;
}

function chooseLabels(map: Heatmap, rows: number): RowLabel[] {
  const labels: RowLabel[] = [];
  const { ticks, texts } = labelledTicks(map, rows / LEAST_ROWS_PER_LABEL);
  for (const [i, tick] of ticks.entries()) {
    const bin = Math.min(map.scale.binOf(tick), map.bins - 1);
    const row = rows - 1 - Math.floor((bin * rows) / map.bins);
    if (labels.at(-1)?.row === row) continue;
    labels.push({ row, text: texts[i]!, bin: nearestEdge(map.scale, tick, bin) });
  }
  return labels;
}

/** At most `most` round values, fewer if there is no room for the digits in which they differ, but at least two. */
function labelledTicks(
  map: Heatmap,
  most: number,
): { readonly ticks: readonly number[]; readonly texts: readonly string[] } {
  const ticks = drawnTicks(map, Math.max(2, most));
  const texts = distinctLabels(map.axisValues, ticks, LABEL_WIDTH);
  const fit = texts.every(({ length }) => length <= LABEL_WIDTH);
  if (ticks.length <= 2 || (fit && new Set(texts).size === texts.length)) return { ticks, texts };
  return labelledTicks(map, ticks.length - 1);
}

/** At most `most` round values. The end of a domain is often round and is not drawn, so that one more may fit. */
function drawnTicks({ scale, bins, metric }: Heatmap, most: number): readonly number[] {
  const drawn = (count: number): readonly number[] =>
    scale.ticks(count).filter((tick) => metric === 'utilization' || scale.binOf(tick) < bins);
  const more = drawn(most + 1);
  return more.length <= most ? more : drawn(most);
}

/** The edge of the bin of `value` that is nearest to it: that of the bin itself, or of the next. */
export function nearestEdge(scale: Scale, value: number, bin: number): number {
  const { low, high } = scale.invertExtent(bin);
  return value - low <= high - value ? bin : bin + 1;
}
