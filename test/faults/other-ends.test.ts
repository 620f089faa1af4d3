import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureBuilt, IOHEAT } from '../e2e/build.ts';
import { PrivateMode } from '../terminal/emulator.ts';
import { isWhole } from '../e2e/support/screens.ts';
import { useSessions } from '../e2e/support/sessions.ts';
import { needs } from '../needs.ts';
import { until } from '../until.ts';
import { ownCounts } from './support/own-counts.ts';

const { ioheat } = useSessions();

let folder: string;
let path: string;
beforeEach(() => {
  ensureBuilt();
  folder = mkdtempSync(join(tmpdir(), 'ioheat-other-ends-'));
  path = join(folder, 'io.ioheat');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function run(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [IOHEAT, ...args]);
  return { status, text: stdout.toString(), told: stderr.toString() };
}

describe('--once --write', () => {
  const ONCE = ['demo', '--once', '--duration', '1s', '--color', 'never', '--write'];

  test('--once --write records what the frame shows', () => {
    const { status, text, told } = run(...ONCE, path);
    expect(status).toBe(0);
    expect(text).toContain('TOTAL LATENCY');
    expect(told).toMatch(/^recorded [\d.]+k? I\/Os, .* to .*io\.ioheat\n$/);
    const { found, own, problems } = ownCounts(path);
    expect(found.delivered).toBeGreaterThan(100);
    expect([own, problems]).toMatchObject([found, []]);
  });

  test('--once --write records how long it traced, so that a report has rates over that time', () => {
    run(...ONCE, path);
    const { text } = run('report', path, '--json');
    const { recorded_ns: recordedNs } = JSON.parse(text) as { recorded_ns: number | null };
    expect(recordedNs).toBeGreaterThanOrEqual(1e9);
  });

  test('--once --write does not replace an existing file', () => {
    writeFileSync(path, 'mine');
    const { status, text } = run(...ONCE, path);
    expect([status, text]).toEqual([1, '']);
    expect(readFileSync(path, 'utf8')).toBe('mine');
  });

  test('--once --write closes the recording when a signal comes before the frame', async () => {
    const args = ['demo', '--once', '--duration', '30s', '--write', path];
    const child = spawn(process.execPath, [IOHEAT, ...args], { stdio: 'ignore' });
    await until(() => existsSync(path) && statSync(path).size > 0, 'a recording');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
    expect(ownCounts(path).problems).toEqual([]);
  });
});

test('paint ended by a signal says how far it came and exits with 128 plus its number', async () => {
  const child = spawn(process.execPath, [IOHEAT, 'paint', 'HELLO WORLD', '--target', path]);
  let told = '';
  child.stderr.on('data', (text: Buffer) => (told += text.toString()));
  await until(() => told.includes('painting "HELLO WORLD"'), 'the start of the painting');
  child.kill('SIGTERM');
  expect(await once(child, 'close')).toEqual([143, null]);
  expect(told).toContain('stopped early');
});

describe.each([
  ['report', []],
  ['replay', ['--once']],
  ['export', ['--format', 'svg']],
])('%s exits with', (command, options) => {
  test(`${command} exits with 1 when nothing of a recording can be read, and says why`, () => {
    run('record', path, '--source', 'demo', '--duration', '1s');
    writeFileSync(path, readFileSync(path).subarray(0, 3600));
    const { status, text, told } = run(command, ...options, path);
    expect([status, text]).toEqual([1, '']);
    expect(told).toMatch(/^ioheat: cannot read any I\/O from .*io\.ioheat: .+\n$/);
  });

  test(`${command} exits with 1 when a log has no row, and says so`, () => {
    writeFileSync(path, 'TIME(s)     COMM           PID    DISK    T SECTOR     BYTES  LAT(ms)\n');
    const { status, text, told } = run(command, ...options, path);
    expect([status, text]).toEqual([1, '']);
    expect(told).toBe(`ioheat: cannot read any I/O from ${path}: it has none\n`);
  });

  test(`${command} exits with 0 for a closed recording without I/O`, () => {
    const { status } = run('record', path, '--source', 'demo', '--duration', '1s', '--pid', '1');
    expect(status).toBe(0);
    expect(ownCounts(path).found.delivered).toBe(0);
    expect(run(command, ...options, path).status).toBe(0);
  });
});

test('an export of a trace without readable I/O leaves no file', () => {
  run('record', path, '--source', 'demo', '--duration', '1s');
  writeFileSync(path, readFileSync(path).subarray(0, 3600));
  for (const name of ['io.csv', 'io.png', 'io.biosnoop']) {
    const { status, told } = run('export', path, '--output', join(folder, name));
    expect(status).toBe(1);
    expect(told).toMatch(/^ioheat: cannot read any I\/O from .*io\.ioheat: .+\n$/);
  }
  expect(readdirSync(folder)).toEqual(['io.ioheat']);
});

test('when its guardian is gone, the program restores the terminal itself and closes the recording', async () => {
  const session = ioheat(['demo', '--write', path]);
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  const children = readFileSync(`/proc/${session.pid}/task/${session.pid}/children`, 'utf8');
  process.kill(Number(children.trim()), 'SIGKILL');
  session.kill('SIGTERM');
  expect(await session.exit).toMatchObject({ code: 143 });
  expect(session.emulator.isModeSet(PrivateMode.alternateScreen)).toBe(false);
  expect(ownCounts(path).problems).toEqual([]);
});

/** A disk that takes no write to a recording as long as the file HANG is there. A write that hangs makes HANG.now. */
const STUCK_DISK = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>
static int hangs(void) {
  char now[4096];
  if (access(getenv("HANG"), F_OK) != 0) return 0;
  snprintf(now, sizeof now, "%s.now", getenv("HANG"));
  close(open(now, O_CREAT | O_WRONLY, 0600));
  return 1;
}
ssize_t pwritev64(int fd, const struct iovec *pieces, int count, off64_t at) {
  static ssize_t (*real)(int, const struct iovec *, int, off64_t);
  if (!real) real = dlsym(RTLD_NEXT, "pwritev64");
  struct timespec moment = {0, 10000000};
  while (hangs()) nanosleep(&moment, 0);
  return real(fd, pieces, count, at);
}
ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t at) {
  return pwritev64(fd, pieces, count, at);
}
ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at) {
  struct iovec piece = {(void *)bytes, size};
  return pwritev64(fd, &piece, 1, at);
}
ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at) {
  return pwrite64(fd, bytes, size, at);
}`;

describe(
  'a disk that does not answer while a recording ends',
  needs({ program: 'clang-14' }),
  () => {
    let child: ChildProcess;
    let told = '';

    async function startAndHang(): Promise<void> {
      writeFileSync(join(folder, 'stuck.c'), STUCK_DISK);
      const library = join(folder, 'stuck.so');
      const args = ['-shared', '-fPIC', '-o', library, join(folder, 'stuck.c'), '-ldl'];
      expect(spawnSync('clang-14', args).status).toBe(0);
      const hang = join(folder, 'hang');
      child = spawn(process.execPath, [IOHEAT, 'record', path, '--source', 'demo'], {
        stdio: ['ignore', 'ignore', 'pipe'],
        env: { ...process.env, LD_PRELOAD: library, HANG: hang },
      });
      told = '';
      child.stderr!.on('data', (text: Buffer) => (told += text.toString()));
      await until(() => existsSync(path) && statSync(path).size > 0, 'a recording');
      writeFileSync(hang, '');
      await until(() => existsSync(`${hang}.now`), 'a write that hangs');
    }

    test('closing a recording waits ten seconds for a disk that hangs, then says that its end is missing', async () => {
      await startAndHang();
      child.kill('SIGTERM');
      expect(await once(child, 'exit')).toEqual([1, null]);
      expect(told).toContain(`the end of ${path} is missing: the disk did not write it in time`);
    });

    test('closing a recording on a disk that hangs stops at once at a second signal', async () => {
      await startAndHang();
      const exit = once(child, 'exit');
      const sentMs = performance.now();
      // Signals within a second of the first are taken for the same event.
      await until(() => !child.kill('SIGTERM') || child.exitCode !== null, 'the end');
      expect(await exit).toEqual([143, null]);
      expect(performance.now() - sentMs).toBeLessThan(4000);
    });
  },
);
