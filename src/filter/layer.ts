import { LAYERS } from '../model/layer.ts';
import type { Layer } from '../model/layer.ts';
import { allOf, termsOf } from './filter.ts';
import type { Condition, Filter } from './filter.ts';

/** A filter without its demand for a layer. */
export interface LayeredFilter {
  readonly filter: Filter;
  /** Undefined where the filter does not name exactly one. */
  readonly layer: Layer | undefined;
}

/** Takes `layer=volumes` out of conditions that must all match. */
export function withoutLayer(filter: Filter): LayeredFilter {
  if (filter.kind === 'everything') return { filter, layer: undefined };
  const all = filter.kind === 'and' ? filter.conditions : [filter];
  const found = all.map(layerAsked);
  const layer = found.find((one) => one !== undefined);
  if (layer === undefined) return { filter, layer };
  return { filter: allOf(all.filter((_, i) => found[i] !== layer)), layer };
}

function layerAsked(condition: Condition): Layer | undefined {
  if (condition.kind !== 'term' || condition.field !== 'layer') return undefined;
  if (condition.operator !== '=' || condition.values.length !== 1) return undefined;
  return LAYERS.find((layer) => layer === condition.values[0]);
}

/** Whether it says itself which layers it is about. */
export function asksLayer(filter: Filter): boolean {
  return filter.kind !== 'everything' && termsOf(filter).some(({ field }) => field === 'layer');
}
