import { safeGlyph } from '../base/sanitize.ts';
import type { EditedLine } from '../view/line-editor.ts';
import { span } from './span.ts';
import type { Line } from './span.ts';

/** A line of text that is being typed, as cells: as many of them as there is room for. */
export interface EditedCells {
  /** Exactly as wide as there is room, the cell under the cursor inverse. */
  readonly line: Line;
  /** Code points that are out of sight on the left. */
  readonly first: number;
}

const CUT = '…';
/** More of what stands before the cursor stays visible than of what stands behind it. */
const SHARE_BEFORE = 2 / 3;

export function editedCells(line: EditedLine, width: number): EditedCells {
  const cells = cellsOf(line.text);
  const cursor = cellAt(line.text, line.cursor);
  // One more for the cursor behind the last character.
  const all = cells.length + 1;
  const wanted = cursor - Math.floor(width * SHARE_BEFORE);
  const first = Math.max(0, Math.min(wanted, all - width));
  const text = withCuts(`${cells} `.slice(first, first + width).padEnd(width), {
    left: first > 0,
    right: first + width < all,
  });
  const at = cursor - first;
  const shown = [
    span(text.slice(0, at)),
    span(text.slice(at, at + 1), 'bar'),
    span(text.slice(at + 1)),
  ];
  return { line: shown.filter((one) => one.text !== ''), first };
}

/** Cells from the start of the text to that code unit. */
export function cellAt(text: string, codeUnit: number): number {
  return Array.from(text.slice(0, codeUnit)).length;
}

/** One cell per code point: composing characters here would leave the cursor beside its place. */
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
