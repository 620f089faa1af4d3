import { localMs } from '../../base/time.ts';
import type { Action } from '../action.ts';
import type { Facts } from '../facts.ts';
import { modeOfPicture } from '../state.ts';
import type { ViewState } from '../state.ts';
import { runAction } from './actions.ts';
import { leaveCursor } from './held.ts';
import { submitFilter } from './filter.ts';
import { dropFind, submitFind } from './find.ts';
import { openPrompt } from './open-prompt.ts';
import { passingNotice } from './passing-notice.ts';
import { pickEntry, withoutPick } from './pick.ts';
import { belowCard } from './card.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';
import { goToMoment } from './time.ts';
import { leaveSingles } from './singles.ts';

/** Opens dialogs and prompts over the picture, submits a typed line, and closes what is open. */
export const PROMPT_HANDLERS: Handlers<
  | 'openHelp'
  | 'openToggles'
  | 'openTrend'
  | 'openInFlight'
  | 'openGoto'
  | 'openExport'
  | 'openRecord'
  | 'openSave'
  | 'submit'
  | 'close'
  | 'notify'
  | 'promptDone'
  | 'promptFailed'
  | 'run'
> = {
  openHelp: (state) => ({
    ...state,
    mode: 'help',
    helpFor: state.mode,
    helpTop: 0,
    notice: undefined,
  }),
  openToggles: (state) => ({ ...state, mode: 'toggles', notice: undefined }),
  openTrend: (state) => ({ ...state, mode: 'trend', notice: undefined }),
  openInFlight: (state) => ({
    ...state,
    mode: 'inFlight',
    inFlightRow: undefined,
    notice: undefined,
  }),
  openGoto: (state) => openPrompt(state, 'goto'),
  openExport: (state, _, facts) =>
    openPrompt(state, 'export', `ioheat-${fileStamp(edgeMs(state, facts))}.png`),
  openRecord: (state, _, { wallNowMs }) =>
    openPrompt(state, 'record', `ioheat-${fileStamp(wallNowMs)}.ioheat`),
  openSave: (state, _, { wallNowMs }) =>
    openPrompt(state, 'save', `ioheat-${fileStamp(wallNowMs)}-past.ioheat`),
  submit,
  close,
  notify,
  // While a file is being opened, the prompt may have been closed.
  promptDone: (state, { notice }) =>
    state.prompt === undefined
      ? { ...state, notice }
      : { ...state, mode: state.promptFor, prompt: undefined, notice },
  promptFailed: (state, { message }) =>
    state.prompt === undefined
      ? { ...state, notice: message }
      : { ...state, prompt: { ...state.prompt, problem: { column: 0, message } } },
  run: (state, { what }) => asking(state, { type: 'run', what }),
};

function notify(
  state: ViewState,
  { notice, passes = false }: Extract<Action, { type: 'notify' }>,
  facts: Facts,
): ViewState {
  if (passes && notice !== undefined) return passingNotice(state, notice, facts);
  return state.notice === notice ? state : { ...state, notice };
}

/** The wall-clock time at the right edge of the picture, in ms since the epoch. */
function edgeMs({ frozenAtNs }: ViewState, { nowNs, wallNowMs }: Facts): number {
  return frozenAtNs === undefined ? wallNowMs : wallNowMs - (nowNs - frozenAtNs) / 1e6;
}

/** `20260131-140211`, local time: makes a suggested file name that is not in use yet. */
function fileStamp(ms: number): string {
  const local = new Date(localMs(ms)).toISOString();
  return local.slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}

function submit(
  state: ViewState,
  _: Extract<Action, { type: 'submit' }>,
  facts: Facts,
): ViewState | Step {
  if (state.mode === 'find') return submitFind(state);
  if (state.mode === 'goto') return goToMoment(state, facts);
  if (state.mode === 'actions') return runAction(state, facts);
  return state.mode === 'pick' ? pickEntry(state) : submitFilter(state, facts);
}

/** Escape goes one step back. */
function close(state: ViewState): ViewState {
  const quiet = { ...state, notice: undefined };
  if (state.mode === 'find') return dropFind(state);
  if (state.mode === 'help') return { ...quiet, mode: state.helpFor };
  if (state.mode === 'drillDown') return { ...quiet, mode: 'cursor', drillDown: undefined };
  if (state.mode === 'cursor' && state.anchor !== undefined) return { ...quiet, anchor: undefined };
  if (state.mode === 'cursor') return { ...leaveCursor(quiet), ...state.beforeSlowest };
  if (state.mode === 'explain') return { ...quiet, mode: 'singles' };
  if (state.mode === 'singles') return leaveSingles(quiet);
  if (state.actions !== undefined) return { ...quiet, mode: state.actions.of, actions: undefined };
  if (state.mode === 'card') return { ...quiet, ...belowCard(state) };
  if (state.mode === 'inFlight') return { ...quiet, mode: modeOfPicture(state) };
  if (state.mode === 'pick') return withoutPick(quiet);
  const mode = state.prompt === undefined ? 'main' : state.promptFor;
  return { ...quiet, mode, prompt: undefined };
}
