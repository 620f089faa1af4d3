import type { Readable } from 'node:stream';
import type { Result } from '../../base/result.ts';
import { ExitCode, err } from '../../base/result.ts';
import { openImport } from '../../import/open-import.ts';
import { RECOGNISE_BYTES } from '../../import/recognise.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import {
  RECORDING_SIGN_BYTES,
  RecordingStream,
  looksLikeRecording,
} from '../../recording/open-recording.ts';
import type { TraceReader } from '../../source/trace-reader.ts';

/** What has come and has not been read: the sender waits while it is more. */
const MOST_HELD_BYTES = 16 << 20;

/**
 * A trace that comes over a stream. Settles when enough has come to tell what it is; afterwards what
 * comes is taken in as long as it is read.
 */
export function openStream(input: Readable, keys: IdentityTable): Promise<Result<TraceReader>> {
  return new Promise((resolve) => {
    const intake = new Intake(input);
    const attempt = (): void => {
      const opened = intake.open(keys);
      if (opened === undefined) return;
      intake.onNews = undefined;
      resolve(opened);
    };
    intake.onNews = attempt;
  });
}

/** Pieces of a stream, in order, between the one who sends and the one who reads. */
class Intake {
  onNews: (() => void) | undefined;
  private pieces: Buffer[] = [];
  private held = 0;
  private isEnded = false;
  private failure: string | undefined;
  private recording: RecordingStream | undefined;

  constructor(private readonly input: Readable) {
    input.on('data', (piece: Buffer) => {
      this.take(piece);
    });
    input.on('end', () => {
      this.end();
    });
    input.on('error', (cause) => {
      this.failure = cause.message;
      this.end();
    });
  }

  /** Undefined while too little has come. */
  open(keys: IdentityTable): Result<TraceReader> | undefined {
    const first = Buffer.concat(this.pieces);
    if (this.recording !== undefined || looksLikeRecording(first)) return this.openRecording(keys);
    const isEnough = this.isEnded || first.length >= RECOGNISE_BYTES;
    if (first.length === 0 && this.isEnded) return err(nothingCame(this.failure));
    if (first.length < RECORDING_SIGN_BYTES && !isEnough && first[0] === 0xff) return undefined;
    return this.openLog(first, isEnough, keys);
  }

  private openRecording(keys: IdentityTable): Result<TraceReader> | undefined {
    this.recording ??= this.startRecording(keys);
    const opened = this.recording.open();
    if (opened === undefined || !opened.ok) return opened;
    const reader = opened.value;
    const next = (): ReturnType<TraceReader['next']> => {
      const chunk = reader.next();
      this.flow();
      return chunk;
    };
    return {
      ok: true,
      value: withNext(reader, next, () => {
        this.stop();
      }),
    };
  }

  private startRecording(keys: IdentityTable): RecordingStream {
    const recording = new RecordingStream(keys);
    for (const piece of this.pieces) recording.feed(piece);
    if (this.isEnded) recording.end();
    this.pieces = [];
    return recording;
  }

  private openLog(
    first: Buffer,
    isEnough: boolean,
    keys: IdentityTable,
  ): Result<TraceReader> | undefined {
    let rest = this.pieces.length;
    const next = (): Uint8Array | 'waiting' | 'ended' => {
      // Those that were shown to it have been read.
      for (; rest > 0; rest--) this.drop();
      const piece = this.drop();
      this.flow();
      return piece ?? (this.isEnded ? 'ended' : 'waiting');
    };
    const opened = openImport({ kind: 'bytes', first, next, writtenMs: Date.now() }, keys);
    if (!opened.ok) return isEnough ? opened : undefined;
    const reader = opened.value;
    return {
      ok: true,
      value: withNext(
        reader,
        () => reader.next(),
        () => {
          this.stop();
        },
      ),
    };
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

  private flow(): void {
    const held = this.recording?.heldBytes ?? this.held;
    if (held > MOST_HELD_BYTES) this.input.pause();
    else if (this.input.isPaused()) this.input.resume();
  }

  private stop(): void {
    this.input.destroy();
  }
}

function withNext(reader: TraceReader, next: TraceReader['next'], stop: () => void): TraceReader {
  return {
    header: reader.header,
    next,
    get recorded() {
      return reader.recorded;
    },
    devices: () => reader.devices(),
    problems: () => reader.problems(),
    dispose: () => {
      reader.dispose();
      stop();
    },
  };
}

function nothingCame(why: string | undefined): {
  exitCode: ExitCode;
  what: string;
  why?: string;
  remedy: string;
} {
  return {
    exitCode: ExitCode.failed,
    what: 'nothing came over standard input',
    ...(why !== undefined && { why }),
    remedy: 'see what the command before the pipe says',
  };
}
