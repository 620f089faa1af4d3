import { assertUnreachable } from '../../base/assert.ts';
import { clockText } from '../../base/clock-text.ts';
import type { Result } from '../../base/result.ts';
import { err, ok } from '../../base/result.ts';
import { INTERVALS_NS } from '../../model/metric.ts';
import type { Action } from '../action.ts';
import { describeInterval } from '../describe.ts';
import type { Facts, ReplayExtent } from '../facts.ts';
import { parseMoment, parseSinceStart } from '../moment.ts';
import type { ViewState } from '../state.ts';
import { fitInterval } from './fit-interval.ts';
import { withoutPassed } from './passing-notice.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';

export const TIME_HANDLERS: Handlers<
  'togglePause' | 'scrollTime' | 'stepInterval' | 'passTime' | 'showUntil' | 'endReached'
> = {
  togglePause,
  scrollTime,
  stepInterval: (state, { step }, facts) => stepInterval(state, step, facts),
  passTime: (state, _, facts) => fitInterval(withoutPassed(state, facts), facts),
  showUntil: (state, { atNs, notice }) => ({ ...state, frozenAtNs: atNs, notice }),
  endReached: (state, _, facts) => ({ ...state, notice: endText(state, facts) }),
};

/** An arrow key moves by a tenth of the screen, so that most of what was visible still is. */
const STEPS_PER_SCREEN = 10;

function togglePause(state: ViewState, _: unknown, { nowNs, replay }: Facts): ViewState {
  if (state.frozenAtNs !== undefined) return follow(state, replay);
  const notice =
    replay === undefined ? 'frozen; tracing continues; Space resumes' : 'paused; Space resumes';
  return { ...state, frozenAtNs: nowNs, notice };
}

function follow(state: ViewState, replay: ReplayExtent | undefined): ViewState {
  const notice = replay === undefined ? 'following' : 'playing';
  return { ...state, frozenAtNs: undefined, notice };
}

function stepInterval(state: ViewState, step: 1 | -1, facts: Facts): ViewState {
  const intervals: readonly number[] = INTERVALS_NS;
  const intervalNs =
    step > 0
      ? intervals.find((ns) => ns > state.intervalNs)
      : intervals.findLast((ns) => ns < state.intervalNs);
  if (intervalNs === undefined)
    return { ...state, notice: `${describeInterval(state)}, the limit` };
  const next = withInterval({ ...state, fitsInterval: false }, intervalNs, facts);
  return { ...next, notice: describeInterval(next) };
}

/** The cross-hair stays at its moment; where that would be outside of the picture, this moves. */
function withInterval(state: ViewState, intervalNs: number, facts: Facts): ViewState {
  const { cursor, heldForCursor, frozenAtNs = facts.nowNs } = state;
  const next: ViewState = { ...state, intervalNs };
  if (cursor === undefined || !isOverTime(state)) return next;
  const middleNs = (leftColumn(state, facts) + cursor.column + 0.5) * state.intervalNs;
  const atNs = Math.min(middleNs, frozenAtNs);
  const columnIn = (view: ViewState): number =>
    Math.floor(atNs / intervalNs) - leftColumn(view, facts);
  const isInSight = columnIn(next) >= 0;
  // It is no scrolling: a picture that was held still follows when the cross-hair is left.
  const shown = isInSight ? next : { ...showInMiddle(next, atNs, facts), heldForCursor };
  const column = Math.max(0, Math.min(facts.columns - 1, columnIn(shown)));
  return { ...shown, cursor: { ...cursor, column } };
}

/** A picture that follows, and has nothing to scroll to, goes on following. */
function scrollTime(
  state: ViewState,
  action: Extract<Action, { type: 'scrollTime' }>,
  facts: Facts,
): ViewState {
  const next = scrolled(state, action, facts);
  const isStill = state.frozenAtNs === undefined && next.frozenAtNs === facts.nowNs;
  return isStill ? { ...state, notice: next.notice } : next;
}

