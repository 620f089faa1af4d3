import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { needs } from '../needs.ts';
import { PrivateMode } from '../terminal/emulator.ts';
import { Key } from './pty.ts';
import type { PtySession } from './pty.ts';
import { childOf, cpuTicks, isGone } from './support/processes.ts';
import { expectRestored } from './support/restored.ts';
import { isWhole } from './support/screens.ts';
import { useSessions } from './support/sessions.ts';

const { ioheat, bash } = useSessions();

const WAIT = { timeout: 10_000 };

/** Waits for Enter, because what a terminal gets after its last program has ended may be lost. */
const REPORT = 'echo "status=$?"; stty -a; echo reported; read';

async function start(command: string): Promise<{ session: PtySession; pid: number }> {
  const session = bash(`${command}; ${REPORT}`, { rows: 30 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  expectInput(session);
  return { session, pid: childOf(session.pid) };
}

/** The mouse is the program's while it draws, and what is pasted is marked. */
function expectInput(session: PtySession): void {
  const { mouseMotion, mouseSgr, bracketedPaste } = PrivateMode;
  const isSet = (mode: number): boolean => session.emulator.isModeSet(mode);
  expect([mouseMotion, mouseSgr, bracketedPaste].map(isSet)).toEqual([true, true, true]);
}

async function expectEnd(session: PtySession, status: number): Promise<void> {
  await session.waitFor('reported');
  expect(session.screen().join('\n')).toContain(`status=${status}\n`);
  expectRestored(session);
}

interface Command {
  readonly name: string;
  readonly command: string;
  /** What the machine must have. */
  readonly options: ReturnType<typeof needs>;
}

const DEMO: Command = { name: 'demo', command: '$IOHEAT demo', options: {} };
const COMMANDS: readonly Command[] = [
  DEMO,
  { name: 'live', command: '$IOHEAT', options: needs('tracing') },
];

describe.each(COMMANDS)('a session', ({ name, command, options }) => {
  test.each([
    ['q', 'q', 0],
    ['Ctrl-C', Key.ctrlC, 0],
  ])(`${name} quits by %s, and the terminal is restored`, options, async (_key, bytes, status) => {
    const { session } = await start(command);
    session.type(bytes);
    await expectEnd(session, status);
  });

  test.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
    ['SIGQUIT', 131],
  ] as const)(
    `${name} ends by %s, and the terminal is restored`,
    options,
    async (signal, status) => {
      const { session, pid } = await start(command);
      process.kill(pid, signal);
      await expectEnd(session, status);
    },
  );
});

describe('killed in a way that leaves it no say', () => {
  /** After the program's own end somebody else has to set the terminal right: that takes a moment. */
  async function expectGivenBack(session: PtySession, status: number): Promise<void> {
    await session.waitFor('reported');
    expect(session.screen().join('\n')).toContain(`status=${status}\n`);
    expectRestored(session);
  }

  const SETTLED = `code=$?; sleep 1; echo "status=$code"; stty -a; echo reported; read`;

  describe.each(COMMANDS)('a session', ({ name, command, options }) => {
    test.each([
      ['SIGKILL', 137],
      ['SIGSEGV', 139],
    ] as const)(
      `after ${name} is killed by %s, the terminal can still be used`,
      options,
      async (signal, status) => {
        // Neither echo of the shell's own nor its job control: nobody but the guardian is there to help.
        const session = bash(`${command}; ${SETTLED}`, { rows: 30 });
        await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
        expectInput(session);
        process.kill(childOf(session.pid), signal);
        await expectGivenBack(session, status);
      },
    );
  });

  test('unusual settings of the terminal are restored', async () => {
    const before = 'stty -ixon intr ^X; stty -g > settings';
    const after = 'sleep 1; stty -g | cmp - settings && echo equal; stty sane; echo reported; read';
    const cwd = mkdtempSync(join(tmpdir(), 'ioheat-stty-'));
    const session = bash(`${before}; $IOHEAT demo; ${after}`, { cwd });
    try {
      await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
      process.kill(childOf(session.pid), 'SIGKILL');
      await session.waitFor('reported');
      expect(session.shows('equal')).toBe(true);
    } finally {
      rmSync(cwd, { recursive: true });
    }
  });

  test('while ioheat is stopped, the shell has the terminal and it is left alone', async () => {
    const session = bash(
      `set -m; $IOHEAT demo; echo "stopped=$?"; stty sane; kill -9 %1; sleep 1; echo reported; read`,
      { rows: 30 },
    );
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    session.type(Key.ctrlZ);
    await session.waitFor('reported');
    const { length } = session.output.split('\x1b[?1049l');
    expect(length).toBe(2);
  });
});

test('ioheat quits from within the help', async () => {
  const { session } = await start(DEMO.command);
  session.type(`?${Key.ctrlC}`);
  await expectEnd(session, 0);
});

