import { createColumns, SECTOR_BYTES } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { Quantity } from '../fields.ts';

/** Rows matched per block: few enough for everything noted on them to stay in the cache. */
export const BLOCK_ROWS = 2048;

/** A block of rows and their values; each quantity is read when first used. */
export class RowBlock {
  rows: CompletionColumns = createColumns(0);
  from = 0;
  count = 0;
  private readonly columns = new Map<Quantity, Column>();

  /** Rows [from, from + count), at most `BLOCK_ROWS`. */
  load(rows: CompletionColumns, from: number, count: number): void {
    this.rows = rows;
    this.from = from;
    this.count = count;
    for (const column of this.columns.values()) column.isRead = false;
  }

  /** The values of the rows in ns and bytes. NaN if unknown; for sizes, 0. */
  values(quantity: Quantity): Float64Array {
    let column = this.columns.get(quantity);
    if (column === undefined) {
      column = { values: new Float64Array(BLOCK_ROWS), isRead: false };
      this.columns.set(quantity, column);
    }
    if (!column.isRead) READS[quantity](this.rows, this.from, this.count, column.values);
    column.isRead = true;
    return column.values;
  }
}

interface Column {
  readonly values: Float64Array;
  isRead: boolean;
}

type Read = (rows: CompletionColumns, from: number, count: number, values: Float64Array) => void;

/** One loop per kind of array: a loop over several kinds would not be optimized for any of them. */
const READS: Record<Quantity, Read> = {
  device: ({ deviceNs }, from, count, values) => {
    values.set(deviceNs.subarray(from, from + count));
  },
  queue: ({ queueNs }, from, count, values) => {
    values.set(queueNs.subarray(from, from + count));
  },
  total: ({ deviceNs, queueNs }, from, count, values) => {
    for (let i = 0; i < count; i++) values[i] = deviceNs[from + i]! + queueNs[from + i]!;
  },
  size: ({ bytes }, from, count, values) => {
    values.set(bytes.subarray(from, from + count));
  },
  offset: ({ sector }, from, count, values) => {
    for (let i = 0; i < count; i++) values[i] = sector[from + i]! * SECTOR_BYTES;
  },
  'file-offset': ({ fileOffset }, from, count, values) => {
    values.set(fileOffset.subarray(from, from + count));
  },
  result: ({ result }, from, count, values) => {
    if (result.length === 0) values.fill(NaN, 0, count);
    else values.set(result.subarray(from, from + count));
  },
};
