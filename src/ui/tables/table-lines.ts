import { fitColumns, GUTTER, leadsSort } from '../text/fit-columns.ts';
import type { Column, FittedColumn, FittedColumns } from '../text/fit-columns.ts';
import { fitSegments } from '../text/fit-segments.ts';
import type { Segment } from '../text/fit-segments.ts';
import { exactLine, lineText, span, truncate } from '../text/span.ts';
import type { Line, Span } from '../text/span.ts';
import type { Role } from '../text/theme.ts';

export interface TableContent<Row, Sort extends string> {
  readonly columns: readonly Column<Row, Sort>[];
  /** In the order to show. */
  readonly rows: readonly Row[];
  readonly sort: Sort;
  readonly isAscending: boolean;
  readonly isFocused: boolean;
  /** First visible row while none is selected; default: the first. */
  readonly top?: number;
  /** The row under the cursor, in the order shown. */
  readonly selected?: number | undefined;
  /** See `SelectedRow`. */
  readonly line?: number | undefined;
  /** Text in place of the rows when there are none. */
  readonly emptyText: string;
  /** At the end of the heading if there is room; ever shorter forms. */
  readonly hints: readonly string[];
  /** Whether the heading states which rows are shown; default true. */
  readonly saysPosition?: boolean;
  /** Text to highlight in the searchable columns. */
  readonly findText?: string;
  /** Sums up the rows that do not fit; without it, they are not mentioned. */
  readonly moreText?: (rows: readonly Row[]) => string;
  /** How to see them all, where that helps. */
  readonly moreHint?: (rows: readonly Row[]) => string | undefined;
  readonly hasErrors: (row: Row) => boolean;
  readonly isFaint: (row: Row) => boolean;
}

/** Marks the heading of the focused table, and its selected row. */
export const FOCUS_MARK = '▸';
export const ERROR_MARK = '!';
const DESCENDING_MARK = '▾';
const ASCENDING_MARK = '▴';
const HINT_GAP = 2;

/** Rows needed before one line is spent on those that do not fit. */
const LEAST_ROOM_FOR_MORE = 4;

/** Rows of `length` that a table of `height` lines shows below its heading. */
export function visibleRows(height: number, length: number, hasMore: boolean): number {
  const room = Math.max(0, height - 1);
  return hasMore && length > room && room >= LEAST_ROOM_FOR_MORE ? room - 1 : room;
}

/** The first row on the screen, and how many rows are shown. */
export function tableWindow<Row, Sort extends string>(
  { rows, top = 0, selected, line, moreText }: TableContent<Row, Sort>,
  height: number,
): { readonly top: number; readonly shown: number } {
  const room = visibleRows(height, rows.length, moreText !== undefined);
  const at = selectedIndex(selected, rows.length);
  const first = firstVisible(top, at, rows.length, room, line);
  return { top: first, shown: Math.max(0, Math.min(rows.length - first, room)) };
}

/** A heading and as many rows as fit: exactly `height` lines of exactly `width` cells. */
export function tableLines<Row, Sort extends string>(
  content: TableContent<Row, Sort>,
  width: number,
  height: number,
): Line[] {
  const columns = fitColumns(content.columns, width, content.sort);
  const selected = selectedIndex(content.selected, content.rows.length);
  const { top, shown } = tableWindow(content, height);
  const rows = content.rows.slice(top, top + shown);
  const lines = [
    headingLine(content, columns, width, { top, shown }),
    ...rows.map((row, index) => {
      const line = rowLine(content, columns, row);
      return top + index === selected ? selectedLine(line, content.isFocused, width) : line;
    }),
  ];
  if (rows.length === 0) lines.push([span(truncate(` ${content.emptyText}`, width), 'dim')]);
  else if (lines.length < height) lines.push(moreLine(content, top, shown, width));
  while (lines.length < height) lines.push([]);
  return lines.slice(0, height).map((line) => exactLine(line, width));
}

function moreLine<Row, Sort extends string>(
  { rows, moreText, moreHint }: TableContent<Row, Sort>,
  top: number,
  shown: number,
  width: number,
): Line {
  const below = rows.slice(top + shown);
  const hidden = [...rows.slice(0, top), ...below];
  if (hidden.length === 0 || moreText === undefined) return [];
  // The first rows matter most: a table that hides them shows that it does.
  const after = below.length > 0 ? `, ${below.length} below` : '';
  const count = ` ... ${top > 0 ? `${top} above${after}` : `${hidden.length} more`}`;
  const summed = `${count}: ${moreText(hidden)}`;
  const hint = moreHint?.(hidden);
  const forms = [...(hint === undefined ? [] : [`${summed}  ${hint}`]), summed, count];
  return fitSegments([{ forms, priority: 1, role: 'dim' }], width);
}