test('what was on the terminal before is there again after quitting', async () => {
  const session = bash('echo "made earlier"; $IOHEAT demo; echo later; read');
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  expect(session.shows('made earlier')).toBe(false);
  session.type('q');
  await session.waitFor('later');
  expect(session.screen().slice(0, 2)).toEqual(['made earlier', 'later']);
});

test('--verbose prints at the end what came and what was lost', async () => {
  const { session } = await start(`${DEMO.command} --verbose`);
  session.type('q');
  await session.waitFor('reported');
  expect(session.output).toMatch(/\x1b\[\?1049l[^]*delivered \d+, aggregated 0, lost 0/);
});

/** Made sane because a script, unlike a shell in which somebody types, does not do so itself. */
const JOB = (command: string): string =>
  `set -m; ${command}; echo "stopped=$?"; stty -a; echo 'press enter'; read; stty sane; fg; ${REPORT}`;

test.each(['Ctrl-Z', 'SIGTSTP'])('%s lets the shell have the terminal until `fg`', async (how) => {
  const session = bash(JOB(DEMO.command), { rows: 30 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  if (how === 'Ctrl-Z') session.type(Key.ctrlZ);
  else process.kill(childOf(session.pid), 'SIGTSTP');
  await session.waitFor('press enter');
  expect(session.shows('stopped=148')).toBe(true);
  expectRestored(session);
  session.type(Key.enter);
  await session.waitUntil(() => isWhole(session), 'waiting for the picture after fg');
  expect(session.emulator.isModeSet(PrivateMode.alternateScreen)).toBe(true);
  expect(session.emulator.isModeSet(PrivateMode.autowrap)).toBe(false);
  expectInput(session);
  session.type('q');
  await expectEnd(session, 0);
});

test('after `fg`, the picture has the size to which the terminal was changed meanwhile', async () => {
  const session = bash(JOB(DEMO.command), { rows: 30 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  session.type(Key.ctrlZ);
  await session.waitFor('press enter');
  session.resize(60, 20);
  session.type(Key.enter);
  await session.waitUntil(() => isWhole(session), 'waiting for the picture after fg');
  expect(session.output.split('\x1b[?1049h')).toHaveLength(3);
  session.type('q');
  await expectEnd(session, 0);
});

test('SIGSTOP and SIGCONT bring the picture and the keys back', async () => {
  const session = bash(JOB(DEMO.command), { rows: 30 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  process.kill(childOf(session.pid), 'SIGSTOP');
  await session.waitFor('press enter');
  // No carriage return: the terminal is still raw.
  session.type('\n');
  await session.waitUntil(() => isWhole(session), 'waiting for the picture after fg');
  session.type('5');
  await session.waitFor('SIZE');
  session.type('q');
  await expectEnd(session, 0);
});

describe('a terminal that hangs up ends the program', () => {
  describe.each(COMMANDS)('a session', ({ name, command, options }) => {
    test(`${name} ends when its terminal hangs up`, options, async () => {
      const session = bash(`exec ${command}`);
      await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
      session.hangUp();
      await isGone(session.pid);
    });
  });

  test('a hang-up ends the program also if it gets no signal', async () => {
    const session = bash(`trap '' HUP; setsid -w $IOHEAT demo; true`);
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    const pid = childOf(session.pid);
    session.hangUp();
    await isGone(pid);
  });
});

describe('a terminal that takes nothing', () => {
  /** Far more than a terminal's buffer of 64 KB holds. */
  const WHOLE_SCREENS = 20;

  /** Asks for whole screens until nothing is taken any more. */
  async function stall(session: PtySession): Promise<void> {
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    session.pause();
    for (let i = 0; i < WHOLE_SCREENS; i++) {
      session.type(Key.ctrlL);
      await sleep(20);
    }
  }

  test('a terminal that takes no output does not keep the program from ending', async () => {
    const session = ioheat(['demo'], { columns: 200, rows: 50 });
    await stall(session);
    session.kill('SIGTERM');
    await isGone(session.pid);
  });

  test('a terminal that took no output for a while gets the latest state, and no backlog', async () => {
    const session = ioheat(['demo'], { columns: 200, rows: 50 });
    await stall(session);
    const { length } = session.output;
    const ticks = cpuTicks(session.pid);
    session.type('5 ');
    await vi.waitFor(() => {
      expect(cpuTicks(session.pid)).toBeGreaterThan(ticks + 2);
    }, WAIT);
    session.resume();
    await session.waitUntil(
      () => isWhole(session) && /SIZE .*PAUSED/.test(session.screen()[0] ?? ''),
      'waiting for the latest state',
    );
    expect(session.output.slice(length).split('\x1b[2J').length).toBeLessThan(WHOLE_SCREENS / 2);
  });
});
