import { DamagedError } from '../arrow/flat-reader.ts';
import { CONTINUATION, MAX_METADATA_BYTES, PREFIX_BYTES } from '../arrow/arrow-message.ts';
import { decodeTableMessage } from '../arrow/arrow-table.ts';
import type { TableMessage } from '../arrow/arrow-table.ts';
import type { FileBytes } from './byte-source.ts';
import { UnreadableError } from './table-columns.ts';

/** The first bytes of an Arrow file; a stream of messages follows at a multiple of eight. */
const FILE_MAGIC = 'ARROW1';
const FILE_START = 8;
const MOST_BODY_BYTES = 512 << 20;

/** Whether these are the first bytes of an Arrow file or stream. */
export function looksLikeArrow(first: Uint8Array): boolean {
  const bytes = Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  return isArrowFile(bytes) || (bytes.length >= 4 && bytes.readUInt32LE(0) === CONTINUATION);
}

function isArrowFile(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, FILE_MAGIC.length) === FILE_MAGIC;
}

export interface FoundMessage {
  readonly at: number;
  readonly message: TableMessage;
  readonly body: Buffer;
}

export class TruncatedError extends DamagedError {}

/** Reads message by message, up to the end mark or the end of the file. */
export class TableMessages {
  private at: number;

  constructor(private readonly source: FileBytes) {
    this.at = isArrowFile(source.read(0, FILE_MAGIC.length)) ? FILE_START : 0;
  }

  next(): FoundMessage | undefined {
    const { source, at } = this;
    const prefix = source.read(at, PREFIX_BYTES);
    if (prefix.length < PREFIX_BYTES) return undefined;
    if (prefix.readUInt32LE(0) !== CONTINUATION) throw new DamagedError(`no message at byte ${at}`);
    const length = prefix.readUInt32LE(4);
    if (length === 0) return undefined;
    if (length > MAX_METADATA_BYTES) throw new DamagedError('a message of impossible size');
    const flat = Buffer.from(source.read(at + PREFIX_BYTES, length));
    if (flat.length < length) throw new TruncatedError('it is truncated');
    const message = decodeTableMessage(flat);
    if (message.bodyBytes > MOST_BODY_BYTES)
      throw new UnreadableError(`a batch of ${message.bodyBytes} bytes`);
    const bodyAt = at + PREFIX_BYTES + length;
    const body = source.read(bodyAt, message.bodyBytes);
    if (body.length < message.bodyBytes) throw new TruncatedError('it is truncated');
    this.at = bodyAt + message.bodyBytes;
    return { at, message, body };
  }
}
