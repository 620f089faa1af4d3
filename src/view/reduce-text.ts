import type { ActionContext } from './action.ts';
import { editLine, pasteInto } from './line-editor.ts';
import type { EditedLine } from './line-editor.ts';
import { editFind } from './reduce-find.ts';
import type { ViewState } from './view-state.ts';

/** A key in the line that is being typed: a prompt, or the query of a list. */
export function editText(state: ViewState, key: string, context: ActionContext): ViewState {
  return changeLine(state, (line) => editLine(line, key), context);
}

/** Text belongs into a line and nowhere else: its letters must not act as keys. */
export function paste(
  state: ViewState,
  text: string | undefined,
  context: ActionContext,
): ViewState {
  if (lineBeingTyped(state) === undefined)
    return { ...state, notice: 'paste ignored: no prompt is open' };
  if (text === undefined) return withProblem(state, 'paste ignored: the text is too long');
  return changeLine(state, (line) => pasteInto(line, text), context);
}

/** Where a reader looks: at the line, or at the foot of a list. */
function withProblem(state: ViewState, message: string): ViewState {
  const { prompt } = state;
  if (prompt === undefined) return { ...state, notice: message };
  return { ...state, prompt: { ...prompt, problem: { column: prompt.line.cursor, message } } };
}

function lineBeingTyped({ prompt, pick }: ViewState): EditedLine | undefined {
  return pick?.query ?? prompt?.line;
}

function changeLine(
  state: ViewState,
  change: (line: EditedLine) => EditedLine,
  context: ActionContext,
): ViewState {
  const { mode, pick, prompt } = state;
  if (mode === 'pick')
    return pick === undefined
      ? state
      : { ...state, pick: { ...pick, query: change(pick.query), row: 0 } };
  if (prompt === undefined) return state;
  const line = change(prompt.line);
  return mode === 'find'
    ? editFind(state, line, context)
    : { ...state, prompt: { line, problem: undefined } };
}
