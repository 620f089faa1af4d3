import { assert } from '../../base/assert.ts';

/**
 * Data per column of a moving window. Columns are numbered from the start of the trace; each keeps its slot, `number
 * mod columns`, while the window moves.
 */
export abstract class ColumnRing {
  /** Number of the leftmost column. */
  firstColumn: number;
  /** Changes whenever the data changes. */
  version = 0;

  /** `startNs` is a multiple of `columnNs`, so that columns never move. */
  constructor(
    readonly columns: number,
    readonly columnNs: number,
    startNs: number,
  ) {
    assert(columns > 0 && startNs % columnNs === 0, `columns of ${columnNs} ns from ${startNs}`);
    this.firstColumn = startNs / columnNs;
  }

  get startNs(): number {
    return this.firstColumn * this.columnNs;
  }

  get endNs(): number {
    return (this.firstColumn + this.columns) * this.columnNs;
  }

  /** Slot of a column by its number since the start of the trace; −1 outside the window. */
  slotOf(column: number): number {
    const { columns } = this;
    if (!(column >= this.firstColumn && column < this.firstColumn + columns)) return -1;
    const slot = column % columns;
    return slot < 0 ? slot + columns : slot;
  }

  /** Moves the window; columns that stay keep their data, new ones are empty. */
  scrollTo(startNs: number): void {
    const { firstColumn, columns, columnNs } = this;
    assert(startNs % columnNs === 0, `${startNs} is not a boundary of ${columnNs} ns`);
    const first = startNs / columnNs;
    const end = firstColumn + columns;
    for (let column = firstColumn; column < Math.min(first, end); column++)
      this.emptySlot(this.slotOf(column));
    for (let column = Math.max(first + columns, firstColumn); column < end; column++)
      this.emptySlot(this.slotOf(column));
    this.firstColumn = first;
    if (first !== firstColumn) this.version++;
  }

  /** Empties a column of the window by its number since the start of the trace. */
  empty(column: number): void {
    this.emptySlot(this.slotOf(column));
    this.version++;
  }

  clear(): void {
    for (let slot = 0; slot < this.columns; slot++) this.emptySlot(slot);
    this.version++;
  }

  protected abstract emptySlot(slot: number): void;
}

/** Number of the column that contains a time; the quotient alone may be rounded up across an edge. */
export function columnOf(atNs: number, columnNs: number): number {
  const column = Math.floor(atNs / columnNs);
  return column * columnNs > atNs ? column - 1 : column;
}

/** Start of a window whose last column contains `lastNs`. */
export function windowStart(lastNs: number, columnNs: number, columns: number): number {
  return (columnOf(lastNs, columnNs) + 1 - columns) * columnNs;
}
