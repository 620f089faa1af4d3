import { clockText } from '../../base/clock-text.ts';
import type { ActionOf } from '../action.ts';
import type { Facts } from '../facts.ts';
import { EMPTY_LINE, lineOf } from '../line-editor.ts';
import type { ViewState } from '../state.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';
import { isOverTime, markColumn, showInMiddle } from './time.ts';

/** Notes that people put at a time, and going from one to the next. */
export const NOTE_HANDLERS: Handlers<'openNote' | 'noteRead' | 'nextNote' | 'noteFound'> = {
  openNote,
  noteRead: (state, { atNs, text }) => openPrompt(state, atNs, text),
  nextNote,
  noteFound,
};

/** At the cross-hair, where a note of its column is changed; else a further one at the edge of the picture. */
function openNote(state: ViewState, _: unknown, facts: Facts): ViewState | Step {
  const { cursor, frozenAtNs, intervalNs } = state;
  if (cursor === undefined || !isOverTime(state))
    return openPrompt(state, Math.floor(Math.min(frozenAtNs ?? facts.nowNs, facts.nowNs)), '');
  const fromNs = (leftColumn(state, facts) + cursor.column) * intervalNs;
  return asking(state, { type: 'readNote', fromNs, untilNs: fromNs + intervalNs });
}

function openPrompt(state: ViewState, atNs: number, text: string): ViewState {
  const line = text === '' ? EMPTY_LINE : lineOf(text);
  return {
    ...state,
    mode: 'note',
    noteAtNs: atNs,
    prompt: { line, problem: undefined },
    promptFor: state.mode,
    notice: undefined,
  };
}

/** Number of the leftmost column, from the start of the trace. */
function leftColumn({ frozenAtNs, intervalNs }: ViewState, { columns, nowNs }: Facts): number {
  return Math.floor((frozenAtNs ?? nowNs) / intervalNs) + 1 - columns;
}

/** After the cross-hair, or else the latest. */
function nextNote(state: ViewState, _: unknown, facts: Facts): Step {
  const { cursor, intervalNs } = state;
  const isMarked = cursor !== undefined && isOverTime(state);
  const column = isMarked ? leftColumn(state, facts) + cursor.column + 1 : undefined;
  const fromNs = column === undefined ? undefined : column * intervalNs;
  return asking(state, { type: 'findNote', fromNs });
}

function noteFound(
  state: ViewState,
  { found }: ActionOf<'noteFound'>,
  facts: Facts,
): ViewState | Step {
  if (found === undefined) return { ...state, notice: 'no notes yet: a puts one' };
  const { atNs, place, count } = found;
  const free: ViewState = { ...state, mode: 'main', cursor: undefined, anchor: undefined };
  const column = Math.floor(atNs / state.intervalNs) - leftColumn(state, facts);
  const isInSight = column >= 0 && column < facts.columns;
  const shown: ViewState = isInSight
    ? { ...free, frozenAtNs: state.frozenAtNs ?? facts.nowNs }
    : showInMiddle({ ...free, heldForCursor: false }, atNs, facts);
  const held = isInSight && (state.heldForCursor || state.frozenAtNs === undefined);
  const clock = clockText(facts.wallNowMs + (atNs - facts.nowNs) / 1e6);
  const notice = `note ${place} of ${count}, ${clock}; A: next, a: change`;
  return markColumn({ ...shown, heldForCursor: held, notice }, atNs, facts);
}
