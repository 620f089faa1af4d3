import { closeSync } from 'node:fs';
import type { IoheatError, Result } from '../../../base/result.ts';
import { err, ExitCode, ok } from '../../../base/result.ts';
import { createColumns, resultsOf } from '../../../model/completion-columns.ts';
import type { CompletionColumns } from '../../../model/completion-columns.ts';
import {
  INVENTED_MAJOR,
  packDevice,
  parseDeviceNumber,
  UNKNOWN_DEVICE,
} from '../../../model/device.ts';
import type { DeviceInfo } from '../../../model/device.ts';
import { DEFAULT_LAYER, LAYERS } from '../../../model/layer.ts';
import type { Layer } from '../../../model/layer.ts';
import { parseCallText } from '../../../model/call.ts';
import { parseOpenFlags } from '../../../model/open-flags.ts';
import { IdentityMark } from '../../../model/identity-table.ts';
import type { IdentityTable } from '../../../model/identity-table.ts';
import { Op, OP_UNKNOWN } from '../../../model/operation.ts';
import { REQUEST_FLAGS } from '../../../model/request-text.ts';
import type { CompletionSummary, SourceCounters } from '../../completion-summary.ts';
import type { TraceChunk, TraceHeader, TraceProblem, TraceReader } from '../../trace-reader.ts';
import { CONTINUATION, MAX_METADATA_BYTES, PREFIX_BYTES } from '../arrow/arrow-message.ts';
import { decodeTableMessage } from '../arrow/arrow-table.ts';
import type { TableMessage, TableSchema } from '../arrow/arrow-table.ts';
import { parseNotes } from '../format/batch-notes.ts';
import { FileBytes } from './byte-source.ts';
import { DamagedError } from '../arrow/flat-reader.ts';
import { MAX_NAME, Meta } from '../format/format.ts';
import { parseJson } from '../format/json-values.ts';
import { ProblemList } from './problem-list.ts';
import { checkedText, parseHeader } from '../format/recording-header.ts';
import { parseSummary } from '../format/summary-bytes.ts';
import { MOST_ROWS, TableColumns, UnreadableError } from './table-columns.ts';

/*
 * Reads a recording that another program has rewritten, as an Arrow stream or file. The columns are those of the
 * format; the metadata of batches (identities, disks, counters) is gone.
 */

/** The first bytes of an Arrow file; a stream of messages follows at a multiple of eight. */
const FILE_MAGIC = 'ARROW1';
const FILE_START = 8;
const MOST_BODY_BYTES = 512 << 20;
const ROWS_PER_CHUNK = 1 << 16;

/** Whether these are the first bytes of an Arrow file or stream. */
export function looksLikeArrow(first: Uint8Array): boolean {
  const bytes = Buffer.from(first.buffer, first.byteOffset, first.byteLength);
  return isArrowFile(bytes) || (bytes.length >= 4 && bytes.readUInt32LE(0) === CONTINUATION);
}

function isArrowFile(bytes: Buffer): boolean {
  return bytes.toString('latin1', 0, FILE_MAGIC.length) === FILE_MAGIC;
}

/** Whether a stream with our schema has batches without our metadata; false when this cannot be determined. */
export function isRewritten(fd: number): boolean {
  try {
    const messages = new TableMessages(new FileBytes(fd));
    for (let found = messages.next(); found !== undefined; found = messages.next())
      if (found.message.kind === 'batch') return !isOurs(found.message);
    return false;
  } catch (cause) {
    if (cause instanceof DamagedError || cause instanceof UnreadableError) return false;
    throw cause;
  }
}

/** Some programs keep the notes of a batch, which describe its original body. */
function isOurs({ metadata, bodyBytes }: Extract<TableMessage, { kind: 'batch' }>): boolean {
  if (!metadata.has(Meta.batch)) return false;
  return parseNotes(metadata).bodyBytes === bodyBytes;
}

