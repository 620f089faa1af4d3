import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packDevice } from '../../../src/model/device.ts';
import type { DeviceInfo } from '../../../src/model/device.ts';
import { compileFilter } from '../../../src/filter/match/match.ts';
import { kernelPart } from '../../../src/filter/match/kernel-filter.ts';
import type { KernelPart } from '../../../src/filter/match/kernel-filter.ts';
import { IdentityMark } from '../../../src/model/identity.ts';
import { IdentityTable } from '../../../src/model/identity-table.ts';
import { opClass } from '../../../src/model/operation.ts';
import { Verdict } from '../../../src/filter/verdict.ts';
import { anyFilter, parsed } from '../fixtures.ts';

const SDA = packDevice(8, 0);
const SDB = packDevice(8, 16);
const DISKS: readonly DeviceInfo[] = [
  { dev: SDA, name: 'sda' },
  { dev: SDB, name: 'sdb' },
];
const names = { device: (dev: number) => DISKS.find((disk) => disk.dev === dev) };

function part(text: string): KernelPart {
  return kernelPart(parsed(text), DISKS);
}

describe('what the kernel can be asked to drop', () => {
  it('the kernel filter drops what a condition excludes', () => {
    expect(part('disk=sda op=read,write pid=1,2')).toEqual({
      devs: [SDA],
      opClasses: ['read', 'write'],
      tgids: [1, 2],
    });
    expect(part('op!=read').opClasses).toEqual(['write', 'flush', 'discard', 'other']);
    expect(part('disk=8:16,7:3').devs).toEqual([SDB, packDevice(7, 3)]);
  });

  it('the kernel filter drops nothing where anything may match', () => {
    for (const text of ['', 'lat>1ms', 'comm~mysql', 'pid>5', 'op=read or lat>1ms', 'not pid>5'])
      expect(part(text)).toEqual({});
  });

  it('the kernel filter drops what all alternatives exclude, and what any required condition excludes', () => {
    expect(part('pid=1 or pid=2')).toEqual({ tgids: [1, 2] });
    expect(part('(pid=1 op=read) or (pid=2 lat>1ms)')).toEqual({ tgids: [1, 2] });
    expect(part('pid=1,2 pid=2,3')).toEqual({ tgids: [2] });
    expect(part('pid=1,2@web1')).toEqual({ tgids: [1] });
    expect(part('not (pid!=1 or op=read)')).toEqual({
      tgids: [1],
      opClasses: ['write', 'flush', 'discard', 'other'],
    });
  });

  it('the kernel filter does not name a disk that has no number yet', () => {
    expect(part('disk=sda,sdz')).toEqual({});
    expect(part('disk~sd')).toEqual({});
  });

  it('the kernel filter has the disks and processes that a condition excludes', () => {
    expect(part('not disk=sda')).toEqual({ excludedDevs: [SDA] });
    expect(part('disk!=sda,7:3 pid!=1 op=read')).toEqual({
      excludedDevs: [SDA, packDevice(7, 3)],
      excludedTgids: [1],
      opClasses: ['read'],
    });
    expect(part('disk!=sda disk!=sdb')).toEqual({ excludedDevs: [SDA, SDB] });
    expect(part('disk!=sda or disk!=sda,sdb')).toEqual({ excludedDevs: [SDA] });
    expect(part('disk!=sda or disk=sda')).toEqual({});
    expect(part('disk!=sda disk=sda,sdb')).toEqual({ devs: [SDB] });
    expect(part('disk!=sda,sdb or disk=sdb')).toEqual({ excludedDevs: [SDA] });
    expect(part('not (disk=sda op=read)')).toEqual({});
  });

  it('the kernel filter excludes no name that no disk has, and all disks that had a name', () => {
    expect(part('disk!=sda,sdz')).toEqual({ excludedDevs: [SDA] });
    expect(part('disk!=sdz')).toEqual({});
    const renamed = [...DISKS, { dev: packDevice(253, 3), name: 'sda' }];
    expect(kernelPart(parsed('disk!=sda'), renamed)).toEqual({
      excludedDevs: [SDA, packDevice(253, 3)],
    });
    expect(kernelPart(parsed('disk=sda'), renamed)).toEqual({ devs: [SDA, packDevice(253, 3)] });
  });

  it('the kernel filter has both numbers of a disk whose waits and calls have another one than its requests', () => {
    const numbers = { dev: packDevice(259, 0), callsDev: packDevice(259, 1) };
    const disks = [...DISKS, { ...numbers, name: 'nvme0n1', kernelName: 'nvme0c0n1' }];
    expect(kernelPart(parsed('disk=nvme0n1'), disks)).toEqual({ devs: Object.values(numbers) });
    expect(kernelPart(parsed('disk!=nvme0n1'), disks).excludedDevs).toEqual(Object.values(numbers));
    expect(kernelPart(parsed('disk!=nvme0c0n1'), disks).excludedDevs).toEqual([numbers.dev]);
  });

  it('the kernel filter does not exclude process 0, which an unknown owner has in the kernel programs', () => {
    expect(part('pid!=0')).toEqual({});
    expect(part('pid!=0,1')).toEqual({ excludedTgids: [1] });
  });

  it('the kernel filter never has an empty list, which would let everything pass', () => {
    expect(part('op=read op=write')).toEqual({});
  });

  it('the kernel filter passes every I/O that the filter passes', () => {
    const key = fc.record({
      dev: fc.constantFrom(SDA, SDB, packDevice(7, 1)),
      cmdFlags: fc.constantFrom(0, 1, 2, 3, 34),
      tgid: fc.nat(9),
      tid: fc.nat(9),
      comm: fc.constantFrom('mysqld', 'or'),
      cgroup: fc.nat(9),
      error: fc.constantFrom(0, -5),
    });
    const known = key.map((one) => ({ ...one, marks: 0 }));
    const unknown = key.map((one) => ({ ...one, tgid: 0, marks: IdentityMark.ownerUnknown }));

    fc.assert(
      fc.property(anyFilter, fc.oneof(known, unknown), (filter, one) => {
        const identities = new IdentityTable();
        const verdict = compileFilter(filter, identities, names).judge(identities.intern(one));
        const { devs, excludedDevs, tgids, excludedTgids, opClasses } = kernelPart(filter, DISKS);
        const passes =
          (devs?.includes(one.dev) ?? true) &&
          !(excludedDevs?.includes(one.dev) ?? false) &&
          (tgids?.includes(one.tgid) ?? true) &&
          !(excludedTgids?.includes(one.tgid) ?? false) &&
          (opClasses?.includes(opClass(one.cmdFlags)) ?? true);
        if (!passes) expect(verdict).toBe(Verdict.no);
      }),
      { numRuns: 3000 },
    );
  });
});
