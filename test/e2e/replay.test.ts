import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RecordingFolder } from '../trace/replay/recording-file.ts';
import { ensureBuilt, IOHEAT } from './build.ts';
import { Key } from './pty.ts';
import type { PtySession } from './pty.ts';
import { isWhole } from './support/screens.ts';
import { useSessions } from './support/sessions.ts';

const { bash, ioheat } = useSessions();
const folder = new RecordingFolder();
const ROOT = new URL('../..', import.meta.url).pathname;
const NOBODY = 65534;
const isRoot = process.getuid?.() === 0;
let recording = '';

beforeAll(async () => {
  recording = await folder.add('demo.ioheat', { name: 'mixed', seconds: 300, rate: 300 });
  chmodSync(folder.path, 0o755);
});

afterAll(() => {
  folder.remove();
});

function start(...args: string[]): PtySession {
  const nobody = isRoot ? { uid: NOBODY, gid: NOBODY } : {};
  return ioheat(['replay', ...args], { columns: 100, rows: 30, ...nobody });
}

/** What a script sees. */
function run(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  ensureBuilt();
  const { status, stdout, stderr } = spawnSync(process.execPath, [IOHEAT, 'replay', ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', LANG: 'C.UTF-8', TZ: 'UTC' },
  });
  return { status, stdout, stderr };
}

test('a replay opens with all of its recording on the screen', async () => {
  const session = start(recording);
  await session.waitFor(/4s\/column.* REPLAY .*END 100% /);
  session.type(Key.home);
  await session.waitFor('the whole recording is on screen');
});

test('a replay of a recording of ten seconds fills most of the screen', async () => {
  const short = await folder.add('short.ioheat', { name: 'mixed', seconds: 10, rate: 300 });
  const session = start(short);
  await session.waitFor(/150ms\/column.* REPLAY .*END 100% /);
  await session.waitUntil(
    () => !session.screen().join('\n').includes('counted so far'),
    'waiting for the last column to be counted',
  );
});

test('a replay opens with a full picture, plays, and says what it is of, without root', async () => {
  const session = start('--interval', '1s', recording);
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  await session.waitFor(/fileserver .* REPLAY +1x +\d\d% \d\d:\d\d:\d\d$/);
  session.type(' ');
  await session.waitFor(/PAUSED +1x/);
  session.type(']');
  await session.waitFor('speed 2x');
  session.type(' ');
  await session.waitFor('playing at 2x');
  session.type('}');
  await session.waitFor('no more gaps in the recording');
});

test('a replay jumps to the end and stays there, back to the start, and to a percentage', async () => {
  const session = start('--interval', '1s', recording);
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  session.type(Key.end);
  await session.waitFor(/END 100% /);
  session.type(Key.home);
  await session.waitFor('the first I/O is at the left edge');
  session.type(`g50%${Key.enter}`);
  await session.waitFor(/PAUSED +1x +(49|50)% /);
});

test('a replay starts at the time and speed asked for', async () => {
  const session = start('--at', '80%', '--speed', 'max', recording);
  await session.waitFor(/END 100% /);
});

test('a replayed stream is followed to its end, with the keys of the terminal', async () => {
  const session = bash(`cat '${recording}' | $IOHEAT replay -; echo "status=$?"; read`, {
    columns: 100,
    rows: 30,
  });
  await session.waitFor(/REPLAY .* END/);
  session.type('q');
  await session.waitFor('status=0');
});

test('a log of another tool is replayed, and what it lacks is shown as unknown', async () => {
  const log = join(ROOT, 'test/trace/import/fixtures/biosnoop-bpftrace.txt');
  const session = start('--speed', 'max', log);
  await session.waitFor(/REPLAY .*END 100% /);
  expect(session.screen().at(-1)).toMatch(/in detail 100% +lost 0/);
  expect(session.screen()[0]).toContain('TOTAL LATENCY');
  session.type('2');
  await session.waitFor('this log has total latencies alone');
});

test('a recorder writes nothing onto the terminal on which its stream is replayed', async () => {
  const record = '$IOHEAT record --source demo --duration 2s -';
  const session = bash(`${record} | $IOHEAT replay -; echo "status=$?"; read`, {
    columns: 100,
    rows: 30,
  });
  await session.waitFor(/REPLAY .* END/);
  expect(session.output).not.toContain('standard output:');
  expect(session.output).not.toContain('Warning');
  // The recorder has put the terminal back as it was when it began.
  session.type('2');
  await session.waitFor('QUEUE');
  session.type('q');
  await session.waitFor('status=0');
});

test('outside of a replay, playback keys say what they are for', async () => {
  const session = ioheat(['demo']);
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  session.type('}');
  await session.waitFor('only in recordings: ioheat replay FILE');
});

describe('--once', () => {
  test('--once of a recording prints its end, or the place asked for', () => {
    const { status, stdout, stderr } = run('--once', recording);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/REPLAY +END 100%/);
    expect(run('--once', '--at', '50%', recording).stdout).toMatch(/ 50% \d\d:\d\d:\d\d\n/);
  });

  test('--once reads a recording from standard input to its end', () => {
    const script = `cat '${recording}' | '${process.execPath}' '${IOHEAT}' replay --once --color never -`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toMatch(/REPLAY +END/);
  });

  test('--once says on a terminal that it waits for the end of a stream', async () => {
    // Without the end of the recording, which would end the stream.
    const stream = `{ head -c -100000 '${recording}'; read < /dev/tty; }`;
    const session = bash(`${stream} | $IOHEAT replay --once --rows 20 -; read`, {
      columns: 100,
      rows: 40,
    });
    await session.waitFor('the frame comes when standard input ends');
    expect(session.output).not.toContain('REPLAY');
    session.type(Key.enter);
    await session.waitFor(/REPLAY +END/);
  });
});

describe('what cannot be replayed is explained in one sentence', () => {
  test('a file of the kernel, which has no size, is read from standard input only', () => {
    const path = '/proc/cpuinfo';
    const { status, stderr } = run('--once', path);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: `ioheat: cannot open ${path}: it has no size; use - to read standard input\n`,
    });
  });

  test.each([
    ['missing', 'no such file'],
    ['directory', 'a directory'],
    ['fifo', 'not a regular file'],
    ['empty', 'empty'],
    ['foreign', 'not in a recognized format'],
    ['csv', 'exported by ioheat'],
    ['ndjson', 'exported by ioheat'],
  ])('what cannot be replayed is refused in one sentence: %s', (name, why) => {
    const path = join(folder.path, name);
    if (name === 'directory') mkdirSync(path);
    if (name === 'fifo') execFileSync('mkfifo', [path]);
    if (name === 'empty') writeFileSync(path, '');
    if (name === 'foreign') writeFileSync(path, 'neither fish nor fowl\n'.repeat(100));
    if (why === 'exported by ioheat')
      execFileSync(process.execPath, [
        IOHEAT,
        'export',
        recording,
        '--format',
        name,
        '--output',
        path,
      ]);
    const { status, stdout, stderr } = run('--once', path);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^ioheat: [^\n]+\n$/);
    expect(stderr).toContain(why);
    expect(stderr).toContain(path);
  });

  test.each([
    [['--at', 'nonsense'], '--at'],
    [['--speed', '0'], '--speed'],
  ])('replay %j is a usage error', (args, names) => {
    const { status, stderr } = run('--once', ...args, recording);
    expect(status).toBe(2);
    expect(stderr).toContain(names);
  });
});
