import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MachineProcesses } from '../../src/kernel/machine/machine-processes.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { IdentityTable } from '../../src/model/identity-table.ts';
import type { Identity } from '../../src/model/identity.ts';

const KEY: Identity = {
  ...{ dev: 1, cmdFlags: 0, tgid: 7, tid: 8, comm: 'worker', cgroup: 0, error: 0, marks: 0 },
};

const NEWLINE = Buffer.from('\n');

let proc: string;
let nowMs: number;
let identities: IdentityTable;

beforeEach(() => {
  proc = mkdtempSync(join(tmpdir(), 'ioheat-processes-'));
  nowMs = 0;
  identities = new IdentityTable();
  mkdirSync(join(proc, 'self/ns'), { recursive: true });
  symlinkSync('pid:[4026531836]', join(proc, 'self/ns/pid'));
  writeFileSync(
    join(proc, 'passwd'),
    'root:x:0:0::/:/bin/sh\nweb:x:33:33::/:/bin/sh\nagain:x:33:1\n',
  );
});

afterEach(() => {
  rmSync(proc, { recursive: true });
});

interface Shown {
  readonly cmdline?: string;
  readonly startTime?: number;
  readonly comm?: string | Buffer;
  readonly uid?: number;
  readonly state?: string;
}

/** A process 7 with a thread 8. */
function show({
  cmdline = '',
  startTime = 100,
  comm = 'worker',
  uid = 33,
  state = 'S',
}: Shown): void {
  mkdirSync(join(proc, '7/task/8'), { recursive: true });
  const stat = `7 (a) b) S ${'0 '.repeat(18)}${startTime} 0`;
  const status = `Name:\tmain\nState:\t${state} (x)\nUid:\t1\t${uid}\t1\t1\n`;
  const files = {
    stat,
    status,
    cmdline,
    comm: 'main\n',
    'task/8/comm': Buffer.concat([Buffer.from(comm), NEWLINE]),
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(proc, '7', name), text);
}

function machine(most?: number): MachineProcesses {
  return new MachineProcesses(identities, {
    nowMs: () => nowMs,
    proc,
    passwd: join(proc, 'passwd'),
    ...(most !== undefined && { most }),
  });
}

