import { HeaderType, keyValueTables, METADATA_V5 } from './arrow-schema.ts';
import type { KeyValues } from './arrow-schema.ts';
import { DamagedError, FlatTable } from './flat-reader.ts';
import { writeFlat } from './flat-writer.ts';
import type { FlatFields } from './flat-writer.ts';

/** Starts each message; the length of its metadata follows. */
export const CONTINUATION = 0xffff_ffff;
/** `CONTINUATION` and the length of the metadata, 32 bits each. */
export const PREFIX_BYTES = 8;
/** Ends a stream: a message without metadata. */
export const END_OF_STREAM = Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0);
/** Metadata names every process of a batch, up to 65,536 of them. */
export const MAX_METADATA_BYTES = 32 << 20;

const BUFFERS_MOST = 256;
const METADATA_MOST = 64;
const LZ4_FRAME = 0;

/** One column of a batch: its buffers in the order of the format, compressed or not. */
export interface ColumnBody {
  readonly nulls: number;
  readonly buffers: readonly Uint8Array[];
}

/** The metadata of a message, decoded. */
export interface MessageHeader {
  /** One of `HeaderType`. */
  readonly type: number;
  readonly bodyBytes: number;
  readonly metadata: ReadonlyMap<string, string>;
  /** Number of rows of a record batch. */
  readonly rows: number;
  readonly nodes: readonly (readonly [rows: number, nulls: number])[];
  /** Offsets are from the start of the body. */
  readonly buffers: readonly (readonly [offset: number, bytes: number])[];
  readonly isCompressed: boolean;
}

/**
 * Encodes the prefix and the metadata of a message; its body, if any, follows. `bodyBytes` must be a multiple of eight.
 */
export function encodeMessage(
  type: number,
  header: FlatFields,
  bodyBytes: number,
  metadata: KeyValues = [],
): Uint8Array {
  const flat = writeFlat([
    [0, { type: 'i16', value: METADATA_V5 }],
    [1, { type: 'i8', value: type }],
    [2, { type: 'table', value: header }],
    [3, { type: 'i64', value: BigInt(bodyBytes) }],
    ...(metadata.length > 0
      ? [[4, { type: 'tables', value: keyValueTables(metadata) }] as const]
      : []),
  ]);
  const bytes = Buffer.allocUnsafe(PREFIX_BYTES + flat.length);
  bytes.writeUInt32LE(CONTINUATION, 0);
  bytes.writeUInt32LE(flat.length, 4);
  bytes.set(flat, PREFIX_BYTES);
  return bytes;
}

/** Positions of the columns' buffers in a body, each a multiple of eight. */
export function layOut(columns: readonly ColumnBody[]): {
  places: [offset: number, bytes: number][];
  bodyBytes: number;
} {
  let offset = 0;
  const places = columns
    .flatMap(({ buffers }) => buffers)
    .map(({ length }): [number, number] => {
      const at = offset;
      offset += (length + 7) & ~7;
      return [at, length];
    });
  return { places, bodyBytes: offset };
}

/** The header of a batch: the table `RecordBatch` of Arrow's `Message.fbs`. */
export function batchFields(
  rows: number,
  columns: readonly ColumnBody[],
  compressed: boolean,
): FlatFields {
  return [
    [0, { type: 'i64', value: BigInt(rows) }],
    [1, { type: 'pairs', value: columns.map(({ nulls }) => [rows, nulls] as const) }],
    [2, { type: 'pairs', value: layOut(columns).places }],
    ...(compressed
      ? [[3, { type: 'table', value: [[0, { type: 'i8', value: LZ4_FRAME }]] }] as const]
      : []),
  ];
}

/** A body as a list of byte arrays. */
export function bodyPieces(columns: readonly ColumnBody[]): Uint8Array[] {
  return columns
    .flatMap(({ buffers }) => buffers)
    .flatMap((buffer) => {
      const rest = -buffer.length & 7;
      return rest === 0 ? [buffer] : [buffer, new Uint8Array(rest)];
    });
}

/** Throws a `DamagedError` if this is not a message of the format. */
export function decodeMessage(flat: Buffer): MessageHeader {
  const message = FlatTable.root(flat);
  if (message.i16(0) !== METADATA_V5) throw new DamagedError('not a message of Arrow V5');
  const type = message.i8(1);
  const bodyBytes = message.size(3);
  if (bodyBytes % 8 !== 0) throw new DamagedError('a body of odd size');
  const header = message.table(2);
  if (header === undefined) throw new DamagedError('a message without a header');
  const holder = type === HeaderType.schema ? header : message;
  const metadata = keyValues(holder.tables(type === HeaderType.schema ? 2 : 4, METADATA_MOST));
  if (type !== HeaderType.batch) return { ...NO_BATCH, type, bodyBytes, metadata };
  return { type, bodyBytes, metadata, ...decodeBatch(header) };
}

const NO_BATCH = { rows: 0, nodes: [], buffers: [], isCompressed: false } as const;

function decodeBatch(header: FlatTable) {
  const compression = header.table(3);
  if (compression !== undefined && compression.i8(0) !== LZ4_FRAME)
    throw new DamagedError('a compression other than LZ4');
  return {
    rows: header.size(0),
    nodes: header.pairs(1, BUFFERS_MOST),
    buffers: header.pairs(2, BUFFERS_MOST),
    isCompressed: compression !== undefined,
  };
}

function keyValues(tables: readonly FlatTable[]): Map<string, string> {
  return new Map(tables.map((table) => [table.text(0) ?? '', table.text(1) ?? '']));
}
