import type { IoheatError, Result } from '../../base/result.ts';
import { err, ExitCode, ok } from '../../base/result.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import type { TraceReader } from '../trace-reader.ts';
import { LogReader } from './log-reader.ts';
import type { MendedLog } from './log-reader.ts';
import { openPieces } from './piece-source.ts';
import type { PieceSource } from './piece-source.ts';
import { decodeText } from './log-text.ts';
import type { LogFormat, OpenLog } from './log-format.ts';
import { recognise, RECOGNISE_BYTES } from './recognise.ts';
import { NO_TIMES } from './trace-clock.ts';
import { parseTracepoint } from './tracepoint-line.ts';

/** A log to read: a file by path or open descriptor, or a stream. */
export type ImportInput =
  | { readonly kind: 'path'; readonly path: string }
  | { readonly kind: 'fd'; readonly fd: number }
  | {
      readonly kind: 'bytes';
      /** Everything received so far: enough for `recognise`, or `RECOGNISE_BYTES`, or the whole stream. */
      readonly first: Uint8Array;
      /** What follows `first`. */
      readonly next: () => Uint8Array | 'waiting' | 'ended';
      /** When the stream is written, ms since the epoch, because a log may contain only the time of day. */
      readonly writtenMs?: number;
    };

/**
 * Opens the output of another tool, in any known format. Memory use does not depend on its length. Fails when it
 * cannot be read or has no known format.
 */
export function openImport(input: ImportInput, identities: IdentityTable): Result<TraceReader> {
  const opened = piecesOf(input);
  if (!opened.ok) return opened;
  const { first, isWhole, rest } = readFirst(opened.value);
  const log = openLog(input, first, isWhole, rest.writtenMs);
  if (!log.ok) {
    rest.dispose();
    return log;
  }
  return ok(new LogReader(log.value, rest, identities));
}

function openLog(
  input: ImportInput,
  first: Uint8Array,
  isWhole: boolean,
  writtenMs: number | undefined,
): Result<OpenLog & MendedLog> {
  const found = recognise(first, isWhole);
  if (found === undefined) return err(hasNoTimes(first) ? NO_TIMES : unknownFormat(input, first));
  const { format, lines, mender } = found;
  if (isWhole && !lines.some(format.isEvent)) {
    const unread = lines.find((line) => line.trim() !== '' && !isComment(line, format));
    if (unread !== undefined) return err(unreadable(unread));
  }
  const log = format.open({ lines, writtenMs });
  return log.ok ? ok({ ...log.value, ...(mender && { mender }) }) : log;
}

/** Whether these are tracepoints that were printed without times. */
function hasNoTimes(first: Uint8Array): boolean {
  return Buffer.from(first)
    .toString('latin1')
    .split('\n')
    .some((line) => parseTracepoint(line) !== undefined);
}

function isComment(line: string, format: LogFormat): boolean {
  return line.startsWith('#') || format.isHeading(line);
}

const QUOTE_CHARACTERS = 80;

function unreadable(line: string): IoheatError {
  return {
    exitCode: ExitCode.failed,
    what: 'no line of the log is in a recognized format',
    why: `such as "${decodeText(line.trim().slice(0, QUOTE_CHARACTERS))}"`,
    remedy: 'see docs/import.md for the options that each tool needs',
  };
}

function unknownFormat(input: ImportInput, first: Uint8Array): IoheatError {
  return {
    exitCode: ExitCode.failed,
    what:
      input.kind === 'path'
        ? `${input.path} is not in a recognized format`
        : 'not in a recognized format',
    ...explanation(first),
  };
}

function explanation(first: Uint8Array): Pick<IoheatError, 'why' | 'remedy'> {
  if (startsWith(first, COMPRESSED_SIGNS)) return COMPRESSED;
  return startsWith(first, EXPORT_SIGNS) ? EXPORTED : { remedy: WHAT_IS_READ };
}

const WHAT_IS_READ =
  'ioheat reads its own recordings, biosnoop, blkparse, perf script, trace-cmd report and ftrace';

const COMPRESSED = {
  why: 'it is compressed',
  remedy: 'decompress it first, for example with zcat or zstdcat',
};

/** First bytes of gzip, zstd, xz and bzip2. */
const COMPRESSED_SIGNS = ['\x1f\x8b', '\x28\xb5\x2f\xfd', '\xfd7zXZ', 'BZh'];

const EXPORTED = {
  why: 'it was exported by ioheat, for other programs',
  remedy: 'replay the recording that it was made from',
};

/** First words of the export formats that have a line per I/O with all that is known. */
const EXPORT_SIGNS = ['time,trace_ns,', '{"device":'];

function startsWith(first: Uint8Array, signs: readonly string[]): boolean {
  const text = Buffer.from(first.subarray(0, 16)).toString('latin1');
  return signs.some((sign) => text.startsWith(sign));
}

function piecesOf(input: ImportInput): Result<PieceSource> {
  if (input.kind === 'path') return openPieces(input.path);
  if (input.kind === 'fd') return openPieces(input.fd);
  const { first, next, writtenMs } = input;
  const pieces = { next: startingWith(first, next), dispose: () => undefined };
  return ok(writtenMs === undefined ? pieces : { ...pieces, writtenMs });
}

interface FirstBytes {
  readonly first: Uint8Array;
  readonly isWhole: boolean;
  /** All bytes, including the first ones. */
  readonly rest: PieceSource;
}

function readFirst(pieces: PieceSource): FirstBytes {
  const parts: Uint8Array[] = [];
  let length = 0;
  let isWhole = false;
  while (length < RECOGNISE_BYTES) {
    const piece = pieces.next();
    isWhole = piece === 'ended';
    if (typeof piece === 'string') break;
    // Not `slice`: a slice of a `Buffer` shares memory, which the next piece overwrites.
    parts.push(new Uint8Array(piece));
    length += piece.length;
  }
  const first = new Uint8Array(Buffer.concat(parts));
  const rest = { ...pieces, next: startingWith(first, () => pieces.next()) };
  return { first, isWhole, rest };
}

function startingWith(
  first: Uint8Array,
  next: () => Uint8Array | 'waiting' | 'ended',
): () => Uint8Array | 'waiting' | 'ended' {
  let isFirst = first.length > 0;
  return () => {
    if (!isFirst) return next();
    isFirst = false;
    return first;
  };
}
