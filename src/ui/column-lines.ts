import { sortTitle } from '../view/describe.ts';
import { chosenColumns, listedColumns } from '../view/reduce/columns.ts';
import type { DiskSort, ProcessSort, ViewState } from '../view/state.ts';
import { columnMeaning } from './column-meanings.ts';
import { diskHeading } from './disk-columns.ts';
import { FRAME_SIZE, frameLines } from './frame-lines.ts';
import { processHeading } from './process-columns.ts';
import { exactLine, lineText, span } from './span.ts';
import type { Line } from './span.ts';
import { firstVisible } from './table-lines.ts';

const FOOTER = [
  'Space: show or hide  < >: move  r: as in the beginning  Esc: done',
  'Space: show or hide  < >: move  Esc: done',
  'Space  < >  r  Esc',
];
const CURSOR_MARK = '▸';
/** The longest heading and a gap. */
const HEADING_WIDTH = 8;
/** ` [x] ` */
const ENTRY_MARKS = 5;
const LONG_POSITION_WIDTH = 60;

/** Entries that a list of `height` lines shows. */
export function visibleColumns(height: number): number {
  return Math.max(0, height - FRAME_SIZE);
}

/** The list of columns in its frame: exactly `height` lines of exactly `width` cells. */
export function columnLines(view: ViewState, width: number, height: number): Line[] {
  const listed = listedColumns(view);
  const chosen = chosenColumns(view);
  const room = visibleColumns(height);
  const top = firstVisible(0, view.columnRow, listed.length, room);
  const body: Line[] = listed.slice(top, top + room).map((id, index) => {
    const isShown = chosen.includes(id);
    const heading = headingOf(view, id).padEnd(HEADING_WIDTH);
    const line = [
      span(` [${isShown ? 'x' : ' '}] ${heading}`, isShown ? 'strong' : 'plain'),
      span(meaningOf(id, width), isShown ? 'plain' : 'dim'),
    ];
    if (top + index !== view.columnRow) return line;
    const marked = span(`${CURSOR_MARK}${lineText(line).slice(1)}`, 'selected');
    return exactLine([marked], width - FRAME_SIZE).map(({ text }) => span(text, 'selected'));
  });
  while (body.length < room) body.push([]);
  const title = [span(`Columns of the ${view.focus}`, 'strong')];
  const position = positionText({ top, room, listed: listed.length, shown: chosen.length }, width);
  return frameLines({ title, position, footer: FOOTER, body }, width).slice(0, height);
}

/** As much as there is room for. */
function meaningOf(id: ProcessSort | DiskSort, width: number): string {
  const meaning = columnMeaning(id);
  return meaning.length <= width - FRAME_SIZE - ENTRY_MARKS - HEADING_WIDTH
    ? meaning
    : sortTitle(id);
}

interface Position {
  readonly top: number;
  readonly room: number;
  readonly listed: number;
  readonly shown: number;
}

/** How many columns the table has, and which part of the list is on the screen if not all is. */
function positionText({ top, room, listed, shown }: Position, width: number): string {
  if (width < LONG_POSITION_WIDTH) return `${shown} of ${listed}`;
  const part = listed > room ? `${top + 1}-${top + room}: ` : '';
  return `${part}${shown} of ${listed} shown`;
}

function headingOf({ focus }: ViewState, id: ProcessSort | DiskSort): string {
  // One of a list of columns of either table.
  return focus === 'processes' ? processHeading(id as ProcessSort) : diskHeading(id as DiskSort);
}

/** The entry at line `y` of the list; undefined for its frame. */
export function columnRowAt(view: ViewState, height: number, y: number): number | undefined {
  const { length } = listedColumns(view);
  const room = visibleColumns(height);
  const row = firstVisible(0, view.columnRow, length, room) + y - 1;
  return y >= 1 && y <= room && row < length ? row : undefined;
}
