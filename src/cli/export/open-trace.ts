import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import { openImport } from '../../import/open-import.ts';
import type { KeyTable } from '../../model/key-table.ts';
import {
  looksLikeRecording,
  openRecording,
  RECORDING_SIGN_BYTES,
  RecordingStream,
} from '../../recording/open-recording.ts';
import type { TraceReader } from '../../source/trace-reader.ts';

const STDIN = 0;
const PIECE_BYTES = 1 << 16;
/** As much as a format is recognised by. */
const HEAD_BYTES = 1 << 16;

/** Opens a recording or another tool's log, found by content; `-` is standard input. */
export function openTrace(file: string, keys: KeyTable): Result<TraceReader> {
  return file === '-' ? openStdin(keys) : openFile(file, keys);
}

function openFile(path: string, keys: KeyTable): Result<TraceReader> {
  const head = readHead(path);
  if (!head.ok) return head;
  return looksLikeRecording(head.value)
    ? openRecording(path, keys)
    : openImport({ kind: 'path', path }, keys);
}

function readHead(path: string): Result<Uint8Array> {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(RECORDING_SIGN_BYTES);
      return ok(bytes.subarray(0, readSync(fd, bytes)));
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    return cannotRead(path, cause);
  }
}

function cannotRead(name: string, cause: unknown): Result<never> {
  if (!(cause instanceof Error && 'code' in cause)) throw cause;
  return err({ exitCode: ExitCode.failed, what: `cannot read ${name}`, why: cause.message });
}

/** Nothing else waits for this program meanwhile, so it may wait for its input. */
function openStdin(keys: KeyTable): Result<TraceReader> {
  // No Buffer: a slice of that would be the same memory, which the next piece overwrites.
  const piece = new Uint8Array(PIECE_BYTES);
  const next = (): Uint8Array | 'waiting' | 'ended' => readPiece(piece);
  try {
    const first = gather(next);
    return looksLikeRecording(first)
      ? openRecordingStream(first, next, keys)
      : openImport({ kind: 'bytes', first, next }, keys);
  } catch (cause) {
    return cannotRead('standard input', cause);
  }
}

function readPiece(piece: Uint8Array): Uint8Array | 'waiting' | 'ended' {
  try {
    const length = readSync(STDIN, piece);
    return length === 0 ? 'ended' : piece.subarray(0, length);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    if (code === 'EAGAIN') return 'waiting';
    if (code === 'EOF') return 'ended';
    throw cause;
  }
}

function gather(next: () => Uint8Array | 'waiting' | 'ended'): Uint8Array {
  const parts: Uint8Array[] = [];
  let length = 0;
  while (length < HEAD_BYTES) {
    const piece = next();
    if (piece === 'ended') break;
    if (piece === 'waiting') {
      pause();
      continue;
    }
    parts.push(piece.slice());
    length += piece.length;
  }
  return new Uint8Array(Buffer.concat(parts));
}

const PAUSE_MS = 20;

/** Where somebody has made the input non-blocking. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
}

function openRecordingStream(
  first: Uint8Array,
  next: () => Uint8Array | 'waiting' | 'ended',
  keys: KeyTable,
): Result<TraceReader> {
  const stream = new RecordingStream(keys);
  stream.feed(first);
  const feed = (): void => {
    const piece = next();
    if (piece === 'waiting') pause();
    else if (piece === 'ended') stream.end();
    else stream.feed(piece.slice());
  };
  let opened = stream.open();
  for (; opened === undefined; opened = stream.open()) feed();
  if (!opened.ok) return opened;
  const reader = opened.value;
  const read: TraceReader['next'] = () => {
    for (;;) {
      const chunk = reader.next();
      if (chunk !== 'waiting') return chunk;
      feed();
    }
  };
  return ok({
    header: reader.header,
    next: read,
    devices: () => reader.devices(),
    problems: () => reader.problems(),
    dispose: () => {
      reader.dispose();
    },
  });
}
