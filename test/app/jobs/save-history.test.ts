import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FileJob } from '../../../src/app/jobs/file-job.ts';
import { saveStretch } from '../../../src/app/jobs/save-stretch.ts';
import { SessionRecording } from '../../../src/app/jobs/session-recording.ts';
import { NO_RECORDING } from '../../../src/app/options/record-options.ts';
import { NO_FILTER } from '../../../src/filter/filter.ts';
import type { Filter } from '../../../src/filter/filter.ts';
import { parseFilter } from '../../../src/filter/language/parse.ts';
import type { DiskBusy } from '../../../src/model/disk-busy.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { Monitor } from '../../../src/monitor/monitor.ts';
import { openRecording } from '../../../src/trace/recording/reading/open-recording.ts';
import { FileSink } from '../../../src/trace/recording/writing/file-sink.ts';
import { pattern } from '../../trace/recording/fixtures/record.ts';
import { must } from '../../must.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ioheat-save-'));
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** A monitor that has seen so many seconds, more than its memory holds I/O by I/O. */
function watched(seconds: number, rate: number, historyBytes = 2 ** 24) {
  const { source, moveTo } = pattern('mixed', 2, rate);
  const monitor = new Monitor({ source, historyBytes, filter: NO_FILTER });
  for (let second = 1; second <= seconds; second++) {
    moveTo(second * 1e9);
    while (!monitor.pump());
  }
  return { monitor, source, host: { monitor, recordedOnly: '' } };
}

function filterOf(text: string): Filter {
  return must(parseFilter(text));
}

function readBack(path: string) {
  const reader = must(openRecording(path, new IdentityTable()));
  const found = { rows: 0, inSum: 0, bytes: 0, firstNs: Infinity, lastNs: -Infinity };
  const keys = new Set<number>();
  for (let chunk = reader.next(); typeof chunk === 'object'; chunk = reader.next()) {
    const { rows, summaries } = chunk;
    for (let row = 0; row < rows.length; row++) {
      found.bytes += rows.bytes[row]!;
      found.firstNs = Math.min(found.firstNs, rows.completeNs[row]!);
      found.lastNs = Math.max(found.lastNs, rows.completeNs[row]!);
      keys.add(rows.identity[row]!);
    }
    found.rows += rows.length;
    for (const { count, bytes } of summaries) {
      found.inSum += count;
      found.bytes += bytes;
    }
  }
  const problems = reader.problems();
  reader.dispose();
  return { ...found, problems, recordedOnly: reader.header.recordedOnly };
}

it('saving the history writes each I/O once: individually where known so, aggregated before that', async () => {
  const { monitor, host, source } = watched(60, 12_000);
  const { history } = monitor;
  const path = join(folder, 'past.ioheat');
  const { startNs, endNs } = history;
  const told = await saveStretch(host, path, { startNs, endNs: endNs + 1, filter: NO_FILTER });
  const found = readBack(path);
  expect(history.detailStartNs).toBeGreaterThan(10e9);
  expect(found.rows + found.inSum).toBe(source.counters().delivered);
  expect(found.inSum).toBeGreaterThan(100_000);
  expect(found).toMatchObject({
    firstNs: expect.closeTo(history.detailStartNs, -7) as number,
    problems: [],
  });
  expect(told).toMatch(/^saved .* I\/Os and .* aggregated, .* to /);
});

it('saving a part of the history writes what lies in its time and passes its filter', async () => {
  const { host } = watched(10, 3_000);
  const path = join(folder, 'box.ioheat');
  const filter = filterOf('op=read lat>100us');
  await saveStretch(host, path, { startNs: 3e9, endNs: 5e9, filter });
  const found = readBack(path);
  expect(found.rows).toBeGreaterThan(10);
  expect(found.firstNs).toBeGreaterThanOrEqual(3e9);
  expect(found.lastNs).toBeLessThan(5e9);
  expect(found.recordedOnly).toBe('op=read lat>100us');
});

it('a saved part names both filters that it passed, and what or applies to', async () => {
  const { monitor } = watched(2, 100);
  const host = { monitor, recordedOnly: 'op=read or op=write' };
  const path = join(folder, 'both.ioheat');
  const filter = filterOf('disk=sda or disk=sdb');
  await saveStretch(host, path, { startNs: 0, endNs: 2e9, filter });
  expect(readBack(path).recordedOnly).toBe('(disk=sda or disk=sdb) (op=read or op=write)');
});

it('saving reports what it leaves out because aggregates cannot be filtered', async () => {
  const { host } = watched(60, 12_000);
  const told = await saveStretch(host, join(folder, 'slow.ioheat'), {
    ...{ startNs: 0, endNs: 60e9, filter: filterOf('lat>1ms') },
  });
  expect(told).toMatch(/aggregated left out/);
});

it('recording says why a file cannot be created, and records nothing then', async () => {
  const { host } = watched(1, 1_000);
  const recording = new SessionRecording({ ...host, options: NO_RECORDING });
  const told = await saveStretch(host, '/nowhere/io.ioheat', {
    startNs: 0,
    endNs: 1e9,
    filter: NO_FILTER,
  });
  expect(told).toContain('cannot create /nowhere/io.ioheat');
  expect(recording.start('/nowhere/io.ioheat').ok).toBe(false);
  expect(recording.shown).toBeUndefined();
});

