import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { ensureBuilt, IOHEAT } from './build.ts';
import { COMMAND, useSessions } from './support/sessions.ts';

const { bash } = useSessions();

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const NOBODY = 65534;

/** Runs the program without a terminal, as a script does. */
function run(args: readonly string[], env: Record<string, string> = {}, uid?: number): Outcome {
  ensureBuilt();
  const { status, stdout, stderr } = spawnSync(process.execPath, [IOHEAT, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: '/nonexistent', LANG: 'C.UTF-8', TZ: 'UTC', ...env },
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  return { status, stdout, stderr };
}

function lines(text: string): string[] {
  expect(text.endsWith('\n')).toBe(true);
  return text.slice(0, -1).split('\n');
}

const SGR = /\x1b\[[\d;]*m/g;
const ONCE = ['demo', '--once', '--duration', '300ms'];

describe('--once', () => {
  test.each([
    [80, 24],
    [40, 12],
    [200, 50],
    [63, 31],
  ])('writes a frame of %i columns and %i rows', (columns, rows) => {
    const { status, stdout, stderr } = run([
      ...ONCE,
      '--columns',
      `${columns}`,
      '--rows',
      `${rows}`,
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const frame = lines(stdout);
    expect(frame).toHaveLength(rows);
    const widths = frame.map((line) => line.length);
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns);
    // The clock and the figures of the last line stand one column from the edge.
    expect([widths[0], widths.at(-1)]).toEqual([columns - 1, columns - 1]);
  });

  test('writes 80 by 24 to a pipe', () => {
    const frame = lines(run(ONCE).stdout);
    expect(frame).toHaveLength(24);
    expect(frame[0]).toMatch(/^ ioheat {2}demo {3}DEVICE LATENCY /);
    expect(frame.at(-1)).toMatch(/ lost 0$/);
  });

  test('writes no escape sequences to a pipe, and no blanks at the ends of lines', () => {
    const { stdout } = run(ONCE);
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(stdout).not.toMatch(/ $/m);
  });

  test('with --color always writes colours, and each line gives back the default ones', () => {
    const frame = lines(run([...ONCE, '--color', 'always']).stdout);
    expect(frame.join('')).toMatch(/\x1b\[[\d;]*48;5;\d+[\d;]*m/);
    expect(frame.join('').replace(SGR, '')).not.toContain('\x1b');
    const lastOfLine = frame.flatMap((line) => line.match(SGR)?.at(-1) ?? []);
    expect(new Set(lastOfLine)).toEqual(new Set(['\x1b[m']));
  });

  test('with LANG=C, writes nothing but ASCII', () => {
    expect(run(ONCE, { LANG: 'C' }).stdout).toMatch(/^[\n\x20-\x7e]+$/);
  });

  test('--verbose adds the counters on standard error', () => {
    const { stdout, stderr } = run([...ONCE, '--verbose']);
    expect(lines(stdout)).toHaveLength(24);
    expect(stderr).toMatch(/delivered \d+, counted without detail 0, lost 0\n/);
  });

  test('on a terminal leaves the last line to the prompt', async () => {
    const session = bash(`$IOHEAT ${ONCE.join(' ')}; read`, { columns: 100, rows: 30 });
    await session.waitFor(/ lost 0$/);
    expect(session.screen()[0]).toContain('DEVICE LATENCY');
    expect(session.screen()[28]).toMatch(/ lost 0$/);
    expect(session.screen()[29]).toBe('');
  });
});

describe('a reader that has seen enough is no failure', () => {
  test.each([ONCE.join(' '), '--help', '--version', 'doctor'])('%s', async (args) => {
    const session = bash(`$IOHEAT ${args} | true; echo "status=\${PIPESTATUS[0]}"; echo end; read`);
    await session.waitFor('end');
    expect(session.screen().slice(0, 2)).toEqual(['status=0', 'end']);
  });
});

test('a disk that is full is told in one sentence', async () => {
  const session = bash(`$IOHEAT ${ONCE.join(' ')} > /dev/full; echo "status=$?"; read`);
  await session.waitFor('status=');
  expect(session.screen().slice(0, 2)).toEqual([
    expect.stringMatching(/^ioheat: cannot write the output: .*no space left on device/),
    'status=1',
  ]);
});

describe('a usage error is told in one line and ends with 2', () => {
  test.each([
    [['--nonsense'], 'nonsense'],
    [['nonsense'], 'nonsense'],
    [['demo', 'nonsense'], 'nonsense'],
    [['--interval', '3x'], '3x'],
    [['--interval', '1h'], '--interval'],
    [['--metric', 'speed'], 'speed'],
    [['--history', '1'], '--history'],
    [['--ring', '100000'], '--ring'],
    [['--pid', '-1'], '-1'],
    [['--columns', '0'], '--columns'],
    [['demo', '--rate', '0'], '--rate'],
    [['demo', '--disk', 'nvme9n9', '--once'], 'nvme9n9'],
    [['--disk', 'nvme9n9', '--once'], 'nvme9n9'],
    [['demo', '--ring', '1M'], 'ring'],
  ])('%j', (args, word) => {
    const { status, stdout, stderr } = run(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^ioheat: [^\n]+\n$/);
    expect(stderr).toContain(word);
  });

  test('an argument cannot smuggle an escape sequence onto the terminal', () => {
    for (const args of [['\x1b]0;x\x07'], ['demo', '--disk', '\x9b31m'], ['--interval', '\x1b[2J']])
      expect(run(args).stderr).toMatch(/^[\x20-\x7e\n]+$/);
  });
});

describe('a monitor that cannot be drawn ends with 2 and says why', () => {
  const HINT = 'use --once for a frame as text';

  test.each(['demo', 'live'])('%s: the output is no terminal', (command) => {
    const { status, stdout, stderr } = run([command], { TERM: 'xterm' });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toBe(`ioheat: cannot draw the monitor: the output is not a terminal; ${HINT}\n`);
  });

  test('the input is no terminal', async () => {
    const session = bash(`$IOHEAT demo </dev/null; echo "status=$?"; read`, { columns: 120 });
    await session.waitFor('status=');
    expect(session.screen().slice(0, 2)).toEqual([
      `ioheat: cannot draw the monitor: the input is not a terminal; ${HINT}`,
      'status=2',
    ]);
  });

  test.each(['TERM=dumb', 'unset TERM'])('%s', async (setting) => {
    const session = bash(`${setting}; $IOHEAT demo; echo "status=$?"; read`, { columns: 120 });
    await session.waitFor('status=');
    expect(session.screen().join('\n')).toContain('the terminal cannot move its cursor');
    expect(session.shows('status=2')).toBe(true);
    expect(session.output).not.toContain('\x1b');
  });
});

describe('started without the right to trace', () => {
  test('ends with 3 and the command to type instead', () => {
    const { status, stdout, stderr } = run(['--once', '--metric', 'size'], {}, NOBODY);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toMatch(/^ioheat: ioheat may not trace the kernel: [^\n]+\n$/);
    const command = `${COMMAND.replaceAll("'", '')} --once --metric size`;
    expect(stderr).toMatch(new RegExp(`run: (sudo|su -c) '?${command}'?\\n$`));
  });

  test('a demonstration needs no right', () => {
    expect(run(ONCE, {}, NOBODY)).toMatchObject({ status: 0, stderr: '' });
  });
});

test('--version and --help write to standard output and end with 0', () => {
  expect(run(['--version'])).toMatchObject({ status: 0, stderr: '' });
  const help = run(['--help']);
  expect(help).toMatchObject({ status: 0, stderr: '' });
  const [, commands] = /^ioheat \[([a-z|]+)\] \[options\]\n/.exec(help.stdout)!;
  expect(commands).toMatch(/^live\|demo\|/);
  for (const command of commands!.split('|'))
    expect(help.stdout).toMatch(new RegExp(`^ {2}ioheat ${command}\\b`, 'm'));
  expect(Math.max(...lines(help.stdout).map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('doctor says that this machine can be traced', () => {
  const { status, stdout } = run(['doctor']);
  expect(status).toBe(process.getuid?.() === 0 ? 0 : 3);
  expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  const report = run(['doctor', '--json']);
  expect(JSON.parse(report.stdout)).toBeTypeOf('object');
});
