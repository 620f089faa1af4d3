import { closeSync, openSync, readSync } from 'node:fs';
import { isSystemError } from '../../base/system-error.ts';

interface Lacks {
  readonly lacks: 'absent' | 'not readable';
}

/** The contents of a file of `/proc` or `/sys`, or why it cannot be read. */
export type ReadText = { readonly text: string } | Lacks;

/**
 * Bytes to read at most: more than any line that is shown, and few enough that a hostile command line takes no memory.
 */
const MOST_BYTES = 64 * 1024;

/** Codes of a file, or of a process behind it, that is not there (any more). */
const ABSENT = ['ENOENT', 'ESRCH', 'ENOTDIR', 'ENODEV', 'ENXIO'];

/** The first `mostBytes` of a file. Bytes that are not UTF-8 are replaced. */
export function readText(path: string, mostBytes = MOST_BYTES): ReadText {
  const read = readBytes(path, mostBytes);
  return 'lacks' in read ? read : { text: read.bytes.toString('utf8') };
}

export function readBytes(path: string, mostBytes: number): { readonly bytes: Buffer } | Lacks {
  try {
    return { bytes: readStart(path, mostBytes) };
  } catch (cause) {
    if (!isSystemError(cause)) throw cause;
    return { lacks: ABSENT.includes(cause.code) ? 'absent' : 'not readable' };
  }
}

/** Bytes per read: `/proc` returns at most a page at once, for some files a few pages. */
const PIECE_BYTES = 16 * 1024;

/** Reads in pieces: allocating memory for the longest possible file would make V8 collect garbage each time. */
function readStart(path: string, mostBytes: number): Buffer {
  const fd = openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    let left = mostBytes;
    for (let more = -1; more !== 0 && left > 0; left -= more) {
      const piece = Buffer.allocUnsafe(Math.min(left, PIECE_BYTES));
      more = readSync(fd, piece);
      pieces.push(piece.subarray(0, more));
    }
    return Buffer.concat(pieces);
  } finally {
    closeSync(fd);
  }
}
