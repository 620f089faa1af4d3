import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ARCHITECTURES,
  AUDIT,
  callNumber,
  KNOWN_END,
  SYSTEM_CALLS,
  type Architecture,
  type SystemCall,
} from '../../src/kernel/privilege/filter/call-numbers.ts';
import { callsWithoutRings, confinedCalls } from '../../src/kernel/privilege/filter/call-rules.ts';
import { Action, encode, filterCode } from '../../src/kernel/privilege/filter/filter-code.ts';
import { KILLED, USED, USED_ELSEWHERE } from '../../src/kernel/privilege/filter/system-calls.ts';
import { runFilter } from './fixtures/run-filter.ts';

const HEADERS: Readonly<Record<Architecture, string>> = {
  x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h',
  arm64: '/usr/include/asm-generic/unistd.h',
};
const PID = 4711;
const EPERM = Action.errno | 1;
const ENOSYS = Action.errno | 38;
const ALLOW: number = Action.allow;
const KILL: number = Action.kill;

/** Where a header gives a call several numbers, the last one is that of 64-bit machines. */
function headerNumbers(path: string): ReadonlyMap<string, number> {
  const found = readFileSync(path, 'latin1').matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm);
  return new Map([...found].map(([, name = '', number]) => [name, Number(number)]));
}

/** asm-generic has two names for these. */
const GENERIC_NAMES: Partial<Record<SystemCall, string>> = { newfstatat: 'fstatat' };

describe('numbers of system calls', () => {
  it.each(ARCHITECTURES)(
    'numbers of system calls equal the kernel’s headers on %s',
    (architecture) => {
      const numbers = headerNumbers(HEADERS[architecture]);
      const nameOf = (call: SystemCall): string =>
        (architecture === 'arm64' ? GENERIC_NAMES[call] : undefined) ?? call;
      const expected = SYSTEM_CALLS.map((call) => [call, numbers.get(nameOf(call))]);
      expect(SYSTEM_CALLS.map((call) => [call, callNumber(call, architecture)])).toEqual(expected);
    },
  );
});

