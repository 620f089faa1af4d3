import { Attribute, DEFAULT_COLOR, SPACE } from '../base/cell-block.ts';
import type { CellBlock } from '../base/cell-block.ts';
import { sanitizeText } from '../base/sanitize.ts';
import type { Note } from '../model/notes.ts';
import type { PaneStyle } from './pane-style.ts';
import { putText, toAscii } from './put-text.ts';

/** A column of a picture with a note, and its text. */
export interface NotedColumn {
  readonly column: number;
  /** Sanitised. */
  readonly text: string;
}

/** The position of the map in a drawn picture, and its row of times. */
export interface NotePlace {
  readonly x: number;
  readonly width: number;
  readonly timeRow: number;
}

/** The columns that have notes, from left to right; several notes in one column are joined. */
export function notedColumns(
  notes: readonly Note[],
  startNs: number,
  columnNs: number,
): readonly NotedColumn[] {
  const texts = new Map<number, string[]>();
  for (const { atNs, text } of notes) {
    const column = Math.floor((atNs - startNs) / columnNs);
    texts.set(column, [...(texts.get(column) ?? []), sanitizeText(text)]);
  }
  return [...texts].map(([column, all]) => ({ column, text: all.join('; ') }));
}

const LINE = '╎';
const MARK = '◆';
/** The characters of a time or a date and its mark, which may be in ASCII. */
const TIME = `0123456789:-┘${toAscii('┘')}`;
/** No palette has this hue, so it cannot be taken for I/O, on black or white. */
const NOTE_COLOR = 134;
/** Shorter parts of a text are left out, because they say too little. */
const LEAST_TEXT = 4;

type Style = Pick<PaneStyle, 'unicode' | 'color'>;

/**
 * Draws a line through the empty cells of each noted column, and a mark in the row of times with as much of the text as
 * the times leave room for. Where the cursor is, the whole text is shown.
 */
export function drawNotes(
  block: CellBlock,
  place: NotePlace,
  noted: readonly NotedColumn[],
  cursor: number | undefined,
  style: Style,
): void {
  if (noted.length === 0) return;
  const row = new TimeRow(block, place, style);
  for (const { column } of noted) drawLine(block, place, column, style);
  for (const { column } of noted) row.put(column, MARK);
  for (const { column, text } of noted) if (column !== cursor) row.putBetween(column, text);
  const here = noted.find(({ column }) => column === cursor);
  if (here !== undefined) row.putWhole(here.column, here.text);
}

/** I/O, labels and marks are not overwritten. */
function drawLine(
  block: CellBlock,
  { x, timeRow }: NotePlace,
  column: number,
  { color, unicode }: Style,
): void {
  const ink = color ? { fg: NOTE_COLOR } : { attr: Attribute.dim };
  const glyph = unicode ? LINE : toAscii(LINE);
  for (let y = 0; y < timeRow; y++)
    if (isBlank(block, x + column, y)) putText(block, x + column, y, glyph, ink);
}

function isBlank({ width, glyph, bg }: CellBlock, x: number, y: number): boolean {
  const index = y * width + x;
  return glyph[index] === SPACE && bg[index] === DEFAULT_COLOR;
}

/** The times below the map, with the notes among them. Places are columns of the map. */
class TimeRow {
  /** The first column of the time of the right edge, which stays. */
  private readonly end: number;

  constructor(
    private readonly block: CellBlock,
    private readonly place: NotePlace,
    private readonly style: Style,
  ) {
    this.end = place.width;
    while (this.end > 0 && !this.isFree(this.end - 1)) this.end--;
  }

  /** A time that is partly covered is removed: the rest of it would be another time. */
  put(column: number, text: string): void {
    if (column + text.length > this.end) return;
    let [from, to] = [column, column + text.length];
    if (this.isTime(from)) while (from > 0 && this.isTime(from - 1)) from--;
    if (this.isTime(to - 1)) while (to < this.end && this.isTime(to)) to++;
    this.write(from, ' '.repeat(to - from));
    this.write(column, text);
  }

  /** Writes as much of the text as fits before the next time or mark, with a gap on both sides. */
  putBetween(column: number, text: string): void {
    const first = column + 2;
    let next = column + 1;
    while (next < this.end && this.isFree(next)) next++;
    const room = next - 1 - first;
    if (room < Math.min(LEAST_TEXT, text.length)) return;
    this.write(first, shortened(text, room));
  }

  /** Writes the whole text over the times, on the side of the mark with more room. */
  putWhole(column: number, text: string): void {
    const right = this.end - column - 1;
    const isRight = text.length + 2 <= right || right >= column;
    const room = Math.max(0, isRight ? right : column) - 2;
    if (room < 1) return;
    const shown = ` ${shortened(text, room)} `;
    this.put(isRight ? column + 1 : column - shown.length, shown);
  }

  private isTime(column: number): boolean {
    const { block, place } = this;
    const glyph = block.glyph[place.timeRow * block.width + place.x + column]!;
    return TIME.includes(String.fromCodePoint(glyph));
  }

  private isFree(column: number): boolean {
    return isBlank(this.block, this.place.x + column, this.place.timeRow);
  }

  private write(column: number, text: string): void {
    const { block, place, style } = this;
    const shown = style.unicode ? text : toAscii(text);
    const ink = { ...(style.color && { fg: NOTE_COLOR }), attr: Attribute.bold };
    putText(block, place.x + column, place.timeRow, shown, ink);
  }
}

function shortened(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
