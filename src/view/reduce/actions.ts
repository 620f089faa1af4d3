import { describeLayout, describePalette } from '../describe.ts';
import type { ActionOf } from '../action.ts';
import type { Facts } from '../facts.ts';
import { EMPTY_LINE } from '../line-editor.ts';
import type { ViewState } from '../state.ts';
import { withNotice } from './cycle.ts';
import { stackProblem } from '../stack.ts';
import { consistent } from './layout.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';
import { steppedRow } from './tables.ts';

/** The list of all actions, and the actions that only this list has. */
export const ACTION_HANDLERS: Handlers<
  'openActions' | 'moveAction' | 'pointAtAction' | 'setPalette' | 'setLayout'
> = {
  openActions: (state) => ({
    ...state,
    mode: 'actions',
    actions: { query: EMPTY_LINE, row: 0, of: state.mode },
    notice: undefined,
  }),
  moveAction,
  pointAtAction,
  setPalette: (state, { palette }) => withNotice(state, describePalette, { palette }),
  setLayout: (state, { layout }, facts) => {
    const next = consistent({ ...state, layout });
    return { ...next, notice: stackProblem(next, facts) ?? describeLayout(next) };
  },
};

function moveAction(state: ViewState, { by }: ActionOf<'moveAction'>, { list }: Facts): ViewState {
  if (state.actions === undefined || list.rows === 0) return state;
  const row = steppedRow(by, state.actions.row, list.height, list.rows - 1);
  return { ...state, actions: { ...state.actions, row, rowBy: 'key' } };
}

/** A click moves the cursor of the list there; a second one does the action. */
function pointAtAction(
  state: ViewState,
  { row, line }: ActionOf<'pointAtAction'>,
  facts: Facts,
): ViewState | Step {
  const { actions } = state;
  if (actions === undefined) return state;
  if (actions.row === row && actions.rowBy === 'click') return runAction(state, facts);
  return { ...state, actions: { ...actions, row, line, rowBy: 'click' } };
}

/** The list closes first, so that the action does what its key would do. */
export function runAction(state: ViewState, { list }: Facts): ViewState | Step {
  if (state.actions === undefined || list.rows === 0) return state;
  const { query, row, of } = state.actions;
  const shut: ViewState = { ...state, mode: of, actions: undefined };
  return asking(shut, { type: 'findAction', mode: of, text: query.text, row });
}
