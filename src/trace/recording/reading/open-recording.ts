import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import type { IoheatError, Result } from '../../../base/result.ts';
import { err, ExitCode, ok } from '../../../base/result.ts';
import type { IdentityTable } from '../../../model/identity-table.ts';
import { CONTINUATION } from '../arrow/arrow-message.ts';
import { HeaderType } from '../arrow/arrow-schema.ts';
import { FedBytes, FileBytes } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import { DamagedError } from '../arrow/flat-reader.ts';
import { FORMAT_VERSION, Meta } from '../format/format.ts';
import { parseJson } from '../format/json-values.ts';
import { MessageScanner, readMessage } from './message-scanner.ts';
import type { Message } from './message-scanner.ts';
import { ProblemList } from './problem-list.ts';
import { checkedText, parseHeader } from '../format/recording-header.ts';
import type { RecordingHeader } from '../format/recording-header.ts';
import { findExtent } from './recording-extent.ts';
import { RecordingReader } from './recording-reader.ts';

/** Number of bytes that `looksLikeRecording` needs. */
export const RECORDING_SIGN_BYTES = 1024;

/** Whether a file or stream that starts with these bytes is a recording, of any version. */
export function looksLikeRecording(firstBytes: Uint8Array): boolean {
  const bytes = Buffer.from(firstBytes.buffer, firstBytes.byteOffset, firstBytes.byteLength);
  if (bytes.length < 4 || bytes.readUInt32LE(0) !== CONTINUATION) return false;
  return bytes.subarray(0, RECORDING_SIGN_BYTES).includes(Meta.format);
}

/** Opens a recording by path or by open descriptor; `dispose` closes the descriptor. */
export function openRecording(
  file: string | number,
  identities: IdentityTable,
): Result<RecordingReader> {
  const fd = openFile(file);
  if (!fd.ok) return fd;
  const reader = readFrom(fd.value, identities);
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

function readFrom(fd: number, identities: IdentityTable): Result<RecordingReader> {
  const stat = fstatSync(fd);
  if (!stat.isFile())
    return err(cannotRead('it is not a regular file', 'use - to read standard input'));
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
  const reader = new RecordingReader({ source, header, identities, extent, startAt, dispose });
  reader.learnDevices(first?.devices ?? []);
  return ok(reader);
}

/** A recording that arrives in pieces: from standard input or a network. */
export class RecordingStream {
  private readonly source = new FedBytes();
  private reader: Result<RecordingReader> | undefined;

  constructor(private readonly identities: IdentityTable) {}

  /** Bytes fed and not yet read: the feeder must wait while there are many. */
  get heldBytes(): number {
    return this.source.heldBytes;
  }

  feed(bytes: Uint8Array): void {
    this.source.feed(bytes);
  }

  /** Marks the end of input. */
  end(): void {
    this.source.end();
  }

  /** Undefined until enough has been fed to identify the format. */
  open(): Result<RecordingReader> | undefined {
    return (this.reader ??= this.tryOpen());
  }

  private tryOpen(): Result<RecordingReader> | undefined {
    const { source, identities } = this;
    const found = findHeader(source);
    if (found === 'waiting') return undefined;
    if (!found.ok) return found;
    return ok(
      new RecordingReader({ source, identities, ...found.value, dispose: () => undefined }),
    );
  }
}

interface FoundHeader {
  readonly header: RecordingHeader;
  readonly startAt: number;
}

/** The header in the schema; if that is damaged, the first copy of it. */
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
  // A stream does not keep what a search has passed.
  if (!(source instanceof FileBytes)) return err(NO_HEADER);
  const header = firstBatch(source, PREFIX)?.notes?.header;
  return header === undefined ? err(NO_HEADER) : ok({ header, startAt: PREFIX });
}

/** Skips the first marker, so that a search continues after a damaged schema. */
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
  what: 'this is not an ioheat recording',
};

const NO_HEADER: IoheatError = {
  exitCode: ExitCode.failed,
  what: 'cannot read the recording',
  why: 'its start is damaged',
};

const NEWER_FORMAT: IoheatError = {
  exitCode: ExitCode.failed,
  what: 'cannot read the recording',
  why: 'it was made by a newer version of ioheat',
  remedy: 'update ioheat',
};

function cannotRead(why: string, remedy?: string): IoheatError {
  const error = { exitCode: ExitCode.failed, what: 'cannot read the recording', why };
  return remedy === undefined ? error : { ...error, remedy };
}
