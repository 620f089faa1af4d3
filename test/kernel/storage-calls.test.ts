import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CallBits, WantedBits } from '../../src/kernel/abi/layout.ts';
import { callTable, wantedCalls } from '../../src/kernel/attach/storage-calls.ts';
import { uringTable } from '../../src/kernel/attach/uring-calls.ts';
import { CALLS } from '../../src/model/call.ts';
import { Op } from '../../src/model/operation.ts';

/** What the kernel programs read from an entry. */
function decoded(entry: number) {
  const argument = (shift: number): number => (entry >>> shift) & CallBits.argumentMask;
  return {
    op: entry & 0xff,
    call: CALLS[(entry >>> CallBits.idShift) & CallBits.idMask],
    fd: argument(CallBits.fdShift),
    position: argument(CallBits.positionShift),
    size: argument(CallBits.sizeShift),
    isAlways: (entry & CallBits.alwaysStorage) !== 0,
    isByFile: (entry & CallBits.fileStorage) !== 0,
  };
}

/** Numbers by name, as the C library's headers define them. */
function numbers(header: string): Map<string, number> {
  const text = readFileSync(header, 'utf8');
  const found = [...text.matchAll(/^#define __NR(?:3264)?_(\w+) (\d+)$/gm)];
  return new Map(found.map(([, name, number]) => [name!, Number(number)]));
}

function entries(table: Uint32Array): [call: string, number: number][] {
  return [...table].flatMap((entry, number) =>
    entry === 0 ? [] : [[decoded(entry).call!, number] as [string, number]],
  );
}

describe('the calls that the kernel programs know', () => {
  it('the calls that the kernel programs know have what they need of their arguments, counted from one', () => {
    const table = callTable('x64');
    expect(decoded(table[17]!)).toEqual({
      ...{ op: Op.read, call: 'pread64', fd: 1, position: 4, size: 3 },
      ...{ isAlways: false, isByFile: true },
    });
    expect(decoded(table[1]!)).toMatchObject({ call: 'write', position: CallBits.filePosition });
    expect(decoded(table[162]!)).toMatchObject({ call: 'sync', fd: 0, isAlways: true });
    // It may sleep for anything, on any file.
    expect(decoded(table[16]!)).toMatchObject({ call: 'ioctl', fd: 1, isByFile: false });
  });

  it('the calls that the kernel programs know have the numbers of the C library', () => {
    const x64 = numbers('/usr/include/x86_64-linux-gnu/asm/unistd_64.h');
    for (const [call, number] of entries(callTable('x64')))
      expect(x64.get(call), call).toBe(number);
    const arm64 = numbers('/usr/include/asm-generic/unistd.h');
    arm64.set('newfstatat', arm64.get('fstatat')!);
    for (const [call, number] of entries(callTable('arm64')))
      expect(arm64.get(call), call).toBe(number);
  });

  it('the calls of io_uring that the kernel programs know have the numbers of the kernel, each with the name of its opcode', () => {
    const header = readFileSync('/usr/include/linux/io_uring.h', 'utf8');
    const [, list = ''] = /enum io_uring_op \{(.*?)\}/s.exec(header) ?? [];
    const opcodes = [...list.matchAll(/IORING_OP_(\w+)/g)].map(([, name]) => name!.toLowerCase());
    const known = [...uringTable()].slice(0, opcodes.indexOf('last'));
    const named = known.flatMap((entry, opcode) =>
      entry === 0 ? [] : [[opcodes[opcode], decoded(entry).call]],
    );
    expect(named.length).toBeGreaterThan(20);
    for (const [opcode, call] of named)
      expect(call?.replace(/^uring-/, '').replace('-', '_')).toBe(opcode);
  });

  it('the calls that the kernel programs know say which of them are traced, and where their results and names are', () => {
    const wanted = wantedCalls('x64');
    const { opens, closes, moves, pathShift } = WantedBits;
    expect(wanted[0]).toBe(WantedBits.wanted | moves);
    expect(wanted[3]).toBe(WantedBits.wanted | closes);
    expect(wanted[257]).toBe(WantedBits.wanted | opens | (2 << pathShift));
    expect(wanted[87]).toBe(WantedBits.wanted | (1 << pathShift));
    // getppid, and what programs only wait in: mmap, execve, io_uring_enter.
    for (const number of [110, 9, 59, 426]) expect(wanted[number]).toBe(0);
    expect(wanted.filter((one) => one !== 0)).toHaveLength(78);
  });

  it('the calls that the kernel programs know are each in one place, and arm64 lacks only what openat and the like replaced', () => {
    const x64 = entries(callTable('x64')).map(([call]) => call);
    const arm64 = entries(callTable('arm64')).map(([call]) => call);
    const ofRings = [...uringTable()].filter(Boolean).map((entry) => decoded(entry).call);
    expect(new Set([...x64, ...ofRings])).toEqual(new Set(CALLS.slice(2)));
    expect(x64.filter((call) => !arm64.includes(call))).toContain('open');
    expect(arm64).toContain('openat');
  });
});
