import { assertUnreachable } from '../base/assert.ts';
import { INTERVALS_NS } from '../model/metric.ts';
import type { ActionContext, TimeStep } from './action.ts';
import { describeInterval } from './describe.ts';
import { parseMoment } from './moment.ts';
import type { ViewState } from './view-state.ts';

/** Arrows move so much of a screen: far enough to get on, near enough to keep one's place. */
const STEPS_PER_SCREEN = 10;

export function togglePause(state: ViewState, { nowNs }: ActionContext): ViewState {
  return state.frozenAtNs === undefined
    ? { ...state, frozenAtNs: nowNs, notice: 'frozen; tracing goes on; Space follows again' }
    : follow(state);
}

export function follow(state: ViewState): ViewState {
  return { ...state, frozenAtNs: undefined, notice: 'following' };
}

export function stepInterval(state: ViewState, step: 1 | -1): ViewState {
  const intervals: readonly number[] = INTERVALS_NS;
  const intervalNs =
    step > 0
      ? intervals.find((ns) => ns > state.intervalNs)
      : intervals.findLast((ns) => ns < state.intervalNs);
  if (intervalNs === undefined)
    return { ...state, notice: `${describeInterval(state)}, the limit` };
  const next = { ...state, intervalNs };
  return { ...next, notice: describeInterval(next) };
}

export function scrollTime(state: ViewState, by: TimeStep, context: ActionContext): ViewState {
  const { columns, nowNs } = context;
  const edgeNs = state.frozenAtNs ?? nowNs;
  const stepNs = Math.max(1, Math.round(columns / STEPS_PER_SCREEN)) * state.intervalNs;
  const screenNs = columns * state.intervalNs;
  switch (by) {
    case 'later':
      return showUntil(state, edgeNs + stepNs, context);
    case 'earlier':
      return showUntil(state, edgeNs - stepNs, context);
    case 'screen':
      return showUntil(state, edgeNs + screenNs, context);
    case 'screenBack':
      return showUntil(state, edgeNs - screenNs, context);
    case 'first':
      return showUntil(state, -Infinity, context);
    case 'now':
      return follow(state);
    default:
      return assertUnreachable(by);
  }
}

/** Puts the trace time `edgeNs` at the right edge, as far as there is history; the present follows. */
function showUntil(state: ViewState, edgeNs: number, context: ActionContext): ViewState {
  const { nowNs, startNs, columns } = context;
  if (edgeNs >= nowNs) return follow(state);
  const firstEdgeNs = Math.min(nowNs, startNs + (columns - 1) * state.intervalNs);
  if (edgeNs > firstEdgeNs) return { ...state, frozenAtNs: edgeNs, notice: undefined };
  return { ...state, frozenAtNs: firstEdgeNs, notice: 'the first I/O is at the left edge' };
}

/** Freezes the picture with the trace time `atNs` in its middle, as far as there is history. */
export function showInMiddle(state: ViewState, atNs: number, context: ActionContext): ViewState {
  const edgeNs = atNs + (context.columns / 2) * state.intervalNs;
  return showUntil(state, Math.min(edgeNs, context.nowNs - 1), context);
}

/** Goes to the moment in the prompt, and shows it in the middle. */
export function goToMoment(state: ViewState, context: ActionContext): ViewState {
  const { line } = state.prompt ?? { line: { text: '' } };
  const moment = parseMoment(line.text, context.wallNowMs);
  if (!moment.ok) {
    const problem = { column: 0, message: moment.error };
    return { ...state, prompt: state.prompt && { ...state.prompt, problem } };
  }
  const atNs = context.nowNs - (context.wallNowMs - moment.value) * 1e6;
  const closed: ViewState = { ...state, mode: state.promptFor, prompt: undefined };
  const shown = showInMiddle(closed, atNs, context);
  return { ...shown, notice: whereText(atNs, context) };
}

function whereText(atNs: number, { nowNs, startNs }: ActionContext): string {
  if (atNs < startNs) return 'before the first I/O; this is the beginning';
  return atNs > nowNs
    ? 'that is still to come; this is the present'
    : 'in the middle of the picture';
}
