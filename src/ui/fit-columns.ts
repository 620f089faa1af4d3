import type { Role } from './theme.ts';

/** One column of a table: how to head it, where it may go, and what to write into it. */
export interface Column<Row, Sort extends string = string> {
  readonly title: string;
  /** Cells, without the gap before it; for `maxWidth` columns the least. */
  readonly width: number;
  /** A column of words takes spare room up to here. */
  readonly maxWidth?: number;
  /** What a column of words should have before columns appear that one can do without. */
  readonly wantedWidth?: number;
  readonly align: 'left' | 'right';
  /** The smaller, the longer it stays. Columns of equal priority go together. */
  readonly priority: number;
  /** `wide` only if the whole table fits, `narrow` only if not. */
  readonly only?: 'wide' | 'narrow' | undefined;
  /** Its text may be searched for. */
  readonly isFindable?: boolean;
  /** The orders in which this column leads; the first is its own. */
  readonly sorts?: readonly Sort[];
  /** Figures come whole; words may be cut to `width`. */
  readonly cell: (row: Row, width: number) => string;
  readonly role?: (row: Row) => Role;
}

/** A column with the width it got. */
export interface FittedColumn<Row, Sort extends string = string> {
  readonly column: Column<Row, Sort>;
  readonly width: number;
}

export interface FittedColumns<Row, Sort extends string = string> {
  readonly fitted: readonly FittedColumn<Row, Sort>[];
  /** Cells before each column: one, or two where everything fits even so. */
  readonly gap: number;
}

/** Leftmost cell of a table: focus mark, error mark. The first column follows without a gap. */
export const GUTTER = 1;

/**
 * The columns with these orders of their own, and the one that the rows are sorted by. Of a figure in
 * one column and in two, only what was chosen depends on the room.
 */
export function chooseColumns<Row, Sort extends string>(
  all: readonly Column<Row, Sort>[],
  chosen: readonly Sort[],
  sort: Sort | undefined,
): readonly Column<Row, Sort>[] {
  const ofId = (id: Sort): Column<Row, Sort>[] => all.filter(({ sorts }) => sorts?.[0] === id);
  const columns = chosen.flatMap(ofId);
  const isLed = sort === undefined || columns.some((column) => leadsSort(column, sort));
  const complete = isLed ? columns : [...columns, ...ofId(sort)];
  const forms = new Set(complete.map(({ only }) => only));
  if (forms.has('wide') && forms.has('narrow')) return complete;
  return complete.map((column) => ({ ...column, only: undefined }));
}

/**
 * The columns that fit, in their order. The least important go first; the one that leads the sort
 * stays to the last, as rows in an order that nothing explains are a riddle.
 */
export function fitColumns<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  width: number,
  sort: Sort,
): FittedColumns<Row, Sort> {
  const gap = fullWidth(columns, 2) <= width ? 2 : 1;
  if (fullWidth(columns, gap) <= width) return { fitted: grow(wideOf(columns), width, gap), gap };
  const narrow = columns.filter(({ only }) => only !== 'wide');
  return {
    fitted: grow(dropUnneeded(dropToFit(narrow, width, sort), width, sort), width, 1),
    gap: 1,
  };
}

/** Cells of the whole table with every column at its best. */
export function fullWidth<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  gap: number,
): number {
  return sumWidths(wideOf(columns), gap, ({ width, maxWidth }) => maxWidth ?? width);
}

function wideOf<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
): readonly Column<Row, Sort>[] {
  return columns.filter(({ only }) => only !== 'narrow');
}

function leastWidth<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  gap: number,
): number {
  return sumWidths(columns, gap, ({ width }) => width);
}

function sumWidths<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  gap: number,
  widthOf: (column: Column<Row, Sort>) => number,
): number {
  const gaps = gap * Math.max(0, columns.length - 1);
  return columns.reduce((sum, column) => sum + widthOf(column), GUTTER + gaps);
}

/** From this priority on a column gives way to words that would be cut. */
const UNNEEDED = 9;

function dropUnneeded<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  width: number,
  sort: Sort,
): readonly Column<Row, Sort>[] {
  const wanted = ({ width: least, wantedWidth }: Column<Row, Sort>): number => wantedWidth ?? least;
  let kept = columns;
  while (sumWidths(kept, 1, wanted) > width) {
    const unneeded = kept.filter(
      (column) => column.priority >= UNNEEDED && !leadsSort(column, sort),
    );
    if (unneeded.length === 0) return kept;
    const last = Math.max(...unneeded.map(({ priority }) => priority));
    kept = kept.filter((column) => !unneeded.includes(column) || column.priority !== last);
  }
  return kept;
}

function dropToFit<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  width: number,
  sort: Sort,
): readonly Column<Row, Sort>[] {
  const rank = (column: Column<Row, Sort>): number =>
    leadsSort(column, sort) ? -1 : column.priority;
  let kept = columns;
  while (kept.length > 0 && leastWidth(kept, 1) > width) {
    const last = Math.max(...kept.map(rank));
    kept = kept.filter((column) => rank(column) !== last);
  }
  return kept;
}

export function leadsSort<Row, Sort extends string>(
  column: Column<Row, Sort>,
  sort: Sort,
): boolean {
  return column.sorts?.includes(sort) ?? false;
}

/** Spare room goes to the columns of words, from the left. */
function grow<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  width: number,
  gap: number,
): FittedColumn<Row, Sort>[] {
  let spare = width - leastWidth(columns, gap);
  return columns.map((column) => {
    const more = Math.max(0, Math.min(spare, (column.maxWidth ?? column.width) - column.width));
    spare -= more;
    return { column, width: column.width + more };
  });
}
