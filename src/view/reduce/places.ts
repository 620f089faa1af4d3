import { isSameFilter } from '../../filter/language/edit.ts';
import type { Action } from '../action.ts';
import type { Place, ViewState } from '../state.ts';
import { leaveCursor } from './held.ts';
import { filtersBefore } from './filter.ts';
import { withoutRows } from './layers.ts';
import type { Handlers } from './step.ts';

/** Goes back and forward through earlier views, as in a browser. */
export const PLACE_HANDLERS: Handlers<'goBack' | 'goForward'> = {
  goBack: (state) => {
    const place = state.back.at(-1);
    if (place === undefined) return { ...state, notice: 'no earlier view' };
    const { back, forward } = state;
    const stacks = { back: back.slice(0, -1), forward: [...forward, placeOf(state)] };
    return { ...atPlace(state, place), ...stacks, notice: 'back; \\ goes forward' };
  },
  goForward: (state) => {
    const place = state.forward.at(-1);
    if (place === undefined) return { ...state, notice: 'no later view' };
    const { back, forward } = state;
    const stacks = { back: [...back, placeOf(state)], forward: forward.slice(0, -1) };
    return { ...atPlace(state, place), ...stacks, notice: 'forward; Backspace goes back' };
  },
};

/** Selected rows mean nothing in other tables. The key that undoes a filter undoes this change of it, too. */
function atPlace(state: ViewState, place: Place): ViewState {
  const next = { ...leaveCursor(state), ...place };
  if (!isSameFilter(place.filter, state.filter))
    return { ...withoutRows(next), filterStack: filtersBefore(state, next) };
  return place.layer === state.layer ? next : withoutRows(next);
}

/** Number of views that are kept. */
const MOST_PLACES = 100;

/** Actions that jump to another time. Scrolling is not among them, as in a browser. */
const JUMPS: readonly Action['type'][] = ['submit', 'slowestFound', 'burstsFound', 'noteFound'];
const STEPS: readonly Action['type'][] = ['goBack', 'goForward'];

/** Keeps the view before an action that shows something else. */
export function remember(before: ViewState, after: ViewState, { type }: Action): ViewState {
  if (after === before || STEPS.includes(type)) return after;
  const [from, to] = [placeOf(before), placeOf(after)];
  const isJump = JUMPS.includes(type) && from.frozenAtNs !== to.frozenAtNs;
  if (!isJump && isSamePicture(from, to)) return after;
  return { ...after, back: [...before.back, from].slice(-MOST_PLACES), forward: [] };
}

function placeOf(state: ViewState): Place {
  const { metric, latency, layout, layer, valueRange, filter, highlight, intervalNs } = state;
  const { frozenAtNs, heldForCursor } = state;
  return {
    ...{ metric, latency, layout, layer, valueRange, filter, highlight, intervalNs },
    // A picture that was frozen only for the cursor follows again without it.
    frozenAtNs: heldForCursor ? undefined : frozenAtNs,
  };
}

function isSamePicture(a: Place, b: Place): boolean {
  return (
    a.metric === b.metric &&
    a.layout === b.layout &&
    a.layer === b.layer &&
    a.valueRange === b.valueRange &&
    isSameFilter(a.filter, b.filter) &&
    isSameFilter(a.highlight, b.highlight)
  );
}
