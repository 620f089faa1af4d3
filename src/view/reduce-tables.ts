import { assertUnreachable } from '../base/assert.ts';
import type { ActionContext, ScrollBy } from './action.ts';
import type { ViewState } from './view-state.ts';

/** Moves the selected row of the table that has the focus; the first key selects the first row. */
export function moveRow(state: ViewState, by: ScrollBy, context: ActionContext): ViewState {
  if (context.listRows === 0) return { ...state, notice: 'the table is empty' };
  const field = state.focus === 'processes' ? 'processRow' : 'diskRow';
  const row = state[field];
  const last = context.listRows - 1;
  const next = row === undefined ? 0 : steppedRow(by, row, context.listHeight, last);
  return { ...state, [field]: next, notice: undefined };
}

/** Scrolls the text that lies over the screen. */
export function scrollText(state: ViewState, by: ScrollBy, context: ActionContext): ViewState {
  const field = state.mode === 'detail' ? 'detailTop' : 'helpTop';
  const last = Math.max(0, context.listRows - context.listHeight);
  const top = steppedRow(by, state[field], context.listHeight, last);
  return { ...state, [field]: top, notice: undefined };
}

/** The row after a step, from 0 to `last`. */
export function steppedRow(by: ScrollBy, row: number, height: number, last: number): number {
  return Math.min(last, Math.max(0, target(by, row, height, last)));
}

function target(by: ScrollBy, row: number, height: number, last: number): number {
  switch (by) {
    case 'row':
      return row + 1;
    case 'rowBack':
      return row - 1;
    case 'page':
      return row + Math.max(1, height - 1);
    case 'pageBack':
      return row - Math.max(1, height - 1);
    case 'start':
      return 0;
    case 'end':
      return last;
    default:
      return assertUnreachable(by);
  }
}
