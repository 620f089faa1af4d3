import fc from 'fast-check';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pl from 'nodejs-polars';
import { describe, expect, it } from 'vitest';
import { COLUMNS, createCsvEncoder } from '../../src/export/rows/csv.ts';
import { createBiosnoopEncoder } from '../../src/export/rows/biosnoop.ts';
import { EventRows } from '../../src/export/rows/event-row.ts';
import type { EventRow, RowContext } from '../../src/export/rows/event-row.ts';
import { createNdjsonEncoder } from '../../src/export/rows/ndjson.ts';
import { createParquetEncoder } from '../../src/export/rows/parquet.ts';
import { createTrace2heatmapEncoder } from '../../src/export/rows/trace2heatmap.ts';
import { isoTime, wallNsOf } from '../../src/export/wall-time.ts';
import { parseFilter } from '../../src/filter/language/parse.ts';
import { CALL_SHIFT, callOperation, CALLS, type Call } from '../../src/model/call.ts';
import { foldedOnce } from '../../src/model/folded-identity.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { MERGED_FILES, NO_FILE, UNKNOWN_FILE } from '../../src/model/file.ts';
import { namedFile } from '../../src/model/named-file.ts';
import { columnsOf, createInfo, keyOf } from '../history/fixtures.ts';
import type { Row } from '../history/fixtures.ts';
import {
  anyRow,
  contextOf,
  encodeAll,
  fourKeys,
  HOSTILE_COMMS,
  pickerOf,
  WALL_NS,
} from './fixtures.ts';
import { must } from '../must.ts';

/** RFC 4180, read as plainly as it is written there. */
function parseCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  let at = 0;
  while (at < text.length) {
    const quoted = /"((?:[^"]|"")*)"/y;
    const plain = /[^,\n"]*/y;
    quoted.lastIndex = plain.lastIndex = at;
    const match = text[at] === '"' ? quoted.exec(text) : plain.exec(text);
    if (match === null) throw new Error(`no field at ${at}`);
    record.push(match[1]?.replaceAll('""', '"') ?? match[0]);
    at += match[0].length;
    if (text[at] === '\n') {
      records.push(record);
      record = [];
    } else if (text[at] !== ',') throw new Error(`no separator at ${at}`);
    at++;
  }
  return records;
}

/** What a row should say, as the plain objects that JSON has. */
function recordOf({ identity, ...event }: EventRow, context: RowContext): Record<string, unknown> {
  return {
    time: context.hasWallClock ? isoTime(wallNsOf(context.clockBase, event.traceNs)) : null,
    trace_ns: event.traceNs,
    device: identity.device ?? null,
    pid: identity.pid ?? null,
    tid: identity.tid ?? null,
    comm: identity.comm ?? null,
    op: identity.op ?? null,
    flags: identity.flags ?? null,
    sector: event.sector ?? null,
    bytes: event.bytes ?? null,
    queue_ns: event.queueNs ?? null,
    device_ns: event.deviceNs ?? null,
    total_ns: event.totalNs ?? null,
    error: identity.error ?? null,
    error_text: identity.errorText ?? null,
    cgroup_id: identity.cgroupId ?? null,
    cgroup: identity.cgroup ?? null,
    file: event.file ?? null,
    other_files: event.otherFiles ?? null,
    file_offset: event.fileOffset ?? null,
    via: identity.via ?? null,
    several_writers: identity.severalWriters ?? null,
    layer: identity.layer,
    call: identity.call ?? null,
    result: event.result ?? null,
    inode: event.inode ?? null,
    generation: event.generation ?? null,
    file_dev: event.fileDev ?? null,
    first_seen_ns: event.firstSeenNs ?? null,
  };
}

function expected(context: RowContext, rows: readonly Row[]): Record<string, unknown>[] {
  const events = new EventRows(context);
  const columns = columnsOf(rows);
  return rows.map((_, row) => recordOf(events.at(columns, row), context));
}

/** Half a surrogate pair has no encoding. */
function asUtf8(text: unknown): string {
  return typeof text === 'string' ? Buffer.from(text).toString() : '';
}

const TEXTS = ['device', 'comm', 'flags', 'error_text', 'cgroup', 'layer'];

