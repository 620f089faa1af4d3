import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { findCgroupRoot, MachineCgroups } from '../../src/kernel/machine/cgroups.ts';
import { needs } from '../needs.ts';

const roots: string[] = [];
let root: string;
let nowMs: number;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ioheat cgroups '));
  roots.push(root);
  nowMs = 0;
});

afterAll(() => {
  for (const one of roots) rmSync(one, { recursive: true });
});

function addCgroup(path: string): number {
  mkdirSync(join(root, path), { recursive: true });
  writeFileSync(join(root, path, 'cgroup.procs'), '');
  return statSync(join(root, path)).ino;
}

function openCgroups(): MachineCgroups {
  return new MachineCgroups(root, () => nowMs);
}

describe('cgroups of the machine', () => {
  it('cgroups are found by the inode numbers of their directories', () => {
    const service = addCgroup('system.slice/mysql.service');
    const job = addCgroup('batch/job 1');
    const cgroups = openCgroups();
    expect(cgroups.name(service)).toBe('mysql.service');
    expect(cgroups.name(job)).toBe('/batch/job 1');
    expect(cgroups.name(statSync(root).ino)).toBe('/');
  });

  it('a cgroup whose name is not UTF-8 has a name, and so have those below it', () => {
    const folder = Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])]);
    mkdirSync(folder);
    const below = Buffer.concat([folder, Buffer.from('/job')]);
    mkdirSync(below);
    const cgroups = openCgroups();
    expect(cgroups.name(statSync(folder).ino)).toBe('/caf\\351');
    expect(cgroups.name(statSync(below).ino)).toBe('/caf\\351/job');
  });

  it('cgroups are read again when an unknown one is asked for, at most once a second', () => {
    const cgroups = openCgroups();
    expect(cgroups.name(statSync(root).ino)).toBe('/');
    const late = addCgroup('late.service');
    nowMs = 999;
    expect(cgroups.name(late)).toBeUndefined();
    nowMs = 1_000;
    expect(cgroups.name(late)).toBe('late.service');
  });

  it('a cgroup keeps its name after it is gone', () => {
    const service = addCgroup('short.service');
    const cgroups = openCgroups();
    expect(cgroups.name(service)).toBe('short.service');
    rmSync(join(root, 'short.service'), { recursive: true });
    nowMs = 5_000;
    cgroups.name(addCgroup('other.service'));
    expect(cgroups.name(service)).toBe('short.service');
  });

  it('a cgroup that never existed is not searched a second time', () => {
    const cgroups = openCgroups();
    const gone = statSync(root).ino + 1e9;
    expect(cgroups.name(gone)).toBeUndefined();
    nowMs = 5_000;
    expect(cgroups.name(gone)).toBeUndefined();
    const late = addCgroup('late.service');
    expect(cgroups.name(late)).toBe('late.service');
  });

  it('without a unified hierarchy cgroups have no names', () => {
    const cgroups = new MachineCgroups(undefined, () => nowMs);
    expect(cgroups.name(1)).toBeUndefined();
  });

  it('cgroups have no names when the hierarchy is gone', () => {
    const cgroups = new MachineCgroups(join(root, 'nowhere'), () => nowMs);
    expect(cgroups.name(1)).toBeUndefined();
  });
});

describe('the root of the unified hierarchy', () => {
  it('the root of the unified hierarchy is found in the mounts, whatever its path', () => {
    const mounts = [
      '24 1 0:22 / /proc rw shared:1 - proc proc rw',
      '32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu',
      '41 31 0:38 / /sys/fs/my\\040cgroups rw,relatime shared:9 master:2 - cgroup2 cgroup2 rw',
    ];
    const file = join(root, 'mountinfo');
    writeFileSync(file, `${mounts.join('\n')}\n`);
    expect(findCgroupRoot(file)).toBe('/sys/fs/my cgroups');
    writeFileSync(file, `${mounts.slice(0, 2).join('\n')}\n`);
    expect(findCgroupRoot(file)).toBeUndefined();
  });
});

describe('cgroups of this machine', needs('cgroups'), () => {
  it("cgroups of this machine are named with the kernel's numbers", () => {
    const mount = findCgroupRoot()!;
    const name = `ioheat-test-${process.pid}.service`;
    const folder = join(mount, name);
    mkdirSync(folder);
    try {
      const cgroups = new MachineCgroups(mount, () => nowMs);
      expect(cgroups.name(statSync(folder).ino)).toBe(name);
      expect(cgroups.name(statSync(mount).ino)).toBe('/');
      expect(readFileSync(join(folder, 'cgroup.procs'), 'utf8')).toBe('');
    } finally {
      rmdirSync(folder);
    }
  });
});
