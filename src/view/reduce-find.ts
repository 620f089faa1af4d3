import type { ActionContext } from './action.ts';
import { EMPTY_LINE } from './line-editor.ts';
import type { EditedLine } from './line-editor.ts';
import type { ViewState } from './view-state.ts';

/** With an empty line: Enter alone keeps what was looked for before. */
export function openFind(state: ViewState): ViewState {
  const prompt = { line: EMPTY_LINE, problem: undefined };
  return { ...state, mode: 'find', prompt, promptFor: 'main', notice: undefined };
}

/** Each letter goes on to the first row that holds what has been typed. */
export function editFind(state: ViewState, line: EditedLine, context: ActionContext): ViewState {
  const [first] = context.findRows(line.text);
  const message = `no row of the ${state.focus} holds this`;
  const problem =
    line.text === '' || first !== undefined ? undefined : { column: line.cursor, message };
  const typed = { ...state, prompt: { line, problem }, findText: line.text };
  return first === undefined ? typed : atRow(typed, first);
}

/** Leaves the line; what was found stays marked. */
export function submitFind(state: ViewState, context: ActionContext): ViewState {
  const shut: ViewState = { ...state, mode: 'main', prompt: undefined };
  if (state.findText === '') return { ...shut, notice: 'nothing is looked for' };
  return { ...shut, notice: foundText(state, context.findRows(state.findText).length) };
}

export function dropFind(state: ViewState): ViewState {
  return { ...state, mode: 'main', prompt: undefined, findText: '', notice: undefined };
}

/** The next or the previous row that holds the text, round the ends of the table. */
export function nextMatch(state: ViewState, step: 1 | -1, context: ActionContext): ViewState {
  if (state.findText === '') return { ...state, notice: 'f looks for a text in the tables first' };
  const rows = context.findRows(state.findText);
  const current = (state.focus === 'processes' ? state.processRow : state.diskRow) ?? -1;
  const next =
    step > 0
      ? (rows.find((row) => row > current) ?? rows[0])
      : (rows.findLast((row) => row < current) ?? rows.at(-1));
  if (next === undefined) return { ...state, notice: foundText(state, 0) };
  const place = `${rows.indexOf(next) + 1} of ${rows.length}`;
  return { ...atRow(state, next), notice: `"${state.findText}": ${place}` };
}

function atRow(state: ViewState, row: number): ViewState {
  return { ...state, [state.focus === 'processes' ? 'processRow' : 'diskRow']: row };
}

function foundText({ findText, focus }: ViewState, count: number): string {
  if (count === 0) return `no row of the ${focus} holds "${findText}"`;
  return `${count} ${count === 1 ? 'row holds' : 'rows hold'} "${findText}"; n and N go on`;
}
