import type { Action } from '../action.ts';
import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';
import { heldAt, released } from './held.ts';
import type { Handlers } from './step.ts';
import { steppedRow } from './tables.ts';

export const SINGLE_HANDLERS: Handlers<'openSingles' | 'moveSingle' | 'explainSingle'> = {
  // The list opens at its end, and stays there as long as no row is chosen.
  openSingles: (state) => ({
    ...state,
    mode: 'singles',
    singlesBack: undefined,
    notice: undefined,
  }),
  moveSingle,
  explainSingle,
};

/** Moves the cursor of the list. The first key chooses the last row, and freezes the list so that it can be read. */
function moveSingle(
  state: ViewState,
  { by }: Extract<Action, { type: 'moveSingle' }>,
  { list, nowNs }: Facts,
): ViewState {
  if (list.rows === 0) return { ...state, notice: 'the list is empty' };
  const last = list.rows - 1;
  const from = state.singlesBack === undefined ? list.rows : last - state.singlesBack;
  const row = steppedRow(by, Math.min(from, list.rows), list.height, last);
  return { ...heldAt(state, nowNs), singlesBack: last - row, notice: undefined };
}

/** Explains the chosen row; without one, the last. */
function explainSingle(state: ViewState, _: unknown, { list, nowNs }: Facts): ViewState {
  if (list.rows === 0) return { ...state, notice: 'the list is empty' };
  const singlesBack = state.singlesBack ?? 0;
  return {
    ...heldAt(state, nowNs),
    ...{ mode: 'explain', singlesBack, drillDownTop: 0, notice: undefined },
  };
}

export function leaveSingles(state: ViewState): ViewState {
  return { ...released(state), mode: 'main', singlesBack: undefined };
}