/** The descriptor is closed by `dispose`, and on failure. */
export function openRewritten(fd: number, identities: IdentityTable): Result<TraceReader> {
  try {
    const messages = new TableMessages(new FileBytes(fd));
    const schema = messages.next();
    if (schema?.message.kind !== 'schema') throw new DamagedError('no schema');
    const names = new Set(schema.message.schema.fields.map(({ name }) => name));
    const missing = NEEDED.filter((name) => !names.has(name));
    if (missing.length > 0) throw new DamagedError(`no column "${missing.join('", "')}"`);
    return ok(new RewrittenReader(messages, schema.message.schema, identities, fd));
  } catch (cause) {
    closeSync(fd);
    if (cause instanceof DamagedError || cause instanceof UnreadableError)
      return err(notReadable(cause.message));
    throw cause;
  }
}

const NEEDED = ['time', 'device', 'op', 'bytes', 'device_ns'];

function notReadable(why: string): IoheatError {
  return {
    exitCode: ExitCode.failed,
    what: 'cannot read this Arrow file as a recording',
    why,
    remedy:
      'write it with the columns of the recording, uncompressed or with LZ4, in smaller batches',
  };
}

interface FoundMessage {
  readonly at: number;
  readonly message: TableMessage;
  readonly body: Buffer;
}

/** Reads message by message, up to the end mark or the end of the file. */
class TableMessages {
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
    if (flat.length < length) throw new DamagedError('the file is truncated');
    const message = decodeTableMessage(flat);
    if (message.bodyBytes > MOST_BODY_BYTES)
      throw new UnreadableError(`a batch of ${message.bodyBytes} bytes`);
    const bodyAt = at + PREFIX_BYTES + length;
    const body = source.read(bodyAt, message.bodyBytes);
    if (body.length < message.bodyBytes) throw new DamagedError('the file is truncated');
    this.at = bodyAt + message.bodyBytes;
    return { at, message, body };
  }
}

class RewrittenReader implements TraceReader {
  readonly header: TraceHeader;
  private readonly columns = createColumns(ROWS_PER_CHUNK);
  private readonly problemList = new ProblemList();
  private readonly dictionaries = new Map<number, readonly string[]>();
  private readonly interner: IdentityInterner;
  private readonly losses: Record<string, number> = {};
  private batch: BatchRows | undefined;
  private delivered = 0;
  private summarised = 0;
  private isOver = false;

  constructor(
    private readonly messages: TableMessages,
    private readonly schema: TableSchema,
    identities: IdentityTable,
    private readonly fd: number,
  ) {
    this.interner = new IdentityInterner(identities);
    // The start of the trace must be known before the first row.
    const kept = keptHeader(schema);
    if (kept === undefined) this.nextBatch();
    this.header = kept ?? withoutHeader(this.batch?.cells.time(0) ?? 0n);
  }

  next(): TraceChunk | 'ended' {
    if (this.batch === undefined && !this.nextBatch()) return 'ended';
    const summaries: CompletionSummary[] = [];
    const { columns } = this;
    columns.length = 0;
    for (; this.batch !== undefined && columns.length < ROWS_PER_CHUNK;) this.takeRow(summaries);
    this.delivered += columns.length;
    return { rows: columns, summaries, counters: this.counters() };
  }

  devices(): readonly DeviceInfo[] {
    return this.interner.devices;
  }

  problems(): readonly TraceProblem[] {
    return this.problemList.all();
  }

  dispose(): void {
    closeSync(this.fd);
  }

  private counters(): SourceCounters {
    const { delivered, summarised, losses } = this;
    const lost = Object.values(losses).reduce((sum, count) => sum + count, 0);
    return { delivered, summarised, lost, losses: { ...losses } };
  }

  /** False at the end, and when the next message cannot be read. */
  private nextBatch(): boolean {
    try {
      while (!this.isOver) {
        const found = this.messages.next();
        if (found === undefined) break;
        if (this.takeMessage(found)) return true;
      }
    } catch (cause) {
      if (!(cause instanceof DamagedError || cause instanceof UnreadableError)) throw cause;
      this.problemList.add(`cannot read the rest: ${cause.message}`, 0);
    }
    this.isOver = true;
    return false;
  }

