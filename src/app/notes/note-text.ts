import { MAX_NOTE_TEXT } from '../../model/notes.ts';

/** One line of text, without control characters. */
export function noteText(text: string): string {
  const oneLine = text.replaceAll(/[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return oneLine.slice(0, MAX_NOTE_TEXT);
}
