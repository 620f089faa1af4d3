import { appendRows, createColumns } from '../../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import type { DeviceInfo } from '../../../src/model/device.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import type { Identity } from '../../../src/model/identity.ts';
import type { PatternName } from '../../../src/trace/synthetic/patterns.ts';
import { createSyntheticSource } from '../../../src/trace/synthetic/synthetic-source.ts';
import type { TraceChunk, TraceHeader, TraceReader } from '../../../src/trace/trace-reader.ts';

/** A clock that is moved by hand; also serves as real time. */
export class ManualClock {
  ns = 0;
  readonly nowNs = (): number => this.ns;
}

export const HEADER: TraceHeader = {
  kind: 'recording',
  writer: 'test',
  host: '',
  kernel: '',
  clockBase: { monotonicNs: 0n, wallNs: 1_700_000_000_000_000_000n },
  hasWallClock: true,
  recordedOnly: '',
  unknown: [],
};

export interface KeptParts {
  readonly header?: Partial<TraceHeader>;
  readonly chunks: readonly (TraceChunk | 'waiting')[];
  readonly devices?: readonly DeviceInfo[];
}

/** A trace held in memory. */
export class KeptTrace implements TraceReader {
  readonly header: TraceHeader;
  /** Chunks handed out. */
  taken = 0;
  isDisposed = false;

  constructor(private readonly parts: KeptParts) {
    this.header = { ...HEADER, ...parts.header };
  }

  next(): TraceChunk | 'waiting' | 'ended' {
    return this.parts.chunks[this.taken] === undefined ? 'ended' : this.parts.chunks[this.taken++]!;
  }

  devices(): readonly DeviceInfo[] {
    return this.parts.devices ?? [];
  }

  problems(): readonly [] {
    return [];
  }

  dispose(): void {
    this.isDisposed = true;
  }
}

export interface SyntheticTrace {
  readonly pattern: PatternName;
  readonly seconds: number;
  readonly identities: IdentityTable;
  readonly seed?: number;
  readonly header?: Partial<TraceHeader>;
  /** Without it, where the trace ends shows at its end. */
  readonly tellsExtent?: boolean;
  readonly chunkRows?: number;
}

/** The rows of a pattern, kept as a trace: a real trace, but for where it lies. */
export function keptPattern(options: SyntheticTrace): KeptTrace {
  const { pattern, seconds, identities, seed = 7, header = {}, tellsExtent = true } = options;
  const clock = new ManualClock();
  const clockBase = header.clockBase ?? HEADER.clockBase;
  const source = createSyntheticSource({ pattern, seed, clock, identities, clockBase });
  const chunks: TraceChunk[] = [];
  let rowCount = 0;
  clock.ns = seconds * 1e9;
  for (let rows = source.read(); rows.length > 0; rows = source.read()) {
    rowCount += rows.length;
    chunks.push(...chunksOf(rows, options.chunkRows ?? 5000));
  }
  const extent = { startNs: 0, endNs: seconds * 1e9, rows: rowCount };
  return new KeptTrace({
    header: { host: 'demo', ...(tellsExtent && { extent }), ...header },
    chunks,
    devices: source.info.devices(),
  });
}

function chunksOf(rows: CompletionColumns, size: number): TraceChunk[] {
  const chunks: TraceChunk[] = [];
  for (let from = 0; from < rows.length; from += size) {
    const to = Math.min(rows.length, from + size);
    const copy = createColumns(to - from);
    appendRows(copy, rows, from, to);
    chunks.push({ rows: copy, summaries: [] });
  }
  return chunks;
}

export interface PlainRow {
  readonly completeNs: number;
  readonly key?: number;
  readonly deviceNs?: number;
}

/** A chunk of a few rows that differ in little. */
export function chunkOf(rows: readonly PlainRow[], more: Partial<TraceChunk> = {}): TraceChunk {
  const columns = createColumns(rows.length);
  columns.length = rows.length;
  rows.forEach(({ completeNs, key = 0, deviceNs = 1e6 }, row) => {
    columns.completeNs[row] = completeNs;
    columns.identity[row] = key;
    columns.deviceNs[row] = deviceNs;
    columns.bytes[row] = 4096;
  });
  return { rows: columns, summaries: [], ...more };
}

/** A table with one key, of a process on a disk. */
export function tableOf(comm: string, dev: number, more: Partial<Identity> = {}): IdentityTable {
  const identities = new IdentityTable();
  const none = { cmdFlags: 0, cgroup: 0, error: 0, marks: 0 };
  identities.intern({ ...none, dev, comm, tgid: 100, tid: 100, ...more });
  return identities;
}
