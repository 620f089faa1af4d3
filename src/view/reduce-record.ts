import type { ActionContext } from './action.ts';
import { lineOf } from './line-editor.ts';
import { fileStamp } from './reduce-export.ts';
import type { ViewState } from './view-state.ts';

/** Asks for the file of a recording that begins now. */
export function openRecord(state: ViewState, { wallNowMs }: ActionContext): ViewState {
  return openPrompt(state, 'record', `ioheat-${fileStamp(wallNowMs)}.ioheat`);
}

/** Asks for the file that what has just happened is saved to. */
export function openSave(state: ViewState, { wallNowMs }: ActionContext): ViewState {
  return openPrompt(state, 'save', `ioheat-${fileStamp(wallNowMs)}-past.ioheat`);
}

function openPrompt(state: ViewState, mode: 'record' | 'save', name: string): ViewState {
  const prompt = { line: lineOf(name), problem: undefined };
  return { ...state, mode, prompt, promptFor: state.mode, notice: undefined };
}
