import { listedColumns } from '../../view/reduce/columns.ts';
import type { InFlightRow } from '../../model/in-flight.ts';
import type {
  ActionListState,
  PickState,
  PointedEntry,
  SelectedRow,
  ViewState,
} from '../../view/state.ts';
import { firstVisible, selectedIndex } from '../tables/table-lines.ts';

/** The border of a dialog takes this many cells of a line, and this many lines. */
export const FRAME_SIZE = 2;
/** The typed line takes one line above the entries. */
const QUERY_HEIGHT = 1;
const HEADINGS_HEIGHT = 1;

/** Which entries of a list are on the screen. */
export interface ListWindow {
  /** The first visible entry. */
  readonly top: number;
  /** The number of entries that fit. */
  readonly room: number;
  /** The entry under the cursor; undefined in an empty list. */
  readonly selected: number | undefined;
}

/** The window of a pick list of `height` lines, including its frame, with `length` matching entries. */
export function pickWindow(pick: PickState, length: number, height: number): ListWindow {
  return entryWindow(pick, length, height - FRAME_SIZE - QUERY_HEIGHT);
}

/** The window of the list of actions of `height` lines, including its frame, with `length` matching actions. */
export function actionWindow(list: ActionListState, length: number, height: number): ListWindow {
  return entryWindow(list, length, height - FRAME_SIZE - QUERY_HEIGHT);
}

/** The window of the list of columns of `height` lines, including its frame. */
export function columnWindow(view: ViewState, height: number): ListWindow {
  const { columnRow: row, columnLine: line } = view;
  return entryWindow({ row, line }, listedColumns(view).length, height - FRAME_SIZE);
}

/** The number of rows below the headings in a list of I/Os of `height` lines, including its frame. */
export function inFlightRoom(height: number): number {
  return Math.max(0, height - FRAME_SIZE - HEADINGS_HEIGHT);
}

/**
 * The window of the list of I/Os in flight of `height` lines, including its frame. It stays where it was when the
 * selected I/O ends: no other is marked in its place.
 */
export function inFlightWindow(
  row: SelectedRow | undefined,
  rows: readonly Pick<InFlightRow, 'id'>[],
  height: number,
): ListWindow {
  const place = rows.findIndex(({ id }) => id === row?.id);
  const selected = place < 0 ? undefined : place;
  const around = selectedIndex(selected ?? row?.place, rows.length);
  return { ...windowAround(around, rows.length, inFlightRoom(height), row?.line), selected };
}

/** The window of the list of single I/Os of `height` lines, including its frame: its end, unless a row is chosen. */
export function singlesWindow(
  { singlesBack, singlesLine }: Pick<ViewState, 'singlesBack' | 'singlesLine'>,
  length: number,
  height: number,
): ListWindow {
  const room = inFlightRoom(height);
  const selected =
    singlesBack === undefined ? undefined : selectedIndex(length - 1 - singlesBack, length);
  return { top: firstVisible(length, selected, length, room, singlesLine), room, selected };
}

/** The lines of text below the heading of a help of `height` lines. */
export function helpRoom(height: number): number {
  return Math.max(0, height - 1);
}

/** An I/O that is explained takes a line of headings, its row and an empty line. */
export const EXPLAINED_HEIGHT = 3;
/** A line says how its time adds up, and the next has the headings of the parts. */
const PARTS_HEAD = 2;

/** The number of parts that fit into a dialog of `height` lines, including its frame. */
export function explainRoom(height: number): number {
  return Math.max(0, height - FRAME_SIZE - EXPLAINED_HEIGHT - PARTS_HEAD);
}

function entryWindow(
  { row, line }: Pick<PickState, 'row' | 'line'>,
  length: number,
  lines: number,
): ListWindow {
  return windowAround(selectedIndex(row, length), length, lines, line);
}

/** The window that contains the entry under the cursor. */
export function windowAround(
  selected: number | undefined,
  length: number,
  lines: number,
  line?: number,
): ListWindow {
  const room = Math.max(0, lines);
  return { top: firstVisible(0, selected, length, room, line), room, selected };
}

/** The entry at line `y` of a pick list; undefined for its frame. */
export function pickEntryAt(
  pick: PickState,
  length: number,
  height: number,
  y: number,
): PointedEntry | undefined {
  return entryAt(pickWindow(pick, length, height), length, y - 1 - QUERY_HEIGHT);
}

/** The entry at line `y` of the list of actions; undefined for its frame. */
export function actionEntryAt(
  list: ActionListState,
  length: number,
  height: number,
  y: number,
): PointedEntry | undefined {
  return entryAt(actionWindow(list, length, height), length, y - 1 - QUERY_HEIGHT);
}

/** The entry at line `y` of the list of columns; undefined for its frame. */
export function columnEntryAt(
  view: ViewState,
  height: number,
  y: number,
): PointedEntry | undefined {
  return entryAt(columnWindow(view, height), listedColumns(view).length, y - 1);
}

function entryAt(
  { top, room }: ListWindow,
  length: number,
  line: number,
): PointedEntry | undefined {
  const row = top + line;
  return line >= 0 && line < room && row < length ? { row, line } : undefined;
}

/** The row at line `y` of a list of I/Os; undefined for its frame and its headings. */
export function ioRowAt(window: ListWindow, length: number, y: number): PointedEntry | undefined {
  return entryAt(window, length, y - 1 - HEADINGS_HEIGHT);
}

/** Whether cell `x` of an entry's line belongs to the box that marks it. */
export function isOnMark(x: number): boolean {
  return x > 1 && x <= 1 + '[x]'.length;
}
