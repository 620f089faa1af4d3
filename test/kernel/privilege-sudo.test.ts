import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, test } from 'vitest';
import { COMMANDS } from '../../src/app/options/command-names.ts';
import { PRIVILEGE_TABLE } from '../../src/app/privilege/privilege-table.ts';
import { parseThreadRights } from '../../src/kernel/privilege/capabilities.ts';
import { startPty } from '../e2e/pty.ts';
import type { PtySession } from '../e2e/pty.ts';
import { childOf } from '../e2e/support/processes.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { needs } from '../needs.ts';
import { READ_TRIALS, STARTS, WRITE_TRIALS } from './fixtures/privilege-trials.ts';
import type { Places, WriteTrial } from './fixtures/privilege-trials.ts';
import { SudoUser } from './fixtures/sudo-user.ts';

const MIB = 1 << 20;
const CLEAR_LINE = '\x15';
const DOCUMENT = 'docs/threat-model.md';
const DENIED = /permission denied|EACCES/i;

describe('a user whose sudoers rule allows ioheat and nothing else', needs('tracing'), () => {
  let user: SudoUser;
  let disk: LoopDevice;
  let places: Places;
  const sessions: PtySession[] = [];

  beforeAll(() => {
    user = new SudoUser();
    const at = (name: string): string => join(user.folder, name);
    disk = LoopDevice.create({ bytes: 4 * MIB });
    places = {
      closed: at('closed'),
      home: user.home,
      secret: at('secret.ioheat'),
      open: at('open.ioheat'),
      disk: disk.path,
    };
    const pattern = ['record', places.open, '--source', 'demo', '--duration', '500ms'];
    execFileSync(process.execPath, [user.program, ...pattern], { stdio: 'ignore' });
    execFileSync('cp', [places.open, places.secret]);
    chmodSync(places.open, 0o644);
    chmodSync(places.secret, 0o600);
  });

  afterAll(() => {
    disk.dispose();
    user.dispose();
  });

  beforeEach(() => {
    rmSync(places.closed, { recursive: true, force: true });
    mkdirSync(places.closed, { mode: 0o755 });
  });

  afterEach(async () => {
    await Promise.all(sessions.splice(0).map((session) => session.dispose()));
  });

  function inTerminal(args: readonly string[]): PtySession {
    const { uid, gid } = user;
    const session = startPty('sudo', ['-n', ...user.command(args)], {
      ...{ columns: 200, rows: 40, cwd: user.home, uid, gid },
      env: { HOME: user.home },
    });
    sessions.push(session);
    return session;
  }

  /** What became of the files whose name begins like this one's. */
  function whose(file: string, before: string | undefined): string {
    const stem = basename(file).split('.')[0]!;
    const found = readdirSync(dirname(file)).filter((name) => name.startsWith(stem));
    const [name] = found;
    if (name === undefined) return 'refused';
    const { uid } = statSync(join(dirname(file), name));
    if (uid === user.uid) return "the user's file";
    return before !== undefined && readFileSync(file, 'utf8') === before
      ? 'refused'
      : "root's file";
  }

  async function runTrial(trial: WriteTrial, file: string): Promise<string> {
    const args = trial.args(file, places);
    if (trial.keys === undefined) {
      const { stderr } = user.sudo(args);
      return stderr;
    }
    const session = inTerminal(args);
    if (trial.keys !== '') {
      await session.waitFor(/TOTAL LATENCY/);
      session.type(`${trial.keys}${CLEAR_LINE}${file}\r`);
    }
    await session.waitFor(/EACCES|permission denied|REC \S|wrote|written|saved|exported/i);
    if (session.shows(DENIED)) return session.screen().join('\n');
    session.type('q');
    await session.exit;
    return '';
  }

  const rows: string[] = [];

  test.each(WRITE_TRIALS)(
    'under a sudoers rule, $command $tried writes as the user',
    async (trial) => {
      const outcomes: string[] = [];
      for (const [index, folder] of [places.closed, user.home].entries()) {
        const file = join(folder, `t${WRITE_TRIALS.indexOf(trial)}.${trial.extension}`);
        const isOld = trial.extension.startsWith('old') && index === 0;
        if (isOld) writeFileSync(file, 'of root\n', { mode: 0o644 });
        const told = await runTrial(trial, file);
        const outcome = whose(file, isOld ? 'of root\n' : undefined);
        if (outcome === 'refused') expect(told).toMatch(DENIED);
        outcomes.push(outcome);
      }
      rows.push(line([`\`${trial.command}\` ${trial.tried}`, ...outcomes]));
      expect(outcomes).toEqual(['refused', "the user's file"]);
    },
  );

  test.each(READ_TRIALS)('under a sudoers rule, $command $tried reads as the user', (trial) => {
    const { command, tried } = trial;
    const { status, stdout, stderr } = user.sudo(trial.args(places.secret));
    rows.push(line([`\`${command}\` ${tried}, a file that only root may read`, 'refused', '–']));
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(DENIED);
  });

  it('under a sudoers rule, options before the command or similar names give no file of root', () => {
    for (const args of [
      ['--verbose', 'report', places.secret],
      ['--once', 'replay', places.secret],
      ['--source', 'demo', 'record', join(places.closed, 'a')],
      ['record', join(places.closed, 'b'), '--source=demo', '--stay-root'],
      ['live', '--', 'export', places.secret],
      ['export', places.secret, '--format', 'csv', '--', 'live'],
      ['help or version', places.secret],
    ]) {
      const { status, stdout } = user.sudo(args);
      expect({ args, status: status === 0 ? 0 : 'failed', stdout }).toEqual({
        ...{ args, status: 'failed', stdout: '' },
      });
    }
    expect(readdirSync(places.closed)).toEqual([]);
  });

  it("under a sudoers rule, settings are saved in the user's home", async () => {
    const session = inTerminal(['demo']);
    await session.waitFor(/TOTAL LATENCY/);
    session.type('W');
    await session.waitFor('settings saved to');
    const { uid } = statSync(join(user.home, '.config/ioheat/settings.json'));
    rows.push(line(['every screen, key `W`', '–', "the user's file"]));
    expect(uid).toBe(user.uid);
  });

  it('with --stay-root, files belong to root', () => {
    const file = join(places.closed, 'kept.ioheat');
    const { status } = user.sudo(['record', file, '--stay-root', '--duration', '300ms']);
    rows.push(line(['`record` `FILE --stay-root`', "root's file", '–']));
    expect(status).toBe(0);
    expect(statSync(file)).toMatchObject({ uid: 0, gid: 0, mode: 0o100600 });
  });

  it('the sudoers rule in the documents does not allow --stay-root', () => {
    const [, also = ''] = /\/bin\/ioheat(, !.*stay-root.*)$/m.exec(
      readFileSync(DOCUMENT, 'utf8'),
    ) ?? [''];
    expect(also).not.toBe('');
    user.allow(also.replaceAll(/!\S+/g, `!${user.program}`));
    try {
      for (const option of ['--stay-root', '--stay-root=true']) {
        const args = ['record', join(places.closed, 'kept'), option, '--duration', '300ms'];
        expect(user.sudo(args).stderr).toMatch(/^Sorry, user \S+ is not allowed/);
      }
      expect(user.sudo(['live', '--once', '--duration', '300ms']).status).toBe(0);
      expect(user.sudo([]).stderr).toMatch(/^ioheat: cannot draw the monitor/);
    } finally {
      user.allow('');
    }
    expect(readdirSync(places.closed)).toEqual([]);
  });

  it('under a sudoers rule, paint reads a disk, and writes only where nothing is', () => {
    for (const op of ['read', 'write']) {
      const args = ['paint', 'I', '--interval', '100ms', '--target', disk.path, '--op', op];
      expect(user.sudo(args)).toMatchObject({ status: 0 });
      rows.push(line([`\`paint\` \`--op ${op}\`, an unused disk`, 'the disk alone', '–']));
    }
  });

  it('under a sudoers rule, no option of paint writes over data on a disk', () => {
    const marked = Buffer.alloc(4 * MIB, 0x5a);
    writeFileSync(disk.path, marked);
    for (const option of [[], ['--overwrite']]) {
      const args = ['paint', 'I', '--target', disk.path, '--op', 'write', ...option];
      const { status, stderr } = user.sudo(args);
      expect(status).toBe(1);
      expect(stderr).toMatch(option.length === 0 ? /holds data at byte/ : DENIED);
    }
    rows.push(line(['`paint` `--op write --overwrite`, an unused disk', 'refused', '–']));
    expect(readFileSync(disk.path).equals(marked)).toBe(true);
  });

  it('under a sudoers rule, paint uses a file of the user, and creates none where only root may', () => {
    const outcomes = [places.closed, user.home].map((folder) => {
      const file = join(folder, 'target');
      const args = ['paint', 'I', '--interval', '100ms', '--target', file, '--size', '1M'];
      const { status, stderr } = user.sudo(args);
      expect(existsSync(file)).toBe(false);
      return status === 0 ? "the user's file" : DENIED.test(stderr) ? 'refused' : stderr;
    });
    rows.push(line(['`paint` `--target FILE --size 1M`', ...outcomes]));
    expect(outcomes).toEqual(['refused', "the user's file"]);
  });

  it("under a sudoers rule, the user cannot take the disk's descriptor from the process that paints", async () => {
    const session = inTerminal(['paint', 'IOHEAT', '--interval', '1s', '--target', disk.path]);
    await session.waitFor('painting');
    const pid = paintingProcess(session);
    for (const tid of readdirSync(`/proc/${pid}/task`)) {
      const { uid } = user;
      const rights = parseThreadRights(readFileSync(`/proc/${pid}/task/${tid}/status`, 'utf8'));
      expect(rights).toMatchObject({ uids: [uid, uid, uid, uid], permitted: 0n, effective: 0n });
    }
    process.kill(pid, 'SIGUSR1');
    const script = `ls /proc/${pid}/fd; strace -p ${pid}; cat /proc/${pid}/mem`;
    const tried = spawn('/bin/sh', ['-c', script], { uid: user.uid, gid: user.gid });
    const told: Buffer[] = [];
    tried.stderr.on('data', (chunk: Buffer) => told.push(chunk));
    await new Promise((resolve) => tried.once('close', resolve));
    const refusals = Buffer.concat(told)
      .toString()
      .match(/not permitted|permission denied/gi);
    expect(refusals).toHaveLength(3);
    // A debugger would have been there by the time that the next column is painted.
    await session.waitFor('##');
    expect(listening(pid)).toEqual([]);
  });

  it('the documents have each outcome under a sudoers rule', () => {
    const table = [
      line(['Tried, under sudo', 'Where only root may', "In the user's home"]),
      line(['---', '---', '---']),
      ...rows,
    ].join('\n');
    const text = readFileSync(DOCUMENT, 'utf8');
    const [from, to] = [
      text.indexOf('<!-- privileges -->\n'),
      text.indexOf('\n<!-- /privileges -->'),
    ];
    const start = from + '<!-- privileges -->\n'.length;
    if (process.env['WRITE_PRIVILEGE_TABLE'] !== undefined)
      writeFileSync(DOCUMENT, text.slice(0, start) + table + text.slice(to));
    expect(text.slice(start, to)).toBe(table);
  });

  /** What a process opens before it drops its privileges, and whether it drops them. */
  function traceStart(args: readonly string[], cwd: string) {
    const log = join(user.folder, 'strace.log');
    const calls = 'trace=openat,open,openat2,creat,execve,setresuid';
    const { uid, gid } = user;
    const env = { ...process.env, SUDO_UID: `${uid}`, SUDO_GID: `${gid}`, SUDO_USER: user.name };
    const command = ['-f', '-y', '-e', calls, '-o', log, process.execPath, user.program, ...args];
    const child = spawn('strace', command, { cwd, env, stdio: 'ignore' });
    return new Promise<{ opened: string[]; drops: boolean }>((resolve) => {
      child.once('close', () => {
        const lines = readFileSync(log, 'utf8').split('\n');
        const drop = lines.findIndex((one) => one.includes(`setresuid(${uid}, ${uid}, ${uid}`));
        const privileged = drop < 0 ? lines : lines.slice(0, drop);
        resolve({ drops: drop >= 0, opened: privileged.flatMap((one) => openedPath(one) ?? []) });
      });
    });
  }

  test.each(COMMANDS)(
    '%s opens nothing with privileges that the user named or has next to it',
    async (command) => {
      const cwd = join(user.home, 'here');
      mkdirSync(cwd, { recursive: true });
      writeFileSync(join(cwd, 'package.json'), '{"version":"6.6.6","yargs":{"strip-dashed":true}}');
      for (const args of [STARTS[command](places), [command, '--help'], [command, '--nonsense']]) {
        const { opened, drops } = await traceStart(args, cwd);
        expect(opened.length).toBeGreaterThan(10);
        expect(opened.filter((path) => !path.startsWith('/') || path.startsWith(cwd))).toEqual([]);
        const named = args.filter((arg) => arg.startsWith('/') && arg !== places.disk);
        expect(opened.filter((path) => named.includes(path))).toEqual([]);
        expect(drops || PRIVILEGE_TABLE[command] === 'trial').toBe(true);
      }
    },
  );
});

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** With a relative name under the folder that it is relative to. */
function openedPath(traced: string): string | undefined {
  const call = /\b(?:open|creat|openat2?)\((?:\w+<([^>]*)>, )?"([^"]*)"/.exec(traced);
  if (call === null) return undefined;
  const [, folder, path = ''] = call;
  return path.startsWith('/') || folder === undefined ? path : join(folder, path);
}

/** sudo may stand between the terminal and the program, once or twice. */
function paintingProcess(session: PtySession): number {
  let pid = session.pid;
  while (readFileSync(`/proc/${pid}/comm`, 'utf8') === 'sudo\n') pid = childOf(pid);
  return pid;
}

/** Sockets of this process on which somebody may connect, as `/proc/net/tcp` counts them. */
function listening(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  const own = readdirSync(folder).map((fd) => readlinkSync(join(folder, fd)));
  const LISTEN = '0A';
  return ['tcp', 'tcp6']
    .flatMap((name) => readFileSync(`/proc/${pid}/net/${name}`, 'utf8').split('\n').slice(1))
    .map((entry) => entry.trim().split(/\s+/))
    .filter(([, , , state, , , , , , inode]) => {
      return state === LISTEN && own.includes(`socket:[${inode ?? ''}]`);
    })
    .map((fields) => fields.join(' '));
}
