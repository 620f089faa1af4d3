import { HeaderType, TypeId } from './arrow-schema.ts';
import { DamagedError, FlatTable } from './flat-reader.ts';

/*
 * Arrow IPC as other programs write it: the types that columns of a recording may have after rewriting, with or
 * without dictionaries. From `Message.fbs` and `Schema.fbs` of Arrow's specification.
 */

export type ValueType =
  | { readonly kind: 'int'; readonly bits: number; readonly signed: boolean }
  | { readonly kind: 'float'; readonly bits: number }
  /** `nsPerUnit` of a timestamp. */
  | { readonly kind: 'time'; readonly nsPerUnit: bigint }
  | { readonly kind: 'text'; readonly form: 'offsets' | 'large offsets' | 'views' };

export interface TableField {
  readonly name: string;
  readonly type: ValueType;
  /** Present when rows are indices into texts. */
  readonly dictionary?: { readonly id: number; readonly index: ValueType };
}

export interface TableSchema {
  readonly fields: readonly TableField[];
  readonly metadata: ReadonlyMap<string, string>;
}

export interface TableBatch {
  readonly rows: number;
  readonly buffers: readonly (readonly [offset: number, bytes: number])[];
  /** For each column of views, the number of buffers with its longer texts. */
  readonly viewBuffers: readonly number[];
  readonly codec: 'none' | 'lz4' | 'zstd';
}

export type TableMessage =
  | { readonly kind: 'schema'; readonly schema: TableSchema; readonly bodyBytes: number }
  | {
      readonly kind: 'dictionary';
      readonly id: number;
      readonly isDelta: boolean;
      readonly batch: TableBatch;
      readonly bodyBytes: number;
    }
  | {
      readonly kind: 'batch';
      readonly batch: TableBatch;
      /** Further key-value pairs from its writer. */
      readonly metadata: ReadonlyMap<string, string>;
      readonly bodyBytes: number;
    };

const METADATA_MOST = 1024;
const FIELDS_MOST = 256;
const BUFFERS_MOST = 1024;

/** Throws a `DamagedError` if this is not such a message. */
export function decodeTableMessage(flat: Buffer): TableMessage {
  const message = FlatTable.root(flat);
  const bodyBytes = message.size(3);
  const header = message.table(2);
  if (header === undefined) throw new DamagedError('a message without a header');
  switch (message.i8(1)) {
    case HeaderType.schema:
      return { kind: 'schema', schema: schemaOf(header), bodyBytes };
    case HeaderType.dictionary: {
      const data = header.table(1);
      if (data === undefined) throw new DamagedError('a dictionary without data');
      const [id, isDelta] = [header.size(0), header.i8(2) !== 0];
      return { kind: 'dictionary', id, isDelta, batch: batchOf(data), bodyBytes };
    }
    case HeaderType.batch:
      return { kind: 'batch', batch: batchOf(header), metadata: textsOf(message, 4), bodyBytes };
    default:
      throw new DamagedError('a message of another kind');
  }
}

function schemaOf(header: FlatTable): TableSchema {
  return { fields: header.tables(1, FIELDS_MOST).map(fieldOf), metadata: textsOf(header, 2) };
}

function textsOf(holder: FlatTable, field: number): ReadonlyMap<string, string> {
  const pairs = holder.tables(field, METADATA_MOST);
  return new Map(pairs.map((one) => [one.text(0) ?? '', one.text(1) ?? '']));
}

function fieldOf(field: FlatTable): TableField {
  const name = field.text(0) ?? '';
  const type = typeOf(name, field.i8(2), field.table(3));
  const dictionary = field.table(4);
  if (dictionary === undefined) return { name, type };
  const index = dictionary.table(1);
  const indexType: ValueType =
    index === undefined ? { kind: 'int', bits: 32, signed: true } : intOf(index);
  return { name, type, dictionary: { id: dictionary.size(0), index: indexType } };
}

function typeOf(name: string, id: number, type: FlatTable | undefined): ValueType {
  if (type === undefined) throw new DamagedError(`a column "${name}" without a type`);
  switch (id) {
    case TypeId.int:
      return intOf(type);
    case TypeId.float:
      return { kind: 'float', bits: 16 << type.i16(0) };
    case TypeId.utf8:
      return { kind: 'text', form: 'offsets' };
    case TypeId.largeUtf8:
      return { kind: 'text', form: 'large offsets' };
    case TypeId.utf8View:
      return { kind: 'text', form: 'views' };
    case TypeId.timestamp:
      return { kind: 'time', nsPerUnit: 1_000_000_000n / 1000n ** BigInt(type.i16(0)) };
    default:
      throw new DamagedError(`a column "${name}" of a type that no recording has`);
  }
}

function intOf(type: FlatTable): ValueType {
  return { kind: 'int', bits: type.i32(0), signed: type.i8(1) !== 0 };
}

function batchOf(header: FlatTable): TableBatch {
  const compression = header.table(3);
  return {
    rows: header.size(0),
    buffers: header.pairs(2, BUFFERS_MOST),
    viewBuffers: header.sizes(4, FIELDS_MOST),
    codec: compression === undefined ? 'none' : compression.i8(0) === 0 ? 'lz4' : 'zstd',
  };
}
