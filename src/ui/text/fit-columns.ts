import type { Role } from './theme.ts';

/** One column of a table: heading, widths, priority and cells. */
export interface Column<Row, Sort extends string = string> {
  readonly title: string;
  /** Width in cells, without the gap before it; for columns with `maxWidth`, the minimum. */
  readonly width: number;
  /** A column of words takes spare room up to this width. */
  readonly maxWidth?: number;
  /** When every column has its best width, this one takes what is left, up to this width. */
  readonly spareWidth?: number;
  /** Width that a column of words gets before optional columns appear. */
  readonly wantedWidth?: number;
  readonly align: 'left' | 'right';
  /** Columns with smaller numbers stay longer. Columns of equal priority go together. */
  readonly priority: number;
  /** `wide` only if the whole table fits, `narrow` only if not. */
  readonly only?: 'wide' | 'narrow' | undefined;
  /**
   * Shown only if all other columns have their full width and this returns true for a row, or if the column sorts the
   * rows.
   */
  readonly isKnown?: (row: Row) => boolean;
  /** With `isKnown`: shown according to its priority as soon as a row has a value. */
  readonly isUrgent?: boolean;
  /** Whether the search looks at its text. */
  readonly isFindable?: boolean;
  /** The sort orders that this column shows; the first is its own. */
  readonly sorts?: readonly Sort[];
  /** Figures are never cut; words may be cut to `width`. */
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
  /** Cells before each column: two where everything fits, else one. */
  readonly gap: number;
}

/** Leftmost cell of a table: focus mark, error mark. The first column follows without a gap. */
export const GUTTER = 1;

/**
 * The columns of these sort orders, and the one that the rows are sorted by. Whether a figure takes one
 * column or two depends on the room.
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
 * The columns that fit, in their order. The least important are dropped first; the sort column stays to
 * the last, as it explains the order of the rows.
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

/** The same width, with what columns take of spare room. */
export function spareWidth<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  gap: number,
): number {
  return sumWidths(
    wideOf(columns),
    gap,
    ({ width, maxWidth, spareWidth: spare }) => spare ?? maxWidth ?? width,
  );
}

/**
 * The columns without those extra columns (`isKnown`) that no row has a value for, or that do not fit next to all
 * others at full width. Those of lower priority go first.
 */
export function withExtras<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  rows: readonly Row[],
  width: number,
  sort: Sort,
): readonly Column<Row, Sort>[] {
  const hasValues = (column: Column<Row, Sort>): boolean =>
    rows.some((row) => column.isKnown?.(row));
  const isExtra = (column: Column<Row, Sort>): boolean =>
    column.isKnown !== undefined &&
    !leadsSort(column, sort) &&
    !(column.isUrgent === true && hasValues(column));
  let room =
    width -
    fullWidth(
      columns.filter((column) => !isExtra(column)),
      1,
    );
  const extras = columns.filter(isExtra).toSorted((a, b) => a.priority - b.priority);
  const kept = extras.filter((column) => {
    const needed = column.width + 1;
    if (room < needed || !hasValues(column)) return false;
    room -= needed;
    return true;
  });
  return columns.filter((column) => !isExtra(column) || kept.includes(column));
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

/** From this priority on a column is dropped before words are cut. */
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

/** Spare room goes to the columns of words, from the left: first for their best width, then more. */
function grow<Row, Sort extends string>(
  columns: readonly Column<Row, Sort>[],
  width: number,
  gap: number,
): FittedColumn<Row, Sort>[] {
  let spare = width - leastWidth(columns, gap);
  const grown = (one: FittedColumn<Row, Sort>, most: number): FittedColumn<Row, Sort> => {
    const more = Math.max(0, Math.min(spare, most - one.width));
    spare -= more;
    return { column: one.column, width: one.width + more };
  };
  return columns
    .map((column) => grown({ column, width: column.width }, column.maxWidth ?? column.width))
    .map((one) => grown(one, one.column.spareWidth ?? one.width));
}
