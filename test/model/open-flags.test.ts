import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Dimension } from '../../src/kernel/abi/layout.ts';
import { creatFlags, openFlagTable } from '../../src/kernel/attach/open-flags.ts';
import { callFlags, CALL_SHIFT, callOf, type Call } from '../../src/model/call.ts';
import {
  OPEN_FLAG_SHIFT,
  OPEN_FLAGS,
  openFlagsOf,
  parseOpenFlags,
} from '../../src/model/open-flags.ts';
import { flagsText } from '../../src/model/request-text.ts';

function opened(flags: string, call: Call = 'openat') {
  return {
    cmdFlags: (callFlags(call) | parseOpenFlags(flags)) >>> 0,
    marks: 0,
    layer: 'calls',
  } as const;
}

/** `O_CREAT` by its number in a header of the C library. */
function numbers(header: string): Map<string, number> {
  const text = readFileSync(header, 'utf8');
  const found = [...text.matchAll(/^#define (O_\w+|__O_\w+)\s+(0\d+)/gm)];
  return new Map(found.map(([, name, number]) => [name!, Number.parseInt(number!, 8)]));
}

describe('flags with which a file is opened', () => {
  it('flags with which a file is opened are printed as programs write them', () => {
    for (const flags of ['O_RDONLY', 'O_WRONLY|O_CREAT|O_TRUNC', 'O_RDWR|O_APPEND|O_SYNC'])
      expect(flagsText(opened(flags))).toBe(flags);
    expect(flagsText(opened('O_RDWR|O_DSYNC|O_SYNC'))).toBe('O_RDWR|O_SYNC');
    expect(flagsText(opened('O_RDWR|O_DIRECTORY|O_TMPFILE'))).toBe('O_RDWR|O_TMPFILE');
  });

  it('flags with which a file is opened leave the call what it is, and only calls that open have them', () => {
    const all = opened(OPEN_FLAGS.join('|'));
    expect(callOf(all)).toBe('openat');
    expect(openFlagsOf(opened('O_CREAT', 'read'))).toBeUndefined();
    expect(openFlagsOf({ ...all, layer: 'waits' })).toBeUndefined();
    expect(flagsText(opened('', 'fsync'))).toBe('');
    expect(OPEN_FLAG_SHIFT + OPEN_FLAGS.length).toBeLessThanOrEqual(CALL_SHIFT);
  });

  it('flags with which a file is opened have the numbers of the C library', () => {
    const header = numbers('/usr/include/asm-generic/fcntl.h');
    const parts: Readonly<Record<string, string>> = {
      O_SYNC: '__O_SYNC',
      O_TMPFILE: '__O_TMPFILE',
    };
    const wanted = OPEN_FLAGS.map((name) => header.get(parts[name] ?? name));
    expect([...openFlagTable('x64')].map((bit) => 2 ** bit)).toEqual(wanted);
    expect(openFlagTable('arm64')).toHaveLength(Dimension.openFlags);
    expect(creatFlags('x64')).toBe(0o1101);
  });
});
