import { safeGlyph } from '../../base/sanitize.ts';
import type { EditedLine } from '../../view/line-editor.ts';

/** The visible part of a line that is being typed, one cell per character. */
export interface EditedCells {
  readonly before: string;
  /** The cell under the cursor, which is blank at the end of the line. */
  readonly under: string;
  readonly after: string;
  /** The number of code points that are hidden on the left. */
  readonly first: number;
}

const CUT = '…';
/** The cursor is that far to the right, because people look at what they have just typed. */
const SHARE_BEFORE = 2 / 3;

export function editedCells(line: EditedLine, width: number): EditedCells {
  const cells = cellsOf(line.text);
  const cursor = cellAt(line.text, line.cursor);
  // The cursor may be after the last character, which takes one more cell.
  const all = cells.length + 1;
  const wanted = cursor - Math.floor(width * SHARE_BEFORE);
  const first = Math.max(0, Math.min(wanted, all - width));
  const text = withCuts(`${cells} `.slice(first, first + width), {
    left: first > 0,
    right: first + width < all,
  });
  const at = cursor - first;
  return {
    before: text.slice(0, at),
    under: text.slice(at, at + 1),
    after: text.slice(at + 1),
    first,
  };
}

/** The number of cells from the start of the text to this code unit. */
export function cellAt(text: string, codeUnit: number): number {
  return Array.from(text.slice(0, codeUnit)).length;
}

/** Every code point gets one cell, because composed characters would shift the cursor. */
function cellsOf(text: string): string {
  return Array.from(text, (character) =>
    String.fromCharCode(safeGlyph(character.codePointAt(0)!)),
  ).join('');
}

function withCuts(
  text: string,
  { left, right }: { readonly left: boolean; readonly right: boolean },
): string {
  if (text.length < 3) return text;
  const start = left ? CUT : text.slice(0, 1);
  const end = right ? CUT : text.slice(-1);
  return start + text.slice(1, -1) + end;
}
