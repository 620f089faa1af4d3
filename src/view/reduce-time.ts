import { assertUnreachable } from '../base/assert.ts';
import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import { INTERVALS_NS } from '../model/metric.ts';
import type { ActionContext, ReplayContext, TimeStep } from './action.ts';
import { describeInterval } from './describe.ts';
import { parseMoment } from './moment.ts';
import type { ViewState } from './view-state.ts';

const IN_THE_MIDDLE = 'in the middle of the picture';
const ALL_IN_SIGHT = 'all of it is on the screen';

/** Arrows move so much of a screen: far enough to get on, near enough to keep one's place. */
const STEPS_PER_SCREEN = 10;

export function togglePause(state: ViewState, { nowNs, replay }: ActionContext): ViewState {
  if (state.frozenAtNs !== undefined) return follow(state, replay);
  const notice =
    replay === undefined
      ? 'frozen; tracing goes on; Space follows again'
      : 'paused; Space plays on';
  return { ...state, frozenAtNs: nowNs, notice };
}

export function follow(state: ViewState, replay: ReplayContext | undefined): ViewState {
  const notice = replay === undefined ? 'following' : 'playing';
  return { ...state, frozenAtNs: undefined, notice };
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
      return { ...follow(state, context.replay), ...(context.replay && { notice: undefined }) };
    default:
      return assertUnreachable(by);
  }
}

/** Puts the trace time `edgeNs` at the right edge, as far as there is history; the present follows. */
function showUntil(state: ViewState, edgeNs: number, context: ActionContext): ViewState {
  const { nowNs, startNs, columns, replay } = context;
  const lastNs = replay?.endNs ?? nowNs;
  if (edgeNs >= lastNs)
    return replay === undefined ? atPresent(state, nowNs) : atEnd(state, replay.endNs);
  // Who has gone into the past stays there.
  const past = { ...state, heldForCursor: false };
  const fullEdgeNs = startNs + (columns - 1) * state.intervalNs;
  const firstEdgeNs = Math.min(lastNs, fullEdgeNs);
  if (edgeNs > firstEdgeNs) return { ...past, frozenAtNs: edgeNs, notice: undefined };
  const notice = fullEdgeNs < lastNs ? 'the first I/O is at the left edge' : ALL_IN_SIGHT;
  return { ...past, frozenAtNs: firstEdgeNs, notice };
}

/** What the cross-hair is on must not move away: the picture follows when that is left. */
function atPresent(state: ViewState, nowNs: number): ViewState {
  if (state.cursor === undefined) return follow(state, undefined);
  const notice = 'the present; the picture follows without the cursor';
  return { ...state, frozenAtNs: nowNs, heldForCursor: true, notice };
}

/** Freezes the picture with the trace time `atNs` in its middle, as far as there is history. */
export function showInMiddle(state: ViewState, atNs: number, context: ActionContext): ViewState {
  const edgeNs = atNs + (context.columns / 2) * state.intervalNs;
  const latestNs = context.replay === undefined ? context.nowNs - 1 : edgeNs;
  return showUntil(state, Math.min(edgeNs, latestNs), context);
}

function atEnd(state: ViewState, endNs: number): ViewState {
  return { ...state, frozenAtNs: endNs, notice: 'the end of the recording' };
}

/** Goes to the moment in the prompt, and shows it in the middle. */
export function goToMoment(state: ViewState, context: ActionContext): ViewState {
  const { line } = state.prompt ?? { line: { text: '' } };
  const share = parseShare(line.text);
  const place = share === undefined ? momentOf(line.text, context) : shareOf(share, context);
  if (!place.ok) {
    const problem = { column: 0, message: place.error };
    return { ...state, prompt: state.prompt && { ...state.prompt, problem } };
  }
  const atNs = place.value;
  const closed: ViewState = { ...state, mode: state.promptFor, prompt: undefined };
  if (share !== undefined) return showUntil(closed, atNs, context);
  const shown = showInMiddle(closed, atNs, context);
  return { ...shown, notice: whereText(atNs, context) };
}

function momentOf(text: string, context: ActionContext): Result<number, string> {
  const { nowNs, wallNowMs, replay } = context;
  const wallOf = (ns: number): number => wallNowMs + (ns - nowNs) / 1e6;
  const range = replay && { fromMs: wallOf(replay.startNs), toMs: wallOf(replay.endNs) };
  const moment = parseMoment(text, wallNowMs, range);
  return moment.ok ? ok(nowNs - (wallNowMs - moment.value) * 1e6) : moment;
}

/** 0 to 1 for `50%`; undefined for anything else. */
function parseShare(text: string): number | undefined {
  const percent = /^\s*(\d+(?:\.\d+)?)\s*%\s*$/.exec(text);
  return percent === null ? undefined : Math.min(1, Number(percent[1]) / 100);
}

function shareOf(share: number, { replay }: ActionContext): Result<number, string> {
  if (replay === undefined) return err('per cents are for recordings; what is live has no end');
  const { startNs, endNs } = replay;
  if (endNs === Infinity) return err('where it ends is not known yet; the key End loads all of it');
  return ok(startNs + share * (endNs - startNs));
}

function whereText(atNs: number, { nowNs, startNs, replay }: ActionContext): string {
  if (atNs < (replay?.startNs ?? startNs)) return 'before the first I/O; this is the beginning';
  if (replay !== undefined)
    return atNs > replay.endNs ? 'the recording ends before; this is its end' : IN_THE_MIDDLE;
  return atNs > nowNs ? 'that is still to come; this is the present' : IN_THE_MIDDLE;
}