  private takeMessage({ message, body }: FoundMessage): boolean {
    if (message.kind === 'schema') return false;
    const { schema, dictionaries } = this;
    if (message.kind === 'batch') {
      const table = new TableColumns(schema, message.batch, Buffer.from(body), dictionaries);
      // Polars writes a batch even if there is no row.
      if (message.batch.rows === 0) return false;
      this.batch = new BatchRows(table, message.batch.rows);
      return true;
    }
    const field = schema.fields.find(({ dictionary }) => dictionary?.id === message.id);
    if (field === undefined) return false;
    const only = { fields: [{ name: field.name, type: field.type }], metadata: new Map() };
    const words = new TableColumns(only, message.batch, body, dictionaries).words(field.name);
    const before = message.isDelta ? (dictionaries.get(message.id) ?? []) : [];
    if (before.length + words.length > MOST_ROWS) throw new UnreadableError('too many texts');
    dictionaries.set(message.id, [...before, ...words]);
    return false;
  }

  private takeRow(summaries: CompletionSummary[]): void {
    const { batch, columns, interner } = this;
    if (batch === undefined) return;
    const row = batch.at++;
    const { cells } = batch;
    if (batch.at >= batch.rows) this.batch = undefined;
    const kind = cells.kind(row) ?? 'io';
    const timeNs = cells.time(row);
    if (kind === 'lost') this.lose(cells.comm(row) ?? 'unknown', cells.count(row) ?? 0);
    else if (timeNs === undefined) this.problemList.add('rows without a time are missing', 0);
    else if (kind === 'summary') this.takeSummary(cells, row, this.traceNs(timeNs), summaries);
    else {
      const at = columns.length++;
      columns.completeNs[at] = this.traceNs(timeNs);
      columns.deviceNs[at] = possible(cells.deviceNs(row));
      columns.queueNs[at] = possible(cells.queueNs(row));
      columns.sector[at] = possible(cells.sector(row));
      columns.bytes[at] = cells.bytes(row) ?? 0;
      columns.identity[at] = interner.indexOf(cells, row, 0);
      takeResult(columns, at, cells.result(row));
    }
  }

  private takeSummary(
    cells: Cells,
    row: number,
    traceNs: number,
    summaries: CompletionSummary[],
  ): void {
    const key = this.interner.indexOf(cells, row, IdentityMark.noDetail);
    const text = cells.summary(row) ?? '';
    try {
      const summary = parseSummary(Buffer.from(text, 'base64'), key);
      // The times in a summary count from the start of the recording, which may be unknown now.
      const shiftNs = traceNs - Math.floor(summary.startNs);
      const [startNs, endNs] = [summary.startNs + shiftNs, summary.endNs + shiftNs];
      this.summarised += summary.count;
      summaries.push({ ...summary, startNs, endNs });
    } catch (cause) {
      if (!(cause instanceof DamagedError)) throw cause;
      this.problemList.add('summaries that cannot be read are missing', 0);
    }
  }

  private traceNs(timeNs: bigint): number {
    return Number(timeNs - this.header.clockBase.wallNs);
  }

  private lose(way: string, count: number): void {
    this.losses[way] = (this.losses[way] ?? 0) + count;
  }
}

function takeResult(columns: CompletionColumns, at: number, result: number | undefined): void {
  if (result !== undefined && Number.isSafeInteger(result)) resultsOf(columns)[at] = result;
  else if (columns.result.length > 0) columns.result[at] = NaN;
}

function possible(value: number | undefined): number {
  return value !== undefined && value >= 0 ? value : NaN;
}

/** Our own header, if the other program kept it. */
function keptHeader({ metadata }: TableSchema): TraceHeader | undefined {
  try {
    const kept = parseHeader(parseJson(checkedText(metadata, Meta.header)));
    const { writer, host, kernel, clockBase, hasWallClock, recordedOnly, unknown, latency } = kept;
    return {
      kind: 'recording',
      writer: `${writer}, rewritten`,
      ...{ host, kernel, clockBase, hasWallClock, recordedOnly, unknown },
      ...(latency !== undefined && { latency }),
    };
  } catch (cause) {
    if (!(cause instanceof DamagedError)) throw cause;
    return undefined;
  }
}

function withoutHeader(wallNs: bigint): TraceHeader {
  return {
    kind: 'recording',
    writer: 'ioheat, rewritten by another program',
    host: '',
    kernel: '',
    clockBase: { monotonicNs: 0n, wallNs },
    hasWallClock: true,
    recordedOnly: '',
    unknown: [],
  };
}

