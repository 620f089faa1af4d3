import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../src/app/options/command-names.ts';
import { DEFAULT_COLOR } from '../../src/base/cell-block.ts';
import { parseAnsi } from '../../src/terminal/parse-ansi.ts';
import { canTraceHere } from '../needs.ts';
import { recordedBytes } from '../trace/replay/recording-file.ts';
import { ensureBuilt, IOHEAT } from './build.ts';
import { COMMAND, useSessions } from './support/sessions.ts';

const { bash } = useSessions();

interface Outcome {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A user without rights: this one, unless it is root. */
const NOBODY = process.geteuid?.() === 0 ? 65534 : undefined;

/** What `doctor` ends with here. */
const DOCTOR_STATUS = canTraceHere() ? 0 : 3;

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
  ])('--once prints a frame of %i columns and %i rows', (columns, rows) => {
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

  test('--once prints 80 by 24 to a pipe', () => {
    const frame = lines(run(ONCE).stdout);
    expect(frame).toHaveLength(24);
    expect(frame[0]).toMatch(/^ ioheat {2}demo {3}TOTAL LATENCY /);
    expect(frame.at(-1)).toMatch(/ lost 0$/);
  });

  test('--once names no keys, which nobody can press there', () => {
    expect(lines(run(ONCE).stdout).at(-1)).toMatch(/^ +pic 100% det 100% lost 0$/);
  });

  test('--once prints no escape sequences to a pipe, and no blanks at the ends of lines', () => {
    const { stdout } = run(ONCE);
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
    expect(stdout).not.toMatch(/ $/m);
  });

  test('--once --color always prints colours, and each line ends with the default ones', () => {
    const frame = lines(run([...ONCE, '--color', 'always']).stdout);
    expect(frame.join('')).toMatch(/\x1b\[[\d;]*48;5;\d+[\d;]*m/);
    expect(frame.join('').replace(SGR, '')).not.toContain('\x1b');
    for (const line of frame) {
      const { fg, bg, attr } = parseAnsi(`${line}.`, 200, 1);
      const after = line.replace(SGR, '').length;
      expect([fg[after], bg[after], attr[after]]).toEqual([DEFAULT_COLOR, DEFAULT_COLOR, 0]);
    }
  });

  test('--once with LANG=C prints only ASCII', () => {
    expect(run(ONCE, { LANG: 'C' }).stdout).toMatch(/^[\n\x20-\x7e]+$/);
  });

  test('--once --verbose prints the counters on standard error', () => {
    const { stdout, stderr } = run([...ONCE, '--verbose']);
    expect(lines(stdout)).toHaveLength(24);
    expect(stderr).toMatch(/delivered \d+, aggregated 0, lost 0\n/);
  });

  test('--once on a terminal whose size nobody knows prints 80 by 23', async () => {
    const session = bash(`stty rows 0 columns 0; $IOHEAT ${ONCE.join(' ')}; read`);
    await session.waitFor(/ lost 0$/);
    expect(session.screen()[0]).toMatch(/^ ioheat {2}demo {3}TOTAL LATENCY /);
    expect(session.screen()[22]).toMatch(/ lost 0$/);
  });

  test('--once on a terminal leaves the last line to the prompt', async () => {
    const session = bash(`$IOHEAT ${ONCE.join(' ')}; read`, { columns: 100, rows: 30 });
    await session.waitFor(/ lost 0$/);
    expect(session.screen()[0]).toContain('TOTAL LATENCY');
    expect(session.screen()[28]).toMatch(/ lost 0$/);
    expect(session.screen()[29]).toBe('');
  });
});

describe('a reader that has seen enough is no failure', () => {
  test.each([
    [ONCE.join(' '), 0],
    ['--help', 0],
    ['--version', 0],
    ['doctor', DOCTOR_STATUS],
  ])('a reader that closes the pipe is not an error: ioheat %s', async (args, status) => {
    const session = bash(`$IOHEAT ${args} | true; echo "status=\${PIPESTATUS[0]}"; echo end; read`);
    await session.waitFor('end');
    expect(session.screen().slice(0, 2)).toEqual([`status=${status}`, 'end']);
  });
});

test('a full disk is reported in one sentence', async () => {
  const session = bash(`$IOHEAT ${ONCE.join(' ')} > /dev/full; echo "status=$?"; read`);
  await session.waitFor('status=');
  expect(session.screen().slice(0, 2)).toEqual([
    'ioheat: cannot write the output: no space left on device',
    'status=1',
  ]);
});

describe('a usage error prints one line and exits with 2', () => {
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
  ])('a usage error exits with 2 and one line: %j', (args, word) => {
    const { status, stdout, stderr } = run(args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^ioheat: [^\n]+\n$/);
    expect(stderr).toContain(word);
  });

  test('an argument cannot bring an escape sequence onto the terminal', () => {
    for (const args of [['\x1b]0;x\x07'], ['demo', '--disk', '\x9b31m'], ['--interval', '\x1b[2J']])
      expect(run(args).stderr).toMatch(/^[\x20-\x7e\n]+$/);
  });
});

