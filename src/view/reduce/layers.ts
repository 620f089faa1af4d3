import { withoutLayer } from '../../filter/layer.ts';
import { termsOf } from '../../filter/filter.ts';
import type { Filter } from '../../filter/filter.ts';
import { isOfPrograms, LAYERS } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import { describeLayer } from '../describe.ts';
import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';
import { neighbour, withNotice } from './cycle.ts';
import { leaveCursor } from './held.ts';
import { consistent } from './layout.ts';
import type { Handlers } from './step.ts';

/** Changes the layer that is counted. */
export const LAYER_HANDLERS: Handlers<'cycleLayer' | 'setLayer'> = {
  cycleLayer,
  setLayer: (state, { layer }, facts) =>
    isMissing(layer, facts.layers)
      ? { ...withLayer(state, layer), notice: missingText(layer) }
      : withLayer(state, layer),
};

/** Whether there is nothing of a layer that is traced only where it is asked for. */
export function isMissing(layer: Layer, layers: readonly Layer[]): boolean {
  return isOfPrograms(layer) && !layers.includes(layer);
}

export function missingText(layer: Layer): string {
  return `no ${layer} so far; live, they take --${layer}`;
}

function cycleLayer(state: ViewState, _: unknown, facts: Facts): ViewState {
  const layers = LAYERS.filter((layer) => layer === state.layer || facts.layers.includes(layer));
  if (layers.length === 1)
    return { ...state, notice: `all I/O so far is of ${state.layer}: no other layer to show` };
  return withLayer(state, neighbour(layers, state.layer, 1));
}

/** Shows another layer. Selected rows and cells mean nothing there and are dropped. */
function withLayer(state: ViewState, layer: Layer): ViewState {
  return withNotice(state, describeLayer, changeOf(state, layer));
}

/** The same without a notice. */
export function inLayer(state: ViewState, layer: Layer): ViewState {
  return layer === state.layer ? state : { ...state, ...changeOf(state, layer) };
}

function changeOf(state: ViewState, layer: Layer): Partial<ViewState> {
  // No key works on a cross-hair that is nowhere.
  const left = state.mode === 'cursor' ? leaveCursor(state) : state;
  return consistent({ ...withoutRows(left), layer, cursor: undefined, anchor: undefined });
}

/** The view without selected rows, because other tables have other rows. */
export function withoutRows(state: ViewState): ViewState {
  return { ...state, processRow: undefined, diskRow: undefined };
}

/**
 * The layer to which a filter on calls belongs: only calls have a result, and waits are in a call as well. `layers` are
 * the existing ones.
 */
function layerOfCalls(filter: Filter, shown: Layer, layers: readonly Layer[]): Layer | undefined {
  if (filter.kind === 'everything') return undefined;
  const fields = termsOf(filter).map(({ field }) => field);
  if (fields.includes('ret')) return 'calls';
  if (!fields.includes('call')) return undefined;
  if (isOfPrograms(shown)) return shown;
  return layers.includes('calls') && !layers.includes('waits') ? 'calls' : 'waits';
}

/**
 * The view with this filter, in the layer that the filter requires, if it does. `layers` are the layers that exist or
 * will exist.
 */
export function withFilterAndLayer(
  state: ViewState,
  asked: Filter,
  layers: readonly Layer[] = [],
): ViewState {
  const { filter, layer = layerOfCalls(asked, state.layer, layers) } = withoutLayer(asked);
  return { ...inLayer(state, layer ?? state.layer), filter };
}
