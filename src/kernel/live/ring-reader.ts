import { ok, type Result } from '../../base/result.ts';
import { resultsOf } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { FileCache } from './file-cache.ts';
import { IdentityCache } from './identity-cache.ts';
import { MountPaths } from './mount-paths.ts';
import { inWords } from '../abi/in-words.ts';
import { Dimension, IoCompletion, IoFlag, Layer } from '../abi/layout.ts';
import { mapMemory, PAGE_BYTES, type Mapping } from '../native/mapping.ts';
import type { SyscallError } from '../native/syscalls.ts';

/** A record starts with its length, whose top two bits are flags, and a page offset. */
const HEADER_WORDS = 2;
const HEADER_BYTES = 8;
const DISCARD_BIT = 1 << 30;
const LENGTH_MASK = DISCARD_BIT - 1;
const HIGH_WORD = 2 ** 32;
/** Offsets are signed in the kernel (`loff_t`); NO_FILE_OFFSET is above, and so is what it would round to 2^63. */
const NO_OFFSET = 2 ** 63;
const FIELD = inWords(IoCompletion.offsets);
const LAYER_MASK = 3;

/**
 * Reads the BPF ring buffer in place. The kernel maps it as a page with the consumer's position (which we write), a
 * page with the producer's, and the data twice in a row, so that no record wraps. Only the first page of the second
 * copy is mapped: a record is shorter than a page, and every mapped page counts as resident, touched or not.
 */
export class RingReader {
  private readonly consumer: BigUint64Array;
  private readonly producer: BigUint64Array;
  private readonly words: Uint32Array;
  private readonly headers: Int32Array;
  private readonly identities: IdentityCache;
  readonly files: FileCache;
  /** Rows of the last `drain` that were drawn at random. */
  readonly drawn: number[] = [];
  /** Of the rows of the last `drain`, by row and counted. */
  layers = new Uint8Array(0);
  readonly counts = new Uint32Array(LAYER_MASK + 1);
  private readonly baseLow: number;
  private readonly baseHigh: number;
  private position: number;

  private constructor(
    private readonly mappings: readonly [consumer: Mapping, data: Mapping],
    private readonly bytes: number,
    private readonly table: IdentityTable,
    baseNs: bigint,
  ) {
    const [consumer, data] = mappings;
    this.consumer = new BigUint64Array(consumer.buffer, 0, 1);
    this.producer = new BigUint64Array(data.buffer, 0, 1);
    this.words = new Uint32Array(data.buffer, PAGE_BYTES);
    this.headers = new Int32Array(data.buffer, PAGE_BYTES);
    this.identities = new IdentityCache(table);
    const now = (): number => performance.now();
    this.files = new FileCache(table.files, new MountPaths(now), now);
    this.baseLow = Number(baseNs & 0xffff_ffffn);
    this.baseHigh = Number(baseNs >> 32n);
    this.position = Number(Atomics.load(this.consumer, 0));
  }

  /** `baseNs`: the monotonic clock at the start of the trace. */
  static open(
    ring: { readonly fd: number; readonly bytes: number },
    table: IdentityTable,
    baseNs: bigint,
  ): Result<RingReader, SyscallError> {
    const consumer = mapMemory({ fd: ring.fd, bytes: PAGE_BYTES, writable: true });
    if (!consumer.ok) return consumer;
    const data = mapMemory({
      fd: ring.fd,
      bytes: PAGE_BYTES + ring.bytes + PAGE_BYTES,
      offset: PAGE_BYTES,
      writable: false,
    });
    if (!data.ok) {
      consumer.value.dispose();
      return data;
    }
    return ok(new RingReader([consumer.value, data.value], ring.bytes, table, baseNs));
  }

  /** Bytes read since the start. */
  get consumed(): number {
    return this.position;
  }

  /** Bytes written since the start. */
  produced(): number {
    return Number(Atomics.load(this.producer, 0));
  }

  /**
   * Overwrites `rows`, from the first row, with the records in the ring up to the position `limit`, and frees that
   * part of the ring.
   */
  drain(rows: CompletionColumns, limit = Infinity): void {
    const produced = Math.min(limit, this.produced());
    const capacity = rows.completeNs.length;
    const mask = this.bytes - 1;
    this.files.begin();
    this.drawn.length = 0;
    this.counts.fill(0);
    if (this.layers.length < capacity) this.layers = new Uint8Array(capacity);
    let position = this.position;
    // Modulo, not a bit mask: positions exceed 2^31.
    let offset = position % this.bytes;
    let row = 0;
    while (position < produced && row < capacity) {
      const header = Atomics.load(this.headers, offset >>> 2);
      // The sign bit marks a record that is still being written; later ones must wait for it.
      if (header < 0) break;
      const at = (offset >>> 2) + HEADER_WORDS;
      if ((header & DISCARD_BIT) === 0) {
        if (this.isName(at)) this.files.takeName(this.words, at);
        else this.decode(at, rows, row++);
      }
      const step = ((header & LENGTH_MASK) + HEADER_BYTES + 7) & ~7;
      position += step;
      offset = (offset + step) & mask;
    }
    rows.length = row;
    this.table.files.see(rows);
    if (position === this.position) return;
    this.position = position;
    Atomics.store(this.consumer, 0, BigInt(position));
  }

  /** The name of a file, in the place of an I/O's time of completion, has 0. */
  private isName(at: number): boolean {
    return (this.words[at]! | this.words[at + 1]!) === 0;
  }

  private decode(at: number, rows: CompletionColumns, row: number): void {
    const words = this.words;
    // The low half of this word is the error.
    const flags = words[at + FIELD.flags]! >>> 16;
    rows.completeNs[row] =
      (words[at + FIELD.completeNs + 1]! - this.baseHigh) * HIGH_WORD +
      (words[at + FIELD.completeNs]! - this.baseLow);
    rows.deviceNs[row] =
      (flags & IoFlag.noIssue) === 0
        ? words[at + FIELD.deviceNs]! + words[at + FIELD.deviceNs + 1]! * HIGH_WORD
        : NaN;
    rows.queueNs[row] =
      (flags & IoFlag.noStart) === 0
        ? words[at + FIELD.queueNs]! + words[at + FIELD.queueNs + 1]! * HIGH_WORD
        : NaN;
    rows.sector[row] =
      (flags & IoFlag.noSector) === 0
        ? words[at + FIELD.sector]! + words[at + FIELD.sector + 1]! * HIGH_WORD
        : NaN;
    if ((flags & IoFlag.sampled) !== 0) this.drawn.push(row);
    rows.bytes[row] = words[at + FIELD.bytes]!;
    rows.identity[row] = this.identities.index(words, at);
    rows.file[row] = this.files.number(words, at);
    const offset = words[at + FIELD.fileOffset]! + words[at + FIELD.fileOffset + 1]! * HIGH_WORD;
    rows.fileOffset[row] = offset < NO_OFFSET ? offset : NaN;
    const layer = (flags >>> Dimension.ioLayerShift) & LAYER_MASK;
    this.layers[row] = layer;
    this.counts[layer]!++;
    if (layer === Layer.calls) resultsOf(rows)[row] = signed(words, at + FIELD.sector);
    else if (rows.result.length > 0) rows.result[row] = NaN;
  }

  dispose(): void {
    this.mappings.forEach((mapping) => {
      mapping.dispose();
    });
  }
}

/** The 64-bit number that starts at the word `at`. */
function signed(words: Uint32Array, at: number): number {
  return (words[at + 1]! | 0) * HIGH_WORD + words[at]!;
}
