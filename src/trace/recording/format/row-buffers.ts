import type { CompletionColumns } from '../../../model/completion-columns.ts';
import type { ColumnBody } from '../arrow/arrow-message.ts';
import type { FileBook } from './file-book.ts';
import { BATCH_ROWS, HIGH_WORD, NO_RESULT_HIGH, NO_WORD, RowKind } from './format.ts';
import { NullBit } from './identity-book.ts';
import type { IdentityBook } from './identity-book.ts';
import { keepPacked } from '../lz4/lz4-buffers.ts';
import { bitmapOf, keyColumn, NO_BYTES } from '../arrow/raw-columns.ts';

/**
 * I/Os that wait to be written as a batch, in the columns of the format. A 64-bit number is stored as two words,
 * because a `BigInt` takes ten times as long. Columns that follow from the identity are filled in at the end.
 */
export class RowBuffers {
  length = 0;
  startNs = Infinity;
  endNs = -Infinity;
  private unknownSectors = 0;
  private unknownFileOffsets = 0;
  private results = 0;
  private readonly time = new Uint32Array(BATCH_ROWS * 2);
  private readonly sector = new Uint32Array(BATCH_ROWS * 2);
  private readonly bytes = new Uint32Array(BATCH_ROWS * 2);
  private readonly queueNs = new Float32Array(BATCH_ROWS);
  private readonly deviceNs = new Float32Array(BATCH_ROWS);
  private readonly totalNs = new Float32Array(BATCH_ROWS);
  private readonly key = new Uint16Array(BATCH_ROWS);
  private readonly file = new Uint32Array(BATCH_ROWS);
  private readonly fileOffset = new Uint32Array(BATCH_ROWS * 2);
  /** Allocated with the first result. */
  private result = new Uint32Array(0);
  private readonly baseLow: number;
  private readonly baseHigh: number;

  /** `wallNs`: wall clock at the start of the trace. */
  constructor(wallNs: bigint) {
    this.baseLow = Number(wallNs & 0xffff_ffffn);
    this.baseHigh = Number(wallNs >> 32n);
  }

  clear(): void {
    this.length = 0;
    this.unknownSectors = 0;
    this.unknownFileOffsets = 0;
    this.results = 0;
    this.startNs = Infinity;
    this.endNs = -Infinity;
  }

  /**
   * Takes rows starting at `from`. Returns the first row that did not fit here, or whose identity got no number in the
   * book.
   */
  append(rows: CompletionColumns, from: number, book: IdentityBook, files: FileBook): number {
    const end = Math.min(rows.length, from + BATCH_ROWS - this.length);
    for (let row = from; row < end; row++) {
      const key = book.number(rows.identity[row]!);
      if (key === undefined) return row;
      this.file[this.length] = files.number(rows.file[row]!);
      if (rows.result.length > 0) this.putResult(this.length, rows.result[row]!);
      this.put(rows, row, this.length++, key);
    }
    return end;
  }

  private put(rows: CompletionColumns, row: number, at: number, key: number): void {
    const completeNs = Math.floor(rows.completeNs[row]!);
    if (completeNs < this.startNs) this.startNs = completeNs;
    if (completeNs > this.endNs) this.endNs = completeNs;
    const high = Math.floor(completeNs / HIGH_WORD);
    const low = completeNs - high * HIGH_WORD + this.baseLow;
    this.time[at * 2] = low;
    this.time[at * 2 + 1] = this.baseHigh + high + (low >= HIGH_WORD ? 1 : 0);
    if (!putPlace(this.sector, at, rows.sector[row]!)) this.unknownSectors++;
    if (!putPlace(this.fileOffset, at, rows.fileOffset[row]!)) this.unknownFileOffsets++;
    this.bytes[at * 2] = rows.bytes[row]!;
    const queueNs = rows.queueNs[row]!;
    const deviceNs = rows.deviceNs[row]!;
    this.queueNs[at] = queueNs;
    this.deviceNs[at] = deviceNs;
    this.totalNs[at] = queueNs + deviceNs;
    this.key[at] = key;
  }

  private putResult(at: number, result: number): void {
    if (Number.isNaN(result)) return;
    if (this.result.length === 0) this.result = new Uint32Array(BATCH_ROWS * 2);
    if (this.results++ === 0) this.result.set(NO_RESULTS);
    const high = Math.floor(result / HIGH_WORD);
    this.result[at * 2] = result - high * HIGH_WORD;
    this.result[at * 2 + 1] = high;
  }

