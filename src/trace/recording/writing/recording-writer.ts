import type { IoheatError, Result } from '../../../base/result.ts';
import { ExitCode, ok } from '../../../base/result.ts';
import type { DiskBusy } from '../../../model/disk-busy.ts';
import type { CompletionColumns } from '../../../model/completion-columns.ts';
import type { CompletionSummary, SourceCounters } from '../../completion-summary.ts';
import { LostFileError } from './file-sink.ts';
import type { RecordingSink } from './file-sink.ts';
import { NO_LOSSES, RecordingEncoder } from '../format/recording-encoder.ts';
import type { EncodedBatch, EncoderParts, Losses, Written } from '../format/recording-encoder.ts';
import { isSystemError, reasonOf } from '../../../base/system-error.ts';
import { RecordingFile, sizeOf } from './recording-file.ts';

/** Opens the files of a recording, one after the other. */
export interface RecordingTarget {
  /** Opens the first file, or the next one when the last is full. */
  open(): Result<RecordingSink>;
  /** Whether a file of this size and age, in ms, is full. */
  isFull(bytes: number, ageMs: number): boolean;
  /** Removes the files that are too many, but none of those whose names are in `open`. */
  removeOld?(open: readonly string[]): Result<undefined>;
}

export interface RecordingState {
  /** Name of the current file. */
  readonly name: string;
  /** Bytes that a reader can read from the files so far. */
  readonly bytes: number;
  /** I/Os recorded individually, and aggregated ones. */
  readonly rows: number;
  readonly summarised: number;
  /** I/Os that were accepted but are in no file. 0 until the recording has failed: until then they are only waiting. */
  readonly unwritten: number;
  /** Why the recording ended by itself. */
  readonly failure: IoheatError | undefined;
}

export interface WriterParts extends Omit<EncoderParts, 'written'> {
  readonly target: RecordingTarget;
  /** Monotonic, in ms. */
  readonly nowMs: () => number;
  /** Time between batches, in ms; a kill loses at most this much. */
  readonly flushMs?: number;
}

const FLUSH_MS = 1000;

/**
 * Maximum bytes that wait for the disk. Beyond this, the disk is too slow for the recording, and the memory is
 * needed elsewhere.
 */
const MAX_WAITING_BYTES = 128 << 20;

/** The name under which a recording counts what it could not write, next to the losses of its source. */
const UNWRITTEN = 'unwritten';

/**
 * Records I/O without ever blocking the caller: bytes are compressed and written in the background. A full, slow or
 * broken disk ends the recording, but nothing else; what it did not accept is counted, in the file too if there is
 * room.
 */
export class RecordingWriter {
  private encoder: RecordingEncoder;
  private file: RecordingFile;
  private lossesBefore: Losses;
  private recorded: WriterParts['recorded'];
  private waitingBytes = 0;
  private flushedMs: number;
  private openedMs: number;
  /** Number of I/Os passed to the recording so far, individual and aggregated. */
  private taken = 0;
  /** Contents of the closed files. */
  private readonly closed = { bytes: 0, rows: 0, summarised: 0 };
  /** In order of opening: the last one is written to when the earlier ones are closed. */
  private readonly open: RecordingFile[] = [];
  private failure: IoheatError | undefined;
  private flushedLost = 0;
  /** All operations on files, one after the other. */
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

  appendBusy(busy: DiskBusy): void {
    if (this.failure === undefined) this.encoder.appendBusy(busy);
  }

  /** Call several times a second: writes what has waited long enough. */
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

  /** Resolves when everything that was accepted is written. */
  settled(): Promise<void> {
    return this.work;
  }

  /** Resolves when everything is written and closed, or has failed. */
  end(counters: SourceCounters): Promise<void> {
    return (this.ending ??= this.finish(counters));
  }

  private async finish(counters: SourceCounters): Promise<void> {
    // The recorded stretch has grown, even without I/O.
    if (this.failure === undefined) this.flush(counters, this.parts.recorded !== undefined);
    await this.work;
    const { file } = this;
    const closing = (written: Written) => this.closingBytes(written, counters);
    if (this.failure === undefined) this.enqueue(file, () => file.end(closing));
    else this.enqueue(file, () => file.endShort(closing));
    await this.work;
  }

  private flush(losses: Losses, isEnd = false): void {
    const isNews = isEnd || losses.lost !== this.flushedLost || this.encoder.hasNotes;
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
    this.enqueue(file, () => this.removeOld());
  }

  /** After the file before this one is closed: one that is still written to must not be removed. */
  private removeOld(): Promise<void> {
    const removed = this.parts.target.removeOld?.(this.open.map(({ sink }) => sink.name));
    if (removed?.ok === false) this.fail(removed.error);
    return Promise.resolve();
  }

  /** Compression continues meanwhile, so batches only wait for their turn to be written. */
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
      this.fail(whyStopped(file, cause));
    });
  }

  private nextFile(nowMs: number, losses: Losses): void {
    const next = this.parts.target.open();
    const { file } = this;
    if (!next.ok) {
      // What waits still belongs to the current file, which a failure would end.
      this.enqueue(file, () => {
        this.fail(next.error);
        return Promise.resolve();
      });
      return;
    }
    this.enqueue(file, () => this.close(file));
    this.file = new RecordingFile(next.value);
    this.lossesBefore = losses;
    this.recorded = fromNowOn(this.parts.recorded);
    const { lossesBefore, recorded } = this;
    this.encoder = new RecordingEncoder({ ...this.parts, lossesBefore, recorded });
    this.openedMs = nowMs;
    this.begin();
  }

  /** Appends nothing to a full file: what it lacks is counted in the last file. */
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

  /** From a new encoder, because the current one has already encoded I/O of the next file. */
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

/** The next file of a series covers the time after the previous one. */
function fromNowOn(recorded: WriterParts['recorded']): WriterParts['recorded'] {
  if (recorded === undefined) return undefined;
  const { endNs: startNs } = recorded();
  return () => ({ startNs, endNs: recorded().endNs });
}

/** Reason for the end of a recording when the reader of its pipe has closed it. */
export const NOBODY_READS = 'its reader has closed the pipe';

const TOO_SLOW: IoheatError = {
  exitCode: ExitCode.failed,
  what: 'the recording stopped',
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

function whyStopped({ sink: { name }, bytes }: RecordingFile, cause: unknown): IoheatError {
  if (!isSystemError(cause)) throw cause;
  const { exitCode, what } = {
    exitCode: ExitCode.failed,
    what: `the recording to ${name} stopped`,
  };
  if (!(cause instanceof LostFileError)) {
    const why = REASONS[cause.code] ?? reasonOf(cause);
    if (bytes === 0) return { exitCode, what: `cannot record to ${name}`, why };
    const remedy = 'the file keeps what was written; the rest counts as lost';
    return { exitCode, what, why, remedy };
  }
  if (cause.code === 'DELETED') return { exitCode, what, why: 'the file was deleted or replaced' };
  return {
    exitCode,
    what: `the recording is not at ${name}`,
    why: 'the file was moved while recording',
    remedy: 'it is complete under its new name',
  };
}
