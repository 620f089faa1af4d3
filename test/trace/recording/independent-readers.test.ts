import { CompressionType, compressionRegistry, tableFromIPC } from 'apache-arrow';
import { compressFrameSync, decompressFrameSync } from 'lz4-napi';
import pl from 'nodejs-polars';
import { beforeAll, describe, expect, it } from 'vitest';
import { appendRows, createColumns } from '../../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import type { EventSource } from '../../../src/trace/event-source.ts';
import { deviceName } from '../../../src/model/device.ts';
import { opClass } from '../../../src/model/operation.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { bytesOf, CLOCK_BASE, copyOf, encoderFor, joined, pattern } from './fixtures/record.ts';
import { summaryOf } from '../../history/fixtures.ts';

let source: EventSource;
let rows: CompletionColumns;
let recording: Buffer;

/** Four seconds of a pattern with a process that is new in each, one of them unknown, and a sum. */
async function record(): Promise<void> {
  const made = pattern('mixed', 3, 500);
  ({ source } = made);
  const encoder = encoderFor(source);
  const parts = [encoder.begin()];
  const taken: CompletionColumns[] = [];
  for (let second = 1; second <= 4; second++) {
    made.moveTo(second * 1e9);
    const marks = second === 4 ? IdentityMark.ownerUnknown : 0;
    const key = source.info.identities.intern({
      ...source.info.identities.get(0),
      ...{ comm: `new-${second}`, tgid: 1000 + second, error: second === 2 ? 10 : 0, marks },
    });
    const read = copyOf(source.read());
    const batch = createColumns(read.length + 1);
    appendRows(batch, read, 0, read.length);
    batch.length++;
    const last = read.length;
    batch.completeNs[last] = second * 1e9;
    batch.deviceNs[last] = 1234.5;
    batch.queueNs[last] = NaN;
    batch.sector[last] = second === 3 ? NaN : 2 ** 40;
    batch.bytes[last] = 2 ** 32 - 1;
    batch.identity[last] = key;
    taken.push(batch);
    encoder.append(batch);
    parts.push(await bytesOf(encoder.flush(source.counters())));
  }
  rows = joined(taken);
  const noDetail = source.info.identities.intern({
    ...{ ...source.info.identities.get(0), comm: '', tgid: 0, tid: 0 },
    marks: IdentityMark.noDetail | IdentityMark.ownerUnknown,
  });
  encoder.appendSummary(
    summaryOf({ startNs: 4e9, endNs: 5e9, identity: noDetail, count: 77, bytes: 6e9 }),
  );
  parts.push(await bytesOf(encoder.flush(undefined)), END_OF_STREAM);
  recording = Buffer.concat(parts);
}

beforeAll(record);

