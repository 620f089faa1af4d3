import type { ActionOf } from '../action.ts';
import { describeLayer, describeMetric } from '../describe.ts';
import type { Computation } from '../effect.ts';
import type { Facts } from '../facts.ts';
import { activeMap, stackedMaps, stackProblem } from '../stack.ts';
import type { StackedMap } from '../stack.ts';
import type { MapCell, ViewState } from '../state.ts';
import { withoutRows } from './layers.ts';
import { switchFocus } from './tables.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';

export const MAP_HANDLERS: Handlers<'nextMap' | 'chooseMap'> = {
  nextMap,
  chooseMap,
};

/** A cell of one map means nothing in another, but its column is the same moment. */
function chooseMap(
  state: ViewState,
  { map, keepsColumn }: ActionOf<'chooseMap'>,
  facts: Facts,
): ViewState | Step {
  const { cursor } = state;
  const free: ViewState = { ...state, anchor: undefined };
  if (cursor !== undefined && keepsColumn) return enterColumn(free, map, cursor, facts);
  return { ...inMap(free, map), cursor: undefined };
}

/** Moves to the fullest cell at the same time in another map of the stack; with one map, to the other table. */
function nextMap(state: ViewState, { step }: ActionOf<'nextMap'>, facts: Facts): ViewState | Step {
  const { cursor } = state;
  if (cursor === undefined) return state;
  const maps = stackedMaps(state, facts);
  if (maps === undefined) {
    const problem = stackProblem(state, facts);
    return problem === undefined ? switchFocus(state) : { ...state, notice: problem };
  }
  const problem = boxProblem(state);
  if (problem !== undefined) return { ...state, notice: problem };
  const at = (activeMap(maps, state) + step + maps.length) % maps.length;
  return enterColumn(state, maps[at]!, cursor, facts);
}

/** Moves to the fullest cell at the same time in another map. */
function enterColumn(state: ViewState, map: StackedMap, cursor: MapCell, facts: Facts): Step {
  const column = clampColumn(cursor.column, facts);
  return enterMap(state, map, column, { type: 'findFullestBin', column });
}

/** A step over the upper edge (-1) or the lower edge (1) of a map, into the neighbouring map if there is one. */
export function mapBeyond(state: ViewState, step: 1 | -1, facts: Facts): Step | undefined {
  const maps = stackedMaps(state, facts) ?? [];
  const map = maps[activeMap(maps, state) + step];
  if (map === undefined || boxProblem(state) !== undefined) return undefined;
  const column = clampColumn(state.cursor?.column ?? 0, facts);
  const ask: Computation[] = step === 1 ? [{ type: 'findTopBin' }] : [];
  return enterMap(state, map, column, ...ask);
}

/** Why the cross-hair cannot move to another map of the stack. */
function boxProblem({ anchor }: ViewState): string | undefined {
  return anchor === undefined ? undefined : 'a box lies in one map; Esc clears it';
}

function enterMap(
  state: ViewState,
  map: StackedMap,
  column: number,
  ...ask: readonly Computation[]
): Step {
  const entered = inMap(state, map);
  const describe = map.layer === state.layer ? describeMetric : describeLayer;
  const cursor = { column, bin: 0 };
  return asking({ ...entered, cursor, notice: describe(entered) }, ...ask);
}

/** Makes a map active. A zoom belongs to the map in which it was made. */
function inMap(state: ViewState, { layer, metric }: StackedMap): ViewState {
  const rows = layer === state.layer ? state : withoutRows(state);
  return { ...rows, layer, metric, valueRange: undefined };
}

function clampColumn(column: number, { columns }: Facts): number {
  return Math.max(0, Math.min(columns - 1, column));
}
