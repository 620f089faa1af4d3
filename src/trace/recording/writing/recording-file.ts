import { isSystemError } from '../../../base/system-error.ts';
import { END_OF_STREAM } from '../arrow/arrow-message.ts';
import { LostFileError } from './file-sink.ts';
import type { RecordingSink } from './file-sink.ts';
import { NOTHING_WRITTEN } from '../format/recording-encoder.ts';
import type { Written } from '../format/recording-encoder.ts';

/** Batches that can be removed; one or two of the smallest make room for the end mark. */
const MOST_TAKEN_BACK = 16;

/** The disk, the quota or the maximum file size is exhausted. */
const NO_ROOM: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/** The bytes that complete a file with these contents. */
export type Closing = (written: Written) => Promise<readonly Uint8Array[]>;

/** One file of a recording, which is consistent after each write. */
export class RecordingFile {
  /** What it contains, according to its own metadata. */
  written: Written = NOTHING_WRITTEN;
  bytes = 0;
  private readonly latest: { readonly bytes: number; readonly before: Written }[] = [];

  constructor(readonly sink: RecordingSink) {}

  /** `after`: contents of the file including these bytes. */
  async write(pieces: readonly Uint8Array[], after: Written): Promise<void> {
    await this.sink.write(pieces);
    const bytes = sizeOf(pieces);
    this.bytes += bytes;
    this.latest.push({ bytes, before: this.written });
    if (this.latest.length > MOST_TAKEN_BACK) this.latest.shift();
    this.written = after;
  }

  /**
   * Writes the end mark and closes the file. Rejects when that fails, or when the file was moved; it is then closed
   * in the most consistent state possible.
   */
  async end(closing: Closing): Promise<void> {
    const { sink } = this;
    try {
      await sink.write([END_OF_STREAM]);
    } catch (cause) {
      await this.endShort(closing);
      throw cause;
    }
    const lost = await sink.check(true).then(noError, asError);
    if (isDeleted(lost)) this.forget();
    await sink.close();
    if (lost !== undefined) throw lost;
  }

  /**
   * Ends a file that has failed, with its contents and losses; if there is no room, the last batches are removed. If
   * even that fails, the file has no end mark.
   */
  async endShort(closing: Closing): Promise<void> {
    const lost = await this.sink.check(false).then(noError, asError);
    if (isDeleted(lost)) this.forget();
    else await this.closeShort(closing).catch(ignoreSystemError);
    await this.sink.close().catch(ignoreSystemError);
  }

  private async closeShort(closing: Closing): Promise<void> {
    while (!(await this.tryEnd(await closing(this.written))) && (await this.takeBack()));
  }

  /** The file is gone, so it contains nothing. */
  private forget(): void {
    this.written = { ...this.written, rows: 0, summarised: 0 };
    this.bytes = 0;
  }

  /** False when there is no room. */
  private async tryEnd(closing: readonly Uint8Array[]): Promise<boolean> {
    try {
      await this.sink.write([...closing, END_OF_STREAM]);
      this.bytes += sizeOf(closing);
      return true;
    } catch (cause) {
      if (isSystemError(cause) && NO_ROOM.includes(cause.code)) return false;
      throw cause;
    }
  }

  private async takeBack(): Promise<boolean> {
    const last = this.latest.pop();
    if (last === undefined || !(await this.sink.takeBack(last.bytes))) return false;
    this.bytes -= last.bytes;
    this.written = last.before;
    return true;
  }
}

export function sizeOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

function isDeleted(cause: unknown): boolean {
  return cause instanceof LostFileError && cause.code === 'DELETED';
}

function ignoreSystemError(cause: unknown): void {
  if (!isSystemError(cause)) throw cause;
}

const noError = (): undefined => undefined;
const asError = (cause: unknown): Error => cause as Error;
