import { describe, expect, it } from 'vitest';
import { FLAG_BITS } from '../../src/filter/fields.ts';
import { cgroupName, NO_CGROUP_NAMES } from '../../src/model/cgroup-names.ts';
import { RequestFlag } from '../../src/model/operation.ts';
import { errnoNamed, errnoOf, errorText, flagsText } from '../../src/model/request-text.ts';

describe('a request in words', () => {
  it('request flags are named whatever the operation', () => {
    const textOf = (cmdFlags: number): string => flagsText({ cmdFlags, marks: 0 });
    expect(textOf(0)).toBe('');
    expect(textOf(1)).toBe('');
    expect(textOf(1 | RequestFlag.sync | RequestFlag.fua | RequestFlag.meta)).toBe('sync meta fua');
    expect(textOf(0xff | RequestFlag.throttled)).toBe('throttled');
    expect(textOf(0xff | (1 << 29) | (1 << 31))).toBe('');
  });

  it('flags have the names that filters ask for', () => {
    const all = Object.values(RequestFlag).reduce((flags, bit) => flags | bit, 0);
    expect(flagsText({ cmdFlags: all, marks: 0 }).split(' ')).toEqual(Object.keys(FLAG_BITS));
  });

  it('an errno is printed with its name', () => {
    expect(errorText(0)).toBeUndefined();
    expect(errorText(-5)).toBe('EIO');
    expect(errorText(-28)).toBe('ENOSPC');
    expect(errorText(-121)).toBe('EREMOTEIO');
    expect(errorText(-4095)).toBe('errno 4095');
  });

  it('each errno that is printed with its name is found by it', () => {
    const numbers = Array.from({ length: 134 }, (_, errno) => errno + 1);
    const named = numbers.filter((errno) => !errorText(-errno)!.startsWith('errno '));
    expect(named).toContain(125);
    expect(named.map((errno) => errnoNamed(errorText(-errno)!))).toEqual(named);
    expect(errnoNamed('enoent')).toBe(2);
    expect(errnoNamed('EX')).toBeUndefined();
  });

  it('a block status is printed as in the kernel log', () => {
    expect(errorText(10)).toBe('I/O error');
    expect(errorText(7)).toBe('critical medium error');
    expect(errorText(13)).toBe('device resource error');
    expect(errorText(14)).toBe('block status 14');
  });
});

describe('the name of a cgroup', () => {
  it('a cgroup without a known name is printed by its number', () => {
    expect(cgroupName(NO_CGROUP_NAMES, 4711)).toBe('cgroup 4711');
    expect(cgroupName({ name: () => 'mysql.service' }, 4711)).toBe('mysql.service');
  });
});

describe('errnoOf', () => {
  it.each([
    [0, 0],
    [-5, 5],
    [-28, 28],
    [10, 5],
    [3, 28],
    [7, 61],
    [200, 5],
  ])('errnoOf of %i is %i, whichever of the two the kernel gave', (error, errno) => {
    expect(errnoOf(error)).toBe(errno);
  });
});
