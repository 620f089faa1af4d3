import { formatCount, formatPercent } from '../base/format.ts';
import type { Heatmap } from '../heatmap/time/heatmap.ts';
import type { HeatmapTotals } from '../heatmap/time/totals.ts';
import type { Metric } from '../model/metric.ts';
import { formatEdge } from './axis-labels.ts';
import { formatValue } from './distinct-labels.ts';

/**
 * The reason why an I/O has no place on the axis: an empty flush, for example, has no device time, as it is never
 * issued.
 */
export const WITHOUT: Readonly<Record<Metric, string>> = {
  device: 'no device time (e.g. fsync)',
  queue: 'without queue time',
  total: 'no total time (e.g. fsync)',
  offset: 'without offset',
  'file-offset': 'without a known offset in a file',
  size: 'without size',
  utilization: 'not measured',
};

const EDGE_WIDTH = 8;

/** The unit of an axis in percent. */
const OF_EACH_DISK = '% of each disk';

/** What the map does not show, from the longest wording to the shortest; empty if it shows everything. */
export function offTheAxis(map: Heatmap, totals: HeatmapTotals): string[] {
  return notesWith('', map, totals);
}

/** The same, with the unit of the axis where its labels do not have it. */
export function notesOn(map: Heatmap, totals: HeatmapTotals): string[] {
  return notesWith(map.axisValues === 'diskShare' ? OF_EACH_DISK : '', map, totals);
}

function notesWith(unit: string, map: Heatmap, totals: HeatmapTotals): string[] {
  const { above, below, unmeasurable, undecided } = totals;
  const { low, high } = map.scale.domain;
  const format = (value: number): string => formatValue(map.axisValues, value);
  const edge = (value: number): string => formatEdge(map, value, EDGE_WIDTH);
  const under = below > 0 ? `${formatCount(below)} below` : '';
  const others = [
    unit,
    under === '' ? '' : `${under} ${edge(low)}`,
    unmeasurable > 0 ? `${formatCount(unmeasurable)} ${WITHOUT[map.metric]}` : '',
    undecided > 0 ? `${formatCount(undecided)} may match the filter or not` : '',
  ].filter((note) => note !== '');
  if (above === 0) return others.length === 0 ? [] : [others.join(', '), others[0]!];
  const max = format(totals.max ?? high);
  const count = formatCount(above);
  const cut = `${count} above ${edge(high)} (${formatPercent(above / totals.all)}), max ${max}`;
  const all = [...others, cut].join('; ');
  // After a zoom, what is below the axis may be nearly everything: it is not dropped before the rest.
  if (under !== '')
    return [all, `${under} ${edge(low)}; ${count} above ${edge(high)}`, `${under}; ${count} above`];
  return [all, cut, `${count} above, max ${max}`, `${count} above`];
}