/** A line of the CSV as a reader takes it who knows the rules of the header. */
function fromCsv(fields: string[]): Record<string, unknown> {
  const entries = COLUMNS.map((name, i) => [name, fromField(name, fields[i] ?? '')] as const);
  return Object.fromEntries(entries);
}

function fromField(name: string, field: string): unknown {
  const isNone = (name === 'flags' || name === 'error_text') && field === 'none';
  if (isNone) return '';
  if (name === 'comm' && field === '') return null;
  if (field === '') return null;
  const text = field.startsWith("'") ? field.slice(1) : field;
  return name === 'time' || name === 'op' || TEXTS.includes(name) ? text : Number(field);
}

const keysAndRows = fc.tuple(fourKeys, fc.array(anyRow, { maxLength: 30 }));

describe('event rows', () => {
  it('CSV gives rows back unchanged, whatever processes are called', () => {
    fc.assert(
      fc.property(keysAndRows, ([keys, rows]) => {
        const context = contextOf(keys);
        const text = encodeAll(createCsvEncoder(context), rows, pickerOf(context)).toString();
        const [header, ...records] = parseCsv(text);
        expect(header).toEqual([...COLUMNS]);
        const wellFormed = expected(context, rows).map((row) => ({
          ...row,
          comm: asUtf8(row['comm']) || null,
        }));
        expect(records.map(fromCsv)).toEqual(wellFormed);
      }),
    );
  });

  it('no CSV field starts like a spreadsheet formula', () => {
    const keys = HOSTILE_COMMS.map((comm) => keyOf({ comm }));
    const context = contextOf(keys);
    const rows = keys.map((_, key) => ({ ...SOME_ROW, key }));
    const text = encodeAll(createCsvEncoder(context), rows, pickerOf(context)).toString();
    for (const field of parseCsv(text).flat()) expect(field).not.toMatch(/^[=+\-@\t\r]/);
  });

  it('NDJSON gives rows back unchanged, one object a line', () => {
    fc.assert(
      fc.property(keysAndRows, ([keys, rows]) => {
        const context = contextOf(keys);
        const text = encodeAll(createNdjsonEncoder(context), rows, pickerOf(context)).toString();
        const lines = text.split('\n').slice(0, -1);
        const wanted: unknown = JSON.parse(JSON.stringify(expected(context, rows)));
        expect(lines.map((line): unknown => JSON.parse(line))).toEqual(wanted);
      }),
    );
  });

  it('a field that the trace lacks is exported as unknown, not as zero', () => {
    const unknown = [
      'disk',
      'op',
      'device',
      'queue',
      'sector',
      'bytes',
      'pid',
      'tid',
      'comm',
      'flags',
      'error',
    ];
    const context = contextOf([keyOf({ cgroup: 0 })], {
      unknown: unknown as RowContext['unknown'],
      hasWallClock: false,
    });
    const csv = encodeAll(createCsvEncoder(context), [SOME_ROW], pickerOf(context)).toString();
    expect(csv.split('\n')[1]).toBe(',5000,,,,,,,,,,,,,,,,,,,,,disks,,,,,,');
    const json = encodeAll(createNdjsonEncoder(context), [SOME_ROW], pickerOf(context)).toString();
    const known = Object.entries(JSON.parse(json) as object).filter(([, value]) => value !== null);
    expect(known).toEqual([
      ['layer', 'disks'],
      ['trace_ns', 5000],
    ]);
  });

  it('exported rows have the path of the file, and mark bytes of other files', () => {
    const context = contextOf([keyOf()], { hasWallClock: false });
    const { files } = context.identities;
    const path = '/srv/a "b",\n=c';
    const file = files.intern({ kind: 'file', dev: 1, inode: 5, generation: 0, path });
    const swap = files.intern({ kind: 'swap', dev: 0, inode: 0, generation: 0 });
    const rows = [file, file + MERGED_FILES, swap, UNKNOWN_FILE, NO_FILE].map((number, i) => ({
      ...SOME_ROW,
      file: number,
      ...(i < 2 && { fileOffset: i * 4096 }),
    }));
    const csv = parseCsv(
      encodeAll(createCsvEncoder(context), rows, pickerOf(context)).toString(),
    ).slice(1);
    expect(csv.map((fields) => fields.slice(-12, -9))).toEqual([
      [path, 'false', '0'],
      [path, 'true', '4096'],
      ['(swap)', 'false', ''],
      ['', '', ''],
      ['', '', ''],
    ]);
    const json = encodeAll(createNdjsonEncoder(context), rows, pickerOf(context)).toString();
    const objects = json.trim().split('\n');
    expect(JSON.parse(objects[1]!)).toMatchObject({ file: path, file_offset: 4096 });
    expect(JSON.parse(objects[3]!)).toMatchObject({ file: null, file_offset: null });
    const parquet = readParquet(encodeAll(createParquetEncoder(context), rows, pickerOf(context)));
    expect(parquet.getColumn('file').toArray()).toEqual([path, path, '(swap)', null, null]);
    const offsets = parquet.getColumn('file_offset').toArray() as unknown[];
    expect(offsets.map((offset) => (offset === null ? null : Number(offset)))).toEqual([
      ...[0, 4096, null, null, null],
    ]);
    expect(parquet.getColumn('other_files').toArray()).toEqual([false, true, false, null, null]);
  });

  it('exported rows of waits have the call, and its kind as operation', () => {
    const call = (name: Call): number => (CALLS.indexOf(name) << CALL_SHIFT) | callOperation(name);
    const keys = (['fsync', 'rename', 'page-fault'] as const).map((name) =>
      keyOf({ layer: 'waits', cmdFlags: call(name) }),
    );
    const context = contextOf(keys, { hasWallClock: false });
    const rows = keys.map((_, key) => ({ ...SOME_ROW, key }));
    const json = encodeAll(createNdjsonEncoder(context), rows, pickerOf(context)).toString();
    const lines = json.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { layer: 'waits', call: 'fsync', op: 'flush', flags: '' },
      { layer: 'waits', call: 'rename', op: 'other', flags: '' },
      { layer: 'waits', call: 'page-fault', op: 'read', flags: '' },
    ]);
    const csv = encodeAll(createCsvEncoder(context), rows, pickerOf(context)).toString();
    expect(
      csv
        .trimEnd()
        .split('\n')
        .slice(1)
        .map((line) => line.split(',').at(-6)),
    ).toEqual([...['fsync', 'rename', 'page-fault']]);
  });

  it('exported rows of system calls have the result, and which file it was', () => {
    const context = contextOf([keyOf({ layer: 'calls', error: -2 }), keyOf({ layer: 'calls' })], {
      hasWallClock: false,
    });
    const { files } = context.identities;
    const known = files.intern({
      kind: 'file',
      dev: 8388609,
      inode: 12,
      generation: 7,
      path: '/log',
    });
    const named = files.intern(namedFile('log'));
    files.seeAt(known, 4321.4);
    files.seeAt(named, 4000);
    const rows = [
      { ...SOME_ROW, key: 0, file: named, result: -2 },
      { ...SOME_ROW, key: 1, file: known, result: 4096 },
      { ...SOME_ROW, key: 1, file: UNKNOWN_FILE, result: 2 ** 40 },
    ];
    const json = encodeAll(createNdjsonEncoder(context), rows, pickerOf(context)).toString();
    const nothing = { inode: null, generation: null, file_dev: null, first_seen_ns: null };
    expect(
      json
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([
      { file: 'log', result: -2, error_text: 'ENOENT', ...nothing },
      {
        ...{ file: '/log', result: 4096, inode: 12, generation: 7 },
        ...{ file_dev: '8:1', first_seen_ns: 4321 },
      },
      { file: null, result: 2 ** 40, ...nothing },
    ]);
    const csv = encodeAll(createCsvEncoder(context), rows, pickerOf(context)).toString();
    const cells = parseCsv(csv).map((fields) => fields.slice(-5));
    expect(cells).toEqual([
      ['result', 'inode', 'generation', 'file_dev', 'first_seen_ns'],
      ['-2', '', '', '', ''],
      ['4096', '12', '7', '8:1', '4321'],
      [String(2 ** 40), '', '', '', ''],
    ]);
    const parquet = readParquet(encodeAll(createParquetEncoder(context), rows, pickerOf(context)));
    expect(parquet.getColumn('result').toArray().map(Number)).toEqual([-2, 4096, 2 ** 40]);
    expect(parquet.getColumn('file_dev').toArray()).toEqual([null, '8:1', null]);
  });

  it('exported rows of volumes have only the total, because these have no queue', () => {
    const context = contextOf([keyOf({ layer: 'volumes' })], { hasWallClock: false });
    const rows = [{ ...SOME_ROW, queueNs: 0, deviceNs: 7000 }];
    const json = encodeAll(createNdjsonEncoder(context), rows, pickerOf(context)).toString();
    expect(JSON.parse(json)).toMatchObject({
      ...{ layer: 'volumes', queue_ns: null, device_ns: null, total_ns: 7000 },
    });
  });

  it('exported rows have the kernel thread that submitted what the process wrote', () => {
    const marks = IdentityMark.indirect | IdentityMark.severalWriters;
    const keys = [
      keyOf({ comm: 'dd', marks: IdentityMark.indirect, via: 'kworker/u8:2' }),
      keyOf({ comm: 'cp', marks, via: '=1+1' }),
      keyOf({ comm: 'cp' }),
    ];
    const context = contextOf(keys, { hasWallClock: false });
    const rows = keys.map((_, key) => ({ ...SOME_ROW, key }));
    const text = encodeAll(createCsvEncoder(context), rows, pickerOf(context)).toString();
    const csv = parseCsv(text).slice(1);
    expect(csv.map((fields) => fields.slice(-9, -7))).toEqual([
      ['kworker/u8:2', 'false'],
      ["'=1+1", 'true'],
      ['', ''],
    ]);
    const parquet = readParquet(encodeAll(createParquetEncoder(context), rows, pickerOf(context)));
    expect(parquet.getColumn('via').toArray()).toEqual(['kworker/u8:2', '=1+1', null]);
    expect(parquet.getColumn('several_writers').toArray()).toEqual([false, true, null]);
  });

  it('exported rows of a process that is known by its command only have its name and cgroup, and no process ID', () => {
    const key = foldedOnce(keyOf({ tgid: 7, tid: 8, comm: 'cc1', cgroup: 9 }));
    const context = contextOf([key]);
    const rows = encodeAll(createNdjsonEncoder(context), [SOME_ROW], pickerOf(context)).toString();
    expect(JSON.parse(rows)).toMatchObject({
      ...{ pid: null, tid: null, comm: 'cc1', cgroup_id: 9, flags: null },
    });
  });

  it('exported rows name a cgroup from the moment on that the trace does', () => {
    const named = new Map<number, string>();
    const names = { ...createInfo(), cgroups: { name: (id: number) => named.get(id) } };
    const events = new EventRows(contextOf([keyOf({ cgroup: 4711 })], { names }));
    const rows = columnsOf([SOME_ROW]);
    const cgroupAt = (): unknown[] => [
      events.at(rows, 0).identity.cgroupId,
      events.at(rows, 0).identity.cgroup,
    ];
    expect(cgroupAt()).toEqual([4711, undefined]);
    named.set(4711, '/system.slice/mysql.service');
    expect(cgroupAt()).toEqual([4711, '/system.slice/mysql.service']);
  });

  it('exported rows have wall-clock times to the nanosecond', () => {
    const context = contextOf([keyOf()]);
    const rows = [{ ...SOME_ROW, completeNs: 1 }];
    const csv = encodeAll(createCsvEncoder(context), rows, pickerOf(context)).toString();
    expect(WALL_NS).toBe(1_700_000_000_123_456_789n);
    expect(csv.split('\n')[1]).toMatch(/^2023-11-14T22:13:20\.123456790Z,1,sda,/);
  });

  it('an export writes only rows that pass the filter', () => {
    const context = contextOf([keyOf(), keyOf({ comm: 'b' })]);
    const filter = must(parseFilter('comm=b dlat>50ns'));
    const rows = [
      SOME_ROW,
      { ...SOME_ROW, key: 1 },
      { ...SOME_ROW, key: 1, deviceNs: 50 },
      { ...SOME_ROW, key: 1, deviceNs: NaN },
    ];
    const picker = pickerOf(context, filter);
    const text = encodeAll(createNdjsonEncoder(context), rows, picker).toString();
    expect(text.trim().split('\n')).toHaveLength(1);
    expect(text).toContain('"comm":"b"');
    expect(picker.count).toBe(1);
  });
});

