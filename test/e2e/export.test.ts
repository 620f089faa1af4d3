import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RecordingFolder } from '../trace/replay/recording-file.ts';
import { until } from '../until.ts';
import { needs } from '../needs.ts';
import { ensureBuilt, IOHEAT } from './build.ts';

const folder = new RecordingFolder();
let recording = '';

beforeAll(async () => {
  ensureBuilt();
  recording = await folder.add('demo.ioheat', { name: 'mixed', seconds: 2, rate: 50 });
});

afterAll(() => {
  folder.remove();
});

function exported(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [IOHEAT, 'export', ...args], { encoding: 'utf8' });
}

test('export --force replaces a file, but never the trace that it reads, by whatever name', () => {
  const before = readFileSync(recording);
  const link = join(folder.path, 'link.ioheat');
  linkSync(recording, link);
  for (const output of [recording, link]) {
    const { status, stderr } = exported(recording, '--format', 'csv', '-o', output, '--force');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `ioheat: cannot replace ${output}: it is a trace that is exported; name another file\n`,
    });
    expect(readFileSync(recording).equals(before)).toBe(true);
  }
  const rows = join(folder.path, 'rows.csv');
  for (const status of [0, 0])
    expect(exported(recording, '-o', rows, '--force')).toMatchObject({ status });
  expect(readFileSync(rows, 'utf8').split('\n').length).toBeGreaterThan(50);
});

test('an export for trace2heatmap of a log without queue latencies has its device latencies', () => {
  const log = join(folder.path, 'biosnoop.txt');
  writeFileSync(
    log,
    'TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  LAT(ms)\n' +
      '0.000000    dd             42     vda     R 8          4096      0.55\n',
  );
  const { status, stdout } = exported(log, '--format', 'trace2heatmap');
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'time(us) device(us)\n0 550\n' });
});

test('an export that fails leaves the file that it was to replace, and no part of the new one', () => {
  const output = join(folder.path, 'kept.csv');
  writeFileSync(output, 'of yesterday');
  const full = [
    '-c',
    'ulimit -f 1; exec "$@"',
    'sh',
    process.execPath,
    IOHEAT,
    'export',
    recording,
  ];
  const { status, stderr } = spawnSync('sh', [...full, '-o', output, '--force'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: `ioheat: cannot write ${output}: file too large\n`,
  });
  expect(readFileSync(output, 'utf8')).toBe('of yesterday');
  expect(readdirSync(folder.path).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test.each(['csv', 'svg'])(
  'Ctrl-C during an export of %s leaves the file that it was to replace, and no part of the new one',
  async (format) => {
    const output = join(folder.path, `interrupted.${format}`);
    writeFileSync(output, 'of yesterday');
    const part = `${output}.part`;
    const child = spawn(process.execPath, [IOHEAT, 'export', '-', '-o', output, '--force'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    // The trace does not end, so the export waits for more.
    child.stdin.write(readFileSync(recording).subarray(0, -8));
    await until(
      () => existsSync(part) && (format === 'svg' || statSync(part).size > 0),
      'waiting for the partial file',
    );
    child.kill('SIGINT');
    expect((await once(child, 'exit'))[0]).toBe(130);
    expect(readFileSync(output, 'utf8')).toBe('of yesterday');
    expect(existsSync(part)).toBe(false);
  },
);

test(
  'Ctrl-C while the partial file is created leaves no part either',
  needs({ program: 'strace' }),
  () => {
    const output = join(folder.path, 'created.csv');
    const part = `${output}.part`;
    const words = ['-P', part, '-e', 'trace=openat', '-e', 'inject=openat:signal=SIGINT:when=1'];
    const program = [process.execPath, IOHEAT, 'export', recording, '-o', output];
    const traced = ['-f', '-qq', '-o', '/dev/null', ...words, ...program];
    expect(spawnSync('strace', traced).status).toBe(130);
    expect([output, part].filter((path) => existsSync(path))).toEqual([]);
  },
);

test("an existing file is refused before the trace is read, and a part that was left is in nobody's way", () => {
  const output = join(folder.path, 'left.csv');
  writeFileSync(`${output}.part`, 'left by a power failure');
  expect(exported(recording, '-o', output)).toMatchObject({ status: 0 });
  expect(readFileSync(`${output}.part`, 'utf8')).toBe('left by a power failure');
  expect(exported(recording, '-o', output, '--force')).toMatchObject({ status: 0 });
  expect(existsSync(`${output}.part`)).toBe(false);
  expect(exported(recording, '-o', output)).toMatchObject({
    status: 1,
    stderr: `ioheat: cannot create ${output}: file exists; replace it with --force, or name another file\n`,
  });
});

test('a picture of queue or device latency is refused for a log with total latencies alone', () => {
  const log = join(folder.path, 'total.log');
  writeFileSync(
    log,
    'TIME(ms)     COMM           PID    LAT(ms)\n611          bash           4179        10\n',
  );
  for (const metric of ['queue', 'device'])
    expect(exported(log, '--format', 'svg', '--metric', metric)).toEqual(
      expect.objectContaining({
        status: 2,
        stderr: `ioheat: --metric ${metric}: the trace has total latencies alone; choose total\n`,
      }),
    );
  expect(exported(log, '--format', 'svg').stdout).toContain('total latency');
});
