import { listedColumns } from '../../view/reduce/columns.ts';
import type { ActionListState, PickState, ViewState } from '../../view/state.ts';
import { firstVisible, selectedIndex } from '../tables/table-lines.ts';

/** Cells and lines that the border of a dialog takes. */
export const FRAME_SIZE = 2;
/** The typed line is above the entries. */
const QUERY_HEIGHT = 1;

/** Which entries of a list are on the screen. */
export interface ListWindow {
  /** The first of them. */
  readonly top: number;
  /** How many fit. */
  readonly room: number;
  /** The one under the cursor; undefined in an empty list. */
  readonly selected: number | undefined;
}

/** The window of a pick list of `height` lines, including its frame, with `length` matching entries. */
export function pickWindow(pick: PickState, length: number, height: number): ListWindow {
  return windowAround(selectedIndex(pick.row, length), length, height - FRAME_SIZE - QUERY_HEIGHT);
}

/** The window of the list of actions of `height` lines, including its frame, with `length` matching actions. */
export function actionWindow(list: ActionListState, length: number, height: number): ListWindow {
  return windowAround(selectedIndex(list.row, length), length, height - FRAME_SIZE - QUERY_HEIGHT);
}

/** The window of the list of columns of `height` lines, including its frame. */
export function columnWindow(view: ViewState, height: number): ListWindow {
  return windowAround(view.columnRow, listedColumns(view).length, height - FRAME_SIZE);
}

/** Rows in the list of I/Os in flight of `height` lines, below its headings. */
export function inFlightRoom(height: number): number {
  return Math.max(0, height - FRAME_SIZE - 1);
}

/** The headings and the row of an I/O that is explained, and an empty line. */
export const EXPLAINED_HEIGHT = 3;
/** How its time adds up, and the headings of the parts. */
const PARTS_HEAD = 2;

/** Rows of what an I/O waited for in a dialog of `height` lines, including its frame. */
export function explainRoom(height: number): number {
  return Math.max(0, height - FRAME_SIZE - EXPLAINED_HEIGHT - PARTS_HEAD);
}

/** Around the entry under the cursor. */
export function windowAround(
  selected: number | undefined,
  length: number,
  lines: number,
): ListWindow {
  const room = Math.max(0, lines);
  return { top: firstVisible(0, selected, length, room), room, selected };
}

/** The entry at line `y` of a pick list. */
export function pickRowAt(
  pick: PickState,
  length: number,
  height: number,
  y: number,
): number | undefined {
  return rowAt(pickWindow(pick, length, height), length, y - 1 - QUERY_HEIGHT);
}

/** The entry at line `y` of the list of columns; undefined for its frame. */
export function columnRowAt(view: ViewState, height: number, y: number): number | undefined {
  return rowAt(columnWindow(view, height), listedColumns(view).length, y - 1);
}

function rowAt({ top, room }: ListWindow, length: number, line: number): number | undefined {
  return line >= 0 && line < room && top + line < length ? top + line : undefined;
}

/** Whether cell `x` of an entry's line belongs to the box that marks it. */
export function isOnMark(x: number): boolean {
  return x > 1 && x <= 1 + '[x]'.length;
}
