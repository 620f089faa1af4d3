import { nounOf, noneOf } from '../../model/layer.ts';
import { formatDuration } from '../../base/format.ts';
import type { Action } from '../action.ts';
import type { Facts } from '../facts.ts';
import type { Slowest, ViewState } from '../state.ts';
import { burstOf } from './burst-question.ts';
import { heldAt, leaveCursor } from './held.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';
import { showInMiddle } from './time.ts';

/**
 * Goes to the slowest I/O of the whole history in up to three steps: search, show its time, and move the cross-hair to
 * the cell in which it is drawn. Each may take longer than a frame; meanwhile, `seeks` holds what the cursor waits for.
 */
export const SLOWEST_HANDLERS: Handlers<
  'goToSlowest' | 'seekOn' | 'slowestFound' | 'slowestPlaced'
> = {
  goToSlowest: (state) => asking(state, { type: 'findSlowest', fromStart: true }),
  seekOn,
  slowestFound,
  slowestPlaced,
};

/** Requests again what the cursor waits for. */
function seekOn(state: ViewState): ViewState | Step {
  const { seeks } = state;
  if (seeks === undefined) return state;
  if (seeks.kind === 'notable') return asking(state, { type: 'findNotableCell' });
  if (seeks.kind === 'bursts')
    return asking(state, { type: 'findBursts', fromStart: false, ...burstOf(state) });
  if (seeks.kind === 'slowest') return asking(state, { type: 'findSlowest', fromStart: false });
  return asking(state, { type: 'placeSlowest', slowest: seeks.slowest });
}

function slowestFound(
  state: ViewState,
  { slowest }: Extract<Action, { type: 'slowestFound' }>,
  facts: Facts,
): ViewState | Step {
  const isAwaited = state.seeks?.kind === 'slowest';
  if (slowest === 'searching') return isAwaited ? state : awaitSlowest(state, facts);
  const settled = { ...state, seeks: undefined };
  if (slowest !== undefined) return showSlowest(settled, slowest, facts);
  const left = isAwaited ? leaveCursor(settled) : settled;
  return { ...left, notice: `${noneOf(state.layer)} in the history has a known latency` };
}

function awaitSlowest(state: ViewState, { nowNs }: Facts): ViewState {
  return {
    ...heldAt(state, nowNs),
    mode: 'cursor',
    cursor: undefined,
    anchor: undefined,
    seeks: { kind: 'slowest' },
    notice: `searching for the slowest ${nounOf(state.layer)} of the history…`,
  };
}

/** Shows the time of the slowest I/O. It is the slowest by total latency, so the picture changes to total latency. */
function showSlowest(state: ViewState, slowest: Slowest, facts: Facts): Step {
  const { metric, latency, layout, valueRange } = state;
  const asked: ViewState = {
    ...state,
    valueRange: undefined,
    anchor: undefined,
    metric: 'total',
    latency: 'total',
    beforeSlowest: state.beforeSlowest ?? { metric, latency, layout, valueRange },
  };
  const shown: ViewState = {
    ...showInMiddle(asked, slowest.atNs, facts),
    mode: 'cursor',
    cursor: undefined,
    heldForCursor: false,
  };
  return placeFound(shown, slowest, foundText(slowest, state));
}

/** Moves the cross-hair to an I/O that was found, as soon as the picture at its time has been counted. */
export function placeFound(
  state: ViewState,
  slowest: Slowest,
  found: string,
  isMapOfTwo = false,
): Step {
  const notice = `${found}; counting…`;
  const seeks = { kind: 'place', slowest, found, isMapOfTwo } as const;
  const waiting: ViewState = { ...state, seeks, notice };
  return asking(waiting, { type: 'placeSlowest', slowest });
}

/** If the I/O has no place in the layout, it is shown in a single heat map. */
function slowestPlaced(
  state: ViewState,
  { cell }: Extract<Action, { type: 'slowestPlaced' }>,
): ViewState | Step {
  const { seeks, layout } = state;
  if (seeks?.kind !== 'place' || cell === 'counting') return state;
  const { slowest, found, isMapOfTwo } = seeks;
  if (cell === undefined && layout !== 'single')
    return placeFound({ ...state, layout: 'single' }, slowest, found, true);
  const notes = [
    slowest.withinNs > 0 ? ' (aggregated, so about here)' : '',
    isMapOfTwo ? ', which a map of two values cannot show' : '',
  ];
  const notice = `${found}${notes.join('')}; Enter opens it`;
  return { ...state, cursor: cell, seeks: undefined, notice };
}

function foundText({ latencyNs }: Slowest, { layer }: ViewState): string {
  return `the slowest ${nounOf(layer)}: ${formatDuration(latencyNs)} in total`;
}
