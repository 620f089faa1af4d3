import type { Computation } from '../effect.ts';
import type { Facts } from '../facts.ts';
import { selectionOf } from '../state.ts';
import type { SelectedRow, ViewState } from '../state.ts';
import { asking } from './step.ts';
import type { Step } from './step.ts';

/** The view with another selected row in the open list of I/Os in flight; otherwise in the table that has the focus. */
export function withSelection(state: ViewState, row: SelectedRow | undefined): ViewState {
  if (state.mode === 'inFlight') return { ...state, inFlightRow: row };
  return { ...state, [state.focus === 'processes' ? 'processRow' : 'diskRow']: row };
}

/** Asks something about the selected row, unless the row is not in the table now: another must not stand in for it. */
export function askingOfRow(
  state: ViewState,
  question: Computation,
  { table }: Facts,
): ViewState | Step {
  if (selectionOf(state) === undefined || table.selected !== undefined)
    return asking(state, question);
  const what =
    state.mode === 'inFlight'
      ? 'the selected I/O is no longer in flight'
      : 'the selected row is no longer in the table';
  return { ...state, notice: `${what}; ↑ and ↓ select another` };
}

/** The view with the notice that there is no row to select. */
export function withNoRows(state: ViewState): ViewState {
  return { ...state, notice: `the ${state.mode === 'inFlight' ? 'list' : 'table'} is empty` };
}
