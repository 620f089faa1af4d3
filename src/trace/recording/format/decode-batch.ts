import { createColumns, LATENCIES_NS, resultsOf } from '../../../model/completion-columns.ts';
import type { CompletionColumns } from '../../../model/completion-columns.ts';
import { UNKNOWN_FILE } from '../../../model/file.ts';
import type { CompletionSummary } from '../../completion-summary.ts';
import type { BatchNotes } from './batch-notes.ts';
import type { MessageHeader } from '../arrow/arrow-message.ts';
import { DamagedError } from '../arrow/flat-reader.ts';
import type { KnownFiles } from './file-book.ts';
import {
  BATCH_ROWS,
  BUFFERS_WITHOUT_FILE,
  BUFFERS_WITHOUT_LAYER,
  FIRST_BUFFER,
  KNOWN_BUFFERS,
  HIGH_WORD,
  NO_RESULT_HIGH,
  NO_WORD,
} from './format.ts';
import type { ColumnName } from './format.ts';
import { MAX_RATIO, unpackBuffer } from '../lz4/lz4-buffers.ts';
import { parseSummary } from './summary-bytes.ts';

/** Sectors are 48 bits on the largest disks; doubles cannot represent larger numbers exactly. */
const MAX_SECTOR_HIGH = 2 ** 21;
/** Offsets in files are signed 64-bit numbers in the kernel (`loff_t`), and programs choose them. */
const MAX_OFFSET_HIGH = 2 ** 31;

/** A batch's metadata and its bytes. */
export interface BatchParts {
  readonly header: MessageHeader;
  readonly notes: BatchNotes;
  readonly body: Buffer;
  /** Index in the reader's `IdentityTable`, by number in the epoch. */
  readonly keys: Uint32Array;
  readonly keyCount: number;
  /** Whether there may be results: some of the keys are of calls. */
  readonly hasResults: boolean;
  readonly files: KnownFiles;
  readonly wallNs: bigint;
}

/** Decodes batches into rows; impossible values become unknown and are counted. */
export class BatchDecoder {
  /** Values of the last batch that were replaced by "unknown". */
  impossible = 0;
  private rows = createColumns(0);
  /** Scratch space: one column of 64-bit numbers, low word first; and the identities, as numbers in the epoch. */
  private words = new Uint32Array(0);
  private numbers = new Uint16Array(0);

  /** The columns are reused by the next call. Throws a `DamagedError` for an incomplete batch. */
  decodeRows(parts: BatchParts): CompletionColumns {
    const length = parts.notes.rows;
    this.impossible = 0;
    this.reserve(length);
    const { rows } = this;
    rows.length = 0;
    if (length === 0) return rows;
    this.decodeTimes(this.wordsOf(parts, 'time'), parts, length);
    this.decodeKeys(parts, length);
    this.decodeFiles(parts, length);
    const sector = rows.sector.subarray(0, length);
    this.decodePlaces(this.wordsOf(parts, 'sector'), sector, MAX_SECTOR_HIGH);
    this.decodeFileOffsets(parts, rows.fileOffset.subarray(0, length));
    this.decodeResults(parts, length);
    decodeBytes(this.wordsOf(parts, 'bytes'), rows.bytes, length);
    this.decodeLatencies(parts, 'queue_ns', rows.queueNs.subarray(0, length));
    this.decodeLatencies(parts, 'device_ns', rows.deviceNs.subarray(0, length));
    rows.length = length;
    return rows;
  }

  private reserve(length: number): void {
    if (this.numbers.length >= length) return;
    const capacity = Math.min(BATCH_ROWS, Math.max(length, 2 * this.numbers.length));
    this.rows = createColumns(capacity);
    this.words = new Uint32Array(capacity * 2);
    this.numbers = new Uint16Array(capacity);
  }

