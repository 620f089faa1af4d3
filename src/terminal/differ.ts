import {
  type CellBlock,
  createCellBlock,
  DEFAULT_COLOR,
  LOWER_HALF,
  SPACE,
  UPPER_HALF,
} from '../base/cell-block.ts';
import { ByteWriter, glyphLength } from './byte-writer.ts';
import { Cursor, sequenceCost, writeCounted } from './cursor.ts';
import { Pen } from './pen.ts';
import { RowShifts } from './row-shifts.ts';
import { firstDifference, rowsWorthShifting, type Shift, shiftRow } from './scroll.ts';

/** Synchronized output: the terminal shows the frame at once. Terminals without support ignore it. */
const BEGIN_FRAME = '\x1b[?2026h';
const END_FRAME = '\x1b[?2026l';

const CLEAR_SCREEN = '\x1b[2J';
const ERASE_TO_END = '\x1b[K';
const DELETE_CHARACTERS = 'P';
const INSERT_BLANKS = '@';

/** Up to this many unchanged cells may be cheaper to rewrite than to jump over. */
const MAX_GAP = 4;

const NOTHING = new Uint8Array(0);

/**
 * Tracks what the terminal shows and encodes changes in few bytes.
 *
 * Uses only sequences that tmux, GNU screen, mosh, xterm and the Linux console all support: no SL, no left and
 * right margins, no DECIC/DECDC, no REP. Expects autowrap to be off. Erases and shifts only with the default
 * background, which is correct with and without background-color-erase, and lets tmux shift on the outer terminal
 * too.
 */
export class Differ {
  private readonly out = new ByteWriter();
  private readonly pen = new Pen(this.out);
  private readonly cursor = new Cursor(this.out);
  private front = createCellBlock(0, 0);
  private isFrontKnown = false;
  /** Shifts of rows that no frame has reached yet. */
  private readonly rowShifts = new RowShifts();
  /** Length at which a frame is cut. */
  private endAt = Infinity;
  private isFrameCut = false;

  /** The contents of the terminal are unknown: the next frame starts by clearing it. */
  forget(): void {
    this.isFrontKnown = false;
  }

  /** Whether the last frame did not contain everything. */
  get isCut(): boolean {
    return this.isFrameCut;
  }

  /** The bytes that make the terminal show `back`; empty if it already does. */
  encode(back: CellBlock, shifts: readonly Shift[]): Uint8Array {
    this.begin(Infinity);
    const empty = this.out.length;
    if (!this.isFrontKnown) this.clearScreen(back);
    else if (this.rowShifts.isEmpty) for (const shift of shifts) this.shift(back, shift);
    else this.rowShifts.add(shifts);
    for (let y = 0; y < back.height; y++) this.shiftAndWriteRow(back, y);
    return this.end(empty);
  }

  /**
   * About `maxBytes` of the bytes that make the terminal show `back`; the `first` rows come before the others. Each row
   * is shifted right before it is written, so that no more than one is between old and new.
   */
  encodePart(
    back: CellBlock,
    shifts: readonly Shift[],
    maxBytes: number,
    first: readonly number[],
  ): Uint8Array {
    this.begin(maxBytes);
    const empty = this.out.length;
    if (!this.isFrontKnown) this.clearScreen(back);
    else this.rowShifts.add(shifts);
    const all = Array.from({ length: back.height }, (_, y) => y);
    for (const y of new Set([...first, ...all])) {
      this.shiftAndWriteRow(back, y);
      if (this.isFrameCut) break;
    }
    return this.end(empty);
  }

  private begin(maxBytes: number): void {
    this.endAt = maxBytes - END_FRAME.length;
    this.isFrameCut = false;
    this.out.clear();
    this.out.ascii(BEGIN_FRAME);
    // A message to all terminals or a kernel line may have been printed between the frames.
    this.cursor.forget();
    this.pen.forget();
  }

  /** Ends the frame; `empty` is the length of a frame without contents. */
  private end(empty: number): Uint8Array {
    if (this.out.length === empty) return NOTHING;
    this.out.ascii(END_FRAME);
    return this.out.take();
  }

  private clearScreen(back: CellBlock): void {
    this.front = createCellBlock(back.width, back.height);
    this.isFrontKnown = true;
    this.rowShifts.clear();
    this.pen.set(DEFAULT_COLOR, DEFAULT_COLOR, 0);
    this.out.ascii(CLEAR_SCREEN);
  }

  /**
   * Moves the picture row by row: characters are deleted on the side to which it moves. If there is other text to
   * its right, spaces are inserted so that this text stays in place.
   */
  private shift(back: CellBlock, shift: Shift): void {
    const rows = rowsWorthShifting(this.front, back, shift);
    if (rows.length === 0) return;
    const { rect, columns } = shift;
    const count = Math.abs(columns);
    const right = rect.x + rect.width;
    const isAtEdge = right === back.width;
    this.pen.setBackground(DEFAULT_COLOR);
    if (columns > 0 || !isAtEdge) {
      this.editRows(rows, columns > 0 ? rect.x : right - count, count, DELETE_CHARACTERS);
    }
    if (columns < 0 || !isAtEdge) {
      this.editRows(rows, columns > 0 ? right - count : rect.x, count, INSERT_BLANKS);
    }
    for (const y of rows) shiftRow(this.front, rect, y, columns);
  }

  private editRows(rows: readonly number[], x: number, count: number, final: string): void {
    for (const y of rows) {
      this.cursor.moveTo(x, y);
      writeCounted(this.out, count, final);
    }
  }

