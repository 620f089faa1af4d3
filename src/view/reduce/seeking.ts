import type { Action } from '../action.ts';
import type { Facts } from '../facts.ts';
import type { MapCell, ViewState } from '../state.ts';

/** Actions that are not the user's: the cursor keeps waiting for its place. */
const PASSIVE: readonly Action['type'][] = [
  'seekOn',
  'passTime',
  'resized',
  'notableCell',
  'slowestFound',
  'burstsFound',
  'slowestPlaced',
  'notify',
  'showUntil',
  'metricUnknown',
  'promptDone',
  'promptFailed',
  'run',
];

/** Actions that need the place of the cursor. */
const ON_THE_CURSOR: readonly Action['type'][] = [
  'moveCursor',
  'nextMap',
  'nextBurst',
  'toggleAnchor',
  'openDrillDown',
  'zoomToBox',
];

/** Whether the cursor has no place yet, because a search is still looking for it. */
export function isSeeking({ seeks, cursor }: ViewState): boolean {
  return seeks !== undefined && cursor === undefined;
}

/** Whether an action can only be done once the cursor has its place. */
export function needsPlace({ type }: Action): boolean {
  return ON_THE_CURSOR.includes(type);
}

/** The cursor waits for its place until the user does something else; it is then where it was, or at the newest column. */
export function stopSeeking(state: ViewState, action: Action, facts: Facts): ViewState {
  const { seeks } = state;
  if (seeks === undefined || PASSIVE.includes(action.type)) return state;
  if (!isSeeking(state)) return { ...state, seeks: undefined };
  if (needsPlace(action)) return state;
  const before = seeks.kind === 'bursts' ? seeks.before.cursor : undefined;
  return { ...state, seeks: undefined, cursor: before ?? placeAtOnce(facts) };
}

/** Where a cursor is that has nothing to be at. */
export function placeAtOnce({ columns, bins }: Pick<Facts, 'columns' | 'bins'>): MapCell {
  return { column: columns - 1, bin: Math.floor(bins / 2) };
}
