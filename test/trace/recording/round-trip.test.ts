import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TraceInfo } from '../../../src/export/trace/trace-info.ts';
import { NO_CGROUP_NAMES } from '../../../src/model/cgroup-names.ts';
import { createColumns, resultsOf } from '../../../src/model/completion-columns.ts';
import type { CompletionColumns } from '../../../src/model/completion-columns.ts';
import type { DeviceInfo } from '../../../src/model/device.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { RecordingEncoder } from '../../../src/trace/recording/format/recording-encoder.ts';
import { PATTERNS } from '../../../src/trace/synthetic/patterns.ts';
import {
  bytesOf,
  encoderFor,
  HEADER,
  pattern,
  readerOf,
  readRows,
  recordPattern,
} from './fixtures/record.ts';

function keysOf(rows: CompletionColumns, identities: IdentityTable) {
  return Array.from(rows.identity.subarray(0, rows.length), (index) => identities.get(index));
}

function filesOf(rows: CompletionColumns, { files }: IdentityTable) {
  return Array.from(rows.file.subarray(0, rows.length), (number) => files.get(number));
}

describe('a recording', () => {
  it.each(PATTERNS.map(({ name }) => name))(
    'a recording of the pattern %s gives back every row',
    async (name) => {
      const { source, rows, parts } = await recordPattern(name, 3, { rate: 20_000 });
      const identities = new IdentityTable();
      const reader = readerOf(Buffer.concat(parts), identities);
      const back = readRows(reader);
      expect(reader.problems()).toEqual([]);
      // Numbers of identities and files are those of a session.
      expect({ ...back, identity: 0, file: 0 }).toEqual({ ...rows, identity: 0, file: 0 });
      expect(keysOf(back, identities)).toEqual(keysOf(rows, source.info.identities));
      expect(filesOf(back, identities)).toEqual(filesOf(rows, source.info.identities));
      expect(reader.devices()).toEqual(source.info.devices());
    },
  );

  it('a recording gives back unknown values as unknown, and numbers at their limits', async () => {
    const { source } = pattern('mixed');
    const key = source.info.identities.intern({
      ...{
        dev: 2 ** 32 - 1,
        cmdFlags: 0x80021,
        tgid: 0,
        tid: 0,
        comm: '\u{1f525}\0"',
        cgroup: 2 ** 40,
      },
      ...{ error: -5, marks: 3 },
    });
    await fc.assert(
      fc.asyncProperty(fc.array(anyRow, { maxLength: 50 }), async (values) => {
        const rows = createColumns(values.length);
        for (const { completeNs, deviceNs, queueNs, sector, bytes } of values) {
          const at = rows.length++;
          rows.completeNs[at] = completeNs;
          rows.deviceNs[at] = deviceNs;
          rows.queueNs[at] = queueNs;
          rows.sector[at] = sector;
          rows.bytes[at] = bytes;
          rows.identity[at] = key;
        }
        const encoder = encoderFor(source);
        const begin = encoder.begin();
        const full = encoder.append(rows);
        const body = await bytesOf([...full, ...encoder.flush(undefined)]);
        const identities = new IdentityTable();
        const back = readRows(readerOf(Buffer.concat([begin, body]), identities));
        expect({ ...back, identity: 0 }).toEqual({ ...rows, identity: 0 });
        expect(keysOf(back, identities)).toEqual(keysOf(rows, source.info.identities));
      }),
      { numRuns: 50 },
    );
  });

  it('a recording gives back what system calls returned, also where few rows are of calls', async () => {
    const { source } = pattern('mixed');
    const nobody = {
      dev: 1,
      cmdFlags: 0,
      tgid: 1,
      tid: 1,
      comm: 'sh',
      cgroup: 0,
      error: 0,
      marks: 0,
    };
    const { identities: table } = source.info;
    const call = table.intern({ ...nobody, layer: 'calls' });
    const io = table.intern(nobody);
    const results = [NaN, -4095, -1, 0, 4096, 2 ** 31, 2 ** 52, NaN];
    const rows = createColumns(results.length);
    for (const result of results) {
      const at = rows.length++;
      rows.identity[at] = Number.isNaN(result) ? io : call;
      if (!Number.isNaN(result)) resultsOf(rows)[at] = result;
    }
    const encoder = encoderFor(source);
    const parts = [encoder.begin()];
    for (const batch of [rows, { ...rows, length: 1 }, rows]) {
      parts.push(...(await Promise.all(encoder.append(batch).map((part) => bytesOf([part])))));
      parts.push(await bytesOf(encoder.flush(undefined)));
    }
    const back = readRows(readerOf(Buffer.concat(parts), new IdentityTable()));
    expect([...back.result]).toEqual([...results, NaN, ...results]);
  });

  it('a recording gives back offsets in files and results that programs choose, up to 2^63', async () => {
    const { source } = pattern('mixed');
    const places = [0, 2 ** 53, 2 ** 62, 2 ** 63 - 1024, NaN];
    const identity = source.info.identities.intern({
      ...{ dev: 1, cmdFlags: 0, tgid: 1, tid: 1, comm: 'sh', cgroup: 0, error: 0, marks: 0 },
      layer: 'calls',
    });
    const rows = createColumns(places.length);
    for (const place of places) {
      const at = rows.length++;
      rows.identity[at] = identity;
      rows.fileOffset[at] = place;
      resultsOf(rows)[at] = place;
    }
    const encoder = encoderFor(source);
    const parts = [encoder.begin(), await bytesOf(encoder.append(rows))];
    const rest = await bytesOf(encoder.flush(undefined));
    const reader = readerOf(Buffer.concat([...parts, rest, END_OF_STREAM]), new IdentityTable());
    const back = readRows(reader);
    expect([...back.fileOffset]).toEqual(places);
    expect([...back.result]).toEqual(places);
    expect(reader.problems()).toEqual([]);
  });

  it('a recording contains a disk of any size', async () => {
    const { source } = pattern('mixed');
    const disk = { dev: 1, name: 'thin', sizeBytes: 2 ** 60 };
    const encoder = new RecordingEncoder({
      ...{ header: HEADER, identities: source.info.identities },
      names: {
        devices: { device: () => disk, devices: () => [disk] },
        cgroups: NO_CGROUP_NAMES,
      },
    });
    const begin = encoder.begin();
    const batches = encoder.flush(source.counters());
    const reader = readerOf(Buffer.concat([begin, await bytesOf(batches), END_OF_STREAM]));
    readRows(reader);
    expect([reader.devices(), reader.problems()]).toEqual([[disk], []]);
  });

  it('a disk that changes during a recording is known as it was last', async () => {
    const { source } = pattern('mixed');
    let disk: DeviceInfo = { dev: 1, name: 'dm-0' };
    const { identities } = source.info;
    const encoder = new RecordingEncoder({
      ...{ header: HEADER, identities },
      names: {
        devices: { device: () => disk, devices: () => [disk] },
        cgroups: NO_CGROUP_NAMES,
      },
    });
    const rows = createColumns(1);
    rows.identity[rows.length++] = identities.intern({
      ...{ dev: 1, cmdFlags: 0, tgid: 1, tid: 1, comm: 'sh', cgroup: 0, error: 0, marks: 0 },
    });
    const parts = [encoder.begin()];
    parts.push(await bytesOf(encoder.append(rows)), await bytesOf(encoder.flush(undefined)));
    disk = { dev: 1, name: 'data', liesOn: ['sda'] };
    parts.push(await bytesOf(encoder.append(rows)), await bytesOf(encoder.flush(undefined)));
    const reader = readerOf(Buffer.concat([...parts, END_OF_STREAM]), identities);
    const info = new TraceInfo(reader, identities);
    const seen: (string | undefined)[] = [];
    while (reader.next() !== 'ended') seen.push(info.device(1)?.name);
    expect([...new Set(seen)]).toEqual(['dm-0', 'data']);
    expect(info.devices()).toEqual([disk]);
  });

  it('a recording of texts that are longer than it may have is readable, with these texts cut', async () => {
    const { source } = pattern('mixed');
    const long = 'x'.repeat(100_000);
    const header = { ...HEADER, title: long, host: long, kernel: long, recordedOnly: long };
    const disks = Array.from({ length: 5000 }, (_, dev) => ({ dev, name: `disk${dev}` }));
    const { identities } = source.info;
    const encoder = new RecordingEncoder({
      ...{ header, identities },
      names: {
        devices: { device: (dev) => disks[dev], devices: () => disks },
        cgroups: { name: () => long },
      },
    });
    const rows = createColumns(1);
    const nobody = { dev: 1, cmdFlags: 0, tgid: 1, tid: 1, comm: 'sh', error: 0, marks: 0 };
    rows.identity[rows.length++] = identities.intern({ ...nobody, cgroup: 7 });
    const begin = encoder.begin();
    const batches = [...encoder.append(rows), ...encoder.flush(undefined)];
    const reader = readerOf(Buffer.concat([begin, await bytesOf(batches), END_OF_STREAM]));
    expect([readRows(reader).length, reader.problems()]).toEqual([1, []]);
    for (const text of [reader.header.host, reader.header.recordedOnly, reader.cgroups.name(7)])
      expect(text).toMatch(/^x{256,20000}$/);
  });

  it('a recording contains who recorded it, where and when', async () => {
    const { parts } = await recordPattern('levels', 1);
    const reader = readerOf(Buffer.concat(parts));
    const { title, recorderTgid, ...told } = HEADER;
    expect(reader.header).toEqual({ kind: 'recording', ...told });
    expect([title, recorderTgid]).toEqual(['a test', undefined]);
  });
});

const latency = fc.oneof(
  fc.constant(NaN),
  fc.integer({ min: 0, max: 2 ** 24 }),
  fc.integer({ min: 0, max: 2 ** 20 }).map((value) => value * 2 ** 20),
);

const anyRow = fc.record({
  completeNs: fc.oneof(
    fc.integer({ min: 0, max: 2 ** 31 }),
    fc.maxSafeInteger().map(Math.abs),
    fc.integer(),
  ),
  deviceNs: latency,
  queueNs: latency,
  sector: fc.oneof(fc.constant(NaN), fc.integer({ min: 0, max: 2 ** 52 })),
  bytes: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
});
