import { fstatSync, readSync } from 'node:fs';

/** Bytes by position, of a file or of a stream that is still growing. */
export interface ByteSource {
  /** Up to `length` bytes starting at `at`; fewer only if there are no more yet. Valid until the next call. */
  read(at: number, length: number): Buffer;
  /** Bytes available so far. */
  readonly size: number;
  /** Whether `size` is final. */
  readonly isComplete: boolean;
  /** Promises that no byte before `at` is read again. */
  release(at: number): void;
}

/** A file that is read on demand; the caller owns the descriptor. */
export class FileBytes implements ByteSource {
  readonly isComplete = true;
  private buffer = Buffer.alloc(0);

  constructor(private readonly fd: number) {}

  get size(): number {
    return fstatSync(this.fd).size;
  }

  read(at: number, length: number): Buffer {
    // Never allocates more than the file has, whatever its metadata claims.
    const wanted = Math.max(0, Math.min(length, this.size - at));
    if (this.buffer.length < wanted) this.buffer = Buffer.alloc(wanted);
    const bytes = this.buffer;
    let filled = 0;
    while (filled < wanted) {
      const count = readSync(this.fd, bytes, filled, wanted - filled, at + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  }

  release(): void {
    return undefined;
  }
}

/** A stream that is fed in pieces. Keeps what was fed and not released yet. */
export class FedBytes implements ByteSource {
  isComplete = false;
  private pieces: Buffer[] = [];
  /** Position of the first byte kept. */
  private start = 0;
  private held = 0;

  get size(): number {
    return this.start + this.held;
  }

  get heldBytes(): number {
    return this.held;
  }

  feed(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.pieces.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    this.held += bytes.length;
  }

  end(): void {
    this.isComplete = true;
  }

  read(at: number, length: number): Buffer {
    const end = Math.min(at + length, this.start + this.held);
    if (end <= at) return Buffer.alloc(0);
    const [first] = this.joinedUntil(end);
    return first!.subarray(at - this.start, end - this.start);
  }

  release(at: number): void {
    while (this.pieces.length > 0 && this.start + this.pieces[0]!.length <= at) {
      const { length } = this.pieces.shift()!;
      this.start += length;
      this.held -= length;
    }
    const [first] = this.pieces;
    if (first === undefined || at <= this.start) return;
    this.pieces[0] = first.subarray(at - this.start);
    this.held -= at - this.start;
    this.start = at;
  }

  /** Joins pieces until the first one reaches `end`. */
  private joinedUntil(end: number): readonly Buffer[] {
    let covered = this.start;
    let count = 0;
    while (covered < end) covered += this.pieces[count++]!.length;
    if (count > 1) this.pieces.splice(0, count, Buffer.concat(this.pieces.slice(0, count)));
    return this.pieces;
  }
}
