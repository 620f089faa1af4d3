import { constants } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { diskstatsSince, readDiskstats, type DiskStats } from '../../src/kernel/diskstats.ts';
import { runSync, type MeasuredIo, type SyncIo } from '../load/sync-load.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { describeTracing } from './fixtures/needs-tracing.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const DISK_BYTES = 64 * MIB;
const { EIO, ENOSPC } = constants.errno;

function ios(kind: 'read' | 'write', count: number, from = 0): SyncIo[] {
  return Array.from({ length: count }, (_, i) => ({ kind, offset: from + i * 4096, bytes: 4096 }));
}

describeTracing('a disk of known slowness', () => {
  let program: BundledEntry;
  let disk: SlowDisk;
  let session: TraceSession;
  let before: DiskStats;
  beforeAll(async () => {
    program = await buildSlowFile();
    disk = await SlowDisk.start(program, DISK_BYTES);
  });
  afterAll(async () => {
    await disk.dispose();
    program.dispose();
  });
  beforeEach(() => {
    session = TraceSession.open();
    session.source.setFilter({ devs: [disk.loop.dev] });
    before = readDiskstats().get(disk.loop.dev)!;
  });
  afterEach(() => {
    session.dispose();
  });

  const truth = (): DiskStats => diskstatsSince(before, readDiskstats().get(disk.loop.dev)!);

  /** Not below what was asked for, and not above what the caller waited for. */
  function expectTimes(seen: readonly SeenIo[], measured: readonly MeasuredIo[], delayMs: number) {
    expect(seen).toHaveLength(measured.length);
    seen.forEach(({ deviceNs, queueNs }, index) => {
      const { startNs, endNs } = measured[index]!;
      expect(deviceNs).toBeGreaterThanOrEqual(delayMs * 1e6);
      expect(deviceNs + queueNs).toBeLessThanOrEqual(Number(endNs - startNs));
    });
  }

  it.each([
    ['read', 5, 20],
    ['write', 20, 10],
    ['read', 250, 4],
  ] as const)('a %s that takes %i ms is shown to take that long', async (kind, ms, count) => {
    await disk.setRules([{ start: 0, end: DISK_BYTES, op: kind, delayUs: ms * 1000 }]);
    const measured = runSync(disk.loop, ios(kind, count));
    const seen = session.take(disk.loop.dev);
    expectTimes(seen, measured, ms);
    expect(seen.map(({ op, bytes }) => [op, bytes])).toEqual(
      Array.from({ length: count }, () => [kind, 4096]),
    );
    expect(truth()[kind === 'read' ? 'reads' : 'writes']).toBe(count);
  });
});
