import { close, fstat, ftruncate, lstat, writev } from 'node:fs';
import { promisify } from 'node:util';

/** Where the bytes of one recording go. Calls are made one at a time. */
export interface RecordingSink {
  /** As a person would name it. */
  readonly name: string;
  /** Rejects with the system's error; what was written before stays whole. */
  write(pieces: readonly Uint8Array[]): Promise<void>;
  /** Removes that many bytes from the end; false where that cannot be. */
  takeBack(bytes: number): Promise<boolean>;
  /** Rejects with a `LostFileError` when nobody will find the file; at the end also when it was moved. */
  check(isEnd: boolean): Promise<void>;
  /** Rejects when the system reports only now that something was not written. */
  close(): Promise<void>;
}

/** What happened to the file of a recording that is being written. */
export class LostFileError extends Error {
  constructor(readonly code: 'DELETED' | 'MOVED') {
    super(code);
  }
}

const closeFd = promisify(close);
const truncateFd = promisify(ftruncate);
const statFd = promisify(fstat);
const statPath = promisify(lstat);

/** A file. Its descriptor belongs to the sink. A batch that does not fit is taken back whole. */
export class FileSink implements RecordingSink {
  /** Up to here everything is whole. */
  private length = 0;

  constructor(
    readonly name: string,
    private readonly fd: number,
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
    } catch (cause) {
      await truncateFd(this.fd, this.length).catch(keepTheFirstError);
      throw cause;
    }
    this.length = position;
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
   * Without fsync: on a disk that does not answer nothing could end a program that waits in it. What
   * network file systems refuse, closing tells.
   */
  close(): Promise<void> {
    return closeFd(this.fd);
  }
}

function notThere(cause: unknown): undefined {
  if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return undefined;
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

/** A disk that is nearly full takes a part. */
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

/** Why the recording ended is told by the error that ended it; a cut tail is told when it is read. */
function keepTheFirstError(): undefined {
  return undefined;
}

/** Standard output, or anything else that only takes bytes in order. */
export class StreamSink implements RecordingSink {
  constructor(
    readonly name: string,
    private readonly stream: NodeJS.WritableStream,
  ) {
    // Each write is told its own error.
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

  /** What has been sent may have been read. */
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
