import { ok, type Result } from '../base/result.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { IdentityTable } from '../model/identity-table.ts';
import { KeyCache } from './key-cache.ts';
import { Completion, CompletionFlag } from './layout.ts';
import { mapMemory, PAGE_BYTES, type Mapping } from './mapping.ts';
import type { SyscallError } from './privilege/syscalls.ts';

/** Before each record: its length with two flags in the top bits, and a page offset. */
const HEADER_WORDS = 2;
const HEADER_BYTES = 8;
const DISCARD_BIT = 1 << 30;
const LENGTH_MASK = DISCARD_BIT - 1;
const HIGH_WORD = 2 ** 32;
const NO_SECTOR_WORD = 0xffff_ffff;

/**
 * Reads the BPF ring buffer in place. The kernel maps it as a page with the consumer's position (ours
 * to write), a page with the producer's, and the data twice in a row, so that no record wraps.
 */
export class RingReader {
  private readonly consumer: BigUint64Array;
  private readonly producer: BigUint64Array;
  private readonly words: Uint32Array;
  private readonly headers: Int32Array;
  private readonly keys: KeyCache;
  private readonly baseLow: number;
  private readonly baseHigh: number;
  private position: number;

  private constructor(
    private readonly mappings: readonly [consumer: Mapping, data: Mapping],
    private readonly bytes: number,
    keys: IdentityTable,
    baseNs: bigint,
  ) {
    const [consumer, data] = mappings;
    this.consumer = new BigUint64Array(consumer.buffer, 0, 1);
    this.producer = new BigUint64Array(data.buffer, 0, 1);
    this.words = new Uint32Array(data.buffer, PAGE_BYTES);
    this.headers = new Int32Array(data.buffer, PAGE_BYTES);
    this.keys = new KeyCache(keys);
    this.baseLow = Number(baseNs & 0xffff_ffffn);
    this.baseHigh = Number(baseNs >> 32n);
    this.position = Number(Atomics.load(this.consumer, 0));
  }

  /** `baseNs`: the monotonic clock at the start of the trace. */
  static open(
    ring: { readonly fd: number; readonly bytes: number },
    keys: IdentityTable,
    baseNs: bigint,
  ): Result<RingReader, SyscallError> {
    const consumer = mapMemory({ fd: ring.fd, bytes: PAGE_BYTES, writable: true });
    if (!consumer.ok) return consumer;
    const data = mapMemory({
      fd: ring.fd,
      bytes: PAGE_BYTES + 2 * ring.bytes,
      offset: PAGE_BYTES,
      writable: false,
    });
    if (!data.ok) {
      consumer.value.dispose();
      return data;
    }
    return ok(new RingReader([consumer.value, data.value], ring.bytes, keys, baseNs));
  }

  /** Bytes that were ever read. */
  get consumed(): number {
    return this.position;
  }

  /** Bytes that were ever put in. */
  produced(): number {
    return Number(Atomics.load(this.producer, 0));
  }

  /**
   * Fills `rows` from its first row with what waits, at most up to the position `limit`, and gives that
   * part of the ring back.
   */
  drain(rows: CompletionColumns, limit = Infinity): void {
    const produced = Math.min(limit, this.produced());
    const capacity = rows.completeNs.length;
    const mask = this.bytes - 1;
    let position = this.position;
    // A remainder, not a bit mask: positions pass 2^31.
    let offset = position % this.bytes;
    let row = 0;
    while (position < produced && row < capacity) {
      const header = Atomics.load(this.headers, offset >>> 2);
      // The sign bit: still being written, as are all records behind it as far as we may know.
      if (header < 0) break;
      if ((header & DISCARD_BIT) === 0) this.decode((offset >>> 2) + HEADER_WORDS, rows, row++);
      const step = ((header & LENGTH_MASK) + HEADER_BYTES + 7) & ~7;
      position += step;
      offset = (offset + step) & mask;
    }
    rows.length = row;
    if (position === this.position) return;
    this.position = position;
    Atomics.store(this.consumer, 0, BigInt(position));
  }

  private decode(at: number, rows: CompletionColumns, row: number): void {
    const words = this.words;
    const field = Completion.words;
    const flags = words[at + field.errorAndFlags]! >>> 16;
    rows.completeNs[row] =
      (words[at + field.completeNs + 1]! - this.baseHigh) * HIGH_WORD +
      (words[at + field.completeNs]! - this.baseLow);
    rows.deviceNs[row] =
      (flags & CompletionFlag.noIssue) === 0
        ? words[at + field.deviceNs]! + words[at + field.deviceNs + 1]! * HIGH_WORD
        : NaN;
    rows.queueNs[row] =
      (flags & CompletionFlag.noStart) === 0
        ? words[at + field.queueNs]! + words[at + field.queueNs + 1]! * HIGH_WORD
        : NaN;
    const sectorHigh = words[at + field.sector + 1]!;
    rows.sector[row] =
      sectorHigh === NO_SECTOR_WORD ? NaN : words[at + field.sector]! + sectorHigh * HIGH_WORD;
    rows.bytes[row] = words[at + field.bytes]!;
    rows.key[row] = this.keys.index(words, at);
  }

  dispose(): void {
    this.mappings.forEach((mapping) => {
      mapping.dispose();
    });
  }
}
