import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { DEFAULT_COLOR } from '../../src/base/cell-block.ts';
import { parseThreadRights } from '../../src/kernel/privilege/capabilities.ts';
import type { ThreadRights } from '../../src/kernel/privilege/capabilities.ts';
import { needs } from '../needs.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { runSync } from '../load/sync-load.ts';
import type { PtySession } from './pty.ts';
import { childOf } from './support/processes.ts';
import { RenamedDd } from './support/renamed-dd.ts';
import { isWhole } from './support/screens.ts';
import { BACKGROUND_QUESTION } from '../../src/terminal/background.ts';
import { STATUS_QUESTION } from '../../src/terminal/link.ts';
import { useSessions } from './support/sessions.ts';

const { ioheat, bash } = useSessions();

const MIB = 1 << 20;

let disk: LoopDevice | undefined;
let programs: RenamedDd | undefined;

afterEach(() => {
  programs?.dispose();
  disk?.dispose();
  [programs, disk] = [undefined, undefined];
});

async function startLive(args: readonly string[] = []): Promise<PtySession> {
  const session = ioheat(args, { columns: 160, rows: 64 });
  await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
  expect(session.screen()[0]).toMatch(/ LIVE {2}\d\d:\d\d:\d\d$/);
  return session;
}

function readOnce(device: LoopDevice): void {
  const reads = Array.from({ length: 100 }, (_, i) => ({
    kind: 'read' as const,
    offset: i * 4096,
    bytes: 4096,
  }));
  runSync(device, reads);
}

