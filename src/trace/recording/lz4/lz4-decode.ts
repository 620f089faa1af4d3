import { DamagedError } from '../arrow/flat-reader.ts';
import { xxHash32 } from './xx-hash.ts';

/**
 * Decompresses LZ4 frames into memory of known size: a library that allocates the output leaves more memory behind
 * than the garbage collector knows of, and trusts the size in the frame.
 */
const MAGIC = 0x184d2204;
/** Version 1, independent blocks, checksum of the contents, no other options. */
const FLAGS = 0x64;
const HEADER_BYTES = 7;
const STORED_BIT = 0x8000_0000;
const MIN_MATCH = 4;

/** Decompresses a frame into `into`, which it must fill exactly; throws a `DamagedError` otherwise. */
export function unpackFrame(frame: Uint8Array, into: Uint8Array): void {
  if (frame[4] !== FLAGS) throw new DamagedError('no LZ4 frame');
  unpackAnyFrame(frame, into);
}

/** Bits of a frame's flags: https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md */
const Flag = {
  version: 0xc0,
  blockSum: 0x10,
  size: 0x08,
  contentSum: 0x04,
  dictionary: 0x01,
} as const;
const VERSION_1 = 0x40;

/** As `unpackFrame`, for frames of other programs: everything that the format allows except dictionaries. */
export function unpackAnyFrame(frame: Uint8Array, into: Uint8Array): void {
  const view = viewOf(frame);
  const flags = frame[4] ?? 0;
  const isPlain = (flags & (Flag.version | Flag.dictionary)) === VERSION_1;
  if (frame.length < HEADER_BYTES + 4 || view.getUint32(0, true) !== MAGIC || !isPlain)
    throw new DamagedError('no LZ4 frame');
  const sumBytes = (flags & Flag.blockSum) === 0 ? 0 : 4;
  let at = HEADER_BYTES + ((flags & Flag.size) === 0 ? 0 : 8);
  let filled = 0;
  for (;;) {
    if (at + 4 > frame.length) throw new DamagedError('a truncated LZ4 frame');
    const size = view.getUint32(at, true);
    at += 4;
    if (size === 0) break;
    const end = at + (size & ~STORED_BIT);
    if (end + sumBytes > frame.length) throw new DamagedError('a truncated LZ4 block');
    filled =
      size >= STORED_BIT
        ? store(frame.subarray(at, end), into, filled)
        : unpackBlock(frame, at, end, into, filled);
    at = end + sumBytes;
  }
  if (filled !== into.length) throw new DamagedError('a column of the wrong length');
  if ((flags & Flag.contentSum) !== 0) checkSum(view, at, into);
}

function checkSum(view: DataView, at: number, into: Uint8Array): void {
  if (at + 4 > view.byteLength) throw new DamagedError('a truncated LZ4 frame');
  if (view.getUint32(at, true) !== xxHash32(into)) throw new DamagedError('a column has changed');
}

function store(block: Uint8Array, into: Uint8Array, filled: number): number {
  if (filled + block.length > into.length) throw new DamagedError('a column of the wrong length');
  into.set(block, filled);
  return filled + block.length;
}

/** A short copy moves words, and may write up to this many bytes beyond its end. */
const OVERSHOOT = 8;
const SHORT_MATCH = 32;

/**
 * Returns up to where `into` is filled. Most stretches are shorter than eight bytes: they are copied as words where
 * there is room, and the next stretch overwrites the excess.
 */
function unpackBlock(
  from: Uint8Array,
  start: number,
  end: number,
  into: Uint8Array,
  filled: number,
): number {
  const [source, target] = [viewOf(from), viewOf(into)];
  const room = into.length;
  let at = start;
  let to = filled;
  while (at < end) {
    const token = from[at++]!;
    let literals = token >>> 4;
    if (literals <= OVERSHOOT && at + OVERSHOOT <= end && to + OVERSHOOT <= room) {
      target.setInt32(to, source.getInt32(at));
      if (literals > 4) target.setInt32(to + 4, source.getInt32(at + 4));
    } else {
      if (literals === 15)
        for (let more = 255; more === 255 && at < end;) literals += more = from[at++]!;
      if (at + literals > end || to + literals > room)
        throw new DamagedError('a column has changed');
      into.set(from.subarray(at, at + literals), to);
    }
    at += literals;
    to += literals;
    // The last sequence of a block has no match.
    if (at === end) return to;
    if (at + 2 > end) throw new DamagedError('a column has changed');
    const distance = source.getUint16(at, true);
    at += 2;
    let match = (token & 15) + MIN_MATCH;
    if (match === 15 + MIN_MATCH)
      for (let more = 255; more === 255 && at < end;) match += more = from[at++]!;
    if (distance === 0 || distance > to || to + match > room)
      throw new DamagedError('a column has changed');
    const stop = to + match;
    if (distance >= 4 && match <= SHORT_MATCH && stop + OVERSHOOT <= room)
      for (; to < stop; to += 4) target.setInt32(to, target.getInt32(to - distance));
    else copyMatch(into, to, distance, match);
    to = stop;
  }
  return to;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}

/** A match that overlaps its own output is a repetition: each round copies everything available so far. */
function copyMatch(into: Uint8Array, to: number, distance: number, length: number): void {
  const from = to - distance;
  const stop = to + length;
  for (let at = to; at < stop;) {
    const count = Math.min(at - from, stop - at);
    into.copyWithin(at, from, from + count);
    at += count;
  }
}
