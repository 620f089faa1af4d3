import { Box } from 'ink';
import type { ReactElement } from 'react';
import { fitColumns, GUTTER, leadsSort } from '../text/fit-columns.ts';
import type { Column } from '../text/fit-columns.ts';
import { ERROR_MARK, firstVisible, FOCUS_MARK } from '../tables/table-lines.ts';
import { Styled } from './styled.tsx';

const POSITION_GAP = 2;

export interface IoTableProps<Row, Sort extends string> {
  /** The title is above the headings, with the range of rows shown. Without a title, the headings show the range. */
  readonly title: string | undefined;
  readonly columns: readonly Column<Row, Sort>[];
  /** The rows in the order in which they are shown. */
  readonly rows: readonly Row[];
  readonly sort: Sort;
  /** First visible row. */
  readonly top: number;
  /** The row under the cursor. */
  readonly selected?: number | undefined;
  /** Shown in place of the rows when there are none. */
  readonly emptyText: string;
  readonly hasErrors: (row: Row) => boolean;
  readonly isFaint?: (row: Row) => boolean;
  readonly width: number;
  readonly height: number;
}

/** A table with the columns and the rows that fit. */
export function IoTable<Row, Sort extends string>(props: IoTableProps<Row, Sort>): ReactElement {
  const { title, rows, sort, emptyText, hasErrors, isFaint, width, height } = props;
  const { fitted, gap } = fitColumns(props.columns, width, sort);
  const room = Math.max(0, height - (title === undefined ? 1 : 2));
  const { selected } = props;
  const first = firstVisible(props.top, undefined, rows.length, room);
  const shown = rows.slice(first, first + room);
  const position = positionText(first, shown.length, rows.length);
  const used = fitted.reduce((sum, one) => sum + one.width + gap, GUTTER - gap);
  return (
    <Box flexDirection="column" width={width} height={height} flexShrink={0} overflow="hidden">
      {title !== undefined && <Title {...{ title, position }} />}
      <Box width={width} flexShrink={0}>
        <Marks
          marks={shown.map((row, index) => {
            if (hasErrors(row)) return ERROR_MARK;
            return first + index === selected ? FOCUS_MARK : ' ';
          })}
        />
        <Box columnGap={gap}>
          {fitted.map(({ column, width: columnWidth }) => (
            <TableColumn
              key={column.title}
              {...{ column, sort, isFaint }}
              rows={shown}
              selected={selected === undefined ? undefined : selected - first}
              width={columnWidth}
            />
          ))}
        </Box>
        {title === undefined && shown.length < rows.length && (
          <Position text={position} room={width - used} />
        )}
      </Box>
      {rows.length === 0 && <Styled role="dim">{` ${emptyText}`}</Styled>}
    </Box>
  );
}

function positionText(first: number, shown: number, length: number): string {
  return shown === 0 ? '' : `${first + 1}-${first + shown} of ${length}`;
}

function Title({ title, position }: { readonly title: string; readonly position: string }) {
  return (
    <Box paddingLeft={1} columnGap={2} height={1} flexShrink={0}>
      <Styled role="accent">{title}</Styled>
      <Styled role="dim">{position}</Styled>
    </Box>
  );
}

/** The range of rows, at the right edge after the headings if there is room. */
function Position({ text, room }: { readonly text: string; readonly room: number }) {
  if (text.length + POSITION_GAP > room) return undefined;
  return (
    <Box flexGrow={1} height={1} justifyContent="flex-end">
      <Styled role="strong">{text}</Styled>
    </Box>
  );
}

/** The marks left of the rows. Their column has no heading. */
function Marks({ marks }: { readonly marks: readonly string[] }): ReactElement {
  return (
    <Box flexDirection="column" width={GUTTER} flexShrink={0} paddingTop={1}>
      {marks.map((mark, index) => (
        <Styled key={index} role={mark === FOCUS_MARK ? 'selected' : 'alarm'}>
          {mark}
        </Styled>
      ))}
    </Box>
  );
}

interface TableColumnProps<Row, Sort extends string> {
  readonly column: Column<Row, Sort>;
  readonly sort: Sort;
  readonly rows: readonly Row[];
  readonly isFaint: ((row: Row) => boolean) | undefined;
  readonly selected: number | undefined;
  readonly width: number;
}

/** A heading with the cells below it, one per line. */
function TableColumn<Row, Sort extends string>(props: TableColumnProps<Row, Sort>): ReactElement {
  const { column, sort, rows, isFaint, selected, width } = props;
  const isRight = column.align === 'right';
  const alignItems = isRight ? 'flex-end' : 'flex-start';
  return (
    <Box flexDirection="column" width={width} flexShrink={0} alignItems={alignItems}>
      <Styled role="strong">{titleText(column, sort)}</Styled>
      {rows.map((row, index) => {
        const text = column.cell(row, width);
        const shown = cellText(text, isRight && text.length > width);
        if (index === selected)
          return (
            <Styled key={index} role="selected">
              {isRight ? shown.padStart(width) : shown.padEnd(width)}
            </Styled>
          );
        return (
          <Styled
            key={index}
            role={column.role?.(row) ?? (isFaint?.(row) === true ? 'dim' : 'plain')}
          >
            {shown}
          </Styled>
        );
      })}
    </Box>
  );
}

/**
 * Words are cut to the column. A figure that is too wide becomes `…`, because a part of it would be another figure. Ink
 * gives an empty text no height, so it becomes a blank.
 */
function cellText(text: string, isTooWide: boolean): string {
  if (text === '') return ' ';
  return isTooWide ? '…' : text;
}

function titleText<Row, Sort extends string>(column: Column<Row, Sort>, sort: Sort): string {
  if (!leadsSort(column, sort)) return column.title;
  return column.align === 'right' ? `▾${column.title}` : `${column.title}▾`;
}
