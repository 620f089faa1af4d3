import type { ActionContext, ScrollBy } from './action.ts';
import { sortTitle } from './describe.ts';
import { steppedRow } from './reduce-tables.ts';
import {
  DEFAULT_DISK_COLUMNS,
  DEFAULT_PROCESS_COLUMNS,
  DISK_SORTS,
  listColumns,
  PROCESS_SORTS,
} from './table-columns.ts';
import type { DiskSort, ProcessSort } from './table-columns.ts';
import type { ViewState } from './view-state.ts';

type ColumnId = ProcessSort | DiskSort;

export function openColumns(state: ViewState): ViewState {
  return { ...state, mode: 'columns', columnRow: 0, notice: undefined };
}

/** Every column of the table that has the focus, in the order of the list to choose from. */
export function listedColumns(state: ViewState): readonly ColumnId[] {
  return state.focus === 'processes'
    ? listColumns(state.processColumns, PROCESS_SORTS)
    : listColumns(state.diskColumns, DISK_SORTS);
}

export function chosenColumns(state: ViewState): readonly ColumnId[] {
  return state.focus === 'processes' ? state.processColumns : state.diskColumns;
}

export function moveColumnRow(state: ViewState, by: ScrollBy, context: ActionContext): ViewState {
  const last = listedColumns(state).length - 1;
  return { ...state, columnRow: steppedRow(by, state.columnRow, context.listHeight, last) };
}

/** Shows the column under the cursor, or hides it. */
export function toggleColumn(state: ViewState): ViewState {
  const listed = listedColumns(state);
  const chosen = chosenColumns(state);
  const id = listed[state.columnRow];
  if (id === undefined) return state;
  const isShown = chosen.includes(id);
  if (isShown && chosen.length === 1) return { ...state, notice: 'one column has to stay' };
  const next = listed.filter((one) => (one === id ? !isShown : chosen.includes(one)));
  const word = isShown ? 'hidden' : 'shown';
  return withColumns(state, next, id, `${sortTitle(id)}: ${word}; W keeps the columns`);
}

/** Exchanges the column under the cursor with the shown one beside it. */
export function shiftColumn(state: ViewState, step: 1 | -1): ViewState {
  const chosen = [...chosenColumns(state)];
  const id = listedColumns(state)[state.columnRow];
  const at = chosen.findIndex((one) => one === id);
  const other = chosen[at + step];
  if (id === undefined || at < 0) return { ...state, notice: 'only a shown column can be moved' };
  if (other === undefined) return { ...state, notice: `${sortTitle(id)} is at the end` };
  chosen[at] = other;
  chosen[at + step] = id;
  return withColumns(state, chosen, id, `${sortTitle(id)} moved`);
}

export function resetColumns(state: ViewState): ViewState {
  const columns = state.focus === 'processes' ? DEFAULT_PROCESS_COLUMNS : DEFAULT_DISK_COLUMNS;
  return { ...withColumns(state, columns, undefined, 'the columns of the beginning') };
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