const SOME_ROW: Row = {
  completeNs: 5000,
  deviceNs: 70,
  queueNs: 30,
  sector: 128,
  bytes: 4096,
  key: 0,
};

function readParquet(bytes: Buffer): pl.DataFrame {
  const folder = mkdtempSync(join(tmpdir(), 'parquet-'));
  try {
    const path = join(folder, 'rows.parquet');
    writeFileSync(path, bytes);
    return pl.readParquet(path);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('Parquet', () => {
  it('Polars reads the same rows from an exported Parquet file', () => {
    fc.assert(
      fc.property(keysAndRows, ([keys, rows]) => {
        fc.pre(rows.length > 0);
        const context = contextOf(keys);
        const bytes = encodeAll(createParquetEncoder(context), rows, pickerOf(context));
        const frame = readParquet(bytes).drop('time');
        const wanted = expected(context, rows).map((row) => {
          const { time, ...rest } = row;
          expect(time).toMatch(/Z$/);
          return { ...rest, comm: row['comm'] === null ? null : asUtf8(row['comm']) };
        });
        const found = frame.toRecords().map((record) =>
          Object.fromEntries(
            Object.entries(record).map(([name, value]) => {
              return [name, typeof value === 'bigint' ? Number(value) : value];
            }),
          ),
        );
        expect(found).toEqual(wanted);
      }),
      { numRuns: 25 },
    );
  });

  it('Parquet columns have explicit types: timestamps in ns, integers, strings', () => {
    const context = contextOf([keyOf()]);
    const bytes = encodeAll(createParquetEncoder(context), [SOME_ROW], pickerOf(context));
    const frame = readParquet(bytes);
    const types = Object.fromEntries(
      Object.entries(frame.schema as Record<string, unknown>).map(([name, type]) => [
        name,
        String(type),
      ]),
    );
    expect(types).toMatchInlineSnapshot(`
      {
        "bytes": "DataType(Int64)",
        "call": "DataType(String)",
        "cgroup": "DataType(String)",
        "cgroup_id": "DataType(Int64)",
        "comm": "DataType(String)",
        "device": "DataType(String)",
        "device_ns": "DataType(Int64)",
        "error": "DataType(Int64)",
        "error_text": "DataType(String)",
        "file": "DataType(String)",
        "file_dev": "DataType(String)",
        "file_offset": "DataType(Int64)",
        "first_seen_ns": "DataType(Int64)",
        "flags": "DataType(String)",
        "generation": "DataType(Int64)",
        "inode": "DataType(UInt64)",
        "layer": "DataType(String)",
        "op": "DataType(String)",
        "other_files": "DataType(Bool)",
        "pid": "DataType(Int64)",
        "queue_ns": "DataType(Int64)",
        "result": "DataType(Int64)",
        "sector": "DataType(Int64)",
        "several_writers": "DataType(Bool)",
        "tid": "DataType(Int64)",
        "time": "DataType(Datetime(ns,UTC))",
        "total_ns": "DataType(Int64)",
        "trace_ns": "DataType(Int64)",
        "via": "DataType(String)",
      }
    `);
    const nanoseconds = frame.getColumn('time').cast(pl.Int64).cast(pl.Utf8).toArray();
    expect(nanoseconds).toEqual([String(WALL_NS + 5000n)]);
  });

  it('Parquet has the inode numbers, processes and errors that CSV has, however large', () => {
    const keys = [keyOf({ tgid: 3e9, tid: 3e9, error: -99_999_999_999, layer: 'calls' })];
    const context = contextOf(keys, { hasWallClock: false });
    const { files } = context.identities;
    const rows = [2 ** 63 + 2 ** 62, 2 ** 64].map((inode) => ({
      ...SOME_ROW,
      file: files.intern({ kind: 'file', dev: 1, inode, generation: 0, path: '/a' }),
    }));
    const csv = parseCsv(
      encodeAll(createCsvEncoder(context), rows, pickerOf(context)).toString(),
    ).slice(1);
    const parquet = readParquet(encodeAll(createParquetEncoder(context), rows, pickerOf(context)));
    for (const name of ['pid', 'tid', 'error', 'inode'] as const) {
      const numbers = parquet.getColumn(name).cast(pl.Utf8).toArray().map(Number);
      expect(numbers).toEqual(csv.map((fields) => Number(fields[COLUMNS.indexOf(name)])));
    }
    expect(csv.map((fields) => Number(fields[COLUMNS.indexOf('inode')]))).toEqual([
      ...[2 ** 63 + 2 ** 62, 2 ** 64 - 2 ** 11],
    ]);
  });

  it('Parquet is written one row group at a time while the trace is read', () => {
    const context = contextOf([keyOf()]);
    const rows = Array.from({ length: 150_000 }, (_, i) => ({ ...SOME_ROW, completeNs: i * 1000 }));
    const encoder = createParquetEncoder(context);
    const picker = pickerOf(context);
    const parts = [Buffer.from(encoder.begin())];
    for (let from = 0; from < rows.length; from += 50_000)
      parts.push(Buffer.from(encoder.encode(columnsOf(rows.slice(from, from + 50_000)), picker)));
    expect(parts.map(({ length }) => length > 0)).toEqual([true, false, true, true]);
    parts.push(Buffer.from(encoder.end()));
    const frame = readParquet(Buffer.concat(parts));
    expect(frame.height).toBe(150_000);
    expect(frame.getColumn('trace_ns').sum()).toBe(rows.reduce((sum, r) => sum + r.completeNs, 0));
  });

  it('a Parquet file without rows is still a readable table', () => {
    const context = contextOf([keyOf()]);
    const bytes = encodeAll(createParquetEncoder(context), [], pickerOf(context));
    expect(readParquet(bytes).columns).toEqual([...COLUMNS]);
  });
});

describe('biosnoop text', () => {
  it('biosnoop text has the columns of bcc, and a question mark for unknown values', () => {
    const keys = [keyOf({ comm: 'mysqld', tgid: 4242 }), keyOf({ comm: 'a\nb', cmdFlags: 1 })];
    const context = contextOf(keys);
    const rows = [
      { ...SOME_ROW, completeNs: 1_234_567_890, deviceNs: 4_100_000, queueNs: 12_000 },
      { ...SOME_ROW, key: 1, queueNs: NaN, sector: NaN },
    ];
    const text = encodeAll(createBiosnoopEncoder(context), rows, pickerOf(context)).toString();
    expect(text).toMatchInlineSnapshot(`
      "TIME(s)     COMM           PID     DISK      T SECTOR     BYTES   QUE(ms) LAT(ms)
      1.234568    mysqld         4242    sda       R 128        4096      0.012   4.100
      0.000005    a?b            1       sda       W -1         4096         -1   0.000
      "
    `);
  });
});

describe('formats of device latencies', () => {
  const encoders = (context: RowContext) => [
    createBiosnoopEncoder(context),
    createTrace2heatmapEncoder(context, 'device'),
    createTrace2heatmapEncoder(context, 'queue'),
  ];

  it('I/O with a total latency alone is left out for this reason', () => {
    const total = { ...contextOf([keyOf()]), latency: 'total' } as const;
    const call = contextOf([keyOf({ layer: 'calls' })]);
    for (const context of [total, call])
      for (const encoder of encoders(context)) {
        encodeAll(encoder, [{ ...SOME_ROW, queueNs: 0 }], pickerOf(context));
        expect(encoder.left).toEqual({ count: 1, why: 'only the total latency is known' });
      }
  });

  it('an fsync that needs no device has no device time', () => {
    const context = contextOf([keyOf()]);
    const encoder = createBiosnoopEncoder(context);
    encodeAll(encoder, [{ ...SOME_ROW, deviceNs: NaN }], pickerOf(context));
    expect(encoder.left).toEqual({ count: 1, why: 'no device time (e.g. fsync)' });
  });
});

describe('trace2heatmap input', () => {
  it('trace2heatmap input has completion and latency in µs; I/Os without such a value are counted, not written', () => {
    const context = contextOf([keyOf()]);
    const encoder = createTrace2heatmapEncoder(context, 'queue');
    const rows = [SOME_ROW, { ...SOME_ROW, completeNs: 9_000_400, queueNs: NaN }];
    expect(encodeAll(encoder, rows, pickerOf(context)).toString()).toBe(
      'time(us) queue(us)\n5 0.03\n',
    );
    expect(encoder.left).toEqual({ count: 1, why: 'without queue time' });
  });
});
