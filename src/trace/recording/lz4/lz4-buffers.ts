import { compressFrame, compressFrameSync } from 'lz4-napi';
import { DamagedError } from '../arrow/flat-reader.ts';
import { unpackFrame } from './lz4-decode.ts';

/** Each compressed buffer starts with its uncompressed length, a 64-bit number. */
export const LENGTH_BYTES = 8;
/** One byte of LZ4 expands to at most 255 bytes: a longer claimed length is damage, and is not allocated. */
export const MAX_RATIO = 255;
/** With a checksum of the contents: a flipped bit on a disk must not become a latency. */
const OPTIONS = { contentChecksum: true };
/** Below this size, a thread takes more time than it saves. */
const THREAD_FROM_BYTES = 16 << 10;

/** Compressed form of buffers that never change and are written repeatedly. */
const packed = new WeakMap<Uint8Array, Uint8Array | undefined>();

/** Call it for bytes that never change: they are compressed only once. */
export function keepPacked(raw: Uint8Array): void {
  packed.set(raw, undefined);
}

/** Compresses a buffer for the body of a batch. Empty buffers stay empty. */
export async function compressBuffer(raw: Uint8Array): Promise<Uint8Array> {
  const known = packed.get(raw);
  if (known !== undefined) return known;
  const done =
    raw.length < THREAD_FROM_BYTES
      ? compressBufferSync(raw)
      : withLength(raw.length, await compressFrame(raw, OPTIONS));
  if (packed.has(raw)) packed.set(raw, done);
  return done;
}

/** As `compressBuffer`, in the caller's thread. */
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
 * Reverses `compressBuffer` into `into`, which must have exactly the original length; throws a `DamagedError`
 * otherwise.
 */
export function unpackBuffer(bytes: Buffer, into: Uint8Array): void {
  if (into.length === 0 && bytes.length === 0) return;
  if (bytes.length < LENGTH_BYTES || bytes.readBigInt64LE(0) !== BigInt(into.length))
    throw new DamagedError('a column of the wrong length');
  unpackFrame(bytes.subarray(LENGTH_BYTES), into);
}
