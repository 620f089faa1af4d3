import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { readProcessCard } from '../../src/kernel/machine/process-card.ts';
import { commandWords } from '../../src/kernel/machine/process-command.ts';

let child: ChildProcess | undefined;
let folder: string | undefined;
afterEach(() => {
  child?.kill('SIGKILL');
  child = undefined;
  if (folder !== undefined) rmSync(folder, { recursive: true });
  folder = undefined;
});

/** Runs a script in a process of its own, until it has printed a line; returns its process id. */
async function running(script: string): Promise<number> {
  child = spawn(process.execPath, ['-e', `${script}; console.log(); setInterval(() => 0, 1e6)`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  return child.pid!;
}

/** A `/proc` with one process, whose files are these. */
function procWith(files: Readonly<Record<string, string | Buffer>>): string {
  folder = mkdtempSync(join(tmpdir(), 'ioheat-proc-'));
  mkdirSync(join(folder, 'self/ns'), { recursive: true });
  symlinkSync('pid:[4026531836]', join(folder, 'self/ns/pid'));
  mkdirSync(join(folder, '7'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, '7', name), text);
  return folder;
}

const STATUS = 'Name:\tx\nState:\tS (sleeping)\nUid:\t1\t4242\t1\t1\nThreads:\t3\n';

describe('the card of a process', () => {
  test('a running process shows its command line, user and number of threads', async () => {
    const card = readProcessCard(await running(''), 'node')!;
    expect(known(card['command'])).toContain(' -e ; console.log()');
    const { username, uid } = userInfo();
    expect(card['user']).toEqual({ known: `${username} (${uid})` });
    expect(Number(known(card['threads']))).toBeGreaterThan(1);
    expect(known(card['cgroup'])).toMatch(/^\//);
    expect(card).not.toHaveProperty('name');
  });

  test('a title that a process wrote over its command line is called a title', async () => {
    const pid = await running(`process.title = 'postgres: app db SELECT'`);
    const card = readProcessCard(pid, 'postgres: app d')!;
    expect(card['title']).toEqual({ known: 'postgres: app db SELECT' });
    expect(card).not.toHaveProperty('command');
  });

  test('the path of a program with a blank in it is not a title', () => {
    const proc = procWith({ status: STATUS, comm: 'my run\n', cmdline: '/opt/My App/my run\0' });
    expect(readProcessCard(7, 'my run', { proc })!['command']).toEqual({
      known: '/opt/My App/my run',
    });
  });

  test('a name that differs from that of the I/O is shown next to it', () => {
    const proc = procWith({ status: STATUS, comm: 'mysqld\n', cmdline: 'mysqld\0' });
    expect(readProcessCard(7, 'ib_io_rd-1', { proc })!['name']).toEqual({
      known: 'mysqld (its I/O as ib_io_rd-1)',
    });
  });

  test('a name that is not UTF-8 is the same as that of its I/O', () => {
    const comm = Buffer.concat([Buffer.from('café au', 'latin1'), Buffer.from('\n')]);
    const proc = procWith({ status: STATUS, comm, cmdline: 'cafe\0' });
    expect(readProcessCard(7, 'caf\\351 au', { proc })).not.toHaveProperty('name');
  });

  test('a kernel thread has no command line, and says so', () => {
    const proc = procWith({ status: STATUS, comm: 'kworker/0:1\n', cmdline: '' });
    expect(readProcessCard(7, 'kworker/0:1', { proc })!['command']).toEqual({
      lacks: 'none: a kernel thread',
    });
  });

  test('a user without a name in the list of users is a number', () => {
    const proc = procWith({ status: STATUS, comm: 'x\n', cmdline: 'x\0' });
    const passwd = join(proc, 'passwd');
    writeFileSync(passwd, 'root:x:0:0::/root:/bin/sh\n');
    expect(readProcessCard(7, 'x', { proc, passwd })!['user']).toEqual({ known: '4242' });
  });

  test('a process in a container shows the container and its cgroup', () => {
    const path = `/system.slice/docker-${'0123456789ab'.padEnd(64, 'f')}.scope`;
    const proc = procWith({ status: STATUS, comm: 'x\n', cmdline: 'x\0', cgroup: `0::${path}\n` });
    const card = readProcessCard(7, 'x', { proc })!;
    expect(card['container']).toEqual({ known: 'docker 0123456789ab' });
    expect(card['cgroup']).toEqual({ known: path });
  });

  test('a process that has ended has none', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    expect(readProcessCard(pid, 'node')).toBeUndefined();
  });

  test('in another PID namespace nothing on the card of a process is looked up by number', () => {
    const proc = procWith({ status: STATUS, comm: 'x\n', cmdline: 'x\0' });
    rmSync(join(proc, 'self/ns/pid'));
    symlinkSync('pid:[4026532000]', join(proc, 'self/ns/pid'));
    expect(readProcessCard(7, 'x', { proc })).toEqual({
      command: { lacks: 'in another PID namespace' },
    });
  });
});

function known(fact: { readonly known: string } | { readonly lacks: string } | undefined): string {
  return fact !== undefined && 'known' in fact ? fact.known : '';
}

describe('the words of a command line', () => {
  test('blanks are left out only at its end, also where there are a million of them before the last word', () => {
    const blanks = ' '.repeat(1e6);
    expect(commandWords(`x${blanks}y\0z  \0\0`)).toEqual([`x${blanks}y`, 'z']);
  });
});
