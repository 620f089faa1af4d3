import type { Action, ActionOf } from '../action.ts';
import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';
import { heldAt, released } from './held.ts';
import type { Handlers } from './step.ts';
import { steppedRow } from './tables.ts';

export const SINGLE_HANDLERS: Handlers<
  'openSingles' | 'moveSingle' | 'explainSingle' | 'pointAtSingle'
> = {
  // The list opens at its end, and stays there as long as no row is chosen.
  openSingles: (state) => ({
    ...state,
    mode: 'singles',
    singlesBack: undefined,
    singlesLine: undefined,
    notice: undefined,
  }),
  moveSingle,
  explainSingle,
  pointAtSingle,
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

/** A click chooses the row, and freezes the list as it was on the screen; on the chosen row it does what Enter does. */
function pointAtSingle(
  state: ViewState,
  { endNs, back, line }: ActionOf<'pointAtSingle'>,
  facts: Facts,
): ViewState {
  if (state.singlesBack === back) return explainSingle(state, undefined, facts);
  const notice = 'click again, or Enter, for what it waited for';
  return { ...heldAt(state, endNs), singlesBack: back, singlesLine: line, notice };
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
  return { ...released(state), mode: 'main', singlesBack: undefined, singlesLine: undefined };
}
