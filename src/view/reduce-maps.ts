import type { Metric } from '../model/metric.ts';
import type { ActionContext, MapOfView } from './action.ts';
import { neighbour } from './cycle.ts';
import { describeMetric } from './describe.ts';
import type { ViewState } from './view-state.ts';

/** The maps of a stack, from top to bottom. */
export function stackedMetrics({ latency }: Pick<ViewState, 'latency'>): readonly Metric[] {
  return [latency, 'offset', 'size'];
}

/** The cross-hair goes to where most is at the same time in another map of the stack. */
export function nextMap(state: ViewState, step: 1 | -1, context: ActionContext): ViewState {
  const { cursor } = state;
  if (cursor === undefined) return state;
  const problem = problemOf(state, context);
  if (problem !== undefined) return { ...state, notice: problem };
  const metric = neighbour(stackedMetrics(state), state.metric, step);
  return enterMap(state, metric, context, (map) => map.fullestBin(cursor.column));
}

/** Over the upper edge of a map (-1) or its lower one (1), into the map that lies there if one does. */
export function mapBeyond(
  state: ViewState,
  step: 1 | -1,
  context: ActionContext,
): ViewState | undefined {
  if (problemOf(state, context) !== undefined) return undefined;
  const maps = stackedMetrics(state);
  const metric = maps[maps.indexOf(state.metric) + step];
  if (metric === undefined) return undefined;
  return enterMap(state, metric, context, ({ bins }) => (step === 1 ? bins : 0));
}

/** Why the cross-hair cannot go to another map. */
function problemOf({ layout, anchor }: ViewState, context: ActionContext): string | undefined {
  if (layout !== 'stacked') return 'there is one map; V, without the cursor, stacks three';
  if (anchor !== undefined) return 'a box lies in one map; Esc drops it';
  return context.layoutProblem(layout);
}

/** A zoom holds for the map that it was made in. */
function enterMap(
  state: ViewState,
  metric: Metric,
  context: ActionContext,
  binIn: (map: MapOfView) => number,
): ViewState {
  const entered: ViewState = { ...state, metric, valueRange: undefined };
  const column = Math.max(0, Math.min(context.columns - 1, state.cursor?.column ?? 0));
  const cursor = { column, bin: binIn(context.mapOf(entered)) };
  return { ...entered, cursor, notice: describeMetric(entered) };
}
