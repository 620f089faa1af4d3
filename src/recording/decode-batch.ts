import { createColumns } from '../model/completion-columns.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { CompletionSummary } from '../source/event-source.ts';
import type { BatchNotes } from './batch-notes.ts';
import type { MessageHeader } from './arrow-message.ts';
import { DamagedError } from './flat-reader.ts';
import { BATCH_ROWS, BUFFERS, FIRST_BUFFER } from './format.ts';
import type { ColumnName } from './format.ts';
import { decompressBuffer } from './lz4-buffers.ts';
import { parseSummary } from './summary-bytes.ts';

const HIGH_WORD = 2 ** 32;
const NO_WORD = 0xffff_ffff;
/** Sectors are 48 bits on the largest disks; more is exact in no double. */
const MAX_SECTOR_HIGH = 2 ** 21;
/** A month: no latency, and sums of them stay exact. */
const MAX_LATENCY_NS = 2.6e15;

/** A batch's metadata and its bytes. */
export interface BatchParts {
  readonly header: MessageHeader;
  readonly notes: BatchNotes;
  /** A part of the body, valid until the next call; shorter where the file ends. */
  readonly read: (offset: number, length: number) => Buffer;
  /** By number in the epoch: index in the reader's `KeyTable`. */
  readonly keys: Uint32Array;
  readonly keyCount: number;
  readonly wallNs: bigint;
}

/** Turns batches back into rows; what no trace can hold becomes unknown and is counted. */
export class BatchDecoder {
  /** Values that were replaced by "unknown" in the last batch. */
  impossible = 0;
  private rows = createColumns(0);

  /** Columns that the next call uses again. Throws a `DamagedError` for a batch that is not whole. */
  decodeRows(parts: BatchParts): CompletionColumns {
    const length = parts.notes.rows;
    if (this.rows.key.length < length)
      this.rows = createColumns(Math.min(BATCH_ROWS, Math.max(length, 2 * this.rows.key.length)));
    const { rows } = this;
    this.impossible = 0;
    rows.length = 0;
    if (length === 0) return rows;
    this.decodeTimes(words(column(parts, 'time', 8)), parts, length);
    this.decodeKeys(column(parts, 'key', 2), parts, length);
    this.decodeSectors(words(column(parts, 'sector', 8)), length);
    decodeBytes(words(column(parts, 'bytes', 8)), rows.bytes, length);
    this.decodeLatencies(column(parts, 'queue_ns', 4), rows.queueNs, length);
    this.decodeLatencies(column(parts, 'device_ns', 4), rows.deviceNs, length);
    rows.length = length;
    return rows;
  }

  private decodeTimes(times: Uint32Array, { notes, wallNs }: BatchParts, length: number): void {
    const { completeNs } = this.rows;
    const baseLow = Number(wallNs & 0xffff_ffffn);
    const baseHigh = Number(wallNs >> 32n);
    const { startNs, endNs } = notes;
    for (let row = 0; row < length; row++) {
      const time = (times[row * 2 + 1]! - baseHigh) * HIGH_WORD + (times[row * 2]! - baseLow);
      if (time < startNs || time > endNs) throw new DamagedError('a time beyond its batch');
      completeNs[row] = time;
    }
  }

  private decodeKeys(bytes: Buffer, { keys, keyCount }: BatchParts, length: number): void {
    const numbers = new Uint16Array(aligned(bytes), 0, length);
    const { key } = this.rows;
    for (let row = 0; row < length; row++) {
      const number = numbers[row]!;
      if (number >= keyCount) throw new DamagedError('a key that is not defined');
      key[row] = keys[number]!;
    }
  }

  private decodeSectors(sectors: Uint32Array, length: number): void {
    const { sector } = this.rows;
    for (let row = 0; row < length; row++) {
      const high = sectors[row * 2 + 1]!;
      if (high < MAX_SECTOR_HIGH) {
        sector[row] = high * HIGH_WORD + sectors[row * 2]!;
        continue;
      }
      sector[row] = NaN;
      if (high !== NO_WORD) this.impossible++;
    }
  }

  private decodeLatencies(bytes: Buffer, into: Float32Array, length: number): void {
    const values = new Float32Array(aligned(bytes), 0, length);
    for (let row = 0; row < length; row++) {
      const value = values[row]!;
      const isPossible = value >= 0 && value < MAX_LATENCY_NS;
      if (!isPossible && value === value) this.impossible++;
      into[row] = isPossible ? value : NaN;
    }
  }
}

function decodeBytes(sizes: Uint32Array, into: Uint32Array, length: number): void {
  for (let row = 0; row < length; row++) {
    if (sizes[row * 2 + 1] !== 0) throw new DamagedError('an I/O of more than 4 GB');
    into[row] = sizes[row * 2]!;
  }
}

/** The summaries of a batch. Throws a `DamagedError` for one that is not whole. */
export function decodeSummaries(parts: BatchParts): CompletionSummary[] {
  const { notes, keys, keyCount } = parts;
  const numbers = new Uint16Array(aligned(column(parts, 'key', 2)), 0, notes.rows);
  const offsets = new Int32Array(
    aligned(bufferOf(parts, FIRST_BUFFER.summary + 1, (notes.rows + 1) * 4)),
  );
  const bytes = bufferOf(parts, FIRST_BUFFER.summary + 2, offsets[notes.rows]!);
  return Array.from(numbers, (number, row) => {
    if (number >= keyCount) throw new DamagedError('a key that is not defined');
    const summary = parseSummary(
      Buffer.from(bytes.toString('latin1', offsets[row], offsets[row + 1]), 'base64'),
      keys[number]!,
    );
    if (
      summary.startNs < notes.startNs ||
      summary.endNs > notes.endNs ||
      summary.endNs < summary.startNs
    )
      throw new DamagedError('a time beyond its batch');
    return summary;
  });
}

function column(parts: BatchParts, name: ColumnName, width: number): Buffer {
  return bufferOf(parts, FIRST_BUFFER[name] + 1, parts.notes.rows * width);
}

function bufferOf({ header, read }: BatchParts, index: number, length: number): Buffer {
  const place = header.buffers[index];
  if (place === undefined || header.buffers.length !== BUFFERS || !header.isCompressed)
    throw new DamagedError('columns of another format');
  const [offset, size] = place;
  if (offset + size > header.bodyBytes) throw new DamagedError('a column beyond its batch');
  if (length < 0 || length > MAX_BUFFER_BYTES)
    throw new DamagedError('a column of impossible size');
  return decompressBuffer(read(offset, size), length);
}

/** Summaries take two kilobytes each at most but for their names. */
const MAX_BUFFER_BYTES = 64 << 20;

function words(bytes: Buffer): Uint32Array {
  return new Uint32Array(aligned(bytes));
}

/** Typed arrays must begin at a multiple of their width, which parts of a `Buffer` need not. */
function aligned(bytes: Buffer): ArrayBuffer {
  const { buffer, byteOffset, byteLength } = bytes;
  if (byteOffset === 0 && buffer.byteLength === byteLength && buffer instanceof ArrayBuffer)
    return buffer;
  return new Uint8Array(bytes).buffer;
}
