import type { TableBatch, TableField, TableSchema, ValueType } from '../arrow/arrow-table.ts';
import { DamagedError } from '../arrow/flat-reader.ts';
import { LENGTH_BYTES, MAX_RATIO } from '../lz4/lz4-buffers.ts';
import { unpackAnyFrame } from '../lz4/lz4-decode.ts';

/** A batch with more rows is not loaded. */
export const MOST_ROWS = 1 << 20;
const MOST_TEXT_BYTES = 256 << 20;

/** The value of a row; undefined for null. */
export type NumberAt = (row: number) => number | undefined;
export type TextAt = (row: number) => string | undefined;

/** Other programs may use other compression; this reader only supports LZ4. */
export class UnreadableError extends Error {}

/** In the place of the uncompressed length: the buffer is not compressed. */
const NOT_COMPRESSED = -1;
/** Tolerance for the padding of buffers, which depends on the writer. */
const PADDING = 1 << 12;

/** The columns of one batch, by name; each is decompressed on first use. */
export class TableColumns {
  /** Index of the first buffer of each column. */
  private readonly firstBuffer = new Map<string, number>();
  private readonly fields = new Map<string, TableField>();
  private readonly viewBuffers = new Map<string, number>();

  constructor(
    schema: TableSchema,
    private readonly batch: TableBatch,
    private readonly body: Buffer,
    private readonly dictionaries: ReadonlyMap<number, readonly string[]>,
  ) {
    if (batch.rows > MOST_ROWS) throw new UnreadableError(`a batch of ${batch.rows} rows`);
    let at = 0;
    const viewBuffers = [...batch.viewBuffers];
    for (const field of schema.fields) {
      this.firstBuffer.set(field.name, at);
      this.fields.set(field.name, field);
      const more = isView(field) ? (viewBuffers.shift() ?? 0) : 0;
      this.viewBuffers.set(field.name, more);
      at += buffersOf(field) + more;
    }
    if (at !== batch.buffers.length) throw new DamagedError('columns of another number');
  }

  /** Returns undefined for every row if there is no such column. */
  number(name: string): NumberAt {
    const field = this.fields.get(name);
    if (field === undefined || field.dictionary !== undefined) return () => undefined;
    return this.values(name, field.type, (value) => Number(value));
  }

  /** 64-bit values that a `Number` cannot represent; timestamps in ns. */
  ns(name: string): (row: number) => bigint | undefined {
    const field = this.fields.get(name);
    if (field === undefined || field.dictionary !== undefined) return () => undefined;
    const factor = field.type.kind === 'time' ? field.type.nsPerUnit : 1n;
    return this.values(name, field.type, (value) => BigInt(value) * factor);
  }

  text(name: string): TextAt {
    const field = this.fields.get(name);
    if (field === undefined) return () => undefined;
    if (field.dictionary === undefined)
      return field.type.kind === 'text' ? this.texts(name, field.type) : () => undefined;
    const words = this.dictionaries.get(field.dictionary.id) ?? [];
    const indexAt = this.values(name, field.dictionary.index, (value) => Number(value));
    return (row) => {
      const index = indexAt(row);
      return index === undefined ? undefined : words[index];
    };
  }

  /** All texts of the only column, for the batch of a dictionary. */
  words(name: string): string[] {
    const textAt = this.text(name);
    return Array.from({ length: this.batch.rows }, (_, row) => textAt(row) ?? '');
  }

  private values<T>(
    name: string,
    type: ValueType,
    convert: (value: number | bigint) => T,
  ): (row: number) => T | undefined {
    const isThere = this.validity(name);
    const values = typed(this.buffer(name, 1, this.batch.rows * widthOf(type)), type);
    return (row) => {
      const value = values[row];
      return isThere(row) && value !== undefined ? convert(value) : undefined;
    };
  }

  private texts(name: string, { form }: TextType): TextAt {
    if (this.batch.rows === 0) return () => undefined;
    return form === 'views' ? this.viewTexts(name) : this.offsetTexts(name, form === 'offsets');
  }

  private offsetTexts(name: string, isSmall: boolean): TextAt {
    const { rows } = this.batch;
    const isThere = this.validity(name);
    const offsets = this.buffer(name, 1, (rows + 1) * (isSmall ? 4 : 8));
    const offsetAt = (row: number): number =>
      isSmall ? offsets.readInt32LE(row * 4) : Number(offsets.readBigInt64LE(row * 8));
    const text = this.buffer(name, 2, textBytes(offsetAt(rows)));
    return (row) =>
      isThere(row) ? text.toString('utf8', offsetAt(row), offsetAt(row + 1)) : undefined;
  }