function scrolled(
  state: ViewState,
  { by }: Extract<Action, { type: 'scrollTime' }>,
  facts: Facts,
): ViewState {
  const { columns, nowNs } = facts;
  const edgeNs = state.frozenAtNs ?? nowNs;
  const stepNs = Math.max(1, Math.round(columns / STEPS_PER_SCREEN)) * state.intervalNs;
  const screenNs = columns * state.intervalNs;
  switch (by) {
    case 'later':
      return showUntil(state, edgeNs + stepNs, facts);
    case 'earlier':
      return showUntil(state, edgeNs - stepNs, facts);
    case 'screen':
      return showUntil(state, edgeNs + screenNs, facts);
    case 'screenBack':
      return showUntil(state, edgeNs - screenNs, facts);
    case 'first':
      return showUntil(state, -Infinity, facts);
    case 'now':
      return { ...follow(state, facts.replay), ...(facts.replay && { notice: undefined }) };
    default:
      return assertUnreachable(by);
  }
}

/** Puts the trace time `edgeNs` at the right edge, but not outside the history; at the present, the picture follows. */
function showUntil(state: ViewState, edgeNs: number, facts: Facts): ViewState {
  const { nowNs, replay } = facts;
  const lastNs = lastOf(facts);
  if (edgeNs >= lastNs)
    return replay === undefined ? atPresent(state, nowNs) : atEnd(state, replay.endNs);
  // Who has scrolled into the past stays there.
  const past = { ...state, heldForCursor: false };
  const fullEdgeNs = fullEdge(state, facts);
  const firstEdgeNs = Math.min(lastNs, fullEdgeNs);
  if (edgeNs > firstEdgeNs) return { ...past, frozenAtNs: edgeNs, notice: undefined };
  const whole = replay === undefined ? 'everything so far is on screen' : WHOLE;
  const notice = fullEdgeNs < lastNs ? 'the first I/O is at the left edge' : whole;
  return { ...past, frozenAtNs: firstEdgeNs, notice };
}

const WHOLE = 'the whole recording is on screen';

function endText(state: ViewState, facts: Facts): string {
  const isWhole = fullEdge(state, facts) >= lastOf(facts);
  return isWhole ? WHOLE : 'end of the recording; Home goes to the start';
}

/** The trace time at the right edge of a full picture with the first I/O at its left edge. */
function fullEdge({ intervalNs }: ViewState, { startNs, columns }: Facts): number {
  return startNs + (columns - 1) * intervalNs;
}

/** Trace time of the end of a recording, or of the present. */
function lastOf({ nowNs, replay }: Facts): number {
  return replay?.endNs ?? nowNs;
}

/** At the present. Under a cross-hair the picture stays frozen, and follows when the cursor is left. */
function atPresent(state: ViewState, nowNs: number): ViewState {
  if (state.cursor === undefined) return follow(state, undefined);
  const notice = 'this is now; Esc leaves the cross-hair and follows';
  return { ...state, frozenAtNs: nowNs, heldForCursor: true, notice };
}

/** Freezes the picture with the trace time `atNs` in its middle, but not outside the history. */
export function showInMiddle(state: ViewState, atNs: number, facts: Facts): ViewState {
  const edgeNs = atNs + (facts.columns / 2) * state.intervalNs;
  const latestNs = facts.replay === undefined ? facts.nowNs - 1 : edgeNs;
  return showUntil(state, Math.min(edgeNs, latestNs), facts);
}

function atEnd(state: ViewState, endNs: number): ViewState {
  const notice = 'the end of the recording';
  return { ...state, heldForCursor: false, frozenAtNs: endNs, notice };
}

/**
 * Goes to the moment in the prompt, centred; a share of a recording comes to the right edge, as with `--at`. Where the
 * picture cannot scroll that far, the cross-hair shows where it is.
 */
