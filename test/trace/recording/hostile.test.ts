import { compressFrameSync } from 'lz4-napi';
import { describe, expect, it } from 'vitest';
import { FIRST_FILE, MERGED_FILES } from '../../../src/model/file.ts';
import type { FileFacts } from '../../../src/model/file.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import {
  batchFields,
  bodyPieces,
  encodeMessage,
  layOut,
} from '../../../src/trace/recording/arrow/arrow-message.ts';
import type { ColumnBody } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { HeaderType } from '../../../src/trace/recording/arrow/arrow-schema.ts';
import { notesMetadata } from '../../../src/trace/recording/format/batch-notes.ts';
import type { BatchNotes } from '../../../src/trace/recording/format/batch-notes.ts';
import { schemaBytes } from '../../../src/trace/recording/format/batch-bytes.ts';
import { COLUMNS, FIRST_BUFFER } from '../../../src/trace/recording/format/format.ts';
import type { ColumnName } from '../../../src/trace/recording/format/format.ts';
import { compressBufferSync } from '../../../src/trace/recording/lz4/lz4-buffers.ts';
import {
  looksLikeRecording,
  RecordingStream,
} from '../../../src/trace/recording/reading/open-recording.ts';
import { HEADER, readerOf, readRows } from './fixtures/record.ts';

const KEY = {
  ...{ dev: 8 << 20, cmdFlags: 0, tgid: 1, tid: 1 },
  ...{ comm: 'x', cgroup: 0, error: 0, marks: 0 },
};

const FILE: FileFacts = { kind: 'file', dev: 1, inode: 7, generation: 0, path: '/srv/a' };

function notesOf(rows: number, changes: object = {}): BatchNotes {
  return {
    ...{ isSummary: false, rows, rowsBefore: 0, startNs: 0, endNs: 1e9, bodyBytes: 0, epoch: 0 },
    ...{
      keysFrom: 0,
      keys: [KEY],
      filesFrom: FIRST_FILE,
      files: [],
      devices: [],
      cgroups: [],
      processes: [],
      userNotes: [],
      busy: [],
      cgroupPressure: [],
      header: HEADER,
    },
    ...changes,
  };
}

const WIDTHS: Partial<Record<ColumnName, number>> = {
  ...{ time: 8, sector: 8, bytes: 8, count: 8, device: 2, comm: 2, flags: 1, cgroup: 2 },
  ...{ op: 1, kind: 1, key: 2, file_offset: 8, layer: 1 },
};

/** A batch of rows that are all zero but for the columns given, as they would be compressed. */
function batch(
  notes: BatchNotes,
  given: Partial<Record<ColumnName, Uint8Array>> = {},
  named: readonly { readonly name: ColumnName }[] = COLUMNS,
): Uint8Array {
  const empty = new Uint8Array(0);
  const time = new BigInt64Array(notes.rows).fill(HEADER.clockBase.wallNs);
  const columns = named.map(({ name }): ColumnBody => {
    const raw =
      name === 'time'
        ? new Uint8Array(time.buffer)
        : new Uint8Array(notes.rows * (WIDTHS[name] ?? 4));
    const values = given[name] ?? compressBufferSync(raw);
    return { nulls: 0, buffers: name === 'summary' ? [empty, values, empty] : [empty, values] };
  });
  const { bodyBytes } = layOut(columns);
  const metadata = notesMetadata({ ...notes, bodyBytes });
  const fields = batchFields(notes.rows, columns, true);
  const message = encodeMessage(HeaderType.batch, fields, bodyBytes, metadata);
  return Buffer.concat([message, ...bodyPieces(columns)]);
}

function read(...parts: Uint8Array[]) {
  const reader = readerOf(Buffer.concat([schemaBytes(HEADER), ...parts]));
  const rows = readRows(reader);
  return { rows, devices: reader.devices(), told: reader.problems().map(({ what }) => what) };
}

