import { noteText } from '../app/notes/note-text.ts';
import { usageError } from '../app/options/usage-error.ts';
import type { Result } from '../base/result.ts';
import { err, ok } from '../base/result.ts';
import { MAX_NOTE_TEXT } from '../model/notes.ts';

/** The words of `ioheat note` as one line. */
export function checkNote(words: readonly string[]): Result<string> {
  const text = words.join(' ');
  const isWhole = text.length <= MAX_NOTE_TEXT && noteText(text) !== '';
  if (isWhole) return ok(noteText(text));
  const why = text.length > MAX_NOTE_TEXT ? `it has ${text.length} characters` : 'it is empty';
  return err(usageError('TEXT', why, `write 1 to ${MAX_NOTE_TEXT} characters`));
}
