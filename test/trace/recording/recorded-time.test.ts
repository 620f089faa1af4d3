import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tableFromIPC, compressionRegistry, CompressionType } from 'apache-arrow';
import { compressFrameSync, decompressFrameSync } from 'lz4-napi';
import { afterAll, describe, expect, it } from 'vitest';
import { NO_CGROUP_NAMES } from '../../../src/model/cgroup-names.ts';
import { RecordingEncoder } from '../../../src/trace/recording/format/recording-encoder.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import type { SourceCounters } from '../../../src/trace/completion-summary.ts';
import { aggregateIdentity } from '../../../src/model/folded-identity.ts';
import { keyOf, summaryOf } from '../../history/fixtures.ts';
import { ensureBuilt, IOHEAT } from '../../e2e/build.ts';
import { bytesOf, HEADER, pattern, readerOf, readRows } from './fixtures/record.ts';

const folder = mkdtempSync(join(tmpdir(), 'ioheat-recorded-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const NONE_LOST: SourceCounters = { delivered: 0, summarised: 0, lost: 0, losses: {} };

/** I/O of the first 50 ms only, in a recording of five seconds, which counts its time from `startNs` on. */
async function briefLoad(startNs = 0): Promise<{ bytes: Buffer; ios: number }> {
  const { source, moveTo } = pattern('mixed');
  let nowNs = 0;
  const encoder = new RecordingEncoder({
    ...{ header: HEADER, identities: source.info.identities },
    names: { devices: source.info, cgroups: NO_CGROUP_NAMES },
    recorded: () => ({ startNs, endNs: nowNs }),
  });
  const parts = [Buffer.from(encoder.begin())];
  moveTo(50e6);
  const rows = source.read();
  const ios = rows.length;
  encoder.append(rows);
  for (nowNs of [1e9, 5e9]) parts.push(Buffer.from(await bytesOf(encoder.flush(NONE_LOST))));
  return { bytes: Buffer.concat([...parts, END_OF_STREAM]), ios };
}

/** Counts of a thousand I/Os every ten seconds, for a minute. */
async function countsOfTenSeconds(): Promise<Buffer> {
  const { source } = pattern('mixed');
  const { identities } = source.info;
  const [disk] = source.info.devices();
  const identity = identities.intern(aggregateIdentity(keyOf({ dev: disk!.dev })));
  const encoder = new RecordingEncoder({
    ...{ header: HEADER, identities, recorded: () => ({ startNs: 0, endNs: 60e9 }) },
    names: { devices: source.info, cgroups: NO_CGROUP_NAMES },
  });
  const parts = [Buffer.from(encoder.begin())];
  for (let startNs = 0; startNs < 60e9; startNs += 10e9) {
    const counted = summaryOf({ startNs, endNs: startNs + 10e9, identity, count: 1000 });
    parts.push(Buffer.from(await bytesOf(encoder.appendSummary(counted))));
  }
  parts.push(Buffer.from(await bytesOf(encoder.flush(NONE_LOST))));
  return Buffer.concat([...parts, END_OF_STREAM]);
}

function reportOf(bytes: Uint8Array, args: readonly string[] = []): Record<string, unknown> {
  ensureBuilt();
  const path = join(folder, 'io.ioheat');
  writeFileSync(path, bytes);
  const { stdout } = spawnSync(process.execPath, [IOHEAT, 'report', path, '--json', ...args]);
  return JSON.parse(stdout.toString()) as Record<string, unknown>;
}

/** The lines about time and rates of a picture as text. */
function pictureOf(bytes: Uint8Array, args: readonly string[] = []): string {
  ensureBuilt();
  const path = join(folder, 'io.ioheat');
  writeFileSync(path, bytes);
  const command = [IOHEAT, 'export', path, '--format', 'text', ...args];
  const { stdout } = spawnSync(process.execPath, command, { env: { ...process.env, TZ: 'UTC' } });
  return stdout.toString().split('\n').slice(1, 3).join('\n');
}

describe('the recorded time', () => {
  it('the recorded time goes from the start of a recording to its end, with or without I/O', async () => {
    const { bytes } = await briefLoad();
    const reader = readerOf(bytes);
    readRows(reader);
    expect(reader.recorded).toEqual({ startNs: 0, endNs: 5e9 });
  });

  it('rates in a report are per second of recorded time', async () => {
    const { bytes, ios } = await briefLoad();
    const { totals, recorded_ns } = reportOf(bytes);
    expect(recorded_ns).toBe(5e9);
    const perSecond = expect.closeTo(ios / 5, 9) as number;
    expect(totals).toMatchObject({ ios, ios_per_second: perSecond });
  });

  it('the recorded time of a report is the same whatever its filter, also if the first I/Os came before it', async () => {
    const { bytes } = await briefLoad(400e6);
    const { recorded_ns } = reportOf(bytes);
    expect(recorded_ns).toBeGreaterThan(4.9e9);
    expect(reportOf(bytes, ['--filter', 'op=discard'])).toMatchObject({ recorded_ns });
  });

  it('the recorded time of a report ends with the range of the report', async () => {
    const { bytes, ios } = await briefLoad();
    const { totals, recorded_ns } = reportOf(bytes, ['--from', '+0s', '--to', '+2s']);
    expect(recorded_ns).toBeGreaterThan(1.9e9);
    expect(recorded_ns).toBeLessThan(2.1e9);
    expect(Math.round((totals as { ios_per_second: number }).ios_per_second)).toBeLessThan(ios);
  });

  it('a report on two of the ten seconds that a count covers has the rate of the ten, and says that it counts them whole', async () => {
    const bytes = await countsOfTenSeconds();
    const range = ['--from', '+12s', '--to', '+14s'];
    const { totals, recorded_ns } = reportOf(bytes, range);
    expect(recorded_ns).toBe(10e9);
    expect(totals).toMatchObject({ ios: 1000, ios_per_second: 100 });
    const path = join(folder, 'io.ioheat');
    const text = spawnSync(process.execPath, [IOHEAT, 'report', path, ...range]);
    expect(text.stdout.toString()).toContain('\nthe selected time is widened: ');
  });

  it('a report over a time outside the recording says so', async () => {
    const { bytes } = await briefLoad();
    expect(reportOf(bytes, ['--from', '+1h', '--to', '+2h'])).toMatchObject({ recorded_ns: 0 });
    const path = join(folder, 'io.ioheat');
    const text = spawnSync(process.execPath, [IOHEAT, 'report', path, '--from', '+1h']);
    expect(text.stdout.toString()).toContain('\nthe selected time is outside the recording\n');
  });

  it.each([
    [[], 5],
    [['--interval', '10m'], 5],
    [['--filter', 'op=read'], 5],
    [['--from', '+0s', '--to', '+2s'], 2],
  ])('rates of a picture are those of a report: %j', async (args, seconds) => {
    const { bytes } = await briefLoad();
    const { totals } = reportOf(bytes, args.includes('--interval') ? [] : args);
    const { ios } = totals as { ios: number };
    expect(Math.round((totals as { ios_per_second: number }).ios_per_second)).toBe(
      Math.round(ios / seconds),
    );
    expect(pictureOf(bytes, args)).toContain(`: ${ios} I/Os (${Math.round(ios / seconds)}/s, `);
  });

  it('a picture covers the recorded time, with or without I/O', async () => {
    const { bytes } = await briefLoad();
    expect(pictureOf(bytes)).toContain(', 5s; a column is 100ms\n');
  });

  it('the picture of a log with a single I/O has no rates', () => {
    const log =
      'TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  LAT(ms)\n' +
      '0.000000    dd             42     vda     R 8          4096      0.55\n';
    expect(pictureOf(Buffer.from(log))).toMatch(/All I\/O: 1 I\/O$/);
  });

  it('the recorded time is unknown where the trace has none', () => {
    const log =
      'TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  LAT(ms)\n' +
      '0.000000    dd             42     vda     R 8          4096      0.55\n' +
      '0.500000    dd             42     vda     R 16         4096      0.55\n';
    expect(reportOf(Buffer.from(log))).toMatchObject({ recorded_ns: null, duration_ns: 500e6 });
  });
});

describe('I/Os lost on a disk that is known', () => {
  it('I/Os lost on a known disk are rows with its name, others rows without one', async () => {
    const { source } = pattern('mixed');
    const [one, two] = source.info.devices();
    const encoder = new RecordingEncoder({
      ...{ header: HEADER, identities: source.info.identities },
      names: { devices: source.info, cgroups: NO_CGROUP_NAMES },
    });
    const lost = (unseen: number, onOne: number, onTwo: number): SourceCounters => ({
      ...{ ...NONE_LOST, lost: unseen + 3, losses: { unseen, overwritten: 3 } },
      lostOn: [
        { dev: one!.dev, way: 'unseen', count: onOne },
        { dev: two!.dev, way: 'unseen', count: onTwo },
      ],
    });
    const bytes = Buffer.concat([
      encoder.begin(),
      await bytesOf(encoder.flush(lost(10, 6, 2))),
      await bytesOf(encoder.flush(lost(14, 6, 5))),
      END_OF_STREAM,
    ]);
    compressionRegistry.set(CompressionType.LZ4_FRAME, {
      encode: (raw: Uint8Array) => compressFrameSync(Buffer.from(raw)),
      decode: (raw: Uint8Array) => decompressFrameSync(Buffer.from(raw)),
    });
    const rows = tableFromIPC(bytes)
      .toArray()
      .map((row: { toJSON(): Record<string, unknown> }) => row.toJSON());
    const found = rows.map(({ kind, comm, device, count }) => [kind, comm, device, Number(count)]);
    expect(found).toEqual([
      ['lost', 'unseen', one!.name, 6],
      ['lost', 'unseen', two!.name, 2],
      ['lost', 'unseen', null, 2],
      ['lost', 'overwritten', null, 3],
      ['lost', 'unseen', two!.name, 3],
      ['lost', 'unseen', null, 1],
    ]);
    expect(reportOf(bytes)).toMatchObject({
      losses: {
        by_disk: [
          { disk: one!.name, way: 'unseen', lost_ios: 6 },
          { disk: two!.name, way: 'unseen', lost_ios: 5 },
        ],
      },
    });
  });
});