/** The values of a batch, by column. */
class Cells {
  readonly time;
  readonly device;
  readonly pid;
  readonly tid;
  readonly comm;
  readonly op;
  readonly flags;
  readonly sector;
  readonly bytes;
  readonly queueNs;
  readonly deviceNs;
  readonly error;
  readonly kind;
  readonly count;
  readonly layer;
  readonly summary;
  readonly result;

  constructor(table: TableColumns) {
    this.time = table.ns('time');
    this.device = table.text('device');
    this.pid = table.number('pid');
    this.tid = table.number('tid');
    this.comm = table.text('comm');
    this.op = table.text('op');
    this.flags = table.text('flags');
    this.sector = table.number('sector');
    this.bytes = table.number('bytes');
    this.queueNs = table.number('queue_ns');
    this.deviceNs = table.number('device_ns');
    this.error = table.number('error');
    this.kind = table.text('kind');
    this.layer = table.text('layer');
    this.count = table.number('count');
    this.result = table.number('result');
    this.summary = table.text('summary');
  }
}

class BatchRows {
  at = 0;
  readonly cells: Cells;

  constructor(
    table: TableColumns,
    readonly rows: number,
  ) {
    this.cells = new Cells(table);
  }
}

const OPS = new Map<string, number>(
  Object.entries(Op).map(([name, op]) => [
    name.replace(/[A-Z]/, (capital) => ` ${capital.toLowerCase()}`),
    op,
  ]),
);
const MOST_DEVICES = 4096;

/** Interns identities from the values of the columns; disks get invented numbers. */
class IdentityInterner {
  readonly devices: DeviceInfo[] = [];
  private readonly numbers = new Map<string, number>();

  constructor(private readonly identities: IdentityTable) {}

  indexOf(cells: Cells, row: number, marks: number): number {
    const [pid, tid] = [cells.pid(row), cells.tid(row)];
    const [comm, flags, error] = [cells.comm(row), cells.flags(row), cells.error(row)];
    const isOwned = pid !== undefined || tid !== undefined || comm !== undefined;
    const { ownerUnknown, processUnknown, flagsUnknown, errorUnknown, sizeUnknown } = IdentityMark;
    const unknown =
      (isOwned ? (pid === undefined ? processUnknown : 0) : ownerUnknown) |
      (flags === undefined ? flagsUnknown : 0) |
      (error === undefined ? errorUnknown : 0) |
      (cells.bytes(row) === undefined ? sizeUnknown : 0);
    const op = cells.op(row);
    const callFlags = parseCallText(op ?? '');
    return this.identities.intern({
      dev: this.deviceOf(cells.device(row)),
      cmdFlags:
        callFlags === undefined
          ? opOf(op) | flagsOf(flags ?? '')
          : (callFlags | parseOpenFlags(flags ?? '') | flagsOf(flags ?? '')) >>> 0,
      tgid: pid ?? tid ?? 0,
      tid: tid ?? pid ?? 0,
      comm: (comm ?? '').slice(0, MAX_NAME),
      cgroup: 0,
      error: error === undefined ? 0 : -Math.abs(error),
      marks: marks | unknown,
      layer: otherLayer(cells.layer(row)),
    });
  }

  private deviceOf(name: string | undefined): number {
    if (name === undefined || this.devices.length >= MOST_DEVICES) return UNKNOWN_DEVICE;
    const known = this.numbers.get(name);
    if (known !== undefined) return known;
    const dev = parseDeviceNumber(name) ?? packDevice(INVENTED_MAJOR, this.devices.length);
    this.numbers.set(name, dev);
    this.devices.push({ dev, name: name.slice(0, MAX_NAME) });
    return dev;
  }
}

/** Undefined for the layer `disks`, and for layers that this version does not know. */
function otherLayer(text: string | undefined): Layer | undefined {
  return text === DEFAULT_LAYER ? undefined : LAYERS.find((layer) => layer === text);
}

function opOf(text: string | undefined): number {
  if (text === undefined) return OP_UNKNOWN;
  return OPS.get(text) ?? Number(/^op (\d{1,3})$/.exec(text)?.[1] ?? OP_UNKNOWN);
}

/** Early recordings have `readAhead`. */
function flagsOf(text: string): number {
  const names = new Set(text.toLowerCase().split(' '));
  return REQUEST_FLAGS.reduce((all, [name, bit]) => (names.has(name) ? all | bit : all), 0);
}
