import type { ActionContext } from './action.ts';
import { lineOf } from './line-editor.ts';
import type { ViewState } from './view-state.ts';

const MS_PER_MINUTE = 60_000;

/** The prompt opens with a name that nothing has yet: the host's clock at the right edge. */
export function openExport(state: ViewState, context: ActionContext): ViewState {
  const line = lineOf(`ioheat-${fileStamp(edgeMs(state, context))}.png`);
  const prompt = { line, problem: undefined };
  return { ...state, mode: 'export', prompt, promptFor: state.mode, notice: undefined };
}

function edgeMs({ frozenAtNs }: ViewState, { nowNs, wallNowMs }: ActionContext): number {
  return frozenAtNs === undefined ? wallNowMs : wallNowMs - (nowNs - frozenAtNs) / 1e6;
}

/** `20260131-140211`, local time, for names of files. */
export function fileStamp(ms: number): string {
  const local = new Date(ms - new Date(ms).getTimezoneOffset() * MS_PER_MINUTE);
  return local.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}
