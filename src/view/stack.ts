import { plural } from '../base/format.ts';
import { hasQueue, LAYERS } from '../model/layer.ts';
import type { Layer, TraceLatency } from '../model/layer.ts';
import type { Layout, Metric } from '../model/metric.ts';
import type { Facts } from './facts.ts';
import type { ViewState } from './state.ts';

/** One of several heat maps above each other, on one time axis. */
export interface StackedMap {
  readonly layer: Layer;
  readonly metric: Metric;
}

type StackView = Pick<ViewState, 'layout' | 'layer' | 'metric' | 'latency' | 'traceLatency'>;
type Room = Pick<Facts, 'layers' | 'stackLacks'>;

/** The maps from top to bottom; undefined where the layout has only one, or where they do not fit. */
export function stackedMaps(
  view: StackView,
  { layers, stackLacks }: Room,
): readonly StackedMap[] | undefined {
  return stacksOf(view, layers).find((maps) => stackLacks(maps.length) === 0);
}

/**
 * The index of the map that keys and cursor act on. If the metric has no map of its own, as the total latency of a
 * layer with a queue, it is the last map of the layer.
 */
export function activeMap(maps: readonly StackedMap[], { layer, metric }: StackView): number {
  const same = maps.findIndex((map) => map.layer === layer && map.metric === metric);
  return same >= 0
    ? same
    : Math.max(
        0,
        maps.findLastIndex((map) => map.layer === layer),
      );
}

/**
 * A title of one word: the metric of a map, or in the layout `layers` its layer; for a layer with a queue, its metric.
 */
export function mapTitle(layout: Layout, { layer, metric }: StackedMap): string {
  if (layout !== 'layers') return metric;
  return hasQueue(layer) && metric !== 'total' ? metric : layer;
}

/** Why not all maps of the layout are shown on this screen; undefined when they are. */
export function stackProblem(view: StackView, room: Room): string | undefined {
  const stacks = stacksOf(view, room.layers);
  const [all] = stacks;
  const least = stacks.at(-1);
  if (all === undefined || least === undefined) return undefined;
  const shown = stackedMaps(view, room);
  if (shown === undefined) {
    const lines = room.stackLacks(least.length);
    return `${least.length} maps need ${lines} more ${plural(lines, 'line')}; showing one`;
  }
  const [some, every] = [layersOf(shown), layersOf(all)];
  if (some < every) return `${some} of ${every} layers fit; a taller terminal shows all`;
  if (view.layout !== 'layers' || every > 1) return undefined;
  return `all I/O so far is of ${view.layer}: no other layer to show`;
}

function layersOf(maps: readonly StackedMap[]): number {
  return new Set(maps.map(({ layer }) => layer)).size;
}

/** Possible stacks, the best first. */
function stacksOf(view: StackView, layers: readonly Layer[]): readonly (readonly StackedMap[])[] {
  const { layout, layer, latency, traceLatency } = view;
  if (layout === 'stacked')
    return [([latency, 'offset', 'size'] as const).map((metric) => ({ layer, metric }))];
  if (layout !== 'layers') return [];
  const present = LAYERS.filter((one) => one === layer || layers.includes(one)).toReversed();
  return [
    present.flatMap((one) => mapsOf(one, traceLatency)),
    ...fewer(present, layer).map((some) => some.map(totalOf)),
  ];
}

/** Queue above device, because that is the order in which an I/O passes them. */
function mapsOf(layer: Layer, traceLatency: TraceLatency): readonly StackedMap[] {
  if (!hasQueue(layer, traceLatency)) return [totalOf(layer)];
  return (['queue', 'device'] as const).map((metric) => ({ layer, metric }));
}

function totalOf(layer: Layer): StackedMap {
  return { layer, metric: 'total' };
}

/** All layers, then ever fewer, down to two: those in the middle are dropped first, the layer of the figures never. */
function fewer(layers: readonly Layer[], kept: Layer): readonly (readonly Layer[])[] {
  if (layers.length <= 2) return [layers];
  const least = layers.slice(1, -1).find((layer) => layer !== kept) ?? layers[0];
  const others = layers.filter((layer) => layer !== least);
  return [layers, ...fewer(others, kept)];
}
