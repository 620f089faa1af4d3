import type { Metric } from '../../model/metric.ts';
import type { Action } from '../action.ts';
import { describeMetric } from '../describe.ts';
import type { Computation } from '../effect.ts';
import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';
import { neighbour } from './cycle.ts';
import { layoutProblem } from './layout.ts';
import { switchFocus } from './tables.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';

/** The maps of a stack, from top to bottom. */
export function stackedMetrics({ latency }: Pick<ViewState, 'latency'>): readonly Metric[] {
  return [latency, 'offset', 'size'];
}

export const MAP_HANDLERS: Handlers<'nextMap'> = { nextMap };

/** To the fullest cell of the same time in another map of the stack; with one map, to the other table. */
function nextMap(
  state: ViewState,
  { step }: Extract<Action, { type: 'nextMap' }>,
  facts: Facts,
): ViewState | Step {
  const { cursor } = state;
  if (cursor === undefined) return state;
  if (state.layout !== 'stacked') return switchFocus(state);
  const problem = problemOf(state, facts);
  if (problem !== undefined) return { ...state, notice: problem };
  const metric = neighbour(stackedMetrics(state), state.metric, step);
  const column = clampColumn(cursor.column, facts);
  return enterMap(state, metric, column, { type: 'findFullestBin', column });
}

/** Over the upper edge of a map (-1) or its lower one (1), into the map that lies there if one does. */
export function mapBeyond(state: ViewState, step: 1 | -1, facts: Facts): Step | undefined {
  if (state.layout !== 'stacked' || problemOf(state, facts) !== undefined) return undefined;
  const maps = stackedMetrics(state);
  const metric = maps[maps.indexOf(state.metric) + step];
  if (metric === undefined) return undefined;
  const column = clampColumn(state.cursor?.column ?? 0, facts);
  const ask: Computation[] = step === 1 ? [{ type: 'findTopBin' }] : [];
  return enterMap(state, metric, column, ...ask);
}

/** Why the cross-hair cannot go to another map of the stack. */
function problemOf({ layout, anchor }: ViewState, facts: Facts): string | undefined {
  if (anchor !== undefined) return 'a box lies in one map; Esc clears it';
  return layoutProblem(layout, facts);
}

/** A zoom holds for the map that it was made in. */
function enterMap(
  state: ViewState,
  metric: Metric,
  column: number,
  ...ask: readonly Computation[]
): Step {
  const entered: ViewState = { ...state, metric, valueRange: undefined };
  const cursor = { column, bin: 0 };
  return asking({ ...entered, cursor, notice: describeMetric(entered) }, ...ask);
}

function clampColumn(column: number, { columns }: Facts): number {
  return Math.max(0, Math.min(columns - 1, column));
}
