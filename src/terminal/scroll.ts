import type { CellBlock } from '../base/cell-block.ts';
import { glyphLength } from './byte-writer.ts';
import { sequenceCost } from './cursor.ts';
import { clip, type Rect } from './grid.ts';

/** The glyph of a terminal cell with unknown contents, which is always written. */
const UNKNOWN_GLYPH = 0xffffffff;

/** A rectangle whose picture moved left by `columns`; right, if negative. */
export interface Shift {
  readonly rect: Rect;
  readonly columns: number;
}

/** Typical bytes to move to a cell, and to change one of 256 colours. */
const MOVE_COST = 5;
const COLOR_COST = 9;

/** More hints than there are pictures on a screen mean a changing layout, where shifting does not pay. */
const MAX_SHIFTS = 8;

/**
 * Movements reported since the last frame was sent. They are only hints where shifting may pay: the differ compares
 * with what the terminal really shows, so a wrong or missing hint only costs bytes.
 */
export class ShiftHints {
  private readonly list: Shift[] = [];

  add(rect: Rect, columns: number): void {
    const at = this.list.findIndex((shift) => isSameRect(shift.rect, rect));
    const before = this.list[at];
    if (before !== undefined) this.list[at] = { rect, columns: before.columns + columns };
    else if (this.list.length < MAX_SHIFTS) this.list.push({ rect, columns });
  }

  /** The total movement per rectangle, inside the screen; cleared afterwards. */
  take(screen: CellBlock): Shift[] {
    const shifts = this.list.map(({ rect, columns }) => ({ rect: clip(rect, screen), columns }));
    this.list.length = 0;
    return shifts.filter(({ rect, columns }) => columns !== 0 && Math.abs(columns) < rect.width);
  }
}

function isSameRect(a: Rect, b: Rect): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

/**
 * The first index i in [from, to) at which cell i of `back` differs from cell i + offset of `front`; `to` if there is
 * none. Most of the time of a frame is spent here, hence the local variables for the planes.
 */
export function firstDifference(
  back: CellBlock,
  front: CellBlock,
  from: number,
  to: number,
  offset: number,
): number {
  const { glyph, fg, bg, attr } = back;
  const { glyph: frontGlyph, fg: frontFg, bg: frontBg, attr: frontAttr } = front;
  for (let i = from; i < to; i++) {
    const j = i + offset;
    if (
      glyph[i] !== frontGlyph[j] ||
      bg[i] !== frontBg[j] ||
      fg[i] !== frontFg[j] ||
      attr[i] !== frontAttr[j]
    ) {
      return i;
    }
  }
  return to;
}

/** The rows of a shift for which moving the old cells takes fewer bytes than writing the new ones. */
export function rowsWorthShifting(front: CellBlock, back: CellBlock, shift: Shift): number[] {
  const { rect, columns } = shift;
  const rows: number[] = [];
  const perRow = sequenceCost(1) + sequenceCost(Math.abs(columns));
  const overhead = rect.x + rect.width < back.width ? 2 * perRow : perRow;
  for (let y = rect.y; y < rect.y + rect.height; y++) {
    const plain = rewriteCost(front, back, rect, y, 0, Infinity);
    if (plain <= overhead) continue;
    if (overhead + rewriteCost(front, back, rect, y, columns, plain - overhead) < plain)
      rows.push(y);
  }
  return rows;
}

/** Estimated bytes to change row `y`, moved left by `columns`, into the new one. */
function rewriteCost(
  front: CellBlock,
  back: CellBlock,
  rect: Rect,
  y: number,
  columns: number,
  limit: number,
): number {
  const from = y * back.width + rect.x;
  const to = from + rect.width;
  const movedFrom = from + Math.max(0, -columns);
  const movedTo = to - Math.max(0, columns);
  let cost = 0;
  let previous = -1;
  const write = (i: number): void => {
    cost += glyphLength(back.glyph[i]!) + styleCost(back, i, previous);
    if (previous !== i - 1) cost += MOVE_COST;
    previous = i;
  };
  for (let i = from; i < movedFrom; i++) write(i);
  let i = firstDifference(back, front, movedFrom, movedTo, columns);
  while (i < movedTo && cost < limit) {
    write(i);
    i = firstDifference(back, front, i + 1, movedTo, columns);
  }
  for (let i = movedTo; i < to; i++) write(i);
  return cost;
}

function styleCost(back: CellBlock, i: number, previous: number): number {
  if (previous < 0) return COLOR_COST;
  const fg = back.fg[i] === back.fg[previous] ? 0 : COLOR_COST;
  return back.bg[i] === back.bg[previous] ? fg : fg + COLOR_COST;
}

/**
 * Moves the known cells of a terminal row as the terminal moves them. The cells that enter are unknown, not blank:
 * terminals differ in their background.
 */
export function shiftRow(front: CellBlock, rect: Rect, y: number, columns: number): void {
  const from = y * front.width + rect.x;
  const to = from + rect.width;
  for (const plane of [front.glyph, front.fg, front.bg, front.attr]) {
    if (columns > 0) plane.copyWithin(from, from + columns, to);
    else plane.copyWithin(from - columns, from, to + columns);
  }
  if (columns > 0) front.glyph.fill(UNKNOWN_GLYPH, to - columns, to);
  else front.glyph.fill(UNKNOWN_GLYPH, from, from - columns);
}
