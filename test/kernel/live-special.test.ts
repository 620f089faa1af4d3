import { constants } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { diskstatsSince } from '../load/diskstats-since.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { RequestFlag } from '../../src/model/operation.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { runSync } from '../load/sync-load.ts';
import { setThreadName } from '../load/system.ts';
import { needs } from '../needs.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const DISK_BYTES = 64 * MIB;

describe('special requests', needs('tracing'), () => {
  let disk: LoopDevice;
  let session: TraceSession;
  beforeEach(() => {
    disk = LoopDevice.create({ bytes: DISK_BYTES });
    session = TraceSession.open();
  });
  afterEach(() => {
    session.dispose();
    disk.dispose();
  });

  it('fdatasync shows the wait of the caller and the flush it caused, both with their owner', () => {
    const [, sync] = runSync(disk, [
      { kind: 'write', offset: 0, bytes: 4096 },
      { kind: 'fdatasync' },
    ]);
    const [, flush, parent] = session.take(disk.dev);
    expect(flush).toMatchObject({ op: 'flush', bytes: 0, sector: NaN });
    expect(flush!.key).toMatchObject({ tgid: process.pid, marks: IdentityMark.indirect });
    expect(flush!.deviceNs + flush!.queueNs).toBeLessThan(Number(sync!.endNs - sync!.startNs));
    expect(parent).toMatchObject({ op: 'write', bytes: 0, sector: NaN, deviceNs: NaN });
    expect(parent!.key).toMatchObject({ tgid: process.pid, marks: 0 });
    expect(parent!.queueNs).toBeGreaterThanOrEqual(flush!.deviceNs);
    expect(session.inFlight(disk.dev)).toEqual([]);
  });

  it('a FUA write on a disk without FUA is one I/O that lasts until its flush is done', () => {
    const before = readDiskstats().get(disk.dev)!;
    const count = 20;
    const writes = Array.from({ length: count }, (_, i) => ({
      kind: 'write' as const,
      offset: i * MIB,
      bytes: 8192,
    }));
    const measured = runSync(disk, writes, constants.O_DSYNC);
    const truth = diskstatsSince(before, readDiskstats().get(disk.dev)!);
    const seen = session.take(disk.dev);
    // After each write the block device's own fsync sends an empty one.
    const data = seen.filter(({ op, bytes }) => op === 'write' && bytes > 0);
    const flushes = seen.filter(({ op }) => op === 'flush');
    expect(data.map(({ sector, bytes }) => ({ offset: sector * 512, bytes }))).toEqual(
      writes.map(({ offset, bytes }) => ({ offset, bytes })),
    );
    expect(flushes.length).toBe(truth.flushes);
    data.forEach(({ key, deviceNs, queueNs }, index) => {
      expect(key.cmdFlags & RequestFlag.fua).not.toBe(0);
      const { startNs, endNs } = measured[index]!;
      expect(deviceNs + queueNs).toBeLessThanOrEqual(Number(endNs - startNs));
      expect(deviceNs).toBeGreaterThan(flushes[2 * index]!.deviceNs);
    });
    expect(session.inFlight(disk.dev)).toEqual([]);
  });

  it('a discard has its place and size', () => {
    disk.discard(16 * MIB, 4 * MIB);
    const seen = session.take(disk.dev).filter(({ op }) => op === 'discard');
    const bytes = seen.reduce((sum, io) => sum + io.bytes, 0);
    expect(bytes).toBe(4 * MIB);
    expect(seen[0]).toMatchObject({ sector: (16 * MIB) / 512 });
    expect(seen[0]!.key).toMatchObject({ tgid: process.pid, error: 0 });
  });

  it('a read that fails half-way is one I/O with its full size and an error', () => {
    disk.truncateBacking(MIB + 8192);
    runSync(disk, [{ kind: 'read', offset: MIB, bytes: 65_536 }]);
    const seen = session.take(disk.dev);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ op: 'read', sector: MIB / 512, bytes: 65_536 });
    expect(seen[0]!.key.error).not.toBe(0);
    expect(seen[0]!.deviceNs).toBeGreaterThan(0);
    expect(session.source.kernelCounters().partial).toBeGreaterThan(0);
    expect(session.inFlight(disk.dev)).toEqual([]);
  });

  it('names of processes arrive byte for byte, escaped where they are not UTF-8', () => {
    const own = Buffer.from(process.title).subarray(0, 15);
    const names = [
      Buffer.from('\x1b]52;c;aGk=\x07'),
      Buffer.from([0x9b, 0x33, 0x31, 0x6d, 0x41]),
      Buffer.from('","x":"=1+1'),
      Buffer.from('\u202egnp.exe'),
      Buffer.from('a\nb\tc'),
    ];
    try {
      for (const name of names) {
        setThreadName(name);
        runSync(disk, [{ kind: 'read', offset: 0, bytes: 512 }]);
      }
    } finally {
      setThreadName(own);
    }
    expect(session.take(disk.dev).map(({ key }) => key.comm)).toEqual([
      '\x1b]52;c;aGk=\x07',
      '\\23331mA',
      '","x":"=1+1',
      '\u202egnp.exe',
      'a\nb\tc',
    ]);
  });

  it('a disk attached after the start is known by name and size, a number without a disk is not', () => {
    const late = LoopDevice.create({ bytes: 3 * MIB });
    try {
      runSync(late, [{ kind: 'write', offset: 0, bytes: 512 }]);
      session.source.refreshDevices();
      expect(session.take(late.dev)).toHaveLength(1);
      const { info } = session.source;
      expect(info.device(late.dev)).toMatchObject({ name: late.name, sizeBytes: 3 * MIB });
      expect(info.device(0xfff_fffff)).toBeUndefined();
    } finally {
      late.dispose();
    }
  });

  it('tracing does not depend on the iostats setting of a disk', () => {
    disk.setQueue('iostats', '0');
    const [measured] = runSync(disk, [{ kind: 'write', offset: 0, bytes: 4096 }]);
    const [seen] = session.take(disk.dev);
    expect(seen!.deviceNs + seen!.queueNs).toBeLessThan(
      Number(measured!.endNs - measured!.startNs),
    );
  });
});