describe.each(ARCHITECTURES)('the filter on %s', (architecture) => {
  const audit = AUDIT[architecture];
  const code = filterCode(confinedCalls(architecture, PID));
  const verdict = (number: number, ...args: readonly (number | bigint)[]): number =>
    runFilter(code, { number, audit, arguments: args.map(BigInt) });
  const verdictOf = (call: SystemCall, ...args: readonly (number | bigint)[]): number => {
    const number = callNumber(call, architecture);
    if (number === undefined) throw new Error(`${architecture} has no ${call}`);
    return verdict(number, ...args);
  };
  const exists = (call: SystemCall): boolean => callNumber(call, architecture) !== undefined;
  const judgedByArguments: SystemCall[] = [
    'clone',
    'ioctl',
    'fcntl',
    'prctl',
    'kill',
    'tgkill',
    'prlimit64',
    'setpriority',
  ];

  it('the system-call filter lets every listed call pass, whatever its arguments', () => {
    const listed: SystemCall[] = [...USED, ...(Object.keys(USED_ELSEWHERE) as SystemCall[])];
    const free = listed.filter((call) => exists(call) && !judgedByArguments.includes(call));
    const args = [7n, 2n ** 64n - 1n, 0x5412n, 1n];
    expect(free.filter((call) => verdictOf(call, ...args) !== ALLOW)).toEqual([]);
    expect(free.length).toBeGreaterThan(50);
  });

  it('the system-call filter kills the process for calls that only an attacker makes', () => {
    const survived = KILLED.filter((call) => exists(call) && verdictOf(call) !== KILL);
    expect(survived).toEqual([]);
  });

  it('the system-call filter refuses every other known call, and reports newer ones as unknown', () => {
    const named = [...USED, ...Object.keys(USED_ELSEWHERE), ...KILLED] as SystemCall[];
    const judged = new Set(
      [...named, 'clone3' as const, 'io_uring_setup' as const].map((call) =>
        callNumber(call, architecture),
      ),
    );
    const others = Array.from({ length: KNOWN_END }, (_, number) => number).filter(
      (number) => !judged.has(number),
    );
    expect(others.length).toBeGreaterThan(200);
    expect(new Set(others.map((number) => verdict(number)))).toEqual(new Set([EPERM]));
    for (const number of [KNOWN_END, KNOWN_END + 1, 469, 1000, 0x3fff_ffff])
      expect(verdict(number)).toBe(ENOSYS);
    expect(verdictOf('clone3')).toBe(ENOSYS);
    expect(verdictOf('io_uring_setup')).toBe(ENOSYS);
  });

  it('the system-call filter kills the process for numbers of another architecture, including x32', () => {
    const others = [0x4000_0003, ...ARCHITECTURES.map((one) => AUDIT[one])].filter(
      (one) => one !== audit,
    );
    for (const other of others)
      fc.assert(
        fc.property(fc.nat(500), (number) => {
          return runFilter(code, { number, audit: other }) === KILL;
        }),
      );
    expect(verdict(0x4000_0000)).toBe(KILL);
    expect(verdict(0x4000_0000 + 59)).toBe(KILL);
    expect(verdict(0xffff_ffff)).toBe(KILL);
  });

  it('the system-call filter allows threads, but no processes or namespaces', () => {
    // As glibc and musl make a thread.
    expect(verdictOf('clone', 0x3d0f00)).toBe(ALLOW);
    expect(verdictOf('clone', 0x7d0f00)).toBe(ALLOW);
    // fork, vfork, and a thread in a user namespace.
    expect(verdictOf('clone', 0x01200011)).toBe(EPERM);
    expect(verdictOf('clone', 0x4111)).toBe(EPERM);
    expect(verdictOf('clone', 0x3d0f00 | 0x10000000)).toBe(EPERM);
  });

  it('the system-call filter allows to query the terminal, but not to type into it', () => {
    for (const request of [0x5401, 0x5402, 0x5413, 0x5421, 0x802c542a])
      expect(verdictOf('ioctl', 1, request)).toBe(ALLOW);
    expect(verdictOf('ioctl', 1, 0x5412)).toBe(KILL);
    // The kernel looks at the lower half alone (CVE-2019-7303).
    expect(verdictOf('ioctl', 1, 0x1_0000_5412n)).toBe(KILL);
    expect(verdictOf('ioctl', 1, 0x541c)).toBe(KILL);
    // SIOCGIFCONF, BLKDISCARD
    for (const request of [0x8912, 0x1277]) expect(verdictOf('ioctl', 1, request)).toBe(EPERM);
  });

  it('the system-call filter lets the process signal only itself, and stop its job', () => {
    expect(verdictOf('kill', PID, 20)).toBe(ALLOW);
    expect(verdictOf('tgkill', PID, 9, 6)).toBe(ALLOW);
    // Ctrl-Z: the process group, as from a terminal.
    expect(verdictOf('kill', 0, 20)).toBe(ALLOW);
    expect(verdictOf('kill', 1, 20)).toBe(EPERM);
    for (const other of [0, 1, -1, -PID, PID + 1]) {
      expect(verdictOf('kill', BigInt.asUintN(64, BigInt(other)), 9)).toBe(EPERM);
      expect(verdictOf('tgkill', BigInt.asUintN(64, BigInt(other)), 9)).toBe(EPERM);
    }
  });

  it('the system-call filter lets the process read its limits, but not set them', () => {
    expect(verdictOf('prlimit64', 0, 3, 0, 4096)).toBe(ALLOW);
    expect(verdictOf('prlimit64', PID, 3, 0, 4096)).toBe(ALLOW);
    expect(verdictOf('prlimit64', 1, 3, 0, 4096)).toBe(EPERM);
    expect(verdictOf('prlimit64', 0, 3, 4096)).toBe(EPERM);
    expect(verdictOf('prlimit64', 0, 3, 0x7f00_0000_0000n)).toBe(EPERM);
  });

  it('the system-call filter lets the process change only its own priority', () => {
    expect(verdictOf('setpriority', 0, 0, BigInt.asUintN(64, -20n))).toBe(ALLOW);
    expect(verdictOf('setpriority', 0, PID, 5)).toBe(ALLOW);
    // PRIO_USER, and another process.
    expect(verdictOf('setpriority', 2, 0, 5)).toBe(EPERM);
    expect(verdictOf('setpriority', 0, 1, 5)).toBe(EPERM);
  });

  it('the system-call filter lets the process name its threads, and change nothing else of itself', () => {
    expect(verdictOf('prctl', 15)).toBe(ALLOW);
    // PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_SET_MM
    for (const option of [4, 22, 35]) expect(verdictOf('prctl', option)).toBe(EPERM);
    // F_SETOWN, F_SETSIG
    for (const command of [8, 10]) expect(verdictOf('fcntl', 1, command)).toBe(EPERM);
    expect(verdictOf('fcntl', 1, 3)).toBe(ALLOW);
  });

  it('the system-call filter is short enough for the kernel, and decides in few steps', () => {
    expect(encode(code).length).toBe(code.length * 8);
    expect(code.length).toBeLessThan(4096);
    for (const { jt, jf } of code) expect(Math.max(jt, jf)).toBeLessThan(256);
  });

  it('before the program executes itself again, the filter denies only io_uring', () => {
    const before = filterCode(callsWithoutRings(architecture));
    const kept = SYSTEM_CALLS.filter((call) => exists(call) && call !== 'io_uring_setup');
    const run = (number: number): number => runFilter(before, { number, audit });
    const numberOf = (call: SystemCall): number => callNumber(call, architecture) ?? 0;
    expect(kept.filter((call) => run(numberOf(call)) !== ALLOW)).toEqual([]);
    expect(run(KNOWN_END)).toBe(ALLOW);
    expect(run(numberOf('io_uring_setup'))).toBe(ENOSYS);
  });
});