it('recording from a live trace starts when asked to and lasts until it is ended', async () => {
  const { source, moveTo } = pattern('mixed', 2, 1_000);
  const monitor = new Monitor({ source, historyBytes: 2 ** 24, filter: NO_FILTER });
  const parts = { monitor, recordedOnly: '', options: NO_RECORDING };
  const recording = new SessionRecording(parts);
  const path = join(folder, 'io.ioheat');
  const counts: number[] = [];
  for (const second of [1, 2, 3]) {
    if (second === 2) expect(recording.start(path).ok).toBe(true);
    if (second === 3) expect(await recording.stop()).toMatch(/^recorded .* to /);
    moveTo(second * 1e9);
    while (!monitor.pump());
    expect(recording.tick()).toBeUndefined();
    counts.push(source.counters().delivered);
  }
  expect(readBack(path)).toMatchObject({ rows: counts[1]! - counts[0]!, problems: [] });
});

it('cancelling a save leaves no file behind', async () => {
  const { monitor, host } = watched(5, 2_000);
  const { startNs, endNs } = monitor.history;
  const work = new FileJob();
  work.cancel();
  const stretch = { startNs, endNs: endNs + 1, filter: NO_FILTER };
  const told = await saveStretch(host, join(folder, 'unwanted.ioheat'), stretch, work);
  expect(told).toBe('cancelled, nothing written');
  expect(readdirSync(folder)).toEqual([]);
});

it('a save that fails, as on a full disk, says why and leaves no file behind', async () => {
  const { monitor, host } = watched(1, 2_000);
  const full = Object.assign(new Error('ENOSPC: no space left, writev'), { code: 'ENOSPC' });
  vi.spyOn(FileSink.prototype, 'write').mockRejectedValue(full);
  const { startNs, endNs } = monitor.history;
  const path = join(folder, 'past.ioheat');
  const told = await saveStretch(host, path, { startNs, endNs: endNs + 1, filter: NO_FILTER });
  expect(told).toBe(`cannot save ${path}: no space left on the disk`);
  expect(readdirSync(folder)).toEqual([]);
});

it('notes are recorded and saved with the I/O of their time', async () => {
  const { source, moveTo } = pattern('mixed', 2, 1_000);
  const monitor = new Monitor({ source, historyBytes: 2 ** 24, filter: NO_FILTER });
  const host = { monitor, recordedOnly: '' };
  const recording = new SessionRecording({ ...host, options: NO_RECORDING });
  const [recorded, whole, part] = ['r', 'whole', 'part'].map((name) => join(folder, name));
  expect(recording.start(recorded!).ok).toBe(true);
  moveTo(3e9);
  while (!monitor.pump());
  for (const [atNs, text] of [
    [1e9, 'deploy'],
    [2e9, 'load test'],
    [5e9, 'after the last I/O'],
  ] as const)
    monitor.notes.put(atNs, text);
  await recording.stop();
  const { startNs, endNs } = monitor.history;
  await saveStretch(host, whole!, { startNs, endNs: endNs + 1, filter: NO_FILTER });
  await saveStretch(host, part!, { startNs: 1.5e9, endNs: 2.5e9, filter: NO_FILTER });
  expect([recorded, whole, part].map((path) => notesIn(path!))).toEqual([
    ['deploy', 'load test', 'after the last I/O'],
    ['deploy', 'load test', 'after the last I/O'],
    ['load test'],
  ]);
});

function notesIn(path: string): string[] {
  const opened = must(openRecording(path, new IdentityTable()));
  while (typeof opened.next() === 'object');
  const texts = opened.notes.list().map(({ text }) => text);
  opened.dispose();
  return texts;
}

it("saving the history keeps the kernel's own count of how long a disk was busy, unless the filter leaves out some of its I/O", async () => {
  const { monitor, host, source } = watched(10, 3_000, 2 ** 26);
  const { history } = monitor;
  const { dev, name } = source.info.devices()[0]!;
  for (const fromNs of [3e9, 4e9, 5e9])
    history.appendBusy({ dev, fromNs, toNs: fromNs + 1e9, busyNs: 0.5e9 });
  const saved = async (text: string): Promise<DiskBusy[]> => {
    const path = join(folder, `busy-${text}.ioheat`);
    await saveStretch(host, path, { startNs: 4e9, endNs: 9e9, filter: filterOf(text) });
    return busyIn(path);
  };
  const known = [
    { dev, fromNs: 4e9, toNs: 5e9, busyNs: 0.5e9 },
    { dev, fromNs: 5e9, toNs: 6e9, busyNs: 0.5e9 },
  ];
  expect(await saved('')).toEqual(known);
  expect(await saved(`disk=${name}`)).toEqual(known);
  expect(await saved('op=read')).toEqual([]);
});

function busyIn(path: string): DiskBusy[] {
  const reader = must(openRecording(path, new IdentityTable()));
  const found: DiskBusy[] = [];
  for (let chunk = reader.next(); typeof chunk === 'object'; chunk = reader.next())
    found.push(...(chunk.busy ?? []));
  reader.dispose();
  return found;
}
