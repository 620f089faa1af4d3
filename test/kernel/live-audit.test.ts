import { closeSync, constants, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoopDevice } from '../load/loop-device.ts';
import { runSync, type SyncIo } from '../load/sync-load.ts';
import { Account } from './fixtures/account.ts';
import { needs } from '../needs.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const DISK_BYTES = 64 * MIB;

function ios(kind: 'read' | 'write', count: number): SyncIo[] {
  return Array.from({ length: count }, (_, index) => ({ kind, offset: index * 8192, bytes: 4096 }));
}

/** Through the page cache, which merges what lies side by side, then onto the disk. */
function writeBuffered(path: string, bytes: number): void {
  const fd = openSync(path, constants.O_RDWR);
  try {
    for (let at = 0; at < bytes; at += MIB) writeSync(fd, Buffer.alloc(MIB, 1), 0, MIB, at);
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

describe('I/O for which the kernel ran none of our programs', needs('tracing'), () => {
  let disk: LoopDevice;
  let session: TraceSession;
  let account: Account;
  beforeEach(() => {
    disk = LoopDevice.create({ bytes: DISK_BYTES, partitions: true });
    session = TraceSession.open();
    session.focus(disk.dev);
    account = new Account(disk);
  });
  afterEach(() => {
    account.dispose();
    session.dispose();
    disk.dispose();
  });

  function completed(): number {
    const { reads, writes, discards, flushes } = account.stats();
    return reads + writes + discards + flushes;
  }

  function unseen(): number | undefined {
    // The first look may still wait for what other disks left in the ring; the second is of now.
    for (let look = 0; look < 2; look++) {
      session.source.audit();
      session.takeAll();
    }
    return session.source.counters().losses['unseen'];
  }

  /** The same, with our programs and without. */
  const LOADS: readonly (readonly [string, () => void])[] = [
    ['reads', () => void runSync(disk, ios('read', 100))],
    ['writes', () => void runSync(disk, ios('write', 100))],
    ['flushes', () => void runSync(disk, [...ios('write', 3), { kind: 'fdatasync' }])],
    [
      'discards',
      () => {
        disk.discard(0, MIB);
      },
    ],
    ['writes that go through', () => void runSync(disk, ios('write', 20), constants.O_DSYNC)],
    [
      'merged writeback',
      () => {
        writeBuffered(disk.path, 32 * MIB);
      },
    ],
  ];

  it.each(LOADS)('I/O that the programs missed is counted as lost: %s', (_, load) => {
    session.take(disk.dev);
    session.detachPrograms();
    const before = completed();
    load();
    expect(session.take(disk.dev)).toEqual([]);
    expect(completed() - before).toBeGreaterThan(0);
    expect(unseen()).toBe(completed() - before);
    expect(session.lost()).toBe(completed() - before);
  });

  it.each(LOADS)('I/O that was traced is not counted as lost: %s', (_, load) => {
    load();
    const seen = session.take(disk.dev).length;
    expect(seen + session.lost()).toBe(completed());
  });

  it('a missed I/O on a partition is counted once, for the whole disk', () => {
    disk.addPartition(1, MIB, 16 * MIB);
    const load = (): void => {
      writeBuffered(`${disk.path}p1`, 4 * MIB);
    };
    load();
    const seen = session.take(disk.dev).length;
    expect(unseen()).toBe(0);
    session.detachPrograms();
    load();
    session.take(disk.dev);
    expect(unseen()).toBe(completed() - seen);
  });

  it('I/O that the filter keeps out is not counted as lost', () => {
    session.source.setFilter({ tgids: [1] });
    runSync(disk, ios('read', 20));
    session.take(disk.dev);
    expect(unseen()).toBe(0);
    session.source.setFilter({ opClasses: ['write'] });
    runSync(disk, ios('read', 20));
    session.take(disk.dev);
    expect(unseen()).toBe(0);
  });

  it('missed I/O stays counted when its disk is removed, and a disk that reuses the number adds none', () => {
    session.detachPrograms();
    runSync(disk, ios('read', 30));
    expect(unseen()).toBe(30);
    const { name, dev } = disk;
    account.dispose();
    disk.dispose();
    session.source.refreshDevices();
    expect(unseen()).toBe(30);
    disk = LoopDevice.create({ bytes: MIB });
    expect([disk.name, disk.dev]).toEqual([name, dev]);
    account = new Account(disk);
    session.source.refreshDevices();
    expect(unseen()).toBe(30);
    runSync(disk, ios('read', 5));
    expect(unseen()).toBe(35);
  });
});
