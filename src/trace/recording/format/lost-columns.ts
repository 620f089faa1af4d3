import type { ColumnBody } from '../arrow/arrow-message.ts';
import type { ColumnType } from '../arrow/arrow-schema.ts';
import { COLUMNS, Dictionary, RowKind } from './format.ts';
import type { ColumnName } from './format.ts';
import type { IdentityBook } from './identity-book.ts';
import { bitmapOf, NO_BYTES } from '../arrow/raw-columns.ts';

/** I/Os that are known to have happened, without further details. */
export interface Loss {
  /** How they were lost. */
  readonly name: string;
  readonly count: number;
  /** Undefined if they may belong to any disk. */
  readonly disk?: string;
}

/**
 * Rows of lost I/O, one per cause and disk, in the order of `COLUMNS`, for programs that read only the columns: the
 * number lost since the previous such row, with the cause as `comm`. All other columns are null, including the disk
 * if it is unknown.
 */
export function lostColumns(
  losses: readonly Loss[],
  book: IdentityBook,
  wallNs: bigint,
): ColumnBody[] {
  const { length } = losses;
  const names = losses.map(({ name }) => book.texts[Dictionary.comm]!.number(name));
  const known: Partial<Record<ColumnName, Uint8Array | Uint16Array | BigInt64Array>> = {
    time: new BigInt64Array(length).fill(wallNs),
    comm: Uint16Array.from(names),
    kind: new Uint8Array(length).fill(RowKind.lost),
    count: BigInt64Array.from(losses, ({ count }) => BigInt(count)),
  };
  const disks = losses.map(({ disk = '' }) => book.texts[Dictionary.device]!.number(disk));
  return COLUMNS.map(({ name, type }): ColumnBody => {
    if (name === 'device') return diskColumn(losses, disks);
    const values = known[name];
    if (values !== undefined)
      return { nulls: 0, buffers: [NO_BYTES, new Uint8Array(values.buffer)] };
    const noValues = new Uint8Array((length + 7) >> 3);
    // Text columns have one more offset than rows, and no bytes.
    if (type.kind === 'utf8')
      return { nulls: length, buffers: [noValues, new Uint8Array((length + 1) * 4), NO_BYTES] };
    return { nulls: length, buffers: [noValues, new Uint8Array(length * widthOf(type))] };
  });
}

function diskColumn(losses: readonly Loss[], numbers: readonly number[]): ColumnBody {
  const { nulls, bitmap } = bitmapOf(losses.length, (row) => losses[row]?.disk === undefined);
  return { nulls, buffers: [bitmap, new Uint8Array(Uint16Array.from(numbers).buffer)] };
}

/** Bytes per value. */
function widthOf(type: ColumnType): number {
  if ('bits' in type) return type.bits / 8;
  return type.kind === 'float' ? 4 : 8;
}
