import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { IoheatError, Result } from '../base/result.ts';
import { err, ExitCode, ok } from '../base/result.ts';

/** Bytes that come in pieces. */
export interface PieceSource {
  /** The next piece, its memory reused by the next call. */
  next(): Uint8Array | 'waiting' | 'ended';
  /** When what is read was last written, ms since the epoch. */
  readonly writtenMs?: number;
  dispose(): void;
}

const PIECE_BYTES = 1 << 16;

/** A regular file from its beginning; a descriptor stays open, and its position stays. */
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
  if (!(cause instanceof Error && 'code' in cause)) throw cause;
  return { exitCode: ExitCode.failed, what: `cannot read ${nameOf(file)}`, why: cause.message };
}