  private wordsOf(parts: BatchParts, name: ColumnName): Uint32Array {
    const words = this.words.subarray(0, parts.notes.rows * 2);
    unpackColumn(parts, name, words);
    return words;
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

  private decodeKeys(parts: BatchParts, length: number): void {
    const { keys, keyCount } = parts;
    const numbers = this.numbers.subarray(0, length);
    unpackColumn(parts, 'key', numbers);
    const { identity: key } = this.rows;
    for (let row = 0; row < length; row++) {
      const number = numbers[row]!;
      if (number >= keyCount) throw new DamagedError('a key that is not defined');
      key[row] = keys[number]!;
    }
  }

  private decodeFiles(parts: BatchParts, length: number): void {
    const file = this.rows.file.subarray(0, length);
    if (parts.header.buffers.length === BUFFERS_WITHOUT_FILE) {
      file.fill(UNKNOWN_FILE);
      return;
    }
    unpackColumn(parts, 'file', file);
    for (let row = 0; row < length; row++) file[row] = parts.files.value(file[row]!);
  }

  private decodeFileOffsets(parts: BatchParts, into: Float64Array): void {
    if (parts.header.buffers.length >= BUFFERS_WITHOUT_LAYER)
      this.decodePlaces(this.wordsOf(parts, 'file_offset'), into, MAX_OFFSET_HIGH);
    else into.fill(NaN);
  }

  private decodeResults(parts: BatchParts, length: number): void {
    const { rows } = this;
    if (!parts.hasResults) {
      rows.result.fill(NaN);
      return;
    }
    const words = this.wordsOf(parts, 'result');
    const into = resultsOf(rows);
    for (let row = 0; row < length; row++) {
      const high = words[row * 2 + 1]!;
      into[row] = high === NO_RESULT_HIGH ? NaN : (high | 0) * HIGH_WORD + words[row * 2]!;
    }
  }

  /** Decodes sectors, or offsets in files. */
  private decodePlaces(places: Uint32Array, into: Float64Array, limitHigh: number): void {
    for (let row = 0; row < into.length; row++) {
      const high = places[row * 2 + 1]!;
      if (high < limitHigh) {
        into[row] = high * HIGH_WORD + places[row * 2]!;
        continue;
      }
      into[row] = NaN;
      if (high !== NO_WORD) this.impossible++;
    }
  }

  private decodeLatencies(parts: BatchParts, name: ColumnName, into: Float32Array): void {
    unpackColumn(parts, name, into);
    for (let row = 0; row < into.length; row++) {
      const value = into[row]!;
      if (value >= 0 && value < LATENCIES_NS) continue;
      if (value === value) this.impossible++;
      into[row] = NaN;
    }
  }
}

function decodeBytes(sizes: Uint32Array, into: Uint32Array, length: number): void {
  for (let row = 0; row < length; row++) {
    if (sizes[row * 2 + 1] !== 0) throw new DamagedError('an I/O of more than 4 GB');
    into[row] = sizes[row * 2]!;
  }
}

/** Decodes the aggregates of a batch. Throws a `DamagedError` for an incomplete batch. */
export function decodeSummaries(parts: BatchParts): CompletionSummary[] {
  const { notes, keys, keyCount } = parts;
  const numbers = new Uint16Array(notes.rows);
  const offsets = new Int32Array(notes.rows + 1);
  unpackColumn(parts, 'key', numbers);
  unpackColumn(parts, 'summary', offsets);
  const text = unpackText(parts, offsets[notes.rows]!);
  const found: CompletionSummary[] = [];
  numbers.forEach((number, row) => {
    // Rows of lost I/O have no aggregate.
    if (offsets[row] === offsets[row + 1]) return;
    if (number >= keyCount) throw new DamagedError('a key that is not defined');
    const base64 = text.toString('latin1', offsets[row], offsets[row + 1]);
    const summary = parseSummary(Buffer.from(base64, 'base64'), keys[number]!);
    checkTimes(summary, notes);
    found.push(summary);
  });
  return found;
}

/** Maximum length of the texts of a batch: an aggregate takes at most two kilobytes. */
const MAX_TEXT_BYTES = 64 << 20;

function unpackText(parts: BatchParts, length: number): Buffer {
  if (length < 0 || length > MAX_TEXT_BYTES) throw new DamagedError('texts of impossible size');
  const packed = bufferOf(parts, FIRST_BUFFER.summary + 2);
  if (length > packed.length * MAX_RATIO) throw new DamagedError('texts of impossible size');
  const text = Buffer.alloc(length);
  unpackBuffer(packed, text);
  return text;
}

function checkTimes({ startNs, endNs }: CompletionSummary, notes: BatchNotes): void {
  if (startNs < notes.startNs || endNs > notes.endNs || endNs < startNs)
    throw new DamagedError('a time beyond its batch');
}

function unpackColumn(parts: BatchParts, name: ColumnName, into: ArrayBufferView): void {
  const { buffer, byteOffset, byteLength } = into;
  unpackBuffer(
    bufferOf(parts, FIRST_BUFFER[name] + 1),
    new Uint8Array(buffer, byteOffset, byteLength),
  );
}

function bufferOf({ header, body }: BatchParts, index: number): Buffer {
  const place = header.buffers[index];
  const isKnown = KNOWN_BUFFERS.includes(header.buffers.length);
  if (place === undefined || !isKnown || !header.isCompressed)
    throw new DamagedError('columns of another format');
  const [offset, size] = place;
  if (offset + size > body.length) throw new DamagedError('a column beyond its batch');
  return body.subarray(offset, offset + size);
}
