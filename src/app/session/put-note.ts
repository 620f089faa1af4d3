import { clockText } from '../../base/clock-text.ts';
import { wallMs } from '../../base/time.ts';
import type { ClockBase } from '../../base/time.ts';
import { MAX_NOTE_TEXT, MAX_NOTES } from '../../model/notes.ts';
import type { NoteBook } from '../../model/notes.ts';
import type { ProgramAction } from '../../view/action.ts';
import type { ViewState } from '../../view/state.ts';

/** Keeps the note of the prompt; an empty text removes the note at its time. */
export function putNote(
  notes: NoteBook,
  { prompt, noteAtNs }: Pick<ViewState, 'prompt' | 'noteAtNs'>,
  clockBase: ClockBase,
): ProgramAction | undefined {
  if (prompt === undefined || noteAtNs === undefined) return undefined;
  const text = prompt.line.text.trim();
  if (text.length > MAX_NOTE_TEXT)
    return { type: 'promptFailed', message: `a note has at most ${MAX_NOTE_TEXT} characters` };
  const before = notes.within(noteAtNs, noteAtNs + 1)[0]?.text ?? '';
  if (text === before) return { type: 'promptDone', notice: text === '' ? 'no note' : 'unchanged' };
  if (!notes.put(noteAtNs, text))
    return { type: 'promptFailed', message: `there are ${MAX_NOTES} notes, the limit` };
  const done = text === '' ? 'removed' : before === '' ? 'kept; A goes to it' : 'changed';
  const clock = clockText(wallMs(clockBase, noteAtNs));
  return { type: 'promptDone', notice: `note at ${clock} ${done}` };
}
