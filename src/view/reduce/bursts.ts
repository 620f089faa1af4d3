import { formatDuration } from '../../base/format.ts';
import { rhythmAt } from '../../model/bursts.ts';
import type { Burst } from '../../model/bursts.ts';
import { isOfPrograms, noneOf, someOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { ActionOf } from '../action.ts';
import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';
import { burstOf } from './burst-question.ts';
import { heldAt } from './held.ts';
import { placeFound } from './slowest.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';
import { isOverTime, leftColumn, showInMiddle } from './time.ts';

/** Goes from one burst of slow I/O to the next, anywhere in the history. */
export const BURST_HANDLERS: Handlers<'nextBurst' | 'burstsFound'> = {
  nextBurst: (state, { step }, facts) => nextBurst(state, step, facts),
  burstsFound,
};

/** Searches from the time of the cross-hair; where it has none, from the edge of the picture. */
export function nextBurst(state: ViewState, step: 1 | -1, facts: Facts): Step {
  const { mode, cursor, anchor, frozenAtNs, heldForCursor } = state;
  const left = leftColumn(state, facts);
  const edge = step > 0 ? left - 1 : left + facts.columns;
  const asked: ViewState = {
    ...heldAt(state, facts.nowNs),
    mode: 'cursor',
    cursor: undefined,
    anchor: undefined,
    seeks: {
      kind: 'bursts',
      step,
      from: cursor === undefined || !isOverTime(state) ? edge : left + cursor.column,
      before: { mode, cursor, anchor, frozenAtNs, heldForCursor },
    },
    notice: `searching for bursts of slow ${someOf(state.layer)}…`,
  };
  return asking(asked, { type: 'findBursts', fromStart: true, ...burstOf(state) });
}

function burstsFound(
  state: ViewState,
  { bursts }: ActionOf<'burstsFound'>,
  facts: Facts,
): ViewState | Step {
  const { seeks } = state;
  if (seeks?.kind !== 'bursts' || bursts === 'searching') return state;
  const { step, from } = seeks;
  const at =
    step > 0
      ? bursts.findIndex(({ firstColumn }) => firstColumn > from)
      : bursts.findLastIndex(({ lastColumn }) => lastColumn < from);
  const burst = bursts[at];
  if (burst === undefined)
    return {
      ...state,
      ...seeks.before,
      seeks: undefined,
      notice: noneText(bursts, step, state.layer),
    };
  return showBurst(state, burst, burstText(bursts, at, state.intervalNs), facts);
}

function noneText(bursts: readonly Burst[], step: 1 | -1, layer: Layer): string {
  const is = isOfPrograms(layer) ? 'are' : 'is';
  if (bursts.length === 0) return `${noneOf(layer)} ${is} much slower than the rest: no bursts`;
  return step > 0 ? 'no later burst; N goes back' : 'no earlier burst; n goes forward';
}

function showBurst(state: ViewState, burst: Burst, text: string, facts: Facts): Step {
  const { latency } = burstOf(state);
  // A zoomed range of one metric means nothing for another.
  const valueRange = latency === state.metric ? state.valueRange : undefined;
  // A map of two values has no place for a time from which the next search could start.
  const layout = isOverTime(state) ? state.layout : 'single';
  const asked: ViewState = { ...state, layout, metric: latency, latency, valueRange };
  const column = Math.floor(burst.atNs / state.intervalNs) - leftColumn(state, facts);
  const isInSight = column >= 0 && column < facts.columns;
  const shown: ViewState = isInSight
    ? asked
    : { ...showInMiddle(asked, burst.atNs, facts), mode: 'cursor', heldForCursor: false };
  const { atNs, withinNs, latencyNs } = burst;
  return placeFound(shown, { atNs, withinNs, latencyNs }, text, !isOverTime(state));
}

/** `burst up to 512ms, 4 times, every 45s; 45.0s after the previous`. A narrow status line cuts it at the end. */
function burstText(bursts: readonly Burst[], at: number, columnNs: number): string {
  const { latencyNs, atNs, firstColumn, lastColumn } = bursts[at]!;
  const previous = bursts[at - 1];
  const lengthNs = (lastColumn - firstColumn + 1) * columnNs;
  const length = lastColumn > firstColumn ? ` for ${secondsText(lengthNs)}` : '';
  const burst = `burst up to ${formatDuration(latencyNs)}${length}`;
  const after =
    previous === undefined
      ? 'the first'
      : `${secondsText(atNs - previous.atNs)} after the previous`;
  const rhythm = rhythmAt(bursts, at);
  const often =
    rhythm === undefined ? '' : `, ${rhythm.count} times, every ${formatDuration(rhythm.everyNs)}`;
  return `${burst}${often}; ${after}`;
}

/** With tenths of a second up to ten minutes: they can tell two causes apart. */
function secondsText(ns: number): string {
  return ns >= 1e9 && ns < 600e9 ? `${(ns / 1e9).toFixed(1)}s` : formatDuration(ns);
}
