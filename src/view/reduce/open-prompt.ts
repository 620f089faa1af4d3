import { lineOf } from '../line-editor.ts';
import type { Mode, ViewState } from '../state.ts';

/** Opens a line to type into, which starts with `text`. Closing it goes back to the mode that is open now. */
export function openPrompt(state: ViewState, mode: Mode, text = ''): ViewState {
  const prompt = { line: lineOf(text), problem: undefined };
  return { ...state, mode, prompt, promptFor: state.mode, notice: undefined };
}