describe('names of processes', needs('tracing'), () => {
  /** What has been done to other monitors, and what this one's own machinery might trip over. */
  const NAMES: readonly (readonly [name: string, bytes: Uint8Array, shown: RegExp])[] = [
    ['title', Buffer.from('\x1b]0;owned\x07'), /\?\]0;owned\?/],
    ['colour', Buffer.from('\x1b[31mred'), /\?\[31mred/],
    ['C1 alone', Buffer.from('\x9b32mgreen', 'latin1'), /\\23332mgreen/],
    ['C1 in UTF-8', Buffer.from('\u009b33myellow'), /\?33myellow/],
    ['device control', Buffer.from('\x1bP+q544e\x1b\\'), /\?P\+q544e\?\\/],
    ['line breaks', Buffer.from('a\r\n\tb\x08\x7fc'), /a\?\? b\?\?c/],
    ['from right to left', Buffer.from('\u202egnp.exe'), /\?gnp\.exe/],
    ['no width', Buffer.from('zero\u200bwidth'), /zero\?width/],
    ['two columns', Buffer.from('世界wide'), /\?\?wide/],
    ['a combined letter', Buffer.from('cafe\u0301'), /café/],
    ['private use', Buffer.from('\ue000\ue001mark'), /\?\?mark/],
    ['no UTF-8', Buffer.from('bad\xff\xfeutf', 'latin1'), /bad\\377\\376utf/],
    ['half a letter at the end', Buffer.from('fifteen bytes世'), /fifteen bytes/],
    ['markup', Buffer.from('{red-fg}x{'), /\{red-fg\}x\{/],
  ];

  beforeEach(() => {
    disk = LoopDevice.create({ bytes: 4 * MIB });
    programs = new RenamedDd(NAMES.map(([, bytes]) => bytes));
  });

  /** Sequences that move, colour, clear and shift: all that the program ever has to say. */
  const OWN_SEQUENCES = /\x1b\[\??[\d;]*[ABCDGHJKPXdhlmr@]|[\r\n\b]/g;

  test('hostile process names do nothing to the terminal, and are readable', async () => {
    const session = await startLive(['--disk', disk!.name]);
    await programs!.read(disk!.path, 50);
    for (const [, , shown] of NAMES) await session.waitFor(shown);
    await session.waitUntil(() => isWhole(session), 'waiting for a whole frame');
    const said = session.output
      .replace(BACKGROUND_QUESTION, '')
      .replaceAll(STATUS_QUESTION, '')
      .replace(OWN_SEQUENCES, '');
    expect(said).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    expectOneStyle(session);
    session.type('q');
    expect(await session.exit).toEqual({ code: 0, signal: undefined });
  });

  /** Every cell of every name is drawn like the figures next to it, and the columns stay in line. */
  function expectOneStyle(session: PtySession): void {
    const { width, glyph, fg, bg, attr } = session.cells();
    const rows = session.screen().flatMap((row, y) => (row.includes(` ${disk!.name} `) ? [y] : []));
    const ends = rows.map((y) => session.screen()[y]!.indexOf(` ${disk!.name} `));
    // The last one is the disk's own row.
    expect(rows.length).toBeGreaterThanOrEqual(NAMES.length);
    expect(new Set(ends.slice(0, NAMES.length)).size).toBe(1);
    for (const y of rows.slice(0, NAMES.length)) {
      const cells = Array.from({ length: ends[0]! }, (_, x) => y * width + x);
      const styles = cells
        .filter((i) => glyph[i] !== 0x20)
        .map((i) => `${fg[i]!} ${bg[i]!} ${attr[i]!}`);
      expect(new Set(styles)).toEqual(new Set([`${DEFAULT_COLOR} ${DEFAULT_COLOR} 0`]));
    }
  }

  test('hostile process names are harmless in the text of --once', async () => {
    const args = `--once --duration 2s --disk ${disk!.name} --rows 60 --columns 120`;
    const session = bash(`$IOHEAT ${args} > frame & wait; cat frame; read`, {
      columns: 120,
      rows: 62,
      cwd: programs!.scratch,
    });
    await hasGivenUpItsRights(session);
    await programs!.read(disk!.path, 50);
    await session.waitFor(/ lost /);
    for (const [, , shown] of NAMES) expect(session.screen().join('\n')).toMatch(shown);
    expect(session.output).not.toMatch(/[\x00-\x09\x0b\x0c\x0e-\x1f\x7f-\x9f]/);
  });

  /** From then on it has been tracing for a moment. */
  function hasGivenUpItsRights(session: PtySession): Promise<void> {
    return vi.waitFor(
      () => {
        const status = readFileSync(`/proc/${childOf(session.pid)}/status`, 'utf8');
        expect(parseThreadRights(status)).toMatchObject({ effective: 0n, noNewPrivs: true });
      },
      { timeout: 15_000, interval: 10 },
    );
  }
});

describe('disks that come and go', needs('tracing'), () => {
  test('a disk that is attached while ioheat runs is known by its name', async () => {
    const session = await startLive();
    disk = LoopDevice.create({ bytes: 4 * MIB });
    readOnce(disk);
    const { name } = disk;
    await session.waitFor((screen) => {
      const rows = screen.map((row) => row.split('│')).filter((row) => row.length === 2);
      const isAmong = (table: number): boolean =>
        rows.some((row) => row[table]!.includes(` ${name} `));
      return isAmong(0) && isAmong(1);
    });
  });

  test('a disk that has been detached keeps its name, and ioheat continues', async () => {
    const session = await startLive();
    const gone = LoopDevice.create({ bytes: 4 * MIB });
    const { name } = gone;
    try {
      readOnce(gone);
    } finally {
      gone.dispose();
    }
    await session.waitFor(new RegExp(`\\d .+ (${name}|7:\\d+) `));
    disk = LoopDevice.create({ bytes: 8 * MIB });
    readOnce(disk);
    session.type('4');
    await session.waitFor('OFFSET');
  });
});

describe('rights', needs('tracing'), () => {
  function rightsOfThreads(pid: number): ThreadRights[] {
    return readdirSync(`/proc/${pid}/task`).map((tid) => {
      const status = readFileSync(`/proc/${pid}/task/${tid}/status`, 'utf8');
      return parseThreadRights(status)!;
    });
  }

  const UNPRIVILEGED = { effective: 0n, permitted: 0n, inheritable: 0n, ambient: 0n };

  test('started by root, no thread of the running program has privileges left', async () => {
    const session = await startLive();
    const threads = rightsOfThreads(session.pid);
    expect(threads.length).toBeGreaterThan(4);
    for (const rights of threads)
      expect(rights).toMatchObject({ ...UNPRIVILEGED, noNewPrivs: true, uids: [0, 0, 0, 0] });
  });

  test('started by sudo, every thread is the user who typed it', async () => {
    const env = { SUDO_UID: '65534', SUDO_GID: '65534', SUDO_USER: 'nobody' };
    disk = LoopDevice.create({ bytes: 4 * MIB });
    const session = ioheat(['--disk', disk.name], { env });
    await session.waitUntil(() => isWhole(session), 'waiting for the first frame');
    const ids = Array.from({ length: 4 }, () => 65534);
    for (const rights of rightsOfThreads(session.pid))
      expect(rights).toMatchObject({ ...UNPRIVILEGED, noNewPrivs: true, uids: ids, gids: ids });
    readOnce(disk);
    await session.waitFor(new RegExp(`\\d .+ ${disk.name} `));
    session.type('q');
    expect(await session.exit).toEqual({ code: 0, signal: undefined });
  });

  test('while it attaches, the terminal says so; nothing of that remains', async () => {
    const session = await startLive();
    expect(session.output).toContain('ioheat: attaching to the kernel\x1b[K\r\x1b[K');
    session.type('q');
    await session.exit;
    expect(session.screen().join('')).toBe('');
  });

  test('with --stay-root, privileges are kept', async () => {
    const session = await startLive(['--stay-root']);
    const own = parseThreadRights(readFileSync('/proc/self/status', 'utf8'))!;
    for (const { effective, uids } of rightsOfThreads(session.pid))
      expect({ effective, uids }).toEqual({ effective: own.effective, uids: own.uids });
  });
});
