import { closeSync } from 'node:fs';
import type { IoheatError, Result } from '../../../base/result.ts';
import { err, ExitCode, ok } from '../../../base/result.ts';
import { createColumns, resultsOf } from '../../../model/completion-columns.ts';
import type { CompletionColumns } from '../../../model/completion-columns.ts';
import type { DeviceInfo } from '../../../model/device.ts';
import { IdentityMark } from '../../../model/identity.ts';
import type { IdentityTable } from '../../../model/identity-table.ts';
import type { CompletionSummary, SourceCounters } from '../../completion-summary.ts';
import type { TraceChunk, TraceHeader, TraceProblem, TraceReader } from '../../trace-reader.ts';
import type { TableMessage, TableSchema } from '../arrow/arrow-table.ts';
import { DamagedError } from '../arrow/flat-reader.ts';
import { parseNotes } from '../format/batch-notes.ts';
import { Meta } from '../format/format.ts';
import { parseJson } from '../format/json-values.ts';
import { checkedText, parseHeader } from '../format/recording-header.ts';
import { parseSummary } from '../format/summary-bytes.ts';
import { FileBytes } from './byte-source.ts';
import { CellIdentities } from './cell-identities.ts';
import { ProblemList } from './problem-list.ts';
import { BatchRows } from './row-cells.ts';
import type { Cells } from './row-cells.ts';
import { MOST_ROWS, TableColumns, UnreadableError } from './table-columns.ts';
import { TableMessages, TruncatedError } from './table-messages.ts';
import type { FoundMessage } from './table-messages.ts';
import { undivided } from './undivided.ts';

/*
 * Reads a recording that another program has rewritten, as an Arrow stream or file. The columns are those of the
 * format; the metadata of batches (identities, disks, counters) is gone.
 */

const ROWS_PER_CHUNK = 1 << 16;

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
    if (cause instanceof TruncatedError) return err(truncated(cause.message));
    if (cause instanceof DamagedError || cause instanceof UnreadableError)
      return err(notReadable(cause.message));
    throw cause;
  }
}

const NEEDED = ['time', 'device', 'op', 'bytes', 'device_ns'];

/** Nobody can tell who wrote it: it ends before its first I/O. */
function truncated(why: string): IoheatError {
  return { exitCode: ExitCode.failed, what: 'cannot read any I/O from this Arrow file', why };
}

function notReadable(why: string): IoheatError {
  return {
    exitCode: ExitCode.failed,
    what: 'cannot read this Arrow file as a recording',
    why,
    remedy:
      'write it with the columns of the recording, uncompressed or with LZ4, in smaller batches',
  };
}

class RewrittenReader implements TraceReader {
  readonly header: TraceHeader;
  private readonly columns = createColumns(ROWS_PER_CHUNK);
  private readonly problemList = new ProblemList();
  private readonly dictionaries = new Map<number, readonly string[]>();
  private readonly interner: CellIdentities;
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
    this.interner = new CellIdentities(identities);
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
    return undivided({ rows: columns, summaries, counters: this.counters() }, this.header);
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
