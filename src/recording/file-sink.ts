import { close, ftruncate, writev } from 'node:fs';
import { promisify } from 'node:util';
import { END_OF_STREAM } from './arrow-message.ts';

/** Where the bytes of one recording go. Calls are made one at a time. */
export interface RecordingSink {
  /** As a person would name it. */
  readonly name: string;
  /** Rejects with the system's error; what was written before stays whole. */
  write(pieces: readonly Uint8Array[]): Promise<void>;
  /** Closes it, after the end mark if `isWhole`. */
  end(isWhole: boolean): Promise<void>;
}

const closeFd = promisify(close);
const truncateFd = promisify(ftruncate);

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

  async end(isWhole: boolean): Promise<void> {
    if (isWhole) await this.write([END_OF_STREAM]).catch(keepTheFirstError);
    await closeFd(this.fd);
  }
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
function keepTheFirstError(): void {
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

  async end(isWhole: boolean): Promise<void> {
    if (isWhole) await this.write([END_OF_STREAM]).catch(keepTheFirstError);
  }
}