test('without UTF-8 in the locale, reports, errors and frames are ASCII', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ioheat-ascii-'));
  const file = join(folder, 'io.ioheat');
  writeFileSync(file, await recordedBytes({ name: 'mixed', seconds: 2 }));
  const env = { LANG: 'C' };
  const report = run(['report', file], env);
  const frame = run([...ONCE, '--columns', '80', '--rows', '24'], env);
  const error = run(['x'.repeat(100)], env);
  rmSync(folder, { recursive: true });
  expect(report.stdout).toMatch(/ \d+us /);
  expect(error.stderr).toContain('xxx...": it is not one of');
  for (const text of [report.stdout, frame.stdout, error.stderr])
    expect(text).toMatch(/^[\x20-\x7e\n]+$/);
});

describe('the name of the program in front of an error', () => {
  test('the name of the program in front of an error is red on a terminal', async () => {
    const session = bash(`$IOHEAT replay /nonexistent/io.ioheat; read`, { columns: 120 });
    await session.waitFor('ioheat: cannot open /nonexistent/io.ioheat: no such file');
    const { fg, width } = session.cells();
    const y = session.screen().findIndex((line) => line.startsWith('ioheat:'));
    const start = y * width;
    expect([...fg.subarray(start, start + 9)]).toEqual([1, 1, 1, 1, 1, 1, 1, -1, -1]);
  });

  test('the name of the program in front of an error is plain with NO_COLOR, and in a pipe also with FORCE_COLOR', async () => {
    const session = bash(`$IOHEAT replay /nonexistent/io.ioheat; read`, {
      columns: 120,
      env: { NO_COLOR: '1' },
    });
    await session.waitFor('ioheat: cannot open /nonexistent/io.ioheat: no such file');
    expect(session.output).not.toContain('\x1b[31m');
    const { stderr } = run(['replay', '/nonexistent/io.ioheat'], {
      TERM: 'xterm',
      FORCE_COLOR: '1',
    });
    expect(stderr).toMatch(/^ioheat: cannot open/);
  });
});

describe('a monitor that cannot be drawn ends with 2 and says why', () => {
  const HINT = 'use --once for a frame as text';

  test.each(['demo', 'live'])(
    'a monitor whose output is not a terminal exits with 2 and says why: %s',
    (command) => {
      const { status, stdout, stderr } = run([command], { TERM: 'xterm' });
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toBe(
        `ioheat: cannot draw the monitor: the output is not a terminal; ${HINT}\n`,
      );
    },
  );

  test('a file that cannot be replayed is named before the terminal', () => {
    const { status, stdout, stderr } = run(['replay', '/nonexistent/io.ioheat']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe('ioheat: cannot open /nonexistent/io.ioheat: no such file\n');
  });

  test('a monitor whose input is not a terminal exits with 2 and says why', async () => {
    const session = bash(`$IOHEAT demo </dev/null; echo "status=$?"; read`, { columns: 120 });
    await session.waitFor('status=');
    expect(session.screen().slice(0, 2)).toEqual([
      `ioheat: cannot draw the monitor: the input is not a terminal; ${HINT}`,
      'status=2',
    ]);
  });

  test.each(['TERM=dumb', 'unset TERM'])(
    'a monitor on an unsuitable terminal exits with 2 and says why: %s',
    async (setting) => {
      const session = bash(`${setting}; $IOHEAT demo; echo "status=$?"; read`, { columns: 120 });
      await session.waitFor('status=');
      expect(session.screen().join('\n')).toContain('the terminal cannot move its cursor');
      expect(session.shows('status=2')).toBe(true);
      expect(session.output).not.toContain('\x1b');
    },
  );
});

describe('started without the right to trace', () => {
  test('without the right to trace, ioheat exits with 3 and the command to type', () => {
    const { status, stdout, stderr } = run(['--once', '--metric', 'size'], {}, NOBODY);
    expect({ status, stdout }).toEqual({ status: 3, stdout: '' });
    expect(stderr).toMatch(/^ioheat: not permitted to trace the kernel: [^\n]+\n$/);
    const command = `${COMMAND.replaceAll("'", '')} --once --metric size`;
    expect(stderr).toMatch(new RegExp(`run: (sudo|su -c) '?${command}'?\\n$`));
  });

  test('a demo needs no rights', () => {
    expect(run(ONCE, {}, NOBODY)).toMatchObject({ status: 0, stderr: '' });
  });
});

test('--version and --help write to standard output and end with 0', () => {
  expect(run(['--version'])).toMatchObject({ status: 0, stderr: '' });
  const help = run(['--help']);
  expect(help).toMatchObject({ status: 0, stderr: '' });
  for (const command of COMMANDS)
    expect(help.stdout).toMatch(new RegExp(`^ {2}ioheat ${command}\\b`, 'm'));
  expect(Math.max(...lines(help.stdout).map((line) => line.length))).toBeLessThanOrEqual(80);
});

test('ioheat help COMMAND prints the page of the command', () => {
  for (const command of COMMANDS) expect(run(['help', command])).toEqual(run([command, '--help']));
  expect(run(['help'])).toEqual(run(['--help']));
  expect(run(['help', 'reprot'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('did you mean ioheat report?') as string,
  });
});

test('doctor says that this machine can trace', () => {
  const { status, stdout } = run(['doctor']);
  expect(status).toBe(DOCTOR_STATUS);
  expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/);
  const report = run(['doctor', '--json']);
  expect(JSON.parse(report.stdout)).toBeTypeOf('object');
});
