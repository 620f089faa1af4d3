import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { packDevice } from '../../src/model/device.ts';
import { buildLoad, startLoad, type LoadOrder } from '../load/load-process.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { runSync, type SyncIo } from '../load/sync-load.ts';
import { needs } from '../needs.ts';
import { Account, expectWhole } from './fixtures/account.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const ELSEWHERE = packDevice(4000, 1);
const DISK_BYTES = 64 << 20;
const READ: SyncIo = { kind: 'read', offset: 0, bytes: 512 };
const WRITE: SyncIo = { kind: 'write', offset: 4096, bytes: 512 };

describe('the filter in the kernel', needs('tracing'), () => {
  let disk: LoopDevice;
  let other: LoopDevice;
  let session: TraceSession;
  beforeAll(() => {
    disk = LoopDevice.create({ bytes: 1 << 20 });
    other = LoopDevice.create({ bytes: 1 << 20 });
  });
  afterAll(() => {
    disk.dispose();
    other.dispose();
  });
  beforeEach(() => {
    session = TraceSession.open();
  });
  afterEach(() => {
    session.dispose();
  });

  const operations = () => session.take(disk.dev).map(({ op }) => op);

  it('the filter in the kernel passes everything at first, and again when emptied', () => {
    runSync(disk, [READ]);
    session.source.setFilter({ devs: [ELSEWHERE] });
    runSync(disk, [READ]);
    session.source.setFilter({});
    runSync(disk, [WRITE]);
    expect(operations()).toEqual(['read', 'write']);
    expect(session.source.kernelCounters().filtered).toBeGreaterThanOrEqual(1);
  });

  it('the filter in the kernel passes only the listed disks', () => {
    session.source.setFilter({ devs: [ELSEWHERE, other.dev] });
    runSync(disk, [READ]);
    runSync(other, [READ]);
    expect(session.take(disk.dev)).toHaveLength(0);
    session.source.setFilter({ devs: [ELSEWHERE, other.dev, disk.dev] });
    runSync(disk, [READ, WRITE]);
    expect(operations()).toEqual(['read', 'write']);
  });

  it('the filter in the kernel passes all disks but the excluded ones', () => {
    session.source.setFilter({ excludedDevs: [ELSEWHERE, disk.dev] });
    runSync(disk, [READ]);
    runSync(other, [READ, WRITE]);
    const devs = session.takeAll().map(({ key }) => key.dev);
    expect(devs.filter((dev) => dev === disk.dev)).toHaveLength(0);
    expect(devs.filter((dev) => dev === other.dev)).toHaveLength(2);
    session.source.setFilter({ excludedDevs: [ELSEWHERE] });
    runSync(disk, [READ, WRITE]);
    expect(operations()).toEqual(['read', 'write']);
  });

  it('the filter in the kernel passes all processes but the excluded ones', () => {
    session.source.setFilter({ excludedTgids: [1, process.pid] });
    runSync(disk, [READ]);
    session.source.setFilter({ excludedTgids: [1] });
    runSync(disk, [WRITE]);
    expect(operations()).toEqual(['write']);
  });

  it('the name of a file comes only if its disk passes, and then with its next I/O', () => {
    const volume = LoopDevice.create({ bytes: 16 << 20 });
    const whole = 'mount "$0" /mnt && eval "$1" && umount /mnt';
    const inside = (script: string) => {
      execFileSync('unshare', ['-m', 'sh', '-ec', whole, volume.path, script]);
    };
    const { files } = session.source.info.identities;
    const named = () => {
      session.takeAll();
      const all = Array.from({ length: files.size }, (_, number) => files.get(number));
      return all.filter(({ path }) => path?.includes('sought') === true).length;
    };
    try {
      execFileSync('mkfs.ext4', ['-q', volume.path]);
      session.source.setFilter({ devs: [disk.dev] });
      inside(
        'for i in $(seq 20); do dd if=/dev/zero of=/mnt/sought$i bs=4k count=1 conv=fsync status=none; done',
      );
      expect(named()).toBe(0);
      session.source.setFilter({});
      inside('for i in $(seq 20); do cat /mnt/sought$i > /dev/null; done');
      expect(named()).toBe(20);
    } finally {
      volume.dispose();
    }
  });

  it('the filter in the kernel goes by who submitted, not by who runs at completion', () => {
    session.source.setFilter({ tgids: [process.pid, 1] });
    runSync(disk, [READ, READ]);
    session.source.setFilter({ tgids: [1] });
    runSync(disk, [WRITE]);
    expect(operations()).toEqual(['read', 'read']);
  });

  it('the filter in the kernel passes only listed operations, and applies all lists together', () => {
    session.source.setFilter({ opClasses: ['write', 'flush'] });
    runSync(disk, [READ, WRITE, { kind: 'fdatasync' }]);
    expect(operations()).toEqual(['write', 'flush', 'write']);
    session.source.setFilter({ opClasses: ['read'], tgids: [process.pid], devs: [other.dev] });
    runSync(disk, [READ, WRITE]);
    runSync(other, [WRITE, READ]);
    const { source } = session;
    const rows = source.read();
    const keys = Array.from(rows.identity.subarray(0, rows.length), (key) =>
      source.info.identities.get(key),
    );
    expect(keys).toHaveLength(1);
    expect(keys[0]).toMatchObject({ dev: other.dev, tgid: process.pid });
  });

  it('a list too long for the filter in the kernel is not applied, and not among what is returned', () => {
    const many = Array.from({ length: 17 }, (_, index) => 100_000 + index);
    const written = session.source.setFilter({ tgids: many, opClasses: ['read'] });
    expect(written).toEqual({ opClasses: ['read'] });
    runSync(disk, [READ, WRITE]);
    expect(operations()).toEqual(['read']);
  });
});

describe('a disk that the filter excludes', needs('tracing'), () => {
  let program: BundledEntry;
  let busy: LoopDevice;
  let calm: LoopDevice;
  let session: TraceSession;
  beforeEach(async () => {
    program = await buildLoad();
    busy = LoopDevice.create({ bytes: DISK_BYTES });
    calm = LoopDevice.create({ bytes: DISK_BYTES });
    session = TraceSession.open({ budget: 0.02 });
  });
  afterEach(() => {
    session.dispose();
    busy.dispose();
    calm.dispose();
    program.dispose();
  });

  const order = (disk: LoopDevice, count: number, perSecond?: number): LoadOrder => ({
    ...{ path: disk.path, depth: 16, batch: 8, blockBytes: 4096, spanBytes: DISK_BYTES },
    ...{ seed: 1, writes: 0, count, ...(perSecond !== undefined && { perSecond }) },
  });

  it('takes nothing of the budget: all I/O of another disk comes individually', async () => {
    const loads = [order(busy, 200_000), order(calm, 1000, 500)];
    const running = loads.map((load) => startLoad(program, load));
    // Other tests load other disks at the same time.
    const tgids = running.map(({ pid }) => pid);
    session.source.setFilter({ excludedDevs: [busy.dev], tgids });
    const account = new Account(calm);
    let [rows, aggregates] = [0, 0];
    const read = (): void => {
      rows += session.take(calm.dev).length;
      aggregates += session.takeSummaries(calm.dev).length;
    };
    const reading = setInterval(read, 50);
    await Promise.all(running.map(({ report }) => report));
    clearInterval(reading);
    read();
    expectWhole(session, calm, account, { rows });
    expect(aggregates).toBe(0);
    expect(session.source.kernelCounters().filtered).toBeGreaterThan(100_000);
    account.dispose();
  });
});
