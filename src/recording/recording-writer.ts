import type { IoheatError, Result } from '../base/result.ts';
import { ExitCode, ok } from '../base/result.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { CompletionSummary, SourceCounters } from '../source/completion-summary.ts';
import { LostFileError } from './file-sink.ts';
import type { RecordingSink } from './file-sink.ts';
import { NO_LOSSES, RecordingEncoder } from './recording-encoder.ts';
import type { EncodedBatch, EncoderParts, Losses, Written } from './recording-encoder.ts';
import { isSystemError, RecordingFile, sizeOf } from './recording-file.ts';

/** Where the files of a recording come from, one after the other. */
export interface RecordingTarget {
  /** The first, or the next one when the last is full. */
  open(): Result<RecordingSink>;
  /** Whether a file of this size and age, in ms, is full. */
  isFull(bytes: number, ageMs: number): boolean;
}

export interface RecordingState {
  /** Name of the file that is being written. */
  readonly name: string;
  /** Whole in the files so far: a reader finds as much. */
  readonly bytes: number;
  /** Single I/Os, and those that came in sum. */
  readonly rows: number;
  readonly summarised: number;
  /** Taken, but in no file; 0 until the recording has failed, because until then they only wait. */
  readonly unwritten: number;
  /** Why it has ended by itself. */
  readonly failure: IoheatError | undefined;
}

export interface WriterParts extends Omit<EncoderParts, 'written'> {
  readonly target: RecordingTarget;
  /** Monotonic, in ms. */
  readonly nowMs: () => number;
  /** Time between batches, in ms; what a kill costs at most. */
  readonly flushMs?: number;
}

const FLUSH_MS = 1000;

/**
 * Bytes that may wait for the disk. A disk that falls behind so far is too slow for this recording,
 * and the memory is needed elsewhere.
 */
export const MAX_WAITING_BYTES = 128 << 20;

/** How a recording tells what it could not write, beside the losses of its source. */
const UNWRITTEN = 'unwritten';

/**
 * Records what it is given, without ever keeping the caller: bytes are compressed and written behind
 * its back. A disk that is full, slow or broken ends the recording, and nothing else; what it did not
 * take is counted, in the file as well where that has room.
 */
export class RecordingWriter {
  private encoder: RecordingEncoder;
  private file: RecordingFile;
  private lossesBefore: Losses;
  private recorded: WriterParts['recorded'];
  private waitingBytes = 0;
  private flushedMs: number;
  private openedMs: number;
  /** Given to the recording so far, single and in sum. */
  private taken = 0;
  /** In the files that are closed. */
  private readonly closed = { bytes: 0, rows: 0, summarised: 0 };
  /** In the order in which they were begun: the last one is written to when those before are closed. */
  private readonly open: RecordingFile[] = [];
  private failure: IoheatError | undefined;
  private flushedLost = 0;
  /** Everything that is to be done with files, one after the other. */
  private work: Promise<void> = Promise.resolve();
  private ending: Promise<void> | undefined;

  private constructor(
    private readonly parts: WriterParts,
    sink: RecordingSink,
  ) {
    this.lossesBefore = parts.lossesBefore ?? NO_LOSSES;
    this.recorded = parts.recorded;
    this.encoder = new RecordingEncoder(parts);
    this.file = new RecordingFile(sink);
    this.flushedMs = parts.nowMs();
    this.openedMs = this.flushedMs;
    this.begin();
  }

  static start(parts: WriterParts): Result<RecordingWriter> {
    const sink = parts.target.open();
    return sink.ok ? ok(new RecordingWriter(parts, sink.value)) : sink;
  }

  get state(): RecordingState {
    const { failure, file, closed, open, taken } = this;
    const sum = (of: (one: RecordingFile) => number): number =>
      open.reduce((total, one) => total + of(one), 0);
    const bytes = closed.bytes + sum((one) => one.bytes);
    const rows = closed.rows + sum(({ written }) => written.rows);
    const summarised = closed.summarised + sum(({ written }) => written.summarised);
    const unwritten = failure === undefined ? 0 : taken - rows - summarised;
    return { name: file.sink.name, bytes, rows, summarised, unwritten, failure };
  }

  append(rows: CompletionColumns): void {
    this.taken += rows.length;
    if (this.failure === undefined) this.take(this.encoder.append(rows));
  }

  appendSummary(summary: CompletionSummary): void {
    this.taken += summary.count;
    if (this.failure === undefined) this.take(this.encoder.appendSummary(summary));
  }

  /** To be called several times a second: what waits for long enough is written. */
  tick(counters: SourceCounters): void {
    if (this.failure !== undefined) return;
    const nowMs = this.parts.nowMs();
    const isFull = this.parts.target.isFull(this.file.bytes, nowMs - this.openedMs);
    if (!isFull && nowMs - this.flushedMs < (this.parts.flushMs ?? FLUSH_MS)) return;
    this.flushedMs = nowMs;
    this.flush(counters);
    const { file } = this;
    if (isFull) this.nextFile(nowMs, counters);
    else this.enqueue(file, () => file.sink.check(false));
  }

  /** Resolves when what has been taken so far is written; for who can wait. */
  settled(): Promise<void> {
    return this.work;
  }

  /** Resolves when everything is written and closed, or cannot be. */
  end(counters: SourceCounters): Promise<void> {
    return (this.ending ??= this.finish(counters));
  }