describe('what is known of processes', () => {
  it('the command line and user of a process are read soon after its first I/O and kept after its end', () => {
    show({ cmdline: 'worker\0--fast\0' });
    identities.intern(KEY);
    const processes = machine();
    processes.look();
    rmSync(join(proc, '7'), { recursive: true });
    nowMs = 5000;
    processes.look();
    expect(processes.facts(7, 'worker')).toEqual({
      command: 'worker --fast',
      user: 'web',
      uid: 33,
    });
    expect(processes.version).toBe(1);
  });

  it('a process whose name the kernel cut inside a character is read', () => {
    show({ cmdline: 'jobs\0', comm: Buffer.from('x日本語のジョブ').subarray(0, 15) });
    identities.intern({ ...KEY, comm: 'x日本語の' });
    const processes = machine();
    processes.look();
    expect(processes.facts(7, 'x日本語の')?.command).toBe('jobs');
  });

  it('a process whose name is not UTF-8 is read', () => {
    show({ cmdline: 'jobs\0', comm: Buffer.from('café au', 'latin1') });
    identities.intern({ ...KEY, comm: 'caf\\351 au' });
    const processes = machine();
    processes.look();
    expect(processes.facts(7, 'caf\\351 au')?.command).toBe('jobs');
  });

  it('a worker of the kernel is read, also while its name has what it works on', () => {
    const comm = 'kworker/u8:1';
    identities.intern({ ...KEY, comm });
    for (const [name, isItsOwn] of [
      ['kworker/u8:1+flush-254:0', true],
      ['kworker/u8:1-events', true],
      ['kworker/u8:12-events', false],
    ] as const) {
      show({ comm: name, uid: 0 });
      const processes = machine();
      processes.look();
      expect(processes.facts(7, comm)?.command, name).toBe(isItsOwn ? '[kworker/u8:1]' : undefined);
    }
  });

  it('a process that ended before it was read is unknown', () => {
    identities.intern(KEY);
    const processes = machine();
    processes.look();
    expect(processes.facts(7, 'worker')).toBeUndefined();
  });

  it('a process with another name than the I/O had is not taken for it', () => {
    show({ cmdline: 'other\0', comm: 'other' });
    identities.intern(KEY);
    const processes = machine();
    processes.look();
    expect(processes.facts(7, 'worker')).toBeUndefined();
    expect(processes.facts(7, 'other')).toBeUndefined();
  });

  it('a title that changes is shown as it is now while it is on the screen', () => {
    show({ cmdline: 'postgres: app db idle\0\0\0' });
    identities.intern(KEY);
    const processes = machine();
    processes.look();
    expect(processes.facts(7, 'worker')?.command).toBe('postgres: app db idle');
    show({ cmdline: 'postgres: app db SELECT\0' });
    nowMs = 1000;
    processes.look();
    expect(processes.facts(7, 'worker')?.command).toBe('postgres: app db SELECT');
  });

  it('of two processes of one program with the same number, the one that runs has its command line and user', () => {
    show({ cmdline: 'worker\0--first\0' });
    identities.intern(KEY);
    const processes = machine();
    processes.look();
    processes.facts(7, 'worker');
    show({ cmdline: 'worker\0--second\0', startTime: 200, uid: 0 });
    nowMs = 1000;
    processes.look();
    const second = { command: 'worker --second', user: 'root', uid: 0 };
    expect(processes.facts(7, 'worker')).toEqual(second);
    // Filters on users are evaluated again.
    expect(processes.version).toBe(2);
  });

  it('a process of another program with the number of one that ended does not give it another command line', () => {
    show({ cmdline: 'worker\0--first\0' });
    identities.intern(KEY);
    const processes = machine();
    processes.look();
    processes.facts(7, 'worker');
    show({ cmdline: 'other\0', startTime: 200, comm: 'other' });
    nowMs = 1000;
    processes.look();
    expect(processes.facts(7, 'worker')?.command).toBe('worker --first');
  });

  it('kernel threads show their name in brackets, as in ps, and a zombie is unknown', () => {
    show({});
    identities.intern(KEY);
    const processes = machine();
    processes.look();
    expect(processes.facts(7, 'worker')?.command).toBe('[worker]');
    show({ state: 'Z' });
    const later = machine();
    later.look();
    expect(later.facts(7, 'worker')).toBeUndefined();
  });

  it('a user without a name is a number, and I/O without an owner has no process', () => {
    show({ uid: 4242 });
    identities.intern(KEY);
    const processes = machine();
    processes.look();
    expect(processes.facts(7, 'worker')).toEqual({ command: '[worker]', uid: 4242 });
    const unknown = new IdentityTable();
    unknown.intern({ ...KEY, marks: IdentityMark.ownerUnknown });
    const others = new MachineProcesses(unknown, { nowMs: () => 0, proc });
    others.look();
    expect(others.facts(7, 'worker')).toBeUndefined();
  });

  it('in a storm of new processes each look reads a few, and the next looks read the rest', () => {
    show({ cmdline: 'worker\0' });
    for (let tgid = 1000; tgid < 1032; tgid++) identities.intern({ ...KEY, tgid });
    identities.intern(KEY);
    const processes = machine();
    processes.look();
    expect(processes.facts(7, 'worker')).toBeUndefined();
    processes.look();
    expect(processes.facts(7, 'worker')?.command).toBe('worker');
  });

  it('of any number of processes the last are kept, and those that somebody asks for', () => {
    const processes = machine(2);
    const seen = ['first', 'asked', 'third', 'last'];
    for (const comm of seen) {
      show({ cmdline: `${comm}\0`, comm });
      identities.intern({ ...KEY, comm });
      nowMs += 1000;
      processes.look();
      if (comm === 'first') continue;
      // Its own name, so that it is read again.
      show({ cmdline: 'asked\0', comm: 'asked' });
      processes.facts(7, 'asked');
      nowMs += 1000;
      processes.look();
    }
    expect(seen.map((comm) => processes.facts(7, comm)?.command)).toEqual([
      ...[undefined, 'asked', undefined, 'last'],
    ]);
  });

  it('in another PID namespace nothing is read about processes', () => {
    show({ cmdline: 'worker\0' });
    rmSync(join(proc, 'self/ns/pid'));
    symlinkSync('pid:[4026532000]', join(proc, 'self/ns/pid'));
    identities.intern(KEY);
    const processes = machine();
    processes.look();
    expect(processes.facts(7, 'worker')).toBeUndefined();
  });
});