/** The length of a buffer, then a frame. */
function framed(length: number, raw: Uint8Array): Uint8Array {
  const frame = compressFrameSync(Buffer.from(raw), { contentChecksum: true });
  const bytes = Buffer.alloc(8 + frame.length);
  bytes.writeBigInt64LE(BigInt(length));
  bytes.set(frame, 8);
  return bytes;
}

describe('a recording that somebody made up', () => {
  it('a forged recording is read as far as it keeps to the format', () => {
    const { rows, told } = read(batch(notesOf(3)));
    expect([rows.length, rows.completeNs[2]]).toEqual([3, 0]);
    expect(told).toEqual([
      'the recording was not closed: its recorder was killed, or is still running',
    ]);
  });

  it.each<[string, BatchNotes, Partial<Record<ColumnName, Uint8Array>>]>([
    [
      'with a column that unpacks to more than it says',
      notesOf(2),
      { time: framed(16, Buffer.alloc(4 << 20)) },
    ],
    ['with a column that says it is huge', notesOf(2), { time: framed(2 ** 40, Buffer.alloc(16)) }],
    ['with a column that is no LZ4', notesOf(2), { time: Buffer.alloc(40, 7) }],
    ['with an empty column', notesOf(2), { time: new Uint8Array(0) }],
    ['with times beyond its batch', notesOf(2), { time: compressBufferSync(new Uint8Array(16)) }],
    [
      'with keys that nobody defined',
      notesOf(2),
      { key: compressBufferSync(Uint8Array.of(0, 0, 1, 0)) },
    ],
    [
      'with more keys than there can be',
      notesOf(2, { keys: Array.from({ length: 70_000 }, () => KEY) }),
      {},
    ],
    ['with more disks than a batch may name', notesOf(2, { devices: disks(1_000_000) }), {}],
    ['with times that go backwards', notesOf(2, { startNs: 5, endNs: 4 }), {}],
    ['with a time beyond all', notesOf(2, { endNs: 2 ** 60 }), {}],
    ['with keys of another epoch', notesOf(2, { epoch: 7, keysFrom: 3, header: undefined }), {}],
    ['with a process that has no number', notesOf(2, { keys: [{ ...KEY, tgid: Infinity }] }), {}],
    ['with a name of a megabyte', notesOf(2, { devices: [{ dev: 1, name: 'x'.repeat(1e6) }] }), {}],
    [
      'with a file of a kind that is none',
      notesOf(2, { files: [[3, { ...FILE, kind: 'pipe' }]] }),
      {},
    ],
    ['with a file of an impossible number', notesOf(2, { files: [[2 ** 20, FILE]] }), {}],
    ['with more files than there can be', notesOf(2, { filesFrom: 2 ** 20 }), {}],
    ['with more rows than a batch may have', notesOf(70_000), {}],
  ])('a forged recording loses a batch %s', (_, notes, columns) => {
    const { rows, told, devices } = read(batch(notes, columns), batch(notesOf(3)));
    expect([rows.length, devices]).toEqual([3, []]);
    expect(told.length).toBeGreaterThan(1);
  });

  it('files that a forged recording does not define, or not in order, are unknown', () => {
    const file = Uint32Array.of(0, 1, 2, 3, 4, 3 + MERGED_FILES, 2 ** 32 - 1);
    const column = { file: compressBufferSync(new Uint8Array(file.buffer)) };
    const filesOf = (changes: object) => {
      const { rows } = read(batch(notesOf(7, changes), column));
      return [...rows.file.subarray(0, 7)];
    };
    expect(filesOf({ files: [[3, FILE]] })).toEqual([0, 1, 2, 3, 0, 3 + MERGED_FILES, 0]);
    expect(filesOf({ files: [[5, FILE]] })).toEqual([0, 1, 2, 0, 0, 0, 0]);
    expect(filesOf({ files: [[4, FILE]], filesFrom: 4 })).toEqual([0, 1, 2, 0, 0, 0, 0]);
  });

  it('offsets in files are unknown in recordings that lack them, and where they are impossible', () => {
    const offsets = BigInt64Array.of(-(2n ** 60n), -1n, -2n, 4096n);
    const given = { file_offset: compressBufferSync(new Uint8Array(offsets.buffer)) };
    const { rows, told } = read(batch(notesOf(4), given));
    expect([...rows.fileOffset.subarray(0, 4)]).toEqual([NaN, NaN, NaN, 4096]);
    expect(told.some((what) => what.includes('impossible'))).toBe(true);
    const old = read(batch(notesOf(4), given, COLUMNS.slice(0, -2)));
    expect([...old.rows.fileOffset.subarray(0, 4)]).toEqual([NaN, NaN, NaN, 4096]);
    const older = read(batch(notesOf(4), {}, COLUMNS.slice(0, -3)));
    expect([...older.rows.fileOffset.subarray(0, 4)]).toEqual([NaN, NaN, NaN, NaN]);
    expect(older.told).toEqual([
      'the recording was not closed: its recorder was killed, or is still running',
    ]);
  });

  it('impossible values in a recording are read as unknown, and counted', () => {
    const values = Float32Array.of(-1, Infinity, NaN, 5);
    const sectors = BigInt64Array.of(2n ** 60n, -1n, -2n, 7n);
    const { rows, told } = read(
      batch(notesOf(4), {
        device_ns: compressBufferSync(new Uint8Array(values.buffer)),
        sector: compressBufferSync(new Uint8Array(sectors.buffer)),
      }),
    );
    expect([...rows.deviceNs.subarray(0, 4)]).toEqual([NaN, NaN, NaN, 5]);
    expect([...rows.sector.subarray(0, 4)]).toEqual([NaN, NaN, NaN, 7]);
    expect(told[0]).toBe('impossible values are shown as unknown');
  });

  it('a forged recording gets no more names of disks than are allowed', () => {
    const parts = Array.from({ length: 3 }, (_, index) =>
      batch(notesOf(0, { devices: disks(4000, index * 4000), epoch: index })),
    );
    expect(read(...parts).devices).toHaveLength(4096);
  });

  it('a file full of message starts is read to its end', () => {
    const flood = Buffer.alloc(4 << 20);
    for (let at = 0; at < flood.length; at += 8) flood.writeBigUInt64LE(0x01ff_fff8_ffff_ffffn, at);
    const { rows, told } = read(flood, batch(notesOf(3)));
    expect(rows.length).toBeLessThanOrEqual(3);
    expect(told.length).toBeGreaterThan(0);
  });

  it('a file that is not a recording is refused', () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from('TIME COMM PID'), Buffer.alloc(2000, 0xff)]) {
      expect(looksLikeRecording(bytes)).toBe(false);
      const stream = new RecordingStream(new IdentityTable());
      stream.feed(bytes);
      stream.end();
      expect(stream.open()).toMatchObject({ ok: false });
    }
    expect(looksLikeRecording(schemaBytes(HEADER))).toBe(true);
  });

  it('a recording of a newer format is refused', () => {
    const bytes = Buffer.from(schemaBytes(HEADER));
    const at = bytes.indexOf('ioheat.format') + 'ioheat.format'.length;
    bytes[bytes.indexOf('2', at)] = '3'.charCodeAt(0);
    const stream = new RecordingStream(new IdentityTable());
    stream.feed(bytes);
    stream.end();
    expect(stream.open()).toMatchObject({
      ok: false,
      error: { why: 'it was made by a newer version of ioheat' },
    });
  });
});

function disks(count: number, from = 0) {
  return Array.from({ length: count }, (_, index) => ({ dev: from + index, name: `d${index}` }));
}

it('the format has each column at its place', () => {
  expect(FIRST_BUFFER.key).toBe(2 * COLUMNS.findIndex(({ name }) => name === 'key'));
  expect(FIRST_BUFFER.file).toBe(2 * COLUMNS.findIndex(({ name }) => name === 'file') + 1);
});
