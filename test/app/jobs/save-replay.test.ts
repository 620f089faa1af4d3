import { copyFileSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { clockText } from '../../../src/base/clock-text.ts';
import { wallMs } from '../../../src/base/time.ts';
import { exportView } from '../../../src/app/jobs/export-view.ts';
import { saveStretch } from '../../../src/app/jobs/save-stretch.ts';
import { openTrace } from '../../../src/app/open/open-trace.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { Monitor } from '../../../src/monitor/monitor.ts';
import type { NamedTrace } from '../../../src/trace/replay/join-traces.ts';
import { ReplaySource } from '../../../src/trace/replay/replay-source.ts';
import type { TraceReader } from '../../../src/trace/trace-reader.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import { RecordingFolder } from '../../trace/replay/recording-file.ts';
import { must } from '../../must.ts';

const LOGS = new URL('../../trace/import/fixtures/', import.meta.url).pathname;
const LOG = join(LOGS, 'biosnoop-libbpf-queued.txt');
const LOG_WITH_CLOCK = join(LOGS, 'biosnoop-libbpf-timestamp.txt');

let folder: RecordingFolder;

beforeEach(() => {
  folder = new RecordingFolder();
});

afterEach(() => {
  folder.remove();
  vi.unstubAllEnvs();
});

async function opened(file: string, identities: IdentityTable): Promise<TraceReader> {
  return must(await openTrace(file, identities));
}

/** A replay of these files that has come to its end. */
async function replayed(...files: string[]): Promise<Monitor> {
  const identities = new IdentityTable();
  const traces: NamedTrace[] = [];
  for (const name of files) {
    const own = files.length === 1 ? identities : new IdentityTable();
    traces.push({ name, reader: await opened(name, own), identities: own });
  }
  const source = new ReplaySource(
    traces,
    { untilNs: () => Infinity },
    { identities, oneHost: false },
  );
  const monitor = new Monitor({ source, historyBytes: 2 ** 24, filter: NO_FILTER });
  while (!source.isEnded) monitor.pump();
  return monitor;
}

/** Saves all that a replay has shown, and opens it. */
async function savedAgain(monitor: Monitor) {
  const path = join(folder.path, 'saved.ioheat');
  const { startNs, endNs } = monitor.history;
  await saveStretch({ monitor, recordedOnly: '' }, path, {
    startNs,
    endNs: endNs + 1,
    filter: NO_FILTER,
  });
  const identities = new IdentityTable();
  const reader = await opened(path, identities);
  let rows = 0;
  let firstNs = Infinity;
  for (let chunk = reader.next(); typeof chunk === 'object'; chunk = reader.next()) {
    rows += chunk.rows.length;
    if (chunk.rows.length > 0) firstNs = Math.min(firstNs, chunk.rows.completeNs[0]!);
  }
  reader.dispose();
  return { header: reader.header, rows, firstNs, disks: reader.devices(), reader };
}

test('history saved from a replay keeps machine, kernel and recorder of the recording', async () => {
  const header = { recorderTgid: 4242, unknown: ['flags', 'tid'] as const, kernel: '5.10.0' };
  const file = await folder.add('io.ioheat', { name: 'mixed', seconds: 3, rate: 500, header });
  const monitor = await replayed(file);
  const { header: saved, rows } = await savedAgain(monitor);
  expect(saved).toMatchObject({ ...header, host: 'fileserver', hasWallClock: true });
  expect(saved.clockBase).toEqual(monitor.source.info.clockBase);
  expect(rows).toBe(monitor.taken);
});

test.each(['UTC', 'Asia/Tokyo', 'America/New_York'])(
  'history saved from a log without a wall clock claims none, in %s',
  async (zone) => {
    vi.stubEnv('TZ', zone);
    const monitor = await replayed(LOG);
    const { header, rows, firstNs } = await savedAgain(monitor);
    expect(header).toMatchObject({ hasWallClock: false, host: '' });
    expect(header.unknown).toEqual(monitor.source.info.origin?.unknown);
    expect(header.clockBase.wallNs).toBe(0n);
    expect(rows).toBe(monitor.taken);
    expect(firstNs).toBeCloseTo(monitor.history.startNs, -4);
  },
);

test.each(['UTC', 'Asia/Tokyo'])(
  'history saved from a log that was last written in 1970 can be read, in %s',
  async (zone) => {
    vi.stubEnv('TZ', zone);
    const log = join(folder.path, 'of-an-image.log');
    copyFileSync(LOG_WITH_CLOCK, log);
    utimesSync(log, 0, 0);
    const monitor = await replayed(log);
    const { header, rows, firstNs } = await savedAgain(monitor);
    expect(rows).toBe(monitor.taken);
    expect(clockText(wallMs(header.clockBase, firstNs))).toBe('15:28:21');
  },
);

test('an export of a log without a wall clock claims none', async () => {
  const monitor = await replayed(LOG);
  const path = join(folder.path, 'io.csv');
  const { endNs } = monitor.history;
  const view = { ...DEFAULT_VIEW, frozenAtNs: endNs };
  const shown = { monitor, view, columns: 100, edgeNs: endNs, recordedOnly: '', unicode: true };
  expect(await exportView(shown, path)).toBe(`written to ${path}`);
  const [names = '', first = ''] = readFileSync(path, 'utf8').split('\n');
  expect(names.split(',')).toContain('time');
  expect(first).not.toMatch(/1970|T\d\d:/);
});

test('history saved from recordings of two hosts can be read, with the disks of both', async () => {
  const one = await folder.add('a.ioheat', { name: 'mixed', seconds: 2, header: { host: 'a' } });
  const other = await folder.add('b.ioheat', { name: 'mixed', seconds: 2, header: { host: 'b' } });
  const monitor = await replayed(one, other);
  const { header, rows, disks, reader } = await savedAgain(monitor);
  expect(header.host).toBe('a, b');
  expect(rows).toBe(monitor.taken);
  expect(disks.map(({ name }) => name)).toEqual(expect.arrayContaining(['sda@a', 'sda@b']));
  expect(reader.problems()).toEqual([]);
});
