import { fitColumns, GUTTER, leadsSort } from './fit-columns.ts';
import type { Column, FittedColumn, FittedColumns } from './fit-columns.ts';
import { fitSegments } from './fit-segments.ts';
import type { Segment } from './fit-segments.ts';
import { exactLine, lineText, span, truncate } from './span.ts';
import type { Line, Span } from './span.ts';
import type { Role } from './theme.ts';

export interface TableContent<Row, Sort extends string> {
  readonly columns: readonly Column<Row, Sort>[];
  /** In the order to show. */
  readonly rows: readonly Row[];
  readonly sort: Sort;
  readonly isAscending: boolean;
  readonly isFocused: boolean;
  /** First visible row while none is selected; the first unless told. */
  readonly top?: number;
  /** The row under the cursor, in the order shown. */
  readonly selected?: number | undefined;
  /** Said in place of the rows when there are none. */
  readonly emptyText: string;
  /** Said at the end of the heading if there is room; the same thing ever shorter. */
  readonly hints: readonly string[];
  /** Whether the heading says which rows these are; it does unless told. */
  readonly saysPosition?: boolean;
  readonly hasErrors: (row: Row) => boolean;
  readonly isFaint: (row: Row) => boolean;
}

/** On the heading of the table that has the focus, and on its selected row. */
const FOCUS_MARK = '▸';
export const ERROR_MARK = '!';
const DESCENDING_MARK = '▾';
const ASCENDING_MARK = '▴';
const HINT_GAP = 2;

/** Rows that a table of `height` lines shows below its heading. */
export function visibleRows(height: number): number {
  return Math.max(0, height - 1);
}

/** A heading and as many rows as fit: exactly `height` lines of exactly `width` cells. */
export function tableLines<Row, Sort extends string>(
  content: TableContent<Row, Sort>,
  width: number,
  height: number,
): Line[] {
  const columns = fitColumns(content.columns, width, content.sort);
  const room = visibleRows(height);
  const selected = selectedIndex(content.selected, content.rows.length);
  const top = firstVisible(content.top ?? 0, selected, content.rows.length, room);
  const rows = content.rows.slice(top, top + room);
  const lines = [
    headingLine(content, columns, width, { top, shown: rows.length }),
    ...rows.map((row, index) => {
      const line = rowLine(content, columns, row);
      return top + index === selected ? selectedLine(line, content.isFocused, width) : line;
    }),
  ];
  if (rows.length === 0) lines.push([span(truncate(` ${content.emptyText}`, width), 'dim')]);
  while (lines.length < height) lines.push([]);
  return lines.slice(0, height).map((line) => exactLine(line, width));
}

/** The row that is selected among `length`: rows come and go while the number of the row stays. */
export function selectedIndex(selected: number | undefined, length: number): number | undefined {
  return selected === undefined || length === 0 ? undefined : Math.min(selected, length - 1);
}

/** Keeps the selected row in the middle, so that the rows on both sides of it are visible. */
export function firstVisible(
  top: number,
  selected: number | undefined,
  length: number,
  room: number,
): number {
  const wanted = selected === undefined ? top : selected - Math.floor((room - 1) / 2);
  return Math.max(0, Math.min(wanted, length - room));
}

/** In one colour over its whole width; where the focus is elsewhere only its mark remains. */
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
  const heading = gutter + titles.join(' '.repeat(columns.gap));
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

/** Which rows these are, and what the table says of itself. */
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
    line.push(span(text, one.column.role?.(row) ?? plain));
  }
  return line;
}

/** Words are cut to the column; a figure too wide for it is left out rather than cut. */
function align<Row, Sort extends string>(
  { column, width }: FittedColumn<Row, Sort>,
  text: string,
): string {
  if (column.align === 'left') return truncate(text, width).padEnd(width);
  return (text.length > width ? '…' : text).padStart(width);
}
