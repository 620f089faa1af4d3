import {
  CONTINUATION,
  decodeMessage,
  MAX_METADATA_BYTES,
  PREFIX_BYTES,
} from '../arrow/arrow-message.ts';
import type { MessageHeader } from '../arrow/arrow-message.ts';
import { HeaderType } from '../arrow/arrow-schema.ts';
import { parseNotes } from '../format/batch-notes.ts';
import type { BatchNotes } from '../format/batch-notes.ts';
import type { ByteSource } from './byte-source.ts';
import { DamagedError } from '../arrow/flat-reader.ts';
import { BATCH_ROWS } from '../format/format.ts';
import type { ProblemList } from './problem-list.ts';

/** Where a message is in its source. Positions are in bytes. */
export interface Message {
  readonly at: number;
  readonly header: MessageHeader;
  /** Present for record batches. */
  readonly notes?: BatchNotes;
  readonly bodyAt: number;
  readonly endAt: number;
}

/** A batch of 65,536 rows takes less than 6 MB, but summaries may be long. */
const MAX_BODY_BYTES = 256 << 20;

/** Maximum bytes read while searching for intact messages, so that the search of a damaged file ends. */
const SEARCH_BYTES = 256 << 20;
const WINDOW_BYTES = 64 << 10;

const MARKER = Buffer.from([0xff, 0xff, 0xff, 0xff]);

/** Finds the messages of a recording in order, including intact ones after damage. */
export class MessageScanner {
  /** Where the next message is expected. */
  private at = 0;
  /** Where a search starts: no bytes after this have been verified as a message. */
  private doubtfulFrom = 0;
  private searchLeft = SEARCH_BYTES;
  private isSearching = false;
  private damagedAt = 0;
  private isOver = false;

  constructor(
    private readonly source: ByteSource,
    private readonly problems: ProblemList,
  ) {}

  /** The next message with an intact header whose body is available. */
  next(): Message | 'waiting' | 'ended' {
    // Only now, because the caller reads the body of the last message after the previous call.
    this.source.release(Math.min(this.doubtfulFrom, this.at));
    while (!this.isOver) {
      const found = this.isSearching ? this.search() : this.take();
      if (found !== 'again') return found;
    }
    return 'ended';
  }

  /** Continues at another position, where a message must start. */
  moveTo(at: number): void {
    this.at = at;
    this.doubtfulFrom = at;
    this.isSearching = false;
    this.isOver = false;
  }

  private take(): Message | 'waiting' | 'ended' | 'again' {
    const message = readMessage(this.source, this.at);
    if (message === 'short') return this.runOut();
    if (message === 'end') return this.end();
    if (message === 'damaged') return this.startSearch();
    const { header, endAt, at } = message;
    // Only a message with a matching checksum is skipped by a later search.
    this.doubtfulFrom = message.notes === undefined ? at + PREFIX_BYTES : endAt;
    if (header.type === HeaderType.dictionary) {
      this.at = endAt;
      return 'again';
    }
    if (this.source.size < endAt) {
      if (!this.source.isComplete) return 'waiting';
      const rows = message.notes?.rows ?? 0;
      this.problems.add('I/Os of the truncated last batch are missing', at, rows);
      return this.stop();
    }
    this.at = endAt;
    return message;
  }

  private runOut(): 'waiting' | 'ended' | 'again' {
    const { source, at } = this;
    if (!source.isComplete) return 'waiting';
    if (source.size !== at) return this.startSearch();
    this.problems.add(
      'the recording was not closed: its recorder was killed, or is still running',
      at,
    );
    return this.stop();
  }

  private end(): 'ended' | 'again' {
    const after = this.at + PREFIX_BYTES;
    if (this.source.isComplete && this.source.read(after, 1).length > 0) {
      this.problems.add('there are bytes after the end of the recording', after);
      return this.startSearch();
    }
    return this.stop();
  }

  private startSearch(): 'again' {
    this.isSearching = true;
    this.damagedAt = this.at;
    this.at = this.doubtfulFrom === this.at ? this.at + 1 : this.doubtfulFrom;
    return 'again';
  }