  /** The columns of a batch, in the order of `COLUMNS`; they share memory with these buffers. */
  columns(book: IdentityBook, bytesUnknown: boolean): ColumnBody[] {
    const { length, key } = this;
    const { readable } = book;
    const constants = length === BATCH_ROWS ? FULL : constantColumns(length);
    const keys = key.subarray(0, length);
    const byKey = (values: Parameters<typeof keyColumn>[1], nullBit = 0): ColumnBody =>
      keyColumn(keys, values, nullBit & book.anyNulls, readable.nulls);
    const words = (values: Uint32Array): Uint32Array => values.subarray(0, length * 2);
    return [
      plain(words(this.time)),
      byKey(readable.device, NullBit.device),
      byKey(readable.pid, NullBit.owner),
      byKey(readable.tid, NullBit.tid),
      byKey(readable.comm, NullBit.comm),
      byKey(readable.op, NullBit.op),
      byKey(readable.flags, NullBit.flags),
      places(words(this.sector), length, this.unknownSectors),
      bytesUnknown ? nullable(words(this.bytes), length, () => true) : plain(words(this.bytes)),
      floats(this.queueNs.subarray(0, length)),
      floats(this.deviceNs.subarray(0, length)),
      floats(this.totalNs.subarray(0, length)),
      byKey(readable.error, NullBit.error),
      byKey(readable.cgroup, NullBit.cgroup),
      ...constants.beforeKey,
      plain(keys),
      constants.summary,
      plain(this.file.subarray(0, length)),
      places(words(this.fileOffset), length, this.unknownFileOffsets),
      byKey(readable.layer),
      this.results === 0 ? constants.noResults : resultColumn(words(this.result), length),
    ];
  }
}

const NO_RESULTS = Uint32Array.from({ length: BATCH_ROWS * 2 }, (_, word) =>
  word % 2 === 0 ? 0 : NO_RESULT_HIGH,
);

function resultColumn(words: Uint32Array, length: number): ColumnBody {
  return nullable(words, length, (row) => words[row * 2 + 1] === NO_RESULT_HIGH);
}

/** An unknown sector or offset is stored as −1 and also marked as null. Returns whether it is known. */
function putPlace(into: Uint32Array, at: number, place: number): boolean {
  const isKnown = place >= 0;
  const high = Math.floor(place / HIGH_WORD);
  into[at * 2] = isKnown ? place - high * HIGH_WORD : -1;
  into[at * 2 + 1] = isKnown ? high : -1;
  return isKnown;
}

function places(words: Uint32Array, length: number, unknown: number): ColumnBody {
  if (unknown === 0) return plain(words);
  return nullable(words, length, (row) => words[row * 2 + 1] === NO_WORD);
}

function plain(values: ArrayBufferView): ColumnBody {
  return { nulls: 0, buffers: [NO_BYTES, bytesOf(values)] };
}

function nullable(
  values: ArrayBufferView,
  length: number,
  isNull: (row: number) => boolean,
): ColumnBody {
  const { nulls, bitmap } = bitmapOf(length, isNull);
  return { nulls, buffers: [bitmap, bytesOf(values)] };
}

function floats(values: Float32Array): ColumnBody {
  let unknown = 0;
  for (let row = 0; row < values.length; row++) if (values[row] !== values[row]) unknown++;
  if (unknown === 0) return plain(values);
  return nullable(values, values.length, (row) => Number.isNaN(values[row]!));
}

/** Columns that are the same in all batches of a length: each row is one I/O, without a summary. */
function constantColumns(length: number) {
  const count = new Uint32Array(length * 2);
  for (let row = 0; row < length; row++) count[row * 2] = 1;
  const noValues = new Uint8Array((length + 7) >> 3);
  const noText = new Uint8Array((length + 1) * 4);
  return {
    beforeKey: [plain(new Uint8Array(length).fill(RowKind.io)), plain(count)],
    summary: { nulls: length, buffers: [noValues, noText, NO_BYTES] },
    noResults: { nulls: length, buffers: [noValues, bytesOf(NO_RESULTS.slice(0, length * 2))] },
  };
}

const FULL = constantColumns(BATCH_ROWS);
for (const { buffers } of [...FULL.beforeKey, FULL.summary, FULL.noResults])
  buffers.forEach(keepPacked);

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
