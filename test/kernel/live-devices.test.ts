import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { term } from '../../src/filter/filter.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { runSync } from '../load/sync-load.ts';
import { Account, expectWhole } from './fixtures/account.ts';
import { needs } from '../needs.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const MIB = 1 << 20;

describe('disks that change while they are traced', needs('tracing'), () => {
  let session: TraceSession;
  const disks: LoopDevice[] = [];
  beforeEach(() => {
    session = TraceSession.open();
  });
  afterEach(() => {
    session.dispose();
    for (const disk of disks.splice(0)) disk.dispose();
  });

  function attach(bytes: number): LoopDevice {
    const disk = LoopDevice.create({ bytes });
    disks.push(disk);
    return disk;
  }

  function detach(disk: LoopDevice): void {
    disks.splice(disks.indexOf(disk), 1);
    disk.dispose();
  }

  it('a disk that is attached, used and removed while traced leaves its I/O and its name', () => {
    const disk = attach(4 * MIB);
    const { dev, name } = disk;
    runSync(disk, [{ kind: 'write', offset: MIB, bytes: 8192 }]);
    session.source.refreshDevices();
    detach(disk);
    session.source.refreshDevices();
    const seen = session.take(dev).filter(({ bytes }) => bytes > 0);
    expect(seen.map(({ op, sector, bytes }) => [op, sector * 512, bytes])).toContainEqual([
      'write',
      MIB,
      8192,
    ]);
    expect(session.source.info.device(dev)).toMatchObject({ name });
    expect(session.inFlight(dev)).toEqual([]);
    expect(session.source.hanging()).toBeUndefined();
  });

  it('a disk number that returns with another size has the new size, and I/O beyond the old', () => {
    const small = attach(4 * MIB);
    const { dev } = small;
    runSync(small, [{ kind: 'read', offset: 4 * MIB - 4096, bytes: 4096 }]);
    session.source.refreshDevices();
    expect(session.source.info.device(dev)).toMatchObject({ sizeBytes: 4 * MIB });
    detach(small);
    // The kernel gives the lowest free number: this one, unless somebody else was quicker.
    const big = attach(64 * MIB);
    expect(big.dev).toBe(dev);
    runSync(big, [{ kind: 'read', offset: 60 * MIB, bytes: 4096 }]);
    session.source.refreshDevices();
    expect(session.source.info.device(dev)).toMatchObject({ sizeBytes: 64 * MIB });
    const places = session.take(dev).map(({ sector }) => sector * 512);
    expect(places).toContain(4 * MIB - 4096);
    expect(places).toContain(60 * MIB);
  });

  it('disks of different size under one number are both drawn where they were in the picture', () => {
    const old = attach(1024 * MIB);
    const { dev, name } = old;
    session.focus(dev);
    session.takeAll();
    const { source } = session;
    // I/O of other disks that was under way when the kernel's filter changed would make offsets shares.
    const filter = term('disk', '=', name);
    const monitor = new Monitor({ source, historyBytes: 16 << 20, filter });
    const offsets = (): [number, number][] => {
      source.refreshDevices();
      while (!monitor.pump());
      const endNs = Number(process.hrtime.bigint() - source.info.clockBase.monotonicNs);
      const shape = { metric: 'offset', scale: 'linear', outlierCut: 0 } as const;
      const { map } = monitor.show({ ...shape, columnNs: 1e9, columns: 60, bins: 1024 }, endNs);
      return Array.from({ length: map.bins }, (_, bin): [number, number] => {
        const counts = Array.from({ length: map.columns }, (_, column) => map.count(column, bin));
        return [bin * (map.scale.domain.high / map.bins), counts.reduce((a, b) => a + b)];
      }).filter(([, count]) => count > 0);
    };
    const read = (disk: LoopDevice, offset: number, count: number): void => {
      const one = { kind: 'read' as const, offset, bytes: 4096 };
      runSync(
        disk,
        Array.from({ length: count }, () => one),
      );
    };
    read(old, 900 * MIB, 3);
    expect(offsets()).toEqual([[900 * MIB, 3]]);
    detach(old);
    const small = attach(64 * MIB);
    expect([small.dev, small.name]).toEqual([dev, name]);
    read(small, 60 * MIB, 5);
    expect(offsets()).toEqual([
      [60 * MIB, 5],
      [900 * MIB, 3],
    ]);
    expect(source.info.device(dev)).toMatchObject({ name, sizeBytes: 64 * MIB });
    detach(small);
    const large = attach(4096 * MIB);
    expect(large.dev).toBe(dev);
    read(large, 4000 * MIB, 7);
    expect(offsets()).toEqual([
      [60 * MIB, 5],
      [900 * MIB, 3],
      [4000 * MIB, 7],
    ]);
  });

  it('a disk that grows while traced is known by its new size', () => {
    const disk = attach(4 * MIB);
    session.source.refreshDevices();
    disk.resize(32 * MIB);
    runSync(disk, [{ kind: 'write', offset: 31 * MIB, bytes: 4096 }]);
    session.source.refreshDevices();
    expect(session.source.info.device(disk.dev)).toMatchObject({ sizeBytes: 32 * MIB });
    expect(session.take(disk.dev).map(({ sector }) => sector * 512)).toContain(31 * MIB);
  });

  it('a loop device of a file with a hostile name is known by its own name', () => {
    const suffix = Buffer.from('\x1b]0;owned\x07\x9b31m\u202e\n"=1+1', 'latin1');
    const disk = LoopDevice.create({ bytes: MIB, suffix });
    disks.push(disk);
    runSync(disk, [{ kind: 'read', offset: 0, bytes: 4096 }]);
    session.source.refreshDevices();
    const info = session.source.info.device(disk.dev)!;
    expect(JSON.stringify(info)).toMatch(/^[\x20-\x7e]*$/);
    expect(info.name).toBe(disk.name);
    expect(session.take(disk.dev)).toHaveLength(1);
  });
});

describe('partitions', needs('tracing'), () => {
  it('I/O to a partition is shown where it lies on the whole disk', () => {
    const disk = LoopDevice.create({ bytes: 64 * MIB, partitions: true });
    const nodes = mkdtempSync(join(tmpdir(), 'ioheat-nodes-'));
    const starts = [2048, 65_536];
    try {
      starts.forEach((start, index) => {
        disk.addPartition(index + 1, start * 512, 16 * MIB);
      });
      const parts = readdirSync(`/sys/block/${disk.name}`).filter((name) =>
        name.startsWith(`${disk.name}p`),
      );
      expect(parts).toHaveLength(2);
      const session = TraceSession.open();
      session.focus(disk.dev);
      const account = new Account(disk);
      try {
        parts.forEach((name) => {
          const [major, minor] = readFileSync(`/sys/class/block/${name}/dev`, 'utf8').split(':');
          const node = join(nodes, name);
          execFileSync('mknod', [node, 'b', major!, minor!.trim()]);
          const dd = [`of=${node}`, 'if=/dev/zero', 'bs=4k', 'seek=3', 'count=2', 'oflag=direct'];
          execFileSync('dd', [...dd, 'status=none']);
        });
        const seen = session.take(disk.dev);
        const writes = seen.filter(({ op, bytes }) => op === 'write' && bytes > 0);
        expect(writes.map(({ sector, bytes }) => [sector, bytes])).toEqual(
          starts.flatMap((start) => [
            [start + 24, 4096],
            [start + 32, 4096],
          ]),
        );
        expectWhole(session, disk, account, { rows: seen.length });
      } finally {
        account.dispose();
        session.dispose();
      }
    } finally {
      rmSync(nodes, { recursive: true });
      disk.dispose();
    }
  });
});
