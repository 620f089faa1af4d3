import { MAX_NOTE_TEXT } from '../../model/notes.ts';

/** The text of a note as one line without control characters. */
export function noteText(text: string): string {
  const oneLine = text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return oneLine.slice(0, MAX_NOTE_TEXT);
}
