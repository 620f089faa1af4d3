import { withoutLayer } from '../../filter/layer.ts';
import { termsOf } from '../../filter/filter.ts';
import type { Filter } from '../../filter/filter.ts';
import { isOfPrograms, LAYERS } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import { describeLayer } from '../describe.ts';
import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';
import { neighbour, withNotice } from './cycle.ts';
import { consistent } from './layout.ts';
import type { Handlers } from './step.ts';

/** The layer of all that is counted. */
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

/** A row or a cell of one layer means nothing in another. */
function withLayer(state: ViewState, layer: Layer): ViewState {
  return withNotice(state, describeLayer, changeOf(state, layer));
}

/** Without a notice. */
export function inLayer(state: ViewState, layer: Layer): ViewState {
  return layer === state.layer ? state : { ...state, ...changeOf(state, layer) };
}

function changeOf(state: ViewState, layer: Layer): Partial<ViewState> {
  const other = { ...withoutRows(state), layer, cursor: undefined, anchor: undefined };
  return consistent(other);
}

/** The tables of another layer have other rows. */
export function withoutRows(state: ViewState): ViewState {
  return { ...state, processRow: undefined, diskRow: undefined };
}

/** Only calls have a result; waits are in a call as well. `layers`: those that there are. */
function layerOfCalls(filter: Filter, shown: Layer, layers: readonly Layer[]): Layer | undefined {
  if (filter.kind === 'everything') return undefined;
  const fields = termsOf(filter).map(({ field }) => field);
  if (fields.includes('ret')) return 'calls';
  if (!fields.includes('call')) return undefined;
  if (isOfPrograms(shown)) return shown;
  return layers.includes('calls') && !layers.includes('waits') ? 'calls' : 'waits';
}

/** The view with this filter, and in the layer that it asks for, if it does. `layers`: those that there are, or will be. */
export function withFilterAndLayer(
  state: ViewState,
  asked: Filter,
  layers: readonly Layer[] = [],
): ViewState {
  const { filter, layer = layerOfCalls(asked, state.layer, layers) } = withoutLayer(asked);
  return { ...inLayer(state, layer ?? state.layer), filter };
}
