import type { Action } from '../action.ts';
import { rowsTitle } from '../describe.ts';
import type { MatchUse } from '../effect.ts';
import type { EditedLine } from '../line-editor.ts';
import type { Facts } from '../facts.ts';
import { selectionOf } from '../state.ts';
import type { SelectedRow, ViewState } from '../state.ts';
import { nextBurst } from './bursts.ts';
import { openPrompt } from './open-prompt.ts';
import { withSelection } from './selection.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';

/** The search for a text in the rows of a table. */
export const FIND_HANDLERS: Handlers<'openFind' | 'nextMatch' | 'rowsFound'> = {
  openFind,
  nextMatch: (state, { step }, facts) => nextMatch(state, step, facts),
  rowsFound,
};

/** Opens with an empty line: Enter alone keeps the previous search. */
function openFind(state: ViewState): ViewState {
  const opened = openPrompt(state, 'find');
  const prompt = { ...opened.prompt!, rowBefore: selectionOf(state) };
  return { ...opened, prompt, promptFor: 'main' };
}

/** Each letter moves to the first row that contains the typed text, and back if there is none. */
export function editFind(state: ViewState, line: EditedLine): Step {
  const prompt = { ...state.prompt, line, problem: undefined };
  const typed = { ...state, prompt, findText: line.text };
  return search(typed, 'first');
}

/** Closes the line; matches stay marked. */
export function submitFind(state: ViewState): ViewState | Step {
  const shut: ViewState = { ...state, mode: 'main', prompt: undefined };
  if (state.findText === '') return { ...shut, notice: 'search cleared' };
  return search(shut, 'count');
}

export function dropFind(state: ViewState): ViewState {
  return { ...state, mode: 'main', prompt: undefined, findText: '', notice: undefined };
}

/** Repeats the search; without one there are still bursts to go to, unless a search is about to be typed. */
function nextMatch(state: ViewState, step: 1 | -1, facts: Facts): ViewState | Step {
  if (state.findText !== '') return search(state, step > 0 ? 'next' : 'previous');
  if (state.prompt === undefined) return nextBurst(state, step, facts);
  const problem = { column: 0, message: 'type a text to search for' };
  return { ...state, prompt: { ...state.prompt, problem } };
}

function search(state: ViewState, why: MatchUse): Step {
  return asking(state, { type: 'findRows', text: state.findText, why });
}

function rowsFound(
  state: ViewState,
  { rows, why }: Extract<Action, { type: 'rowsFound' }>,
  { table }: Facts,
): ViewState {
  if (why === 'first') return firstMatch(state, rows[0]);
  if (why === 'count') return { ...state, notice: foundText(state, rows.length) };
  return anotherMatch(state, rows, why, table.selected);
}

function firstMatch(state: ViewState, row: SelectedRow | undefined): ViewState {
  if (row !== undefined) return withSelection(state, row);
  const { prompt } = state;
  if (prompt === undefined) return state;
  const before = withSelection(state, prompt.rowBefore);
  if (state.findText === '') return before;
  const problem = { column: prompt.line.cursor, message: foundText(state, 0) };
  return { ...before, prompt: { ...prompt, problem } };
}

/** Wraps around at the ends of the table. */
function anotherMatch(
  state: ViewState,
  rows: readonly SelectedRow[],
  which: 'next' | 'previous',
  selected = -1,
): ViewState {
  const row =
    which === 'next'
      ? (rows.find(({ place }) => place > selected) ?? rows[0])
      : (rows.findLast(({ place }) => place < selected) ?? rows.at(-1));
  if (row === undefined) return { ...state, notice: foundText(state, 0) };
  const place = `${rows.indexOf(row) + 1} of ${rows.length}`;
  return { ...withSelection(state, row), notice: `"${state.findText}": ${place}` };
}

function foundText(state: ViewState, count: number): string {
  const { findText } = state;
  if (count === 0) return `no match for "${findText}" among the ${rowsTitle(state)}`;
  return `${count} ${count === 1 ? 'row matches' : 'rows match'} "${findText}"; n and N step`;
}
