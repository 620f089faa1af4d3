import { compressFrame, compressFrameSync, uncompressSync } from 'lz4-napi';
import { DamagedError } from './flat-reader.ts';
import { xxHash32 } from './xx-hash.ts';

/** Before each compressed buffer: its uncompressed length, as a 64-bit number. */
const LENGTH_BYTES = 8;
/** Behind the length, the header of a frame, then blocks: each its size, with a bit for what is raw. */
const FIRST_BLOCK = LENGTH_BYTES + 7;
const SIZE_BYTES = 4;
const IS_RAW = 0x8000_0000;
const CHECKSUM_BYTES = 4;
/** A checksum of the contents: a bit that flips on a disk must not become a latency. */
const OPTIONS = { contentChecksum: true };
/** The first bytes of every frame that we write, but for the size of its blocks. */
const MAGIC = 0x184d2204;
const FRAME_FLAGS = 0x64;
/** Below this a thread costs more than it saves. */
const THREAD_FROM_BYTES = 16 << 10;

/** The buffer as the body of a compressed batch holds it. Empty ones stay empty. */
export async function compressBuffer(raw: Uint8Array): Promise<Uint8Array> {
  if (raw.length < THREAD_FROM_BYTES) return compressBufferSync(raw);
  return withLength(raw.length, await compressFrame(raw, OPTIONS));
}

export function compressBufferSync(raw: Uint8Array): Uint8Array {
  if (raw.length === 0) return raw;
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  return withLength(raw.length, compressFrameSync(bytes, OPTIONS));
}

function withLength(length: number, frame: Buffer): Uint8Array {
  const bytes = Buffer.allocUnsafe(LENGTH_BYTES + frame.length);
  bytes.writeBigInt64LE(BigInt(length), 0);
  bytes.set(frame, LENGTH_BYTES);
  return bytes;
}

/**
 * Undoes `compressBuffer` for a buffer that must have had `length` bytes; throws a `DamagedError` when
 * it had not. What is allocated is bounded by what was read, as LZ4 cannot pack more than 255 to one.
 */
export function decompressBuffer(bytes: Buffer, length: number): Buffer {
  if (length === 0 && bytes.length === 0) return bytes;
  checkFrame(bytes, length);
  const end = endOfBlocks(bytes);
  const raw = decompressBlocks(bytes, length, end);
  if (raw.length !== length) throw new DamagedError('a column of the wrong length');
  if (bytes.readUInt32LE(end + SIZE_BYTES) !== xxHash32(raw))
    throw new DamagedError('a column that differs from its checksum');
  return raw;
}

function checkFrame(bytes: Buffer, length: number): void {
  if (bytes.length < FIRST_BLOCK) throw new DamagedError('a column that is cut');
  if (bytes.length > LENGTH_BYTES + length + (length >> 7) + 64)
    throw new DamagedError('a column larger than its contents');
  if (bytes.readBigInt64LE(0) !== BigInt(length))
    throw new DamagedError('a column of the wrong length');
  if (bytes.readUInt32LE(LENGTH_BYTES) !== MAGIC || bytes[LENGTH_BYTES + 4] !== FRAME_FLAGS)
    throw new DamagedError('no LZ4 frame');
}

/** Where the mark behind the last block stands, whose checksum follows. */
function endOfBlocks(bytes: Buffer): number {
  let at = FIRST_BLOCK;
  for (;;) {
    if (at + SIZE_BYTES + CHECKSUM_BYTES > bytes.length)
      throw new DamagedError('a column that is cut');
    const size = bytes.readUInt32LE(at);
    if (size === 0) return at;
    at += SIZE_BYTES + (size & ~IS_RAW);
  }
}

/**
 * Block by block: the reader of whole frames takes four megabytes anew for each, and five times as
 * long.
 */
function decompressBlocks(bytes: Buffer, length: number, end: number): Buffer {
  const most = 256 << (2 * ((bytes[LENGTH_BYTES + 5]! >> 4) & 7));
  const parts: Buffer[] = [];
  let left = length;
  for (let at = FIRST_BLOCK; at < end;) {
    const size = bytes.readUInt32LE(at);
    const next = at + SIZE_BYTES + (size & ~IS_RAW);
    const part =
      (size & IS_RAW) === 0
        ? decompressBlock(bytes.subarray(at, next), Math.min(left, most))
        : bytes.subarray(at + SIZE_BYTES, next);
    parts.push(part);
    left -= part.length;
    if (left < 0) throw new DamagedError('a column of the wrong length');
    at = next;
  }
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

/** `block` begins with its own size, in whose place what it unpacks to has to be told. */
function decompressBlock(block: Buffer, length: number): Buffer {
  const size = block.readUInt32LE(0);
  block.writeUInt32LE(length, 0);
  try {
    return uncompressSync(block);
  } catch (cause) {
    throw new DamagedError(cause instanceof Error ? cause.message : String(cause));
  } finally {
    block.writeUInt32LE(size, 0);
  }
}
