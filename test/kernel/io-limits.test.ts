import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readIoLimits } from '../../src/kernel/machine/io-limits.ts';
import { parsePressure } from '../../src/kernel/machine/io-pressure.ts';
import { reachedLimit } from '../../src/kernel/machine/stall-causes.ts';
import { packDevice } from '../../src/model/device.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ioheat limits '));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function put(cgroup: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(join(root, cgroup), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, cgroup, name), text);
}

describe('limits of cgroups', () => {
  // As in Documentation/admin-guide/cgroup-v2.rst.
  it('limits of cgroups are read from io.max and io.stat of version 2', () => {
    put('system.slice/web.service', {
      'io.max': '8:16 rbps=2097152 wbps=max riops=max wiops=120\n',
      'io.stat':
        '8:16 rbytes=1459200 wbytes=314773504 rios=192 wios=353 dbytes=0 dios=0\n8:0 rbytes=1 wbytes=2 rios=3 wios=4 dbytes=0 dios=0\n',
    });
    put('system.slice/idle.service', { 'io.max': '', 'io.stat': '' });
    const of = { cgroup: '/system.slice/web.service', dev: packDevice(8, 16) };
    expect(readIoLimits({ unified: root })).toEqual([
      { ...of, direction: 'read', unit: 'bytes', perSecond: 2_097_152, done: 1_459_200 },
      { ...of, direction: 'write', unit: 'I/Os', perSecond: 120, done: 353 },
    ]);
  });

  it('limits of cgroups are read from the files of version 1', () => {
    put('batch', {
      'blkio.throttle.read_bps_device': '7:0 1048576\n',
      'blkio.throttle.write_iops_device': '7:0 50\n',
      'blkio.throttle.io_service_bytes_recursive': '7:0 Read 65536\n7:0 Write 4096\nTotal 69632\n',
      'blkio.throttle.io_serviced_recursive': '7:0 Read 1\n7:0 Write 7\nTotal 8\n',
    });
    const of = { cgroup: '/batch', dev: packDevice(7, 0) };
    expect(readIoLimits({ blkio: root })).toEqual([
      { ...of, direction: 'read', unit: 'bytes', perSecond: 1_048_576, done: 65_536 },
      { ...of, direction: 'write', unit: 'I/Os', perSecond: 50, done: 7 },
    ]);
  });

  it('limits of cgroups are none where no hierarchy is mounted', () => {
    expect(readIoLimits({})).toEqual([]);
  });

  it('limits of cgroups are reached by the cgroup that uses most of its own', () => {
    const limit = { dev: 1, direction: 'read', unit: 'bytes', perSecond: 1000 } as const;
    const before = [
      { ...limit, cgroup: '/a', done: 0 },
      { ...limit, cgroup: '/b', done: 0 },
    ];
    const after = (a: number, b: number) => [
      { ...limit, cgroup: '/a', done: a },
      { ...limit, cgroup: '/b', done: b },
    ];
    expect(reachedLimit(before, after(1700, 1950), 2)?.cgroup).toBe('/b');
    expect(reachedLimit(before, after(1700, 0), 2)?.cgroup).toBe('/a');
    expect(reachedLimit(before, after(1500, 0), 2)).toBeUndefined();
  });
});

describe('the pressure of the machine', () => {
  it('the pressure of the machine is the totals of /proc/pressure/io, in ns', () => {
    const text =
      'some avg10=0.00 avg60=0.02 avg300=0.42 total=2019218415\nfull avg10=0.00 avg60=0.00 avg300=0.30 total=937955413\n';
    expect(parsePressure(text)).toEqual({ someNs: 2_019_218_415_000, fullNs: 937_955_413_000 });
  });

  it('the pressure of the machine is unknown in a text of another kind', () => {
    expect(parsePressure('')).toBeUndefined();
    expect(parsePressure('some avg10=0.00\n')).toBeUndefined();
  });
});
