import { close, fstat, ftruncate, lstat, rename, unlink, writev } from 'node:fs';
import { promisify } from 'node:util';
import { codeOf } from '../../../base/system-error.ts';

/** Destination of the bytes of one recording. Calls must not overlap. */
export interface RecordingSink {
  /** A name for messages. */
  readonly name: string;
  /** Rejects with the system's error; earlier bytes stay intact. */
  write(pieces: readonly Uint8Array[]): Promise<void>;
  /** Removes this many bytes from the end; false when that is impossible. */
  takeBack(bytes: number): Promise<boolean>;
  /** Rejects with a `LostFileError` when the file was deleted; at the end, also when it was moved. */
  check(isEnd: boolean): Promise<void>;
  /** Rejects when the system reports a failed write only now. */
  close(): Promise<void>;
}

/** The file of a recording was deleted or moved while it was being written. */
export class LostFileError extends Error {
  constructor(readonly code: 'DELETED' | 'MOVED') {
    super(code);
  }
}

const closeFd = promisify(close);
const truncateFd = promisify(ftruncate);
const statFd = promisify(fstat);
const statPath = promisify(lstat);
const renamePath = promisify(rename);
const unlinkPath = promisify(unlink);

/**
 * A file. Its descriptor belongs to the sink. A partly written batch is removed completely. Given the name of a `part`,
 * it takes its own name, and replaces what has it, when the first bytes are written.
 */
export class FileSink implements RecordingSink {
  /** Everything before this position is complete. */
  private length = 0;

  constructor(
    readonly name: string,
    private readonly fd: number,
    private part?: string,
  ) {}

  async write(pieces: readonly Uint8Array[]): Promise<void> {
    let position = this.length;
    let rest: readonly Uint8Array[] = pieces;
    try {
      while (rest.length > 0) {
        const written = await writeSome(this.fd, rest.slice(0, MOST_PIECES), position);
        position += written;
        rest = without(rest, written);
      }
      await this.takeName();
    } catch (cause) {
      await truncateFd(this.fd, this.length).catch(keepTheFirstError);
      // What has the name is worth more than a recording without a start.
      if (this.part !== undefined) await unlinkPath(this.part).catch(keepTheFirstError);
      throw cause;
    }
    this.length = position;
  }

  private async takeName(): Promise<void> {
    const { part } = this;
    if (part === undefined) return;
    await renamePath(part, this.name);
    this.part = undefined;
  }

  async takeBack(bytes: number): Promise<boolean> {
    const length = this.length - bytes;
    const isDone = await truncateFd(this.fd, length).then(
      () => true,
      () => false,
    );
    if (isDone) this.length = length;
    return isDone;
  }

  async check(isEnd: boolean): Promise<void> {
    const { nlink, dev, ino } = await statFd(this.fd);
    if (nlink === 0) throw new LostFileError('DELETED');
    if (!isEnd) return;
    const named = await statPath(this.name).catch(notThere);
    if (named === undefined || named.dev !== dev || named.ino !== ino)
      throw new LostFileError('MOVED');
  }

  /**
   * Without fsync: a program that waits in it for a disk that does not respond cannot be killed. Errors that a
   * network file system delays are reported by close.
   */
  close(): Promise<void> {
    return closeFd(this.fd);
  }
}

function notThere(cause: unknown): undefined {
  if (codeOf(cause) === 'ENOENT') return undefined;
  throw cause;
}

/** `IOV_MAX` of Linux: more buffers in one call are refused. */
const MOST_PIECES = 1024;

function writeSome(fd: number, pieces: readonly Uint8Array[], position: number): Promise<number> {
  return new Promise((resolve, reject) => {
    writev(fd, pieces, position, (error, written) => {
      if (error) reject(error);
      else resolve(written);
    });
  });
}

/** A nearly full disk accepts only a part. */
function without(pieces: readonly Uint8Array[], written: number): Uint8Array[] {
  let left = written;
  const rest: Uint8Array[] = [];
  for (const piece of pieces) {
    if (left >= piece.length) left -= piece.length;
    else {
      rest.push(piece.subarray(left));
      left = 0;
    }
  }
  return rest;
}

/** The error that ended the recording is already reported; a truncated tail is reported on reading. */
function keepTheFirstError(): undefined {
  return undefined;
}

/** Standard output, or any other stream of bytes. */
export class StreamSink implements RecordingSink {
  constructor(
    readonly name: string,
    private readonly stream: NodeJS.WritableStream,
  ) {
    // Each write reports its own error.
    stream.on('error', keepTheFirstError);
  }

  write(pieces: readonly Uint8Array[]): Promise<void> {
    const bytes = Buffer.concat(pieces);
    return new Promise((resolve, reject) => {
      this.stream.write(bytes, (error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** A reader may already have what was sent. */
  takeBack(): Promise<boolean> {
    return Promise.resolve(false);
  }

  check(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
