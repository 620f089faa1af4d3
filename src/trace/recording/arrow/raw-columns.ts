import type { ColumnBody } from './arrow-message.ts';

export const NO_BYTES = new Uint8Array(0);

type Lookup = Uint8Array | Uint16Array | Int32Array;

/** A validity bitmap: one bit per row, set where there is a value; empty when no row is null. */
export function bitmapOf(
  length: number,
  isNull: (row: number) => boolean,
): { nulls: number; bitmap: Uint8Array } {
  let bitmap = NO_BYTES;
  let nulls = 0;
  for (let row = 0; row < length; row++) {
    if (!isNull(row)) continue;
    if (nulls++ === 0) bitmap = new Uint8Array((length + 7) >> 3).fill(0xff);
    bitmap[row >> 3]! &= ~(1 << (row & 7));
  }
  return { nulls, bitmap };
}

/** The column of `values[key]` per row; null where `nullBit` is set for the key. */
export function keyColumn(
  keys: Uint16Array,
  values: Lookup,
  nullBit: number,
  nullsOf: Uint8Array,
): ColumnBody {
  const { length } = keys;
  const column = emptyLike(values, length);
  for (let row = 0; row < length; row++) column[row] = values[keys[row]!]!;
  const data = new Uint8Array(column.buffer);
  if (nullBit === 0) return { nulls: 0, buffers: [NO_BYTES, data] };
  const { nulls, bitmap } = bitmapOf(length, (row) => (nullsOf[keys[row]!]! & nullBit) !== 0);
  return { nulls, buffers: [bitmap, data] };
}

function emptyLike(values: Lookup, length: number): Lookup {
  if (values instanceof Uint8Array) return new Uint8Array(length);
  return values instanceof Uint16Array ? new Uint16Array(length) : new Int32Array(length);
}
