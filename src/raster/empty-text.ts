import type { HeatmapTotals } from '../heatmap/time/totals.ts';
import { haveText, matchText, noneOf } from '../model/layer.ts';
import type { Layer } from '../model/layer.ts';
import type { Metric } from '../model/metric.ts';

const VALUES: Readonly<Record<Metric, string>> = {
  device: 'a device time',
  queue: 'a queue time',
  total: 'a total time',
  offset: 'an offset',
  'file-offset': 'a known offset in a file',
  size: 'a size',
  utilization: 'a measured disk',
};

/** Why nothing is drawn; undefined if something is. */
export function emptyText(
  { map, totals }: { readonly map: { readonly metric: Metric }; readonly totals: HeatmapTotals },
  layer: Layer | undefined,
  isFiltered: boolean,
): string | undefined {
  if (totals.all === 0) return nothingIn(layer, isFiltered);
  if (!isWithoutValues(totals)) return undefined;
  return `${noneOf(layer)} in this picture ${haveText(layer)} ${VALUES[map.metric]}`;
}

/** `no calls in this picture`; with a filter, `no calls in this picture match the filter`. */
export function nothingIn(layer: Layer | undefined, isFiltered: boolean): string {
  return `${noneOf(layer)} in this picture${isFiltered ? ` ${matchText(layer)} the filter` : ''}`;
}

/** `no I/O in this picture has a size and a total time`. */
export function withoutBoth(across: Metric, metric: Metric, layer: Layer | undefined): string {
  return `${noneOf(layer)} in this picture ${haveText(layer)} ${VALUES[across]} and ${VALUES[metric]}`;
}

/** Whether there is I/O and none of it has a place on the axis, whose values are then those of no I/O. */
export function isWithoutValues({ all, unmeasurable }: HeatmapTotals): boolean {
  return all > 0 && unmeasurable === all;
}