function known(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

/** What each row must say, in the words of the columns. */
function expected(row: number) {
  const key = source.info.identities.get(rows.identity[row]!);
  const isKnown = (key.marks & IdentityMark.ownerUnknown) === 0;
  const [deviceNs, queueNs] = [rows.deviceNs[row]!, rows.queueNs[row]!];
  return {
    device: deviceName(source.info, key.dev),
    pid: isKnown ? key.tgid : null,
    tid: isKnown ? key.tid : null,
    comm: key.comm,
    op: opClass(key.cmdFlags),
    sector: known(rows.sector[row]!),
    bytes: rows.bytes[row]!,
    queue_ns: known(queueNs),
    device_ns: known(deviceNs),
    total_ns: known(Math.fround(deviceNs + queueNs)),
    error: key.error === 0 ? 0 : 5,
    cgroup: source.info.cgroups?.name(key.cgroup) ?? null,
    kind: 'io',
    count: 1,
    summary: null,
    file: rows.file[row]!,
    file_offset: known(rows.fileOffset[row]!),
    layer: 'disks',
    result: null,
  };
}

const TYPES = {
  time: 'Timestamp<NANOSECOND, UTC>',
  device: 'Dictionary<Uint16, Utf8>',
  pid: 'Int32',
  tid: 'Int32',
  comm: 'Dictionary<Uint16, Utf8>',
  op: 'Dictionary<Uint8, Utf8>',
  flags: 'Dictionary<Uint8, Utf8>',
  sector: 'Int64',
  bytes: 'Int64',
  queue_ns: 'Float32',
  device_ns: 'Float32',
  total_ns: 'Float32',
  error: 'Int32',
  cgroup: 'Dictionary<Uint16, Utf8>',
  kind: 'Dictionary<Uint8, Utf8>',
  count: 'Int64',
  key: 'Uint16',
  summary: 'Utf8',
  file: 'Uint32',
  file_offset: 'Int64',
  layer: 'Dictionary<Uint8, Utf8>',
  result: 'Int64',
};

describe('a recording, read by Arrow itself', () => {
  it('Apache Arrow reads a recording with the columns of the format, and every row unchanged', () => {
    compressionRegistry.set(CompressionType.LZ4_FRAME, {
      encode: (bytes: Uint8Array) => compressFrameSync(Buffer.from(bytes)),
      decode: (bytes: Uint8Array) => decompressFrameSync(Buffer.from(bytes)),
    });
    const table = tableFromIPC(recording);
    expect(Object.fromEntries(table.schema.fields.map((f) => [f.name, String(f.type)]))).toEqual(
      TYPES,
    );
    expect(table.numRows).toBe(rows.length + 1);
    for (let row = 0; row < rows.length; row++) {
      const found = table.get(row)!.toJSON() as Record<string, unknown>;
      const wanted = expected(row);
      const plain = Object.keys(wanted).map((name) => [name, plainOf(found[name])]);
      expect(Object.fromEntries(plain)).toEqual(wanted);
    }
  });
});

function plainOf(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

describe('a recording, read by Polars', () => {
  it('Polars reads every row of a recording unchanged, to the nanosecond', () => {
    const frame = pl.readIPCStream(recording);
    expect(frame.shape).toEqual({ height: rows.length + 1, width: 22 });
    const text = (name: string) => frame.getColumn(name).cast(pl.Utf8).toArray() as unknown[];
    const columns = Object.fromEntries(
      Object.keys(expected(0)).map((name) => [
        name,
        TYPES[name as keyof typeof TYPES].includes('Utf8')
          ? text(name)
          : (frame.getColumn(name).toArray() as unknown[]).map(plainOf),
      ]),
    );
    for (let row = 0; row < rows.length; row++) {
      const found = Object.entries(columns).map(([name, values]) => [name, values[row]]);
      expect(Object.fromEntries(found)).toEqual(expected(row));
    }
    const times = frame.getColumn('time').cast(pl.Int64).cast(pl.Utf8).toArray();
    expect(times.slice(0, rows.length)).toEqual(
      Array.from(rows.completeNs, (ns) => String(CLOCK_BASE.wallNs + BigInt(ns))),
    );
  });

  it('Polars reads the column types of a recording, and its aggregates add up', () => {
    const frame = pl.readIPCStream(recording);
    expect(String(frame.getColumn('time').dtype)).toBe('DataType(Datetime(ns,UTC))');
    expect(frame.dtypes.map((type) => type.variant)).toEqual([
      ...['Datetime', 'Categorical', 'Int32', 'Int32', 'Categorical', 'Categorical', 'Categorical'],
      ...['Int64', 'Int64', 'Float32', 'Float32', 'Float32', 'Int32', 'Categorical', 'Categorical'],
      ...['Int64', 'UInt16', 'String', 'UInt32', 'Int64', 'Categorical', 'Int64'],
    ]);
    expect(frame.getColumn('count').sum()).toBe(rows.length + 77);
    const bytes = rows.bytes.reduce((sum, size) => sum + size, 0);
    expect(frame.getColumn('bytes').sum()).toBe(bytes + 6e9);
  });
});