  private async finish(counters: SourceCounters): Promise<void> {
    // Until when it was recorded is news, too.
    if (this.failure === undefined) this.flush(counters, this.parts.recorded !== undefined);
    await this.work;
    const { file } = this;
    const closing = (written: Written) => this.closingBytes(written, counters);
    if (this.failure === undefined) this.enqueue(file, () => file.end(closing));
    else this.enqueue(file, () => file.endShort(closing));
    await this.work;
  }

  private flush(losses: Losses, isEnd = false): void {
    const isNews = isEnd || losses.lost !== this.flushedLost;
    this.flushedLost = losses.lost;
    if (this.encoder.waiting > 0 || isNews) this.take(this.encoder.flush(losses));
  }

  private take(batches: readonly EncodedBatch[]): void {
    for (const batch of batches) this.write(batch);
    if (this.waitingBytes > MAX_WAITING_BYTES) this.fail(TOO_SLOW);
  }

  private begin(): void {
    const { file, encoder } = this;
    this.open.push(file);
    this.enqueue(file, () => file.write([encoder.begin()], file.written));
  }

  /** Compression goes on meanwhile, so batches wait for their turn, not for each other. */
  private write({ pieces, rawBytes, after }: EncodedBatch): void {
    const { file } = this;
    this.waitingBytes += rawBytes;
    const sized = pieces.then((ready) => {
      const size = sizeOf(ready);
      this.waitingBytes += size - rawBytes;
      return { ready, size };
    });
    this.enqueue(file, async () => {
      const { ready, size } = await sized;
      this.waitingBytes -= size;
      if (this.failure === undefined) await file.write(ready, after);
    });
  }

  private enqueue(file: RecordingFile, step: () => Promise<void>): void {
    this.work = this.work.then(step).catch((cause: unknown) => {
      this.fail(whyStopped(file.sink.name, cause));
    });
  }

  private nextFile(nowMs: number, losses: Losses): void {
    const next = this.parts.target.open();
    if (!next.ok) {
      this.fail(next.error);
      return;
    }
    const { file } = this;
    this.enqueue(file, () => this.close(file));
    this.file = new RecordingFile(next.value);
    this.lossesBefore = losses;
    this.recorded = fromNowOn(this.parts.recorded);
    const { lossesBefore, recorded } = this;
    this.encoder = new RecordingEncoder({ ...this.parts, lossesBefore, recorded });
    this.openedMs = nowMs;
    this.begin();
  }

  /** What a full file lacks after all, the last one counts. */
  private async close(file: RecordingFile): Promise<void> {
    const closing = () => Promise.resolve([]);
    try {
      if (this.failure === undefined) await file.end(closing);
      else await file.endShort(closing);
    } finally {
      this.open.splice(this.open.indexOf(file), 1);
      this.closed.bytes += file.bytes;
      this.closed.rows += file.written.rows;
      this.closed.summarised += file.written.summarised;
    }
  }

  /** Of a file of its own, as what has been encoded meanwhile is not all in this one. */
  private async closingBytes(written: Written, losses: Losses): Promise<Uint8Array[]> {
    const { parts, lossesBefore, recorded, file } = this;
    const unwritten = this.taken - this.wholeIos();
    const { names } = parts;
    const devices = { device: names.devices.device.bind(names.devices), devices: () => [] };
    const encoder = new RecordingEncoder({
      ...parts,
      names: { ...names, devices },
      lossesBefore,
      recorded,
      written,
    });
    const batches = encoder.flush({
      ...losses,
      lost: losses.lost + unwritten,
      losses: { ...losses.losses, [UNWRITTEN]: unwritten },
    });
    const pieces = await Promise.all(batches.map((batch) => batch.pieces));
    return [...(file.bytes === 0 ? [encoder.begin()] : []), ...pieces.flat()];
  }

  private wholeIos(): number {
    const { rows, summarised } = this.state;
    return rows + summarised;
  }

  private fail(failure: IoheatError): void {
    this.failure ??= failure;
  }
}

/** The next file of a series is about what comes after the one before. */
function fromNowOn(recorded: WriterParts['recorded']): WriterParts['recorded'] {
  if (recorded === undefined) return undefined;
  const { endNs: startNs } = recorded();
  return () => ({ startNs, endNs: recorded().endNs });
}

/** Why a recording into a pipe has ended that the next program has closed. */
export const NOBODY_READS = 'nobody reads it any more';

const TOO_SLOW: IoheatError = {
  exitCode: ExitCode.failed,
  what: 'the recording has ended',
  why: 'the disk cannot keep up',
  remedy:
    'narrow the recording (--disk, --pid, --op, --filter), use --summary, or record to a faster disk',
};

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'no space left on the disk',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'the file has reached the maximum size allowed',
  EIO: 'the disk reports an error',
  EROFS: 'the file system has become read-only',
  EPIPE: NOBODY_READS,
};

function whyStopped(name: string, cause: unknown): IoheatError {
  if (!isSystemError(cause)) throw cause;
  const { exitCode, what } = {
    exitCode: ExitCode.failed,
    what: `the recording to ${name} has ended`,
  };
  if (!(cause instanceof LostFileError)) {
    const remedy = 'the file keeps what was written before; the rest is counted as lost';
    return { exitCode, what, why: REASONS[cause.code ?? ''] ?? cause.message, remedy };
  }
  if (cause.code === 'DELETED') return { exitCode, what, why: 'the file was deleted or replaced' };
  return {
    exitCode,
    what: `the recording is not at ${name}`,
    why: 'the file was moved while recording',
    remedy: 'it is complete under its new name',
  };
}
