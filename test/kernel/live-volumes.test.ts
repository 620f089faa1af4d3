import { execFileSync } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { Dimension, Inflight } from '../../src/kernel/abi/layout.ts';
import { readDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { diskstatsSince } from '../load/diskstats-since.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { runSync } from '../load/sync-load.ts';
import type { SyncIo } from '../load/sync-load.ts';
import { ZramDevice } from '../load/zram-device.ts';
import { noteMissed } from '../missed.ts';
import { needs } from '../needs.ts';
import { addressesAmong, wordsAfter } from './fixtures/mapped-trace.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const NEVER_NS = 2 ** 50;
const CALLS: readonly SyncIo[] = Array.from({ length: 100 }, (_, index) => ({
  kind: index % 3 === 0 ? 'read' : 'write',
  offset: (index * 7919 * 4096) % (32 * MIB),
  bytes: 4096 * (1 + (index % 4)),
}));

function sumOf<T>(all: readonly T[], of: (one: T) => number): number {
  return all.reduce((sum, one) => sum + of(one), 0);
}

describe('volumes, which have no requests', needs('tracing', 'zram'), () => {
  let session: TraceSession;
  let volume: ZramDevice;
  beforeEach(() => {
    volume = ZramDevice.create(64 * MIB);
    session = TraceSession.open();
  });
  afterEach(() => {
    session.dispose();
    volume.dispose();
  });

  /** What a load did on the volume, as it was seen, and as the kernel counted it. */
  function traced(load: () => void) {
    session.takeAll();
    const before = readDiskstats().get(volume.dev)!;
    load();
    const stats = diskstatsSince(before, readDiskstats().get(volume.dev)!);
    const seen = session.take(volume.dev, 'volumes');
    const counted = session.takeSummaries(volume.dev);
    const of = (op: SeenIo['op']): SeenIo[] => seen.filter((io) => io.op === op);
    const known = sumOf(counted, ({ count }) => count) + of('read').length + of('write').length;
    noteMissed(() => Math.max(0, stats.reads + stats.writes - known));
    return { stats, seen, counted, of };
  }

  /** Random I/O of 4 KiB, 16 at a time. */
  function fio(rw: string, ios: number): void {
    const where = ['--name=z', `--filename=${volume.path}`, '--direct=1', '--size=32m'];
    const load = [`--rw=${rw}`, '--norandommap', `--number_ios=${ios}`, '--iodepth=16'];
    execFileSync('fio', [...where, ...load, '--ioengine=libaio', '--thread']);
  }

  it('each call is one I/O with its place, size, owner and a time within that of the call', () => {
    let calls: ReturnType<typeof runSync> = [];
    const { seen } = traced(() => {
      calls = runSync(volume, CALLS);
    });
    expect(
      seen.map(({ op, sector, bytes }) => ({ kind: op, offset: sector * 512, bytes })),
    ).toEqual(CALLS);
    for (const [index, { key, deviceNs, queueNs }] of seen.entries()) {
      expect(key).toMatchObject({ layer: 'volumes', tgid: process.pid, error: 0, marks: 0 });
      expect(queueNs).toBe(0);
      expect(deviceNs).toBeGreaterThan(0);
      expect(deviceNs).toBeLessThan(Number(calls[index]!.endNs - calls[index]!.startNs));
    }
  });

  it('I/Os and bytes of many at once, and of a file system, equal those of diskstats', () => {
    const { stats, of } = traced(() => {
      const common = ['--name=z', `--filename=${volume.path}`, '--direct=1', '--size=32m'];
      const load = ['--rw=randrw', '--norandommap', '--number_ios=4000', '--iodepth=16'];
      execFileSync('fio', [...common, ...load, '--ioengine=libaio', '--numjobs=2', '--thread']);
      execFileSync('mkfs.ext4', ['-q', '-E', 'nodiscard', '-O', '^has_journal', volume.path]);
    });
    const sum = (ios: readonly SeenIo[]): number => sumOf(ios, ({ bytes }) => bytes / 512);
    // Zeroes are written without data, and zram counts them nowhere.
    const written = of('write').filter(({ key }) => (key.cmdFlags & 0xff) === 1);
    expect([of('read').length, written.length]).toEqual([stats.reads, stats.writes]);
    expect([sum(of('read')), sum(written)]).toEqual([stats.readSectors, stats.writtenSectors]);
    expect(stats.reads + stats.writes).toBeGreaterThan(7900);
    const { volumeLost, volumeUnsummarised } = session.source.kernelCounters();
    expect([volumeLost, volumeUnsummarised]).toEqual([0, 0]);
  });

  it('what is left out of many is counted, exactly, for its volume and its owner', () => {
    session.detail.slowFrom(NEVER_NS);
    session.detail.sample(16);
    const { stats, seen, counted } = traced(() => {
      fio('randrw', 8000);
    });
    const { identities } = session.source.info;
    const owners = counted.map(({ identity }) => identities.get(identity));
    expect(owners.length).toBeGreaterThan(0);
    for (const owner of owners) expect(owner).toMatchObject({ layer: 'volumes', comm: 'fio' });
    const count = sumOf(counted, (summary) => summary.count) + seen.length;
    expect(count).toBe(stats.reads + stats.writes);
    const bytes = sumOf(counted, (summary) => summary.bytes) + sumOf(seen, (io) => io.bytes);
    expect(bytes / 512).toBe(stats.readSectors + stats.writtenSectors);
    // One in 16 of 8,000: 500 with a standard deviation of 22.
    expect(Math.abs(seen.length - 500)).toBeLessThan(5 * 22);
  });

  it('what finds the ring full is counted, and none is lost', () => {
    session.dispose();
    session = TraceSession.open({ ringBytes: 4096 });
    const { stats, seen, counted } = traced(() => {
      fio('randread', 2000);
    });
    expect(seen.length).toBeLessThan(100);
    expect(sumOf(counted, ({ count }) => count) + seen.length).toBe(stats.reads);
    expect(session.source.counters().losses).not.toHaveProperty('volumes');
  });

  it('figures of disks have none of it, and figures of volumes nothing else', () => {
    const monitor = new Monitor({
      ...{ source: session.source, historyBytes: 16 << 20, filter: NO_FILTER },
    });
    runSync(volume, CALLS);
    while (!monitor.pump());
    const range = { scope: 'recent', startNs: 0, endNs: 1e12 } as const;
    expect(monitor.report(range).disks.map(({ disk }) => disk)).not.toContain(volume.name);
    monitor.setLayer('volumes');
    const { disks, totals } = monitor.report(range);
    expect(disks.map(({ disk }) => disk)).toEqual([volume.name]);
    expect(totals.queueShare).toBeUndefined();
    expect(totals.p99Ns).toBeGreaterThan(0);
  });

  it('leave no addresses of the kernel in the maps of what is in flight', () => {
    const bytes = 2 * Dimension.volumeSets * Inflight.bytes;
    const words = wordsAfter(
      () => runSync(volume, CALLS),
      ({ inflight, extents }, { inflight: { slots } }) => {
        const end = slots * Inflight.bytes;
        return [inflight.slice(end - bytes, end), extents];
      },
    );
    // Of the last bio in each place, owner and times stay behind.
    expect(words.length).toBeGreaterThan(6);
    expect(addressesAmong(words)).toEqual([]);
  });

  it('the filter of the kernel applies to volumes as well', () => {
    session.source.setFilter({ devs: [volume.dev], opClasses: ['read'] });
    const { seen, stats } = traced(() => void runSync(volume, CALLS));
    expect(new Set(seen.map(({ op }) => op))).toEqual(new Set(['read']));
    expect(seen).toHaveLength(stats.reads);
  });
});
