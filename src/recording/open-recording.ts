import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { IoheatError, Result } from '../base/result.ts';
import { err, ExitCode, ok } from '../base/result.ts';
import type { IdentityTable } from '../model/identity-table.ts';
import { CONTINUATION } from './arrow-message.ts';
import { HeaderType } from './arrow-schema.ts';
import { FedBytes, FileBytes } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import { DamagedError } from './flat-reader.ts';
import { FORMAT_VERSION, Meta } from './format.ts';
import { parseJson } from './json-values.ts';
import { MessageScanner, readMessage } from './message-scanner.ts';
import type { Message } from './message-scanner.ts';
import { ProblemList } from './problem-list.ts';
import { checkedText, parseHeader } from './recording-header.ts';
import type { RecordingHeader } from './recording-header.ts';
import { findExtent } from './recording-extent.ts';
import { RecordingReader } from './recording-reader.ts';

/** Bytes that `looksLikeRecording` needs to be sure. */
export const RECORDING_SIGN_BYTES = 1024;

/** Whether a file or stream with these first bytes is a recording, of whatever version. */
export function looksLikeRecording(firstBytes: Uint8Array): boolean {
  const bytes = Buffer.from(firstBytes.buffer, firstBytes.byteOffset, firstBytes.byteLength);
  if (bytes.length < 4 || bytes.readUInt32LE(0) !== CONTINUATION) return false;
  return bytes.subarray(0, RECORDING_SIGN_BYTES).includes(Meta.format);
}

/** Opens a recording by path, or one that is open: its descriptor is closed by `dispose`. */
export function openRecording(file: string | number, keys: IdentityTable): Result<RecordingReader> {
  const fd = openFile(file);
  if (!fd.ok) return fd;
  const reader = readFrom(fd.value, keys);
  if (!reader.ok) closeSync(fd.value);
  return reader;
}

function openFile(file: string | number): Result<number> {
  if (typeof file === 'number') return ok(file);
  try {
    // A FIFO without a writer would block the open.
    return ok(openSync(file, constants.O_RDONLY | constants.O_NONBLOCK));
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    return err(cannotRead(cause.message));
  }
}

function readFrom(fd: number, keys: IdentityTable): Result<RecordingReader> {
  const stat = fstatSync(fd);
  if (!stat.isFile())
    return err(cannotRead('it is not a regular file', 'give "-" to read standard input'));
  const source = new FileBytes(fd);
  const found = findHeader(source);
  if (found === 'waiting') return err(NOT_A_RECORDING);
  if (!found.ok) return found;
  const { header, startAt } = found.value;
  const first = firstBatch(source, startAt)?.notes;
  const extent = findExtent(fd, firstBatch(source, startAt, true)?.notes, stat.size);
  const dispose = () => {
    closeSync(fd);
  };
  const reader = new RecordingReader({ source, header, keys, extent, startAt, dispose });
  reader.learnDevices(first?.devices ?? []);
  return ok(reader);
}

/** A recording that comes in pieces: from standard input, from a network. */
export class RecordingStream {
  private readonly source = new FedBytes();
  private reader: Result<RecordingReader> | undefined;

  constructor(private readonly keys: IdentityTable) {}

  /** What has been fed and not read: who feeds must wait while this is much. */
  get heldBytes(): number {
    return this.source.heldBytes;
  }

  feed(bytes: Uint8Array): void {
    this.source.feed(bytes);
  }

  /** No more bytes will come. */
  end(): void {
    this.source.end();
  }

  /** Undefined until enough has been fed to tell what it is. */
  open(): Result<RecordingReader> | undefined {
    return (this.reader ??= this.tryOpen());
  }

  private tryOpen(): Result<RecordingReader> | undefined {
    const { source, keys } = this;
    const found = findHeader(source);
    if (found === 'waiting') return undefined;
    if (!found.ok) return found;
    return ok(new RecordingReader({ source, keys, ...found.value, dispose: () => undefined }));
  }
}

interface FoundHeader {
  readonly header: RecordingHeader;
  readonly startAt: number;
}

/** The header of the schema; where that is damaged, the first copy of it. */
function findHeader(source: ByteSource): Result<FoundHeader> | 'waiting' {
  const signs = source.read(0, RECORDING_SIGN_BYTES);
  const isWhole = signs.length === RECORDING_SIGN_BYTES || source.isComplete;
  if (!looksLikeRecording(signs)) return isWhole ? err(NOT_A_RECORDING) : 'waiting';
  const schema = readMessage(source, 0);
  if (schema === 'short' && !source.isComplete) return 'waiting';
  if (typeof schema === 'object' && schema.header.type === HeaderType.schema)
    return headerOfSchema(source, schema);
  return headerOfBatch(source);
}

function headerOfSchema(
  source: ByteSource,
  { header, endAt }: Message,
): Result<FoundHeader> | 'waiting' {
  const version = Number(header.metadata.get(Meta.format));
  if (version > FORMAT_VERSION) return err(NEWER_FORMAT);
  try {
    const text = checkedText(header.metadata, Meta.header);
    return ok({ header: parseHeader(parseJson(text)), startAt: endAt });
  } catch (cause) {
    if (!(cause instanceof DamagedError)) throw cause;
    return headerOfBatch(source);
  }
}

function headerOfBatch(source: ByteSource): Result<FoundHeader> | 'waiting' {
  // A stream keeps nothing that a search has passed.
  if (!(source instanceof FileBytes)) return err(NO_HEADER);
  const header = firstBatch(source, PREFIX)?.notes?.header;
  return header === undefined ? err(NO_HEADER) : ok({ header, startAt: PREFIX });
}

/** Behind the first marker, so that a search goes past a schema that is damaged. */
const PREFIX = 8;

function firstBatch(source: FileBytes, from: number, hasRows = false): Message | undefined {
  const scanner = new MessageScanner(source, new ProblemList());
  scanner.moveTo(from);
  for (;;) {
    const message = scanner.next();
    if (typeof message === 'string') return undefined;
    if (message.notes !== undefined && (message.notes.rows > 0 || !hasRows)) return message;
  }
}

const NOT_A_RECORDING: IoheatError = {
  exitCode: ExitCode.failed,
  what: 'this is no recording of ioheat',
};

const NO_HEADER: IoheatError = {
  exitCode: ExitCode.failed,
  what: 'the recording cannot be read',
  why: 'its beginning is damaged',
};

const NEWER_FORMAT: IoheatError = {
  exitCode: ExitCode.failed,
  what: 'the recording cannot be read',
  why: 'it was made by a newer version of ioheat',
  remedy: 'update ioheat',
};

function cannotRead(why: string, remedy?: string): IoheatError {
  const error = { exitCode: ExitCode.failed, what: 'the recording cannot be read', why };
  return remedy === undefined ? error : { ...error, remedy };
}