/** The sort order of the column at cell `x` of the heading; undefined between the columns. */
export function headingSort<Row, Sort extends string>(
  content: TableContent<Row, Sort>,
  width: number,
  x: number,
): Sort | undefined {
  const { fitted, gap } = fitColumns(content.columns, width, content.sort);
  let end = GUTTER;
  for (const one of fitted) {
    end += one.width;
    if (x < end) return one.column.sorts?.[0];
    end += gap;
  }
  return undefined;
}

/** The selected row, within `length`: rows come and go while the row number stays. */
export function selectedIndex(selected: number | undefined, length: number): number | undefined {
  return selected === undefined || length === 0 ? undefined : Math.min(selected, length - 1);
}

/**
 * Keeps the selected row in the middle, so that the rows on both sides of it are visible; a clicked one stays in its
 * line, where a second click finds it.
 */
export function firstVisible(
  top: number,
  selected: number | undefined,
  length: number,
  room: number,
  line?: number,
): number {
  const wanted =
    selected === undefined
      ? top
      : selected - Math.min(line ?? Math.floor((room - 1) / 2), room - 1);
  return Math.max(0, Math.min(wanted, length - room));
}

/** One colour over the whole width; without the focus only the mark remains. */
function selectedLine([gutter, ...cells]: Line, isFocused: boolean, width: number): Line {
  const mark = gutter?.text === ERROR_MARK ? gutter : span(FOCUS_MARK, 'selected');
  if (!isFocused) return [span(mark.text, gutter?.role), ...cells];
  return exactLine([mark, ...cells], width).map(({ text, role }) =>
    span(text, role === 'alarm' ? 'alarm' : 'selected'),
  );
}

function headingLine<Row, Sort extends string>(
  content: TableContent<Row, Sort>,
  columns: FittedColumns<Row, Sort>,
  width: number,
  window: { readonly top: number; readonly shown: number },
): Line {
  const role: Role = content.isFocused ? 'bar' : 'strong';
  const titles = columns.fitted.map((one) => align(one, titleText(content, one.column)));
  const gutter = content.isFocused ? FOCUS_MARK : ' ';
  const heading = (gutter + titles.join(' '.repeat(columns.gap))).trimEnd();
  const room = Math.max(0, width - heading.length - HINT_GAP);
  const end = lineText(fitSegments(endSegments(content, window), room));
  return [span((heading + end.padStart(width - heading.length)).slice(0, width), role)];
}

function titleText<Row, Sort extends string>(
  { sort, isAscending }: TableContent<Row, Sort>,
  column: Column<Row, Sort>,
): string {
  if (!leadsSort(column, sort)) return column.title;
  const mark = isAscending ? ASCENDING_MARK : DESCENDING_MARK;
  return column.align === 'right' ? `${mark}${column.title}` : `${column.title}${mark}`;
}

/** Which rows are shown, and the hints. */
function endSegments<Row, Sort extends string>(
  { rows, hints, saysPosition = true }: TableContent<Row, Sort>,
  { top, shown }: { readonly top: number; readonly shown: number },
): Segment[] {
  const position = `${top + 1}-${top + shown} of ${rows.length}`;
  const isPart = shown > 0 && shown < rows.length;
  const scrolled: Segment[] =
    saysPosition && isPart ? [{ forms: [position], priority: 1, align: 'right' }] : [];
  return [{ forms: hints, priority: 2, align: 'right' }, ...scrolled];
}

function rowLine<Row, Sort extends string>(
  content: TableContent<Row, Sort>,
  { fitted, gap }: FittedColumns<Row, Sort>,
  row: Row,
): Line {
  const gutter = content.hasErrors(row) ? span(ERROR_MARK, 'alarm') : span(' '.repeat(GUTTER));
  const plain: Role = content.isFaint(row) ? 'dim' : 'plain';
  const line: Span[] = [gutter];
  for (const one of fitted) {
    if (one !== fitted[0]) line.push(span(' '.repeat(gap)));
    const text = align(one, one.column.cell(row, one.width));
    const role = one.column.role?.(row) ?? plain;
    line.push(
      ...(one.column.isFindable === true
        ? marked(text, role, content.findText)
        : [span(text, role)]),
    );
  }
  return line;
}

/** Words are cut to the column; a figure that is too wide is left out. */
function align<Row, Sort extends string>(
  { column, width }: FittedColumn<Row, Sort>,
  text: string,
): string {
  if (column.align === 'left') return truncate(text, width).padEnd(width);
  return (text.length > width ? '…' : text).padStart(width);
}

/** The part that matches the search is highlighted. */
function marked(text: string, role: Role, wanted = ''): Line {
  const part = wanted.trim().toLowerCase();
  const at = part === '' ? -1 : text.toLowerCase().indexOf(part);
  if (at < 0) return [span(text, role)];
  const end = at + part.length;
  return [
    span(text.slice(0, at), role),
    span(text.slice(at, end), 'badge'),
    span(text.slice(end), role),
  ];
}
