import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cgroupOf } from '../../../src/model/identity.ts';
import { MachinePressure } from '../../../src/model/machine-pressure.ts';
import { END_OF_STREAM } from '../../../src/trace/recording/arrow/arrow-message.ts';
import { RecordingEncoder } from '../../../src/trace/recording/format/recording-encoder.ts';
import { ensureBuilt, IOHEAT } from '../../e2e/build.ts';
import { bytesOf, HEADER, pattern } from './fixtures/record.ts';

const folder = mkdtempSync(join(tmpdir(), 'ioheat-report-cgroups-'));
const path = join(folder, 'io.ioheat');
/** I/Os by name of the cgroup; one of these stalls. */
const counts = new Map<string, number>();
let stalling = '';

beforeAll(async () => {
  ensureBuilt();
  const { source, moveTo } = pattern('mixed');
  const { identities } = source.info;
  const pressure = new MachinePressure();
  const encoder = new RecordingEncoder({
    ...{ header: HEADER, identities, pressure },
    names: { devices: source.info, cgroups: { name: (id) => `/group${id}` } },
    recorded: () => ({ startNs: 0, endNs: 5e9 }),
  });
  const parts = [Buffer.from(encoder.begin())];
  moveTo(50e6);
  const rows = source.read();
  for (const identity of rows.identity.subarray(0, rows.length)) {
    const cgroup = cgroupOf(identities.get(identity));
    if (cgroup === undefined) continue;
    const name = `/group${cgroup}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (stalling === '') {
      stalling = name;
      for (const atNs of [1e6, 5e9])
        pressure.putCgroup({ cgroup, atNs, someNs: atNs * 0.4, fullNs: atNs * 0.1 });
    }
  }
  for (const atNs of [1e6, 5e9]) pressure.put({ atNs, someNs: atNs * 0.3, fullNs: atNs * 0.2 });
  encoder.append(rows);
  const none = { delivered: 0, summarised: 0, lost: 0, losses: {} };
  parts.push(Buffer.from(await bytesOf(encoder.flush(none))));
  writeFileSync(path, Buffer.concat([...parts, END_OF_STREAM]));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function report(...args: string[]): string {
  return spawnSync(process.execPath, [IOHEAT, 'report', path, ...args]).stdout.toString();
}

test('a report counts the I/O of each cgroup, and says how long its tasks were stalled', () => {
  expect(counts.size).toBeGreaterThan(1);
  const { cgroups } = JSON.parse(report('--json')) as {
    cgroups: { cgroup: string; ios: number; stalled: { some: number; full: number } | null }[];
  };
  expect(new Map(cgroups.map(({ cgroup, ios }) => [cgroup, ios]))).toEqual(counts);
  for (const { cgroup, stalled } of cgroups)
    if (cgroup !== stalling) expect(stalled).toBeNull();
    else
      expect(stalled).toEqual({
        some: expect.closeTo(0.4) as number,
        full: expect.closeTo(0.1) as number,
      });
});

test('the page of a report has a row for each cgroup, with how long it was stalled last', () => {
  const lines = report().split('\n');
  const heading = lines.findIndex((line) => line.startsWith('Cgroup '));
  expect(lines[heading]).toMatch(/ Stalled$/);
  const row = lines.slice(heading).find((line) => line.startsWith(`${stalling} `));
  expect(row).toMatch(/ 40%$/);
});

test('the page of a report says how long tasks of the machine waited, and how long all of them did', () => {
  expect(report()).toContain('\ntasks waited for storage 30% of the time, all at once 20%\n');
});
