import type { Action } from '../action.ts';
import type { Facts } from '../facts.ts';
import { sortTitle } from '../describe.ts';
import type { Handlers } from './step.ts';
import { steppedRow } from './tables.ts';
import {
  DEFAULT_DISK_COLUMNS,
  DEFAULT_PROCESS_COLUMNS,
  DISK_SORTS,
  listColumns,
  PROCESS_SORTS,
} from '../table-columns.ts';
import type { DiskSort, ProcessSort } from '../table-columns.ts';
import type { ViewState } from '../state.ts';

type ColumnId = ProcessSort | DiskSort;

/** The list of columns of a table. */
export const COLUMN_HANDLERS: Handlers<
  'openColumns' | 'moveColumnRow' | 'toggleColumn' | 'shiftColumn' | 'resetColumns'
> = {
  openColumns: (state) => ({
    ...state,
    ...{ mode: 'columns', columnRow: 0, columnLine: undefined, notice: undefined },
  }),
  moveColumnRow,
  toggleColumn: (state, { at }) =>
    toggleColumn(at === undefined ? state : { ...state, columnRow: at.row, columnLine: at.line }),
  shiftColumn: (state, { step }) => shiftColumn(state, step),
  resetColumns,
};

/** Every column of the table with the focus, in the order of the list. */
export function listedColumns(state: ViewState): readonly ColumnId[] {
  return state.focus === 'processes'
    ? listColumns(state.processColumns, PROCESS_SORTS)
    : listColumns(state.diskColumns, DISK_SORTS);
}

export function chosenColumns(state: ViewState): readonly ColumnId[] {
  return state.focus === 'processes' ? state.processColumns : state.diskColumns;
}

function moveColumnRow(
  state: ViewState,
  { by }: Extract<Action, { type: 'moveColumnRow' }>,
  { list }: Facts,
): ViewState {
  const last = listedColumns(state).length - 1;
  const columnRow = steppedRow(by, state.columnRow, list.height, last);
  return { ...state, columnRow, notice: undefined };
}

/** Shows the column under the cursor, or hides it. */
function toggleColumn(state: ViewState): ViewState {
  const listed = listedColumns(state);
  const chosen = chosenColumns(state);
  const id = listed[state.columnRow];
  if (id === undefined) return state;
  const isShown = chosen.includes(id);
  if (isShown && chosen.length === 1) return { ...state, notice: 'at least one column is needed' };
  const next = listed.filter((one) => (one === id ? !isShown : chosen.includes(one)));
  const word = isShown ? 'hidden' : 'shown';
  return withColumns(state, next, id, `${sortTitle(id)}: ${word}; W saves the columns`);
}

/** Swaps the column under the cursor with the next shown one in the given direction. */
function shiftColumn(state: ViewState, step: 1 | -1): ViewState {
  const chosen = [...chosenColumns(state)];
  const id = listedColumns(state)[state.columnRow];
  const at = chosen.findIndex((one) => one === id);
  const other = chosen[at + step];
  if (id === undefined || at < 0) return { ...state, notice: 'only a shown column can be moved' };
  if (other === undefined) return { ...state, notice: `${sortTitle(id)}: already at the end` };
  chosen[at] = other;
  chosen[at + step] = id;
  return withColumns(state, chosen, id, `${sortTitle(id)} moved`);
}

function resetColumns(state: ViewState): ViewState {
  const columns = state.focus === 'processes' ? DEFAULT_PROCESS_COLUMNS : DEFAULT_DISK_COLUMNS;
  return withColumns(state, columns, undefined, 'reset to the default columns');
}

function withColumns(
  state: ViewState,
  columns: readonly ColumnId[],
  under: ColumnId | undefined,
  notice: string,
): ViewState {
  const field = state.focus === 'processes' ? 'processColumns' : 'diskColumns';
  const next: ViewState = { ...state, [field]: columns, notice };
  const row = under === undefined ? 0 : listedColumns(next).indexOf(under);
  return { ...next, columnRow: row };
}