  private shiftAndWriteRow(back: CellBlock, y: number): void {
    if (this.cutsHere()) return;
    if (!this.rowShifts.isEmpty)
      for (const shift of this.rowShifts.take(y)) this.shift(back, shift);
    this.writeRow(back, y);
  }

  private cutsHere(): boolean {
    if (this.out.length >= this.endAt) this.isFrameCut = true;
    return this.isFrameCut;
  }

  private writeRow(back: CellBlock, y: number): void {
    const { width } = back;
    const row = y * width;
    const end = row + width;
    let blankFrom = -1;
    let i = firstDifference(back, this.front, row, end, 0);
    while (i < end) {
      if (this.cutsHere()) return;
      if (isBlank(back, i)) {
        if (blankFrom < 0) blankFrom = startOfTrailingBlanks(back, row);
        if (i >= blankFrom && this.eraseRest(back, i, end, y)) return;
      }
      this.reach(back, i - row, y);
      this.writeCell(back, i);
      this.copyToFront(back, i);
      if (i < end - 1 && isWidthCertain(back.glyph[i]!)) this.cursor.advance();
      else this.cursor.forget();
      i = firstDifference(back, this.front, i + 1, end, 0);
    }
  }

  /** Erases the row from index `from` to its `end`, if that is shorter than writing spaces. */
  private eraseRest(back: CellBlock, from: number, end: number, y: number): boolean {
    if (this.countDifferences(back, from, end) <= ERASE_TO_END.length) return false;
    this.cursor.moveTo(from - y * back.width, y);
    this.pen.setBackground(DEFAULT_COLOR);
    this.out.ascii(ERASE_TO_END);
    for (let i = from; i < end; i++) this.copyToFront(back, i);
    return true;
  }

  private countDifferences(back: CellBlock, from: number, end: number): number {
    let count = 0;
    let i = firstDifference(back, this.front, from, end, 0);
    while (i < end) {
      count++;
      i = firstDifference(back, this.front, i + 1, end, 0);
    }
    return count;
  }

  /** Moves the cursor to (x, y); a small gap is crossed by rewriting its cells. */
  private reach(back: CellBlock, x: number, y: number): void {
    const gap = this.cursor.gapTo(x, y) ?? 0;
    const i = y * back.width + x;
    if (gap > 0 && gap <= MAX_GAP && this.isGapCheap(back, i - gap, i)) {
      for (let j = i - gap; j < i; j++) {
        this.out.glyph(back.glyph[j]!);
        this.cursor.advance();
      }
    } else {
      this.cursor.moveTo(x, y);
    }
  }

  private isGapCheap(back: CellBlock, from: number, to: number): boolean {
    let cost = 0;
    for (let i = from; i < to; i++) {
      const glyph = back.glyph[i]!;
      if (!isWidthCertain(glyph) || !this.isPenRight(back, i)) return false;
      cost += glyphLength(glyph);
    }
    return cost <= sequenceCost(to - from);
  }

  private isPenRight(back: CellBlock, i: number): boolean {
    const bg = back.bg[i]!;
    const attr = back.attr[i]!;
    if (back.glyph[i] === SPACE && attr === 0) return this.pen.isBackground(bg);
    return this.pen.is(back.fg[i]!, bg, attr);
  }

  private writeCell(back: CellBlock, i: number): void {
    const glyph = back.glyph[i]!;
    const fg = back.fg[i]!;
    const bg = back.bg[i]!;
    const attr = back.attr[i]!;
    if (glyph === SPACE && attr === 0) {
      this.pen.setBackground(bg);
    } else if (glyph === UPPER_HALF && attr === 0 && this.isFlipShorter(fg, bg)) {
      this.pen.set(bg, fg, 0);
      this.out.glyph(LOWER_HALF);
      return;
    } else {
      this.pen.set(fg, bg, attr);
    }
    this.out.glyph(glyph);
  }

  /** A half block looks the same with halves and colours swapped, unless one is a default colour. */
  private isFlipShorter(fg: number, bg: number): boolean {
    if (fg === DEFAULT_COLOR || bg === DEFAULT_COLOR) return false;
    return this.pen.colorChanges(bg, fg) < this.pen.colorChanges(fg, bg);
  }

  private copyToFront(back: CellBlock, i: number): void {
    this.front.glyph[i] = back.glyph[i]!;
    this.front.fg[i] = back.fg[i]!;
    this.front.bg[i] = back.bg[i]!;
    this.front.attr[i] = back.attr[i]!;
  }
}

function isBlank(block: CellBlock, i: number): boolean {
  return block.glyph[i] === SPACE && block.bg[i] === DEFAULT_COLOR && block.attr[i] === 0;
}

/** The index of the first trailing blank of the row that starts at index `row`. */
function startOfTrailingBlanks(block: CellBlock, row: number): number {
  let i = row + block.width;
  while (i > row && isBlank(block, i - 1)) i--;
  return i;
}

/**
 * Some terminals, configured for East Asia, draw arrows, accented letters and others in two columns: after these,
 * the cursor position is uncertain. Boxes and blocks are the picture itself; a terminal that draws them wide cannot
 * show it at all.
 */
function isWidthCertain(glyph: number): boolean {
  return glyph < 0x7f || (glyph >= 0x2500 && glyph <= 0x259f) || (glyph & 0xff00) === 0x2800;
}