export function goToMoment(state: ViewState, facts: Facts): ViewState | Step {
  const { line } = state.prompt ?? { line: { text: '' } };
  const share = parseShare(line.text);
  const place = share === undefined ? momentOf(line.text, facts) : shareOf(share, facts);
  if (!place.ok) {
    const problem = { column: 0, message: place.error };
    return { ...state, prompt: state.prompt && { ...state.prompt, problem } };
  }
  const atNs = place.value;
  const closed: ViewState = { ...state, mode: state.promptFor, prompt: undefined };
  if (share !== undefined) {
    const shown = showUntil(closed, atNs, facts);
    return shown.frozenAtNs === atNs ? shown : markColumn(shown, atNs, facts);
  }
  const shown = showInMiddle(closed, atNs, facts);
  const problem = outside(atNs, facts);
  if (problem !== undefined) return { ...shown, notice: problem };
  return markColumn({ ...shown, notice: arrivedText(shown, atNs, facts) }, atNs, facts);
}

/** The number of the leftmost column of the picture, counted from the start of the trace. */
export function leftColumn(
  { frozenAtNs, intervalNs }: Pick<ViewState, 'frozenAtNs' | 'intervalNs'>,
  { columns, nowNs }: Pick<Facts, 'columns' | 'nowNs'>,
): number {
  return Math.floor((frozenAtNs ?? nowNs) / intervalNs) + 1 - columns;
}

/** Puts the cross-hair into the column of a moment, where the picture has columns of time. */
export function markColumn(state: ViewState, atNs: number, facts: Facts): ViewState | Step {
  const { mode, intervalNs, frozenAtNs } = state;
  if (mode !== 'main' || !isOverTime(state) || frozenAtNs === undefined) return state;
  const column = Math.floor(atNs / intervalNs) - leftColumn(state, facts);
  if (column < 0 || column >= facts.columns) return state;
  const unmarked = { anchor: undefined, beforeSlowest: undefined };
  const cursor = { column, bin: 0 };
  const there: ViewState = { ...state, ...unmarked, mode: 'cursor', cursor };
  return asking(there, { type: 'findFullestBin', column });
}

/** Whether the columns of the picture are stretches of time. */
export function isOverTime({ layout }: Pick<ViewState, 'layout'>): boolean {
  return layout !== 'size-latency' && layout !== 'offset-latency';
}

function momentOf(text: string, facts: Facts): Result<number, string> {
  const { nowNs, startNs, wallNowMs, replay } = facts;
  const sinceStart = parseSinceStart(text);
  if (sinceStart !== undefined)
    return sinceStart.ok ? ok((replay?.startNs ?? startNs) + sinceStart.value) : sinceStart;
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

function shareOf(share: number, { replay }: Facts): Result<number, string> {
  if (replay === undefined) return err('percentages only work in recordings');
  const { startNs, endNs } = replay;
  if (endNs === Infinity) return err('the end is not known yet; End loads all of it');
  return ok(startNs + share * (endNs - startNs));
}

/** Why another time is shown than the requested one; undefined where only the edge of the picture is the reason. */
function outside(atNs: number, { nowNs, startNs, replay }: Facts): string | undefined {
  if (atNs < (replay?.startNs ?? startNs)) return 'before the first I/O; showing the start';
  if (replay === undefined) return atNs > nowNs ? 'in the future; showing now' : undefined;
  return atNs > replay.endNs ? 'after the recording; showing its end' : undefined;
}

function arrivedText(shown: ViewState, atNs: number, facts: Facts): string {
  const clock = clockText(facts.wallNowMs + (atNs - facts.nowNs) / 1e6);
  const centredNs = atNs + (facts.columns / 2) * shown.intervalNs;
  if ((shown.frozenAtNs ?? facts.nowNs) >= centredNs) return shown.notice ?? `centred on ${clock}`;
  // The end of the trace is closer than half a screen.
  const isMarked = shown.mode === 'main' && isOverTime(shown);
  return isMarked ? `the cross-hair is at ${clock}` : (shown.notice ?? `${clock} is on screen`);
}
