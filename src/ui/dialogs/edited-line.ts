import { safeGlyph } from '../../base/sanitize.ts';
import type { EditedLine } from '../../view/line-editor.ts';

/** The visible part of a line that is being typed, one cell per character. */
export interface EditedCells {
  readonly before: string;
  /** The cell under the cursor; blank after the end. */
  readonly under: string;
  readonly after: string;
  /** Code points hidden on the left. */
  readonly first: number;
}

const CUT = '…';
/** More stays visible before the cursor than after it. */
const SHARE_BEFORE = 2 / 3;

export function editedCells(line: EditedLine, width: number): EditedCells {
  const cells = cellsOf(line.text);
  const cursor = cellAt(line.text, line.cursor);
  // One more for the cursor after the last character.
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

/** Cells from the start of the text to that code unit. */
export function cellAt(text: string, codeUnit: number): number {
  return Array.from(text.slice(0, codeUnit)).length;
}

/** One cell per code point: composed characters would shift the cursor. */
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
