import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { isSystemError, reasonOf } from '../../base/system-error.ts';
import type { IoheatError, Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';

/** Bytes that arrive in pieces. */
export interface PieceSource {
  /** The next piece; its memory is reused by the next call. */
  next(): Uint8Array | 'waiting' | 'ended';
  /** When the source was last written, ms since the epoch. */
  readonly writtenMs?: number;
  dispose(): void;
}

const PIECE_BYTES = 1 << 16;

/** Reads a regular file from its start; a descriptor stays open, and its file position does not change. */
export function openPieces(file: string | number): Result<PieceSource> {
  try {
    const fd =
      typeof file === 'number' ? file : openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    const close = () => {
      if (fd !== file) closeSync(fd);
    };
    if (stat.isFile()) return ok(filePieces(fd, stat.mtimeMs, close));
    close();
    return err({
      exitCode: ExitCode.failed,
      what: `${nameOf(file)} is not a regular file`,
      remedy: 'pipe it in, with - as the file name',
    });
  } catch (cause) {
    return err(cannotRead(file, cause));
  }
}

function filePieces(fd: number, writtenMs: number, dispose: () => void): PieceSource {
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let position = 0;
  return {
    writtenMs,
    next: () => {
      const length = readSync(fd, piece, 0, PIECE_BYTES, position);
      position += length;
      return length === 0 ? 'ended' : piece.subarray(0, length);
    },
    dispose,
  };
}

function nameOf(file: string | number): string {
  return typeof file === 'number' ? `descriptor ${file}` : file;
}

function cannotRead(file: string | number, cause: unknown): IoheatError {
  if (!isSystemError(cause)) throw cause;
  return { exitCode: ExitCode.failed, what: `cannot read ${nameOf(file)}`, why: reasonOf(cause) };
}
