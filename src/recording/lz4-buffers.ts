import { compressFrame, compressFrameSync, decompressFrameSync } from 'lz4-napi';
import { DamagedError } from './flat-reader.ts';

/** Before each compressed buffer: its uncompressed length, as a 64-bit number. */
const LENGTH_BYTES = 8;
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
  const frame = bytes.subarray(LENGTH_BYTES);
  const raw = decompress(frame);
  if (raw.length !== length) throw new DamagedError('a column of the wrong length');
  return raw;
}

function checkFrame(bytes: Buffer, length: number): void {
  if (bytes.length < LENGTH_BYTES + 7) throw new DamagedError('a column that is cut');
  if (bytes.length > LENGTH_BYTES + length + (length >> 7) + 64)
    throw new DamagedError('a column larger than its contents');
  if (bytes.readBigInt64LE(0) !== BigInt(length))
    throw new DamagedError('a column of the wrong length');
  if (bytes.readUInt32LE(LENGTH_BYTES) !== MAGIC || bytes[LENGTH_BYTES + 4] !== FRAME_FLAGS)
    throw new DamagedError('no LZ4 frame');
}

function decompress(frame: Buffer): Buffer {
  try {
    return decompressFrameSync(frame);
  } catch (cause) {
    throw new DamagedError(cause instanceof Error ? cause.message : String(cause));
  }
}
