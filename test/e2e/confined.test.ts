import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parseThreadRights } from '../../src/kernel/privilege/capabilities.ts';
import { needs } from '../needs.ts';
import { ensureBuilt, IOHEAT } from './build.ts';
import type { PtySession } from './pty.ts';
import { childOf } from './support/processes.ts';
import { expectRestored } from './support/restored.ts';
import { isWhole } from './support/screens.ts';
import { useSessions } from './support/sessions.ts';

const { ioheat, bash } = useSessions();

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ioheat-confined-'));
  chmodSync(folder, 0o777);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** 0 off, 2 filter; of every thread. */
function filters(pid: number): (number | undefined)[] {
  return readdirSync(`/proc/${pid}/task`).map((tid) => {
    const status = readFileSync(`/proc/${pid}/task/${tid}/status`, 'utf8');
    return parseThreadRights(status)?.seccomp;
  });
}

async function start(args: readonly string[]): Promise<PtySession> {
  const session = ioheat(args, { columns: 120, rows: 40 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  return session;
}

describe('a drawn session without power', () => {
  test('a demo session is confined on every thread', async () => {
    const session = await start(['demo']);
    const found = filters(session.pid);
    expect(found.length).toBeGreaterThan(4);
    expect(new Set(found)).toEqual(new Set([2]));
  });

  test('a session says at its end that it was confined', async () => {
    await quitAndSee('demo --verbose', 'system calls filtered');
  });
});

/** A shell waits behind it: what a terminal gets after its last program has ended may be lost. */
async function quitAndSee(args: string, told: string): Promise<void> {
  const session = bash(`$IOHEAT ${args}; read`, { columns: 120, rows: 40 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  session.type('q');
  await session.waitFor(told);
}

describe('a live session', needs('tracing'), () => {
  test('a live session is confined on every thread after the drop', async () => {
    const session = await start([]);
    const found = filters(session.pid);
    expect(found.length).toBeGreaterThan(4);
    expect(new Set(found)).toEqual(new Set([2]));
  });

  test('a session with --stay-root is not confined, and says so', async () => {
    const session = await start(['--stay-root']);
    expect(new Set(filters(session.pid))).toEqual(new Set([0]));
    await quitAndSee('--stay-root --verbose', 'system calls not filtered: privileges are kept');
  });
});

const KOFFI = join(process.cwd(), 'node_modules/koffi');

/** Options for Node that load this script into the real program before its own. */
function inside(script: string): Record<string, string> {
  const path = join(folder, 'inside.cjs');
  writeFileSync(path, script);
  return { NODE_OPTIONS: `--require=${path}` };
}

/** `libc.func` of koffi, in the program. */
const LIBC = `const libc = require(${JSON.stringify(KOFFI)}).load(null);`;

describe('a call from inside the program that is not allowed', () => {
  const SETTLED = 'code=$?; sleep 1; echo "status=$code"; stty -a; echo reported; read';

  async function intrude(command: string, deed: string): Promise<PtySession> {
    const env = inside(`process.on('SIGURG', () => { ${deed} });`);
    const session = bash(`${command}; ${SETTLED}`, { rows: 34, env });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    process.kill(childOf(session.pid), 'SIGURG');
    await session.waitFor('reported');
    return session;
  }

  const EXECUTE = `${LIBC} libc.func('int execv(const char *path, const char **argv)')('/bin/true', ['true', null]);`;
  const LOAD = `${LIBC} libc.func('long syscall(long number, long a, long b, long c)')(${process.arch === 'x64' ? 321 : 280}, 0, 0, 0);`;

  test.each([
    ['execve(2)', '$IOHEAT demo', EXECUTE],
    ['bpf(2)', '$IOHEAT demo', LOAD],
  ])(
    'calling %s from inside kills the program, and the terminal is restored',
    async (_name, command, deed) => {
      const session = await intrude(command, deed);
      expect(session.screen().join('\n')).toContain('status=159\n');
      // The shell's own words.
      expect(session.output).toMatch(/Bad system call/i);
      expectRestored(session);
    },
  );

  test('a new process from inside is refused, and the terminal is restored', async () => {
    const session = await intrude('$IOHEAT demo', `require('child_process').spawn('/bin/true');`);
    expect(session.screen().join('\n')).toContain('status=1\n');
    expect(session.output).toContain('spawn EPERM');
    expectRestored(session);
  });
});

describe('a program whose event loop has a ring of io_uring', () => {
  const NUMBER = 425;
  /** Older releases of Node have none: this makes one as the newer do, before any script runs. */
  const RING = `
${LIBC}
const fs = require('node:fs');
const note = (text) => fs.appendFileSync(process.env.NOTES, text + '\\n');
const setup = libc.func('long syscall(long number, long entries, void *parameters)');
const fd = setup(${NUMBER}, 8, Buffer.alloc(256));
note('ring ' + (fd < 0 ? 'refused' : 'made'));
process.on('exit', () => note(/Seccomp:\\s*\\d/.exec(fs.readFileSync('/proc/self/status', 'latin1'))[0]));
`;
  const USER = process.geteuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};

  function run(args: readonly string[]): {
    status: number | null;
    notes: string[];
    stderr: string;
  } {
    ensureBuilt();
    const notes = join(folder, 'notes');
    const env = { PATH: process.env['PATH'], HOME: folder, NOTES: notes, ...inside(RING) };
    const command = `"$0" "$@" < /dev/null > /dev/null`;
    const all = ['-c', args.includes('/dev/fd/9') ? `${command} 9< a.ioheat` : command];
    const { status, stderr } = spawnSync('bash', [...all, process.execPath, IOHEAT, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env,
      ...USER,
    });
    return { status, stderr, notes: readFileSync(notes, 'utf8').trim().split('\n') };
  }

  const REDONE = ['ring made', 'ring refused', 'Seccomp:\t2'];

  test('with io_uring in its event loop, the program executes itself again without, and is confined', () => {
    const args = ['record', 'a.ioheat', 'storm', '--source', 'demo', '--duration', '200ms'];
    expect(run(args)).toEqual({ status: 0, stderr: expect.any(String) as string, notes: REDONE });
    rmSync(join(folder, 'notes'));
    expect(run(['report', 'a.ioheat'])).toEqual({ status: 0, stderr: '', notes: REDONE });
  });

  test('the program that executed itself again still reads what the shell opened for it', () => {
    run(['record', 'a.ioheat', 'storm', '--source', 'demo', '--duration', '200ms']);
    rmSync(join(folder, 'notes'));
    expect(run(['report', '/dev/fd/9'])).toEqual({ status: 0, stderr: '', notes: REDONE });
  });

  test('--help does not make the program execute itself again', () => {
    expect(run(['--help']).notes).toEqual(['ring made', 'Seccomp:\t0']);
  });
});
