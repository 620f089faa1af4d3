import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { diskstatsSince } from '../load/diskstats-since.ts';
import { formatCount } from '../../src/base/format.ts';
import { SUMMARY_SLICE_NS } from '../../src/trace/recording/writing/summarizer.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import { openRecording } from '../../src/trace/recording/reading/open-recording.ts';
import { needs } from '../needs.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { runSync } from '../load/sync-load.ts';
import { readRows } from '../trace/recording/fixtures/record.ts';
import { ensureBuilt, IOHEAT } from './build.ts';
import { must } from '../must.ts';
import { until } from '../until.ts';

const MIB = 1 << 20;
const NOBODY = 65534;

let folder: string;

beforeAll(() => {
  ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'ioheat-record-'));
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

function run(args: readonly string[], shell?: string) {
  const { status, stdout, stderr } =
    shell === undefined
      ? spawnSync(process.execPath, [IOHEAT, ...args])
      : spawnSync('/bin/bash', [
          '-c',
          shell.replaceAll('$IOHEAT', `'${process.execPath}' '${IOHEAT}'`),
        ]);
  return { status, stdout, text: stdout.toString(), told: stderr.toString() };
}

function readBack(path: string) {
  const reader = must(openRecording(path, new IdentityTable()));
  const rows = readRows(reader);
  const { header } = reader;
  const problems = reader.problems();
  const devices = reader.devices();
  reader.dispose();
  return { rows, header, problems, devices };
}

const DEMO = ['--source', 'demo', '--duration', '1500ms'];

