import { closeSync, readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { diskstatsSince } from '../load/diskstats-since.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { SeededRandom } from '../random.ts';
import { runSync, type SyncIo } from '../load/sync-load.ts';
import { runUring } from '../load/uring.ts';
import { needs } from '../needs.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const DISK_BYTES = 64 * MIB;

/** Reads and writes of 512 bytes to 128 KiB all over the disk. */
function mixedIos(count: number, seed: number): (SyncIo & { kind: 'read' | 'write' })[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: count }, () => {
    const bytes = 512 * 2 ** Math.floor(random.next() * 9);
    const offset = Math.floor((random.next() * DISK_BYTES) / bytes) * bytes;
    return { kind: random.next() < 0.5 ? 'read' : 'write', offset, bytes };
  });
}

for (const preferBio of [false, true]) {
  describe(`single I/Os, owners by ${preferBio ? 'bio' : 'request'}`, needs('tracing'), () => {
    let disk: LoopDevice;
    let session: TraceSession;
    beforeAll(() => {
      disk = LoopDevice.create({ bytes: DISK_BYTES });
    });
    afterAll(() => {
      disk.dispose();
    });
    beforeEach(() => {
      session = TraceSession.open(preferBio ? { without: ['block_io_start'] } : {});
      // Other tests load other disks at the same time.
      session.focus(disk.dev);
    });
    afterEach(() => {
      session.dispose();
    });

    it('single I/Os are traced once each, in order, with place, size and operation', () => {
      const ios = mixedIos(400, 1);
      runSync(disk, ios);
      const seen = session.take(disk.dev);
      expect(seen.map(({ op, sector, bytes }) => [op, sector * 512, bytes])).toEqual(
        ios.map(({ kind, offset, bytes }) => [kind, offset, bytes]),
      );
      expect(session.inFlight(disk.dev)).toEqual([]);
      expect(session.lost()).toBe(0);
    });

    it('single I/Os belong to the thread that asked for them', () => {
      runSync(disk, mixedIos(50, 2));
      const seen = session.take(disk.dev);
      const comm = readFileSync('/proc/thread-self/comm', 'utf8').trimEnd();
      expect(seen).toHaveLength(50);
      for (const { key } of seen) {
        expect(key).toMatchObject({ tgid: process.pid, tid: process.pid, comm });
        expect(key).toMatchObject({ marks: 0, error: 0 });
        expect(key.cgroup).toBeGreaterThan(0);
      }
    });

    it('single I/Os agree with what the kernel counts', () => {
      const before = readDiskstats().get(disk.dev)!;
      runSync(disk, mixedIos(300, 3));
      const truth = diskstatsSince(before, readDiskstats().get(disk.dev)!);
      const seen = session.take(disk.dev);
      const reads = seen.filter(({ op }) => op === 'read');
      const writes = seen.filter(({ op }) => op === 'write');
      const sectors = (ios: typeof seen) => ios.reduce((sum, { bytes }) => sum + bytes / 512, 0);
      expect([reads.length, sectors(reads)]).toEqual([truth.reads, truth.readSectors]);
      expect([writes.length, sectors(writes)]).toEqual([truth.writes, truth.writtenSectors]);
    });

    it('single I/Os lie within the calls that made them, and take most of their time', () => {
      const measured = runSync(disk, mixedIos(400, 4));
      const seen = session.take(disk.dev);
      const { monotonicNs } = session.source.info.clockBase;
      const shares: number[] = [];
      measured.forEach(({ startNs, endNs }, index) => {
        const { completeNs, deviceNs, queueNs } = seen[index]!;
        const totalNs = deviceNs + queueNs;
        expect(completeNs).toBeLessThanOrEqual(Number(endNs - monotonicNs));
        expect(completeNs - totalNs).toBeGreaterThanOrEqual(Number(startNs - monotonicNs) - 1);
        shares.push(totalNs / Number(endNs - startNs));
      });
      expect(Math.max(...shares)).toBeLessThanOrEqual(1);
      // The rest is the way through the system call and back, and, of some, waiting for a processor.
      expect(shares.sort((a, b) => a - b)[shares.length >> 1]).toBeGreaterThan(1 / 20);
    });

    it.each(['none', 'mq-deadline'])('merges under %s keep every byte', (scheduler) => {
      if (disk.hasScheduler(scheduler)) disk.setQueue('scheduler', scheduler);
      const fd = disk.openDirect();
      try {
        const count = 4096;
        const before = readDiskstats().get(disk.dev)!;
        const outcome = runUring({
          fd,
          depth: 256,
          batch: 64,
          count,
          maxBytes: 4096,
          next: (index) => ({ write: true, offset: index * 4096, bytes: 4096 }),
        });
        const truth = diskstatsSince(before, readDiskstats().get(disk.dev)!);
        const seen = session.take(disk.dev).sort((a, b) => a.sector - b.sector);
        expect(outcome).toMatchObject({ failures: 0, bytes: count * 4096 });
        expect(seen).toHaveLength(truth.writes);
        expect(seen.length).toBeLessThan(count);
        let end = 0;
        for (const { sector, bytes, key } of seen) {
          expect(sector * 512).toBe(end);
          expect(key.tgid).toBe(process.pid);
          end += bytes;
        }
        expect(end).toBe(count * 4096);
        expect(session.inFlight(disk.dev)).toEqual([]);
      } finally {
        closeSync(fd);
      }
    });
  });
}
