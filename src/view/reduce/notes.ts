import { clockText } from '../../base/clock-text.ts';
import type { ActionOf } from '../action.ts';
import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';
import { heldAt } from './held.ts';
import { openPrompt } from './open-prompt.ts';
import { asking } from './step.ts';
import type { Handlers, Step } from './step.ts';
import { isOverTime, leftColumn, markColumn, showInMiddle } from './time.ts';

/** Adds and changes notes, and goes from one note to the next. */
export const NOTE_HANDLERS: Handlers<'openNote' | 'noteRead' | 'nextNote' | 'noteFound'> = {
  openNote,
  noteRead: (state, { atNs, text }) => openNotePrompt(state, atNs, text),
  nextNote,
  noteFound,
};

/**
 * Without a cross-hair, a new note at the right edge of the picture. With one, the note in its column, to be changed,
 * or a new note there.
 */
function openNote(state: ViewState, _: unknown, facts: Facts): ViewState | Step {
  const { cursor, frozenAtNs, intervalNs, foundNoteNs } = state;
  if (cursor === undefined || !isOverTime(state))
    return openNotePrompt(state, Math.floor(Math.min(frozenAtNs ?? facts.nowNs, facts.nowNs)));
  const fromNs = (leftColumn(state, facts) + cursor.column) * intervalNs;
  return asking(state, { type: 'readNote', fromNs, untilNs: fromNs + intervalNs, foundNoteNs });
}

function openNotePrompt(state: ViewState, noteAtNs: number, text = ''): ViewState {
  return { ...openPrompt(state, 'note', text), noteAtNs };
}

/** The note after the one that the cross-hair is at, or to its right; without a cross-hair, the latest note. */
function nextNote(state: ViewState, _: unknown, facts: Facts): Step {
  const { cursor, intervalNs, foundNoteNs } = state;
  if (cursor === undefined || !isOverTime(state))
    return asking(state, { type: 'findNote', fromNs: undefined });
  const column = leftColumn(state, facts) + cursor.column;
  const isHere = foundNoteNs !== undefined && Math.floor(foundNoteNs / intervalNs) === column;
  const fromNs = isHere ? foundNoteNs + 1 : (column + 1) * intervalNs;
  return asking(state, { type: 'findNote', fromNs });
}

function noteFound(
  state: ViewState,
  { found }: ActionOf<'noteFound'>,
  facts: Facts,
): ViewState | Step {
  if (found === undefined) return { ...state, notice: 'no notes yet; a adds one' };
  const { atNs, place, count } = found;
  // A map of two values has no place for the cross-hair at a time, nor for what the next key starts from.
  const layout = isOverTime(state) ? state.layout : 'single';
  const free: ViewState = { ...state, layout, mode: 'main', cursor: undefined, anchor: undefined };
  const column = Math.floor(atNs / state.intervalNs) - leftColumn(state, facts);
  const isInSight = column >= 0 && column < facts.columns;
  const shown: ViewState = isInSight
    ? heldAt(free, facts.nowNs)
    : { ...showInMiddle(free, atNs, facts), heldForCursor: false };
  const clock = clockText(facts.wallNowMs + (atNs - facts.nowNs) / 1e6);
  const notice = `note ${place} of ${count}, ${clock}; A: next, a: change`;
  const reached: ViewState = { ...shown, notice, foundNoteNs: atNs };
  return markColumn(reached, atNs, facts);
}
