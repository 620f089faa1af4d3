import type { ViewState } from '../state.ts';

/** The picture stands still, so that it can be read; it follows again once nobody reads it. */
export function heldAt(state: ViewState, nowNs: number): ViewState {
  if (state.frozenAtNs !== undefined) return state;
  return { ...state, frozenAtNs: nowNs, heldForCursor: true };
}

/** The picture follows again if it was frozen only to be read. */
export function released(state: ViewState): ViewState {
  const { frozenAtNs, heldForCursor } = state;
  return { ...state, frozenAtNs: heldForCursor ? undefined : frozenAtNs, heldForCursor: false };
}

export function leaveCursor(state: ViewState): ViewState {
  return { ...released(state), mode: 'main', cursor: undefined, beforeSlowest: undefined };
}