  /** One step of the search for a batch with intact notes. */
  private search(): Message | 'waiting' | 'ended' | 'again' {
    const window = this.source.read(this.at, WINDOW_BYTES);
    if (this.searchLeft < 0) return this.giveUp();
    const found = this.firstCandidate(window);
    if (found < 0) {
      if (window.length < MARKER.length) return this.searchedAll();
      this.pass(window.length - MARKER.length + 1);
      return 'again';
    }
    const at = this.at + found;
    const message = readMessage(this.source, at);
    if (message === 'short' && !this.source.isComplete) {
      this.pass(found);
      return 'waiting';
    }
    if (typeof message === 'string' || message.notes === undefined) {
      this.searchLeft -= checkedBytes(this.source, at);
      this.pass(found + 1);
      return 'again';
    }
    this.isSearching = false;
    this.problems.add('damaged parts of the file', this.damagedAt);
    this.doubtfulFrom = at;
    this.at = at;
    return 'again';
  }

  /**
   * Where a message may start, or −1; one that the window cuts off may be possible. Damage can be a long run of marker
   * bytes, of which only the last ones may have a length after them.
   */
  private firstCandidate(window: Buffer): number {
    for (let at = window.indexOf(MARKER); at >= 0; at = window.indexOf(MARKER, at + 1)) {
      while (window[at + MARKER.length] === MARKER[0]) at++;
      if (at + PREFIX_BYTES > window.length || looksLikeMessage(window, at)) return at;
      this.searchLeft -= PREFIX_BYTES;
    }
    return -1;
  }

  private searchedAll(): 'waiting' | 'ended' {
    if (!this.source.isComplete) return 'waiting';
    this.problems.add('the recording is truncated', this.damagedAt);
    return this.stop();
  }

  private pass(bytes: number): void {
    this.at += bytes;
    this.doubtfulFrom = this.at;
    this.source.release(this.at);
  }

  private giveUp(): 'ended' {
    this.problems.add('the rest is too damaged to be searched', this.at);
    return this.stop();
  }

  private stop(): 'ended' {
    this.isOver = true;
    return 'ended';
  }
}

/** The most that a failed check of a candidate can have read. */
function checkedBytes(source: ByteSource, at: number): number {
  const prefix = source.read(at, PREFIX_BYTES);
  return PREFIX_BYTES + (looksLikeMessage(prefix, 0) ? prefix.readUInt32LE(4) : 0);
}

/** Whether a message with metadata of a possible length may start here. */
export function looksLikeMessage(bytes: Buffer, at: number): boolean {
  if (at + PREFIX_BYTES > bytes.length || bytes.readUInt32LE(at) !== CONTINUATION) return false;
  const length = bytes.readUInt32LE(at + 4);
  return length > 0 && length % 8 === 0 && length <= MAX_METADATA_BYTES;
}

/** Reads prefix and metadata of the message at a position, and checks everything that can be checked. */
export function readMessage(source: ByteSource, at: number): Message | 'short' | 'end' | 'damaged' {
  const prefix = source.read(at, PREFIX_BYTES);
  if (prefix.length < PREFIX_BYTES) return 'short';
  if (prefix.readUInt32LE(0) !== CONTINUATION) return 'damaged';
  const length = prefix.readUInt32LE(4);
  if (length === 0) return 'end';
  if (length % 8 !== 0 || length > MAX_METADATA_BYTES) return 'damaged';
  const flat = source.read(at + PREFIX_BYTES, length);
  if (flat.length < length) return 'short';
  try {
    return describe(at, flat);
  } catch (cause) {
    if (cause instanceof DamagedError) return 'damaged';
    throw cause;
  }
}

function describe(at: number, flat: Buffer): Message {
  const header = decodeMessage(flat);
  const { type, bodyBytes } = header;
  if (bodyBytes > MAX_BODY_BYTES) throw new DamagedError('a body of impossible size');
  const bodyAt = at + PREFIX_BYTES + flat.length;
  const endAt = bodyAt + bodyBytes;
  if (type !== HeaderType.batch) return { at, header, bodyAt, endAt };
  const notes = parseNotes(header.metadata);
  if (notes.bodyBytes !== bodyBytes || notes.rows !== header.rows || header.rows > BATCH_ROWS)
    throw new DamagedError('a batch that differs from its notes');
  return { at, header, notes, bodyAt, endAt };
}
