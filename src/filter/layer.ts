import { LAYERS } from '../model/layer.ts';
import type { Layer } from '../model/layer.ts';
import { allOf, termsOf } from './filter.ts';
import type { Condition, Filter } from './filter.ts';

/** A filter, and the layer that was taken out of it. */
export interface LayeredFilter {
  readonly filter: Filter;
  /** Undefined if the filter does not name exactly one. */
  readonly layer: Layer | undefined;
}

/** Takes a condition such as `layer=volumes` out of the conditions of which the filter requires all. */
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

/** Whether a filter names layers itself. */
export function asksLayer(filter: Filter): boolean {
  return filter.kind !== 'everything' && termsOf(filter).some(({ field }) => field === 'layer');
}