describe('ioheat record', () => {
  it('record writes a file for its owner alone and says what is in it', () => {
    const path = join(folder, 'demo.ioheat');
    const { status, text, told } = run(['record', path, 'storm', ...DEMO, '--rate', '5000']);
    expect({ status, text }).toEqual({ status: 0, text: '' });
    expect(told).toMatch(/demo\.ioheat: [\d.]+k I\/Os {2}[\d.]+ [kM]B {2}lost 0 in 0:0\d\n$/);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const { rows, header, problems } = readBack(path);
    expect(rows.length).toBeGreaterThan(3000);
    expect(problems).toEqual([]);
    expect(header).toMatchObject({ host: 'demo', recordedOnly: '' });
  });

  it('record keeps what passes a filter, and says so in the file', () => {
    const path = join(folder, 'filtered.ioheat');
    const filter = ['--op', 'write', '--filter', 'size>=16k'];
    expect(run(['record', path, ...DEMO, ...filter]).status).toBe(0);
    const { rows, header } = readBack(path);
    expect(rows.length).toBeGreaterThan(0);
    expect(Math.min(...rows.bytes)).toBeGreaterThanOrEqual(16384);
    expect(header.recordedOnly).toBe('op=write size>=16k');
  });

  it('record writes the same into a pipe as into a file', () => {
    const { status, stdout } = run(['record', '-', ...DEMO]);
    expect(status).toBe(0);
    const path = join(folder, 'piped.ioheat');
    writeFileSync(path, stdout);
    const { rows, problems } = readBack(path);
    expect(rows.length).toBeGreaterThan(100);
    expect(problems).toEqual([]);
  });

  it('record --summary writes aggregates that take little room, counts each I/O once, and ends in time', () => {
    const path = join(folder, 'sums.ioheat');
    const { status, told } = run(['record', path, 'storm', ...DEMO, '--summary']);
    expect(status).toBe(0);
    const reader = openRecording(path, new IdentityTable());
    let [count, endNs] = [0, 0];
    if (reader.ok) {
      const { value } = reader;
      for (let chunk = value.next(); typeof chunk === 'object'; chunk = value.next())
        for (const summary of chunk.summaries) {
          count += summary.count;
          endNs = Math.max(endNs, summary.endNs);
        }
      value.dispose();
    }
    expect(count).toBeGreaterThan(100_000);
    expect(told).toContain(` ${formatCount(count)} I/Os `);
    expect(endNs).toBeLessThan(SUMMARY_SLICE_NS);
    expect(statSync(path).size).toBeLessThan(40_000);
  });

  it.each([
    ['a file that is there', 'precious', 1, 'file exists'],
    ['a folder that is not there', 'nowhere/io.ioheat', 1, 'no such file or directory'],
  ])('record refuses %s', (_, name, code, why) => {
    writeFileSync(join(folder, 'precious'), 'precious');
    const { status, told } = run(['record', join(folder, name), ...DEMO]);
    expect(status).toBe(code);
    expect(told).toContain(why);
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('precious');
  });

  it('record ends at the file-size limit, with all that is complete', () => {
    const path = join(folder, 'limited.ioheat');
    const command = `ulimit -f 128; $IOHEAT record '${path}' --source demo --rate 2000 --duration 20s`;
    const { status, told } = run([], command);
    expect(status).toBe(1);
    expect(told).toContain('the file has reached the maximum size allowed');
    const { rows, problems } = readBack(path);
    expect(rows.length).toBeGreaterThan(0);
    expect(problems.every(({ what }) => what.includes('no end mark'))).toBe(true);
  });

  it('record tells a full device from a closed pipe', () => {
    const full = run([], '$IOHEAT record - storm --source demo --duration 20s >/dev/full');
    expect(full.status).toBe(1);
    expect(full.told).toContain('no space left on the disk');
    const piped = run(
      [],
      '$IOHEAT record - storm --source demo --duration 20s | head -c 1000 | wc -c; exit ${PIPESTATUS[0]}',
    );
    expect([piped.status, piped.text.trim()]).toEqual([0, '1000']);
  });

  it('record does not write to a terminal, nor rotate a pipe', () => {
    expect(run(['record', '-', '--rotate', '1h', ...DEMO])).toMatchObject({ status: 2 });
  });

  it.each([
    ['SIGINT', 0],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)('record ends cleanly with %s, exit code %i', async (signal, status) => {
    const path = join(folder, `${signal}.ioheat`);
    const child = start(['record', path, 'storm', '--source', 'demo']);
    await growing(path);
    child.kill(signal);
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(status);
    const { rows, problems } = readBack(path);
    expect(rows.length).toBeGreaterThan(10_000);
    expect(problems).toEqual([]);
  });
});

function start(args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [IOHEAT, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
}

/** Waits until something besides the head is in a file. */
function growing(path: string, bytes = 5000): Promise<void> {
  const hasGrown = (): boolean => existsSync(path) && statSync(path).size >= bytes;
  return until(hasGrown, `the growth of ${path}`);
}

describe('a recording of this machine', needs('tracing'), () => {
  it('a recording of this machine equals what the kernel counts, and belongs to the user of sudo', async () => {
    const disk = LoopDevice.create({ bytes: 64 * MIB });
    const home = mkdtempSync(join(tmpdir(), 'ioheat-sudo-'));
    try {
      chownSync(home, NOBODY, NOBODY);
      chmodSync(home, 0o755);
      const path = join(home, 'io.ioheat');
      const sudo = { SUDO_UID: String(NOBODY), SUDO_GID: String(NOBODY) };
      const child = start(['record', path, '--disk', disk.name], sudo);
      await growing(path, 1000);
      const before = readDiskstats().get(disk.dev)!;
      const ios = Array.from({ length: 600 }, (_, index) => ({
        kind: index % 3 === 0 ? ('write' as const) : ('read' as const),
        offset: (index % 64) * MIB,
        bytes: 512 << (index % 8),
      }));
      runSync(disk, ios);
      const truth = diskstatsSince(before, readDiskstats().get(disk.dev)!);
      child.kill('SIGINT');
      expect(await once(child, 'exit')).toEqual([0, null]);
      expect(statSync(path)).toMatchObject({ uid: NOBODY, gid: NOBODY });
      const { devices, problems, header } = readBack(path);
      expect(problems).toEqual([]);
      expect(header.kernel).not.toBe('');
      expect(devices.find(({ dev }) => dev === disk.dev)).toMatchObject({
        ...{ name: disk.name, sizeBytes: 64 * MIB },
      });
      // As another program sees it. Root without capabilities may not open it by its name.
      expect(run(['report', path]).told).toMatch(/permission denied; pass it on standard input/);
      const { text } = run([], `$IOHEAT export - --format ndjson < '${path}'`);
      const rows = text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const sumOf = (op: string) => {
        const found = rows.filter((row) => row['op'] === op);
        return [found.length, found.reduce((sum, row) => sum + Number(row['bytes']) / 512, 0)];
      };
      expect(sumOf('read')).toEqual([truth.reads, truth.readSectors]);
      expect(sumOf('write')).toEqual([truth.writes, truth.writtenSectors]);
      expect(rows.every((row) => row['device'] === disk.name && row['pid'] === process.pid)).toBe(
        true,
      );
    } finally {
      disk.dispose();
      rmSync(home, { recursive: true });
    }
  });
});
