import type { Readable } from 'node:stream';
import type { Result } from '../../base/result.ts';
import { ExitCode, err, ok } from '../../base/result.ts';
import { isSystemError, reasonOf } from '../../base/system-error.ts';
import { openImport } from '../../trace/import/open-import.ts';
import { RECOGNISE_BYTES } from '../../trace/import/recognise.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import {
  RECORDING_SIGN_BYTES,
  RecordingStream,
  looksLikeRecording,
} from '../../trace/recording/reading/open-recording.ts';
import type { TraceProblem, TraceReader } from '../../trace/trace-reader.ts';
import { withReplaced } from './replaced-reader.ts';

/** Bytes received that the reader could read but has not yet; beyond that the sender waits. */
const MOST_HELD_BYTES = 16 << 20;

/**
 * A trace from a stream. Settles when enough has arrived to recognize its format; afterwards data is
 * taken in as long as it is read.
 */
export function openStream(
  input: Readable,
  identities: IdentityTable,
): Promise<Result<TraceReader>> {
  return new Promise((resolve) => {
    const intake = new Intake(input);
    const attempt = (): void => {
      const opened = intake.open(identities);
      if (opened === undefined) return;
      intake.onNews = undefined;
      resolve(opened);
    };
    intake.onNews = attempt;
  });
}

/** Pieces of a stream, in order, between the sender and the reader. */
class Intake {
  onNews: (() => void) | undefined;
  private pieces: Buffer[] = [];
  private held = 0;
  private isEnded = false;
  private failure: string | undefined;
  private recording: RecordingStream | undefined;
  private mostHeld = MOST_HELD_BYTES;

  constructor(private readonly input: Readable) {
    input.on('data', (piece: Buffer) => {
      this.take(piece);
    });
    input.on('end', () => {
      this.end();
    });
    input.on('error', (cause) => {
      this.failure = isSystemError(cause) ? reasonOf(cause) : cause.message;
      this.end();
    });
  }

  /** Opens the trace; undefined while too little has arrived. */
  open(identities: IdentityTable): Result<TraceReader> | undefined {
    const first = Buffer.concat(this.pieces);
    if (this.recording !== undefined || looksLikeRecording(first))
      return this.openRecording(identities);
    const isEnough = this.isEnded || first.length >= RECOGNISE_BYTES;
    if (first.length === 0 && this.isEnded) return err(nothingCame(this.failure));
    if (first.length < RECORDING_SIGN_BYTES && !isEnough && first[0] === 0xff) return undefined;
    return this.openLog(first, isEnough, identities);
  }

  private openRecording(identities: IdentityTable): Result<TraceReader> | undefined {
    this.recording ??= this.startRecording(identities);
    const opened = this.recording.open();
    this.flow(opened === undefined);
    if (opened === undefined || !opened.ok) return opened;
    const reader = opened.value;
    const next = (): ReturnType<TraceReader['next']> => {
      const chunk = reader.next();
      this.flow(chunk === 'waiting');
      return chunk;
    };
    return ok(this.fromStream(reader, next));
  }

  private startRecording(identities: IdentityTable): RecordingStream {
    const recording = new RecordingStream(identities);
    for (const piece of this.pieces) recording.feed(piece);
    if (this.isEnded) recording.end();
    this.pieces = [];
    return recording;
  }

  private openLog(
    first: Buffer,
    isEnough: boolean,
    identities: IdentityTable,
  ): Result<TraceReader> | undefined {
    let rest = this.pieces.length;
    const next = (): Uint8Array | 'waiting' | 'ended' => {
      // The pieces shown to it have been read.
      for (; rest > 0; rest--) this.drop();
      const piece = this.drop();
      this.flow();
      return piece ?? (this.isEnded ? 'ended' : 'waiting');
    };
    const opened = openImport({ kind: 'bytes', first, next, writtenMs: Date.now() }, identities);
    if (!opened.ok) {
      if (isEnough) return opened;
      // It has read them, and reads them again with what comes.
      [this.pieces, this.held] = [[first], first.length];
      return undefined;
    }
    const reader = opened.value;
    return ok(this.fromStream(reader, () => reader.next()));
  }

  private fromStream(reader: TraceReader, next: TraceReader['next']): TraceReader {
    return withReplaced(reader, {
      next,
      problems: () => [...reader.problems(), ...this.problems()],
      dispose: () => {
        reader.dispose();
        this.stop();
      },
    });
  }

  private problems(): readonly TraceProblem[] {
    if (this.failure === undefined) return [];
    return [{ what: `cannot read the rest: ${this.failure}`, where: 'standard input', count: 1 }];
  }

  private drop(): Buffer | undefined {
    const piece = this.pieces.shift();
    this.held -= piece?.length ?? 0;
    return piece;
  }

  private take(piece: Buffer): void {
    if (this.recording === undefined) {
      this.pieces.push(piece);
      this.held += piece.length;
    } else this.recording.feed(piece);
    this.flow();
    this.onNews?.();
  }

  private end(): void {
    this.isEnded = true;
    this.recording?.end();
    this.onNews?.();
  }

  /** `needsMore`: what is held is a part of one message, which may be longer than what is held otherwise. */
  private flow(needsMore?: boolean): void {
    const held = this.recording?.heldBytes ?? this.held;
    if (needsMore !== undefined) this.mostHeld = MOST_HELD_BYTES + (needsMore ? held : 0);
    if (held > this.mostHeld) this.input.pause();
    else if (this.input.isPaused()) this.input.resume();
  }

  private stop(): void {
    this.input.destroy();
  }
}

function nothingCame(why: string | undefined): {
  exitCode: ExitCode;
  what: string;
  why?: string;
  remedy: string;
} {
  return {
    exitCode: ExitCode.failed,
    what: 'no data on standard input',
    ...(why !== undefined && { why }),
    remedy: 'see the messages of the command before the pipe',
  };
}
