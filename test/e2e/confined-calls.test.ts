import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { spawn, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { FORMATS } from '../../src/export/formats.ts';
import type { SystemCall } from '../../src/kernel/privilege/filter/call-numbers.ts';
import { USED, USED_ELSEWHERE } from '../../src/kernel/privilege/filter/system-calls.ts';
import { needs } from '../needs.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { runSync } from '../load/sync-load.ts';
import { ensureBuilt, IOHEAT } from './build.ts';
import { startPty, type PtySession } from './pty.ts';
import { confinedCalls } from './support/confined-calls.ts';
import { ESCAPE_AT_ONCE, keyBytes } from './support/key-bytes.ts';
import { keysOf, waysIntoModes } from './support/modes.ts';
import { childOf } from './support/processes.ts';
import { isWhole } from './support/screens.ts';

/** Slow, as every call of every thread is stopped twice. */
const SLOW = { timeout: 240_000 };
const FRAME_MS = 120_000;

/** Judged by their arguments, and allowed with those that the program gives. */
const BY_ARGUMENT = ['clone', 'fcntl', 'ioctl', 'kill', 'prctl', 'prlimit64', 'tgkill'];

/** What is refused in an ordinary run, and what happens then. */
const REFUSED_ALWAYS: Readonly<Record<string, string>> = {
  clone3: 'libc makes its threads with clone, whose flags can be seen',
  socket: 'a native module asks Node which libc this is; the report lacks the network',
};

const ALLOWED = new Set<string>([...USED, ...Object.keys(USED_ELSEWHERE), ...BY_ARGUMENT]);
const seen = new Map<string, number>();

let home: string;
let session: PtySession | undefined;

beforeAll(() => {
  ensureBuilt();
  home = mkdtempSync(join(tmpdir(), 'ioheat-calls-'));
});

afterEach(async () => {
  await session?.dispose();
  session = undefined;
});

afterAll(() => {
  rmSync(home, { recursive: true });
});

function traced(name: string, args: readonly string[]): string[] {
  return ['-f', '-qq', '-o', join(home, `${name}.strace`), process.execPath, IOHEAT, ...args];
}

/** Everything that was called is in the list, and nothing was refused but what always is. */
function expectConfined(name: string): void {
  const { counts, refused } = confinedCalls(join(home, `${name}.strace`));
  for (const [call, count] of counts) seen.set(call, (seen.get(call) ?? 0) + count);
  const always = Object.keys(REFUSED_ALWAYS);
  const unknown = [...counts.keys()].filter((call) => !ALLOWED.has(call) && !always.includes(call));
  expect(unknown).toEqual([]);
  expect(refused.filter((line) => !always.some((call) => line.startsWith(`${call}: `)))).toEqual(
    [],
  );
}

function run(name: string, args: readonly string[]): void {
  const { status, stderr } = spawnSync('strace', traced(name, args), {
    cwd: home,
    encoding: 'utf8',
    env: { HOME: home, XDG_RUNTIME_DIR: home, PATH: process.env['PATH'], LANG: 'C.UTF-8' },
  });
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
  expectConfined(name);
}

async function start(name: string, args: readonly string[]): Promise<PtySession> {
  const options = { columns: 110, rows: 36, cwd: home, env: { HOME: home } };
  const started = startPty('strace', traced(name, args), options);
  session = started;
  await started.waitUntil(() => isWhole(started), 'waiting for the first frame', FRAME_MS);
  return started;
}

async function quit(started: PtySession, name: string): Promise<void> {
  started.type(`${ESCAPE_AT_ONCE.repeat(4)}q`);
  const end = await started.exit;
  expect({ end, output: end.code === 0 ? '' : started.output.slice(-2000) }).toMatchObject({
    end: { code: 0 },
  });
  expectConfined(name);
}

/** Every key in every mode, except those after which there is no screen to look at. */
async function pressAll(started: PtySession): Promise<void> {
  for (const [mode, way] of waysIntoModes()) {
    for (const key of keysOf(mode)) {
      const typed = [...way, key].map((one) => (one === 'escape' ? ESCAPE_AT_ONCE : keyBytes(one)));
      started.type(`${typed.join('')}${ESCAPE_AT_ONCE.repeat(5)}`);
    }
    await started.waitUntil(() => isWhole(started), `waiting after the keys of ${mode}`, FRAME_MS);
  }
}

async function writeFileBy(key: string, file: string, started: PtySession): Promise<void> {
  const CLEAR_LINE = '\x15';
  started.type(key);
  await started.waitFor(/: ioheat-\d{8}/, FRAME_MS);
  started.type(`${CLEAR_LINE}${join(home, file)}\r`);
  // The folder is longer than the line, so of the name only the end is sure to be told.
  await started.waitUntil(
    () => existsSync(join(home, file)) && !started.shows(/: \S*\/ioheat-calls-/),
    `waiting for ${file}`,
    FRAME_MS,
  );
}

/** What is done in answer to something that the screen does not show. */
async function isCalled(call: string, name: string): Promise<void> {
  await vi.waitFor(
    () => {
      expect(readFileSync(join(home, `${name}.strace`), 'utf8')).toContain(`${call}(`);
    },
    { timeout: FRAME_MS, interval: 100 },
  );
}

describe(
  'after the drop a program makes only listed system calls',
  needs({ program: 'strace' }),
  () => {
    test('recording a pattern makes only listed system calls', SLOW, () => {
      run('record', ['record', 'a.ioheat', 'storm', '--source', 'demo', '--duration', '1s']);
    });

    test.each(FORMATS)('exporting to %s makes only listed system calls', SLOW, (format) => {
      const output = `x.${format}`;
      run(`export-${format}`, ['export', 'a.ioheat', '--format', format, '--output', output]);
      expect(readFileSync(join(home, output)).length).toBeGreaterThan(0);
    });

    test('a report makes only listed system calls', SLOW, () => {
      run('report', ['report', 'a.ioheat']);
    });

    test(
      'truncating a recording at the file-size limit makes only listed system calls',
      SLOW,
      () => {
        const recorded = ['record', 'cut.ioheat', 'storm', '--source', 'demo', '--duration', '10s'];
        const [program = '', ...args] = traced('cut', recorded).slice(4);
        const limited = `ulimit -f 128; exec '${program}' ${args.join(' ')}`;
        const log = ['-f', '-qq', '-o', join(home, 'cut.strace')];
        const { status } = spawnSync('strace', [...log, 'sh', '-c', limited], { cwd: home });
        expect(status).toBe(1);
        expectConfined('cut');
      },
    );

    test(
      'a note, and the recording that takes it, make only listed system calls',
      SLOW,
      async () => {
        const recorded = ['record', 'n.ioheat', 'storm', '--source', 'demo', '--duration', '15s'];
        const env = { ...process.env, HOME: home, XDG_RUNTIME_DIR: home };
        const recorder = spawn('strace', traced('noted', recorded), { cwd: home, env });
        const exited = new Promise((resolve) => recorder.once('exit', resolve));
        const folder = join(home, 'ioheat/notes');
        await vi.waitUntil(() => existsSync(folder) && readdirSync(folder).length > 0, FRAME_MS);
        run('note', ['note', 'deploy']);
        expect(await exited).toBe(0);
        expectConfined('noted');
      },
    );

    test('--once makes only listed system calls', SLOW, () => {
      run('once', ['demo', '--once']);
    });

    test('painting makes only listed system calls', SLOW, () => {
      const target = ['--target', join(home, 'canvas'), '--size', '4M'];
      run('paint', [
        'paint',
        'I',
        ...target,
        '--interval',
        '100ms',
        '--op',
        'write',
        '--overwrite',
      ]);
    });

    test(
      'a demo with every key and every kind of export makes only listed system calls',
      SLOW,
      async () => {
        const started = await start('demo', ['demo']);
        for (const file of ['e.svg', 'e.png', 'e.html', 'e.csv', 'e.parquet'])
          await writeFileBy('E', file, started);
        await writeFileBy('D', 'd.ioheat', started);
        await writeFileBy('R', 'r.ioheat', started);
        started.type('R');
        await pressAll(started);
        await quit(started, 'demo');
      },
    );

    test(
      'a replay, its keys, and a shell that dies make only listed system calls',
      SLOW,
      async () => {
        const started = await start('replay', ['replay', 'a.ioheat']);
        started.type(' ][}{ g50%\r');
        started.type('\x1a');
        // strace's child; its child is the shell that restores the terminal.
        process.kill(childOf(childOf(started.pid)), 'SIGKILL');
        await isCalled('shutdown', 'replay');
        await isCalled('wait4', 'replay');
        await quit(started, 'replay');
      },
    );

    describe('tracing', needs('tracing'), () => {
      test(
        'a live session under load with every key makes only listed system calls',
        SLOW,
        async () => {
          const disk = LoopDevice.create({ bytes: 4 << 20 });
          try {
            const started = await start('live', ['--disk', disk.name]);
            const reads = Array.from({ length: 1000 }, (_, i) => ({
              kind: 'read' as const,
              offset: i * 4096,
              bytes: 4096,
            }));
            runSync(disk, reads);
            await writeFileBy('R', 'live.ioheat', started);
            runSync(disk, reads);
            started.type('R');
            await writeFileBy('E', 'live.svg', started);
            await pressAll(started);
            await quit(started, 'live');
          } finally {
            disk.dispose();
          }
        },
      );

      test('a live recording makes only listed system calls', SLOW, () => {
        run('record-live', ['record', 'l.ioheat', '--duration', '1s']);
      });
    });
  },
);

describe('the list', needs({ program: 'strace' }), () => {
  // Calls depend on the version of Node; the list is as tight as it can be for one.
  test(
    'the list of system calls has none that no run makes',
    needs('tracing', 'Node 20 on x64'),
    () => {
      const unseen = [...USED].filter((call: SystemCall) => !seen.has(call));
      expect(unseen).toEqual([]);
    },
  );

  test('each system call made only on other machines has a reason', () => {
    const both = Object.keys(USED_ELSEWHERE).filter((call) => USED.some((used) => used === call));
    expect(both).toEqual([]);
    for (const reason of Object.values(USED_ELSEWHERE)) expect(reason).toMatch(/\w+ \w+/);
    process.stdout.write(`in the list, and not seen here: ${elsewhere()}\n`);
    expect(readdirSync(home).length).toBeGreaterThan(10);
  });

  function elsewhere(): string {
    return Object.keys(USED_ELSEWHERE)
      .filter((call) => !seen.has(call))
      .join(', ');
  }
});
