import type { IoheatError, Result } from '../base/result.ts';
import { ExitCode, ok } from '../base/result.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { CompletionSummary, SourceCounters } from '../source/event-source.ts';
import type { RecordingSink } from './file-sink.ts';
import { RecordingEncoder } from './recording-encoder.ts';
import type { EncodedBatch, EncoderParts } from './recording-encoder.ts';

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
  /** Written so far, in all files. */
  readonly bytes: number;
  /** Single I/Os taken so far, and those that came in sum. */
  readonly rows: number;
  readonly summarised: number;
  /** Why it has ended by itself. */
  readonly failure: IoheatError | undefined;
}

export interface WriterParts extends EncoderParts {
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

/**
 * Records what it is given, without ever keeping the caller: bytes are compressed and written behind
 * its back. A disk that is full, slow or broken ends the recording, and nothing else.
 */
export class RecordingWriter {
  private encoder: RecordingEncoder;
  private waitingBytes = 0;
  private flushedMs: number;
  private openedMs: number;
  private fileBytes = 0;
  private bytes = 0;
  private rows = 0;
  private summarised = 0;
  private failure: IoheatError | undefined;
  private counters: SourceCounters | undefined;
  /** Everything that is to be done with files, one after the other. */
  private work: Promise<void> = Promise.resolve();

  private constructor(
    private readonly parts: WriterParts,
    private sink: RecordingSink,
  ) {
    this.encoder = new RecordingEncoder(parts);
    this.flushedMs = parts.nowMs();
    this.openedMs = this.flushedMs;
    this.writeHead();
  }

  static start(parts: WriterParts): Result<RecordingWriter> {
    const sink = parts.target.open();
    return sink.ok ? ok(new RecordingWriter(parts, sink.value)) : sink;
  }

  get state(): RecordingState {
    const { bytes, rows, summarised, failure } = this;
    return { name: this.sink.name, bytes, rows, summarised, failure };
  }

  append(rows: CompletionColumns): void {
    if (this.failure !== undefined) return;
    this.rows += rows.length;
    this.take(this.encoder.append(rows));
  }

  appendSummary(summary: CompletionSummary): void {
    if (this.failure !== undefined) return;
    this.summarised += summary.count;
    this.take(this.encoder.appendSummary(summary));
  }

  /** To be called several times a second: what waits for long enough is written. */
  tick(counters: SourceCounters): void {
    if (this.failure !== undefined) return;
    const nowMs = this.parts.nowMs();
    const isFull = this.parts.target.isFull(this.fileBytes, nowMs - this.openedMs);
    if (!isFull && nowMs - this.flushedMs < (this.parts.flushMs ?? FLUSH_MS)) return;
    this.flushedMs = nowMs;
    this.flush(counters);
    if (isFull) this.nextFile(nowMs);
  }

  /** Resolves when what has been taken so far is written; for who can wait. */
  settled(): Promise<void> {
    return this.work;
  }

  /** Resolves when everything is written and closed, or cannot be. */
  async end(counters: SourceCounters): Promise<void> {
    // Until when it was recorded is news, too.
    const isTold = this.parts.recorded === undefined;
    if (this.failure === undefined) this.flush(counters, !isTold);
    await this.work;
    if (this.failure === undefined) await this.sink.end(true);
  }

  private flush(counters: SourceCounters, isEnd = false): void {
    const isNews = isEnd || !isSame(counters, this.counters);
    this.counters = counters;
    if (this.encoder.waiting > 0 || isNews) this.take(this.encoder.flush(counters));
  }

  private take(batches: readonly EncodedBatch[]): void {
    for (const { pieces, rawBytes } of batches) this.write(pieces, rawBytes);
    if (this.waitingBytes > MAX_WAITING_BYTES) this.fail(TOO_SLOW);
  }

  private writeHead(): void {
    this.write(Promise.resolve([this.encoder.begin()]), 0);
  }

  /** Compression goes on meanwhile, so batches wait for their turn, not for each other. */
  private write(pieces: Promise<readonly Uint8Array[]>, rawBytes: number): void {
    const { sink } = this;
    this.waitingBytes += rawBytes;
    const sized = pieces.then((ready) => {
      const size = ready.reduce((sum, { length }) => sum + length, 0);
      this.waitingBytes += size - rawBytes;
      return { ready, size };
    });
    this.enqueue(async () => {
      const { ready, size } = await sized;
      if (this.failure === undefined) await sink.write(ready);
      this.waitingBytes -= size;
      this.bytes += size;
      if (sink === this.sink) this.fileBytes += size;
    });
  }

  private enqueue(step: () => Promise<void>): void {
    const { sink } = this;
    this.work = this.work.then(step).catch((cause: unknown) => {
      this.fail(whyStopped(sink.name, cause));
    });
  }

  private nextFile(nowMs: number): void {
    const next = this.parts.target.open();
    if (!next.ok) {
      this.fail(next.error);
      return;
    }
    const { sink } = this;
    this.enqueue(() => sink.end(true));
    this.sink = next.value;
    this.encoder = new RecordingEncoder(this.parts);
    this.fileBytes = 0;
    this.openedMs = nowMs;
    this.writeHead();
  }

  private fail(failure: IoheatError): void {
    if (this.failure !== undefined) return;
    this.failure = failure;
    const { sink } = this;
    this.enqueue(() => sink.end(true));
  }
}

function isSame(a: SourceCounters, b: SourceCounters | undefined): boolean {
  return a.delivered === b?.delivered && a.summarised === b.summarised && a.lost === b.lost;
}

/** Why a recording into a pipe has ended that the next program has closed. */
export const NOBODY_READS = 'nobody reads it any more';

const TOO_SLOW: IoheatError = {
  exitCode: ExitCode.failed,
  what: 'the recording has ended',
  why: 'the disk takes it in more slowly than it comes',
  remedy: 'record less with --disk, --pid, --op or --filter, in sum with --summary, or elsewhere',
};

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'there is no space left on the disk',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'the file has reached the largest size that is allowed',
  EIO: 'the disk reports an error',
  EPIPE: NOBODY_READS,
};

function whyStopped(name: string, cause: unknown): IoheatError {
  if (!(cause instanceof Error && 'code' in cause && typeof cause.code === 'string')) throw cause;
  return {
    exitCode: ExitCode.failed,
    what: `the recording to ${name} has ended`,
    why: REASONS[cause.code] ?? cause.message,
    remedy: 'what was written before is whole',
  };
}