  /** A text of up to 12 bytes is in its own view; longer ones are in the buffers that follow. */
  private viewTexts(name: string): TextAt {
    const isThere = this.validity(name);
    const views = this.buffer(name, 1, this.batch.rows * VIEW_BYTES);
    const count = this.viewBuffers.get(name) ?? 0;
    const longer = Array.from({ length: count }, (_, i) => this.claimed(name, 2 + i));
    return (row) => {
      if (!isThere(row)) return undefined;
      const at = row * VIEW_BYTES;
      const length = views.readInt32LE(at);
      if (length <= INLINE_BYTES) return views.toString('utf8', at + 4, at + 4 + length);
      const [index, offset] = [views.readInt32LE(at + 8), views.readInt32LE(at + 12)];
      return longer[index]?.toString('utf8', offset, offset + length);
    };
  }

  /** A buffer whose length is only known from its own prefix. */
  private claimed(name: string, index: number): Buffer {
    const packed = this.place(name, index);
    if (this.batch.codec === 'none' || packed.length < LENGTH_BYTES) return Buffer.from(packed);
    const length = Number(packed.readBigInt64LE(0));
    return this.buffer(
      name,
      index,
      length === NOT_COMPRESSED ? packed.length - LENGTH_BYTES : textBytes(length),
    );
  }

  private validity(name: string): (row: number) => boolean {
    const bits = this.place(name, 0);
    if (bits.length === 0) return () => true;
    const bitmap = this.buffer(name, 0, (this.batch.rows + 7) >> 3);
    return (row) => (bitmap[row >> 3]! & (1 << (row & 7))) !== 0;
  }

  private place(name: string, index: number): Buffer {
    const [offset, size] = this.batch.buffers[this.firstBuffer.get(name)! + index]!;
    if (offset + size > this.body.length) throw new DamagedError('a column beyond its batch');
    return this.body.subarray(offset, offset + size);
  }

  /** Copied, because typed arrays need aligned memory. */
  private buffer(name: string, index: number, bytes: number): Buffer {
    const packed = this.place(name, index);
    const unpacked = unpack(packed, bytes, this.batch.codec);
    if (unpacked.length < bytes) throw new DamagedError('a column of the wrong length');
    const own = Buffer.from(new ArrayBuffer(bytes));
    unpacked.copy(own, 0, 0, bytes);
    return own;
  }
}

/** The claimed size of a buffer is accepted up to what its rows need plus padding. */
function unpack(packed: Buffer, bytes: number, codec: TableBatch['codec']): Buffer {
  if (codec === 'none' || packed.length === 0) return packed;
  if (packed.length < LENGTH_BYTES) throw new DamagedError('a truncated column');
  const length = Number(packed.readBigInt64LE(0));
  const rest = packed.subarray(LENGTH_BYTES);
  if (length === NOT_COMPRESSED) return rest;
  if (codec === 'zstd') throw new UnreadableError('columns compressed with zstd');
  const isPossible =
    length >= bytes && length <= bytes + PADDING && length <= rest.length * MAX_RATIO;
  if (!isPossible) throw new DamagedError('a column of the wrong length');
  const into = Buffer.alloc(length);
  unpackAnyFrame(rest, into);
  return into;
}

const VIEW_BYTES = 16;
const INLINE_BYTES = 12;

type TextType = Extract<ValueType, { readonly kind: 'text' }>;

function textBytes(length: number): number {
  if (!(length >= 0 && length <= MOST_TEXT_BYTES))
    throw new DamagedError('texts of impossible size');
  return length;
}

function isView({ type, dictionary }: TableField): boolean {
  return dictionary === undefined && type.kind === 'text' && type.form === 'views';
}

/** The number of buffers of a column, without those for the longer texts of views. */
function buffersOf(field: TableField): number {
  const hasOffsets = field.dictionary === undefined && field.type.kind === 'text';
  return hasOffsets && !isView(field) ? 3 : 2;
}

function widthOf(type: ValueType): number {
  if (type.kind === 'time') return 8;
  if (type.kind === 'text') return 4;
  return type.bits / 8;
}

type Values = ArrayLike<number | bigint>;

function typed({ buffer }: Buffer, type: ValueType): Values {
  if (type.kind === 'time') return new BigInt64Array(buffer);
  if (type.kind === 'float') {
    if (type.bits === 32) return new Float32Array(buffer);
    if (type.bits === 64) return new Float64Array(buffer);
  }
  if (type.kind === 'int') {
    if (type.bits === 64)
      return type.signed ? new BigInt64Array(buffer) : new BigUint64Array(buffer);
    if (type.bits === 32) return type.signed ? new Int32Array(buffer) : new Uint32Array(buffer);
    if (type.bits === 16) return type.signed ? new Int16Array(buffer) : new Uint16Array(buffer);
    if (type.bits === 8) return type.signed ? new Int8Array(buffer) : new Uint8Array(buffer);
  }
  throw new DamagedError('numbers of a width that no recording has');
}
