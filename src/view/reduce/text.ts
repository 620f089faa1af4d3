import { editLine, pasteInto } from '../line-editor.ts';
import type { EditedLine } from '../line-editor.ts';
import type { ViewState } from '../state.ts';
import { editFind } from './find.ts';
import type { Handlers, Step } from './step.ts';

/** Edits the line that is being typed: a prompt, or the query of a list. */
export const TEXT_HANDLERS: Handlers<'edit' | 'paste'> = {
  edit: (state, { key }) => changeLine(state, (line) => editLine(line, key)),
  paste: (state, { text }) => paste(state, text),
};

/** Pastes text into an open line. Without one it is ignored: its letters must not act as keys. */
function paste(state: ViewState, text: string | undefined): ViewState | Step {
  if (lineBeingTyped(state) === undefined)
    return { ...state, notice: 'paste ignored: no prompt is open' };
  if (text === undefined) return withProblem(state, 'paste ignored: the text is too long');
  return changeLine(state, (line) => pasteInto(line, text));
}

/** Shows a problem where the user looks: at the line, or below a list. */
function withProblem(state: ViewState, message: string): ViewState {
  const { prompt } = state;
  if (prompt === undefined) return { ...state, notice: message };
  return { ...state, prompt: { ...prompt, problem: { column: prompt.line.cursor, message } } };
}

function lineBeingTyped({ prompt, pick, actions }: ViewState): EditedLine | undefined {
  return pick?.query ?? actions?.query ?? prompt?.line;
}

interface NarrowedList {
  readonly query: EditedLine;
  readonly row: number;
  readonly line?: number | undefined;
  readonly rowBy?: 'key' | 'click' | undefined;
}

function changeLine(state: ViewState, change: (line: EditedLine) => EditedLine): ViewState | Step {
  const { mode, pick, actions, prompt } = state;
  if (mode === 'actions' && actions !== undefined)
    return { ...state, actions: withQuery(actions, change(actions.query)) };
  if (mode === 'pick' && pick !== undefined)
    return { ...state, pick: withQuery(pick, change(pick.query)) };
  if (prompt === undefined) return state;
  const line = change(prompt.line);
  if (mode === 'find') return editFind(state, line);
  return { ...state, prompt: { line, problem: undefined } };
}

/** Another text has other matches, of which the first is the best. */
function withQuery<List extends NarrowedList>(list: List, query: EditedLine): List {
  if (query.text === list.query.text) return { ...list, query };
  return { ...list, query, row: 0, line: undefined, rowBy: undefined };
}
