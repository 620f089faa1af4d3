import { closeSync, constants, openSync, readSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LoopDevice, type LoopOptions } from '../load/loop-device.ts';
import { runSync, type SyncIo } from '../load/sync-load.ts';
import { Account } from './fixtures/account.ts';
import { needs } from '../needs.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const BYTES = 64 * MIB;

describe('disks of other shapes', needs('tracing'), () => {
  let session: TraceSession;
  const disks: LoopDevice[] = [];
  beforeEach(() => {
    session = TraceSession.open();
  });
  afterEach(() => {
    session.dispose();
    // What was laid over others goes first.
    for (const disk of disks.splice(0).reverse()) disk.dispose();
  });

  function keep(disk: LoopDevice): LoopDevice {
    disks.push(disk);
    return disk;
  }

  function attach(options: Partial<LoopOptions> = {}): LoopDevice {
    return keep(LoopDevice.create({ bytes: BYTES, ...options }));
  }

  /** What was seen of each disk agrees with the kernel's own count, in I/Os and in sectors of 512 bytes. */
  function seenExactly(load: () => void, ...traced: LoopDevice[]): SeenIo[][] {
    session.takeAll();
    const accounts = traced.map((disk) => new Account(disk));
    try {
      load();
      const all = session.takeAll();
      return traced.map((disk, index) => {
        const seen = all.filter(({ key }) => key.dev === disk.dev);
        const stats = accounts[index]!.stats();
        const sectors = (...ops: readonly string[]): number =>
          seen.filter(({ op }) => ops.includes(op)).reduce((sum, io) => sum + io.bytes / 512, 0);
        const { reads, writes, discards, flushes } = stats;
        expect(seen).toHaveLength(reads + writes + discards + flushes);
        expect([sectors('read'), sectors('write'), sectors('discard')]).toEqual([
          stats.readSectors,
          stats.writtenSectors,
          stats.discardedSectors,
        ]);
        expect(session.inFlight(disk.dev)).toEqual([]);
        return seen;
      });
    } finally {
      for (const account of accounts) account.dispose();
    }
  }

  const spread = (kind: 'read' | 'write', bytes: number): SyncIo[] =>
    Array.from({ length: 40 }, (_, index) => ({ kind, offset: index * MIB, bytes }));

  it.each([512, 1024, 4096])(
    'places and sizes on a disk with sectors of %i bytes are in bytes',
    (sectorBytes) => {
      const disk = attach({ sectorBytes });
      const load = [...spread('write', sectorBytes), ...spread('read', 4096)];
      const [seen] = seenExactly(() => void runSync(disk, load), disk);
      expect(seen!.map(({ sector, bytes }) => ({ offset: sector * 512, bytes }))).toEqual(
        load.map((io) => (io.kind === 'fdatasync' ? {} : { offset: io.offset, bytes: io.bytes })),
      );
    },
  );

  it('reads of a read-only disk are traced', () => {
    const disk = attach({ readOnly: true });
    const fd = openSync(disk.path, constants.O_RDONLY);
    try {
      const [seen] = seenExactly(() => {
        for (let i = 0; i < 40; i++) readSync(fd, Buffer.alloc(4096), 0, 4096, i * MIB);
      }, disk);
      expect(seen!.length).toBeGreaterThanOrEqual(40);
    } finally {
      closeSync(fd);
    }
  });

  it('I/O of a loop device that bypasses the page cache of its file is traced', () => {
    const disk = attach({ directIo: true, folder: '/var/tmp', sectorBytes: 4096 });
    const load = [...spread('write', 8192), ...spread('read', 8192)];
    const [seen] = seenExactly(() => void runSync(disk, load), disk);
    expect(seen).toHaveLength(load.length);
  });

  it('stacked loop devices each see the I/O at its place', () => {
    const lowest = attach();
    const middle = keep(LoopDevice.over(lowest.path, { directIo: true }));
    const highest = keep(LoopDevice.over(middle.path, { directIo: true }));
    const load = spread('write', 16_384);
    const layers = [lowest, middle, highest];
    const seen = seenExactly(() => void runSync(highest, load), ...layers);
    const places = load.map((io) => (io.kind === 'fdatasync' ? 0 : io.offset));
    for (const layer of seen)
      expect(layer.filter(({ op }) => op === 'write').map(({ sector }) => sector * 512)).toEqual(
        places,
      );
    const slowest = seen.map((layer) => Math.max(...layer.map(({ deviceNs }) => deviceNs)));
    expect(slowest[2]).toBeGreaterThan(slowest[0]! / 2);
  });

  it('I/O larger than a request is traced as parts that are complete together', () => {
    const disk = attach();
    disk.setQueue('max_sectors_kb', '256');
    const [seen] = seenExactly(() => void runSync(disk, spread('read', MIB)), disk);
    const at = (index: number): number[] =>
      seen!
        .filter(({ sector }) => Math.floor((sector * 512) / MIB) === index)
        .map(({ bytes }) => bytes);
    for (let index = 0; index < 40; index++) {
      expect(at(index).length).toBeGreaterThanOrEqual(4);
      expect(at(index).reduce((sum, bytes) => sum + bytes, 0)).toBe(MIB);
    }
  });

  it('writes of zeroes and discards are traced without data', () => {
    // In memory, the file below refuses zeroes, and they come again as data.
    const disk = attach({ folder: '/var/tmp' });
    const [seen] = seenExactly(() => {
      disk.zeroOut(4 * MIB, 2 * MIB);
      disk.discard(8 * MIB, 4 * MIB);
    }, disk);
    const bytesOf = (from: number, to: number): number =>
      seen!
        .filter(({ sector }) => sector * 512 >= from && sector * 512 < to)
        .reduce((sum, { bytes }) => sum + bytes, 0);
    expect(bytesOf(4 * MIB, 6 * MIB)).toBe(2 * MIB);
    expect(bytesOf(8 * MIB, 12 * MIB)).toBe(4 * MIB);
  });

  it('a disk that grows and shrinks while it is used is traced throughout', () => {
    const disk = attach();
    const [seen] = seenExactly(() => {
      for (const bytes of [BYTES, 2 * BYTES, BYTES / 2]) {
        disk.resize(bytes);
        session.source.refreshDevices();
        runSync(disk, [{ kind: 'read', offset: bytes - MIB, bytes: 4096 }]);
        expect(session.source.info.device(disk.dev)).toMatchObject({ sizeBytes: bytes });
      }
    }, disk);
    const places = seen!.map(({ sector }) => sector * 512);
    for (const bytes of [BYTES, 2 * BYTES, BYTES / 2]) expect(places).toContain(bytes - MIB);
  });
});
