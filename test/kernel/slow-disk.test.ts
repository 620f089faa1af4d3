import { constants } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Op } from '../../src/model/operation.ts';
import { errnoOf } from '../../src/model/request-text.ts';
import { buildLoad, startLoad } from '../load/load-process.ts';
import { closeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { runUring } from '../load/uring.ts';
import { runSync, type MeasuredIo, type SyncIo } from '../load/sync-load.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import { Account } from './fixtures/account.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { needs } from '../needs.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const DISK_BYTES = 64 * MIB;
const { EIO, ENOSPC } = constants.errno;

function ios(kind: 'read' | 'write', count: number, from = 0): SyncIo[] {
  return Array.from({ length: count }, (_, i) => ({ kind, offset: from + i * 4096, bytes: 4096 }));
}

describe('a disk of known slowness', needs('tracing'), () => {
  let program: BundledEntry;
  let disk: SlowDisk;
  let session: TraceSession;
  let account: Account;
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
    session.focus(disk.loop.dev);
    account = new Account(disk.loop);
  });
  afterEach(() => {
    account.dispose();
    session.dispose();
  });

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
    expect(account.stats()[kind === 'read' ? 'reads' : 'writes']).toBe(count);
    expect(account.completed()).toBe(count);
  });

  it('parallel requests each take their own time, not that of all before them', async () => {
    await disk.setRules([{ start: 0, end: DISK_BYTES, delayUs: 10_000 }]);
    const fd = disk.loop.openDirect();
    try {
      const next = (i: number) => ({ write: false, offset: i * 4096, bytes: 4096 });
      runUring({ fd, depth: 8, batch: 8, count: 80, maxBytes: 4096, next });
    } finally {
      closeSync(fd);
    }
    const times = session.take(disk.loop.dev).map(({ deviceNs }) => deviceNs);
    expect(times).toHaveLength(account.completed());
    expect(Math.min(...times)).toBeGreaterThanOrEqual(10e6);
    // One after the other they would take up to eight times as long.
    expect(times.sort((a, b) => a - b)[times.length >> 1]).toBeLessThan(20e6);
  });

  it.each([
    ['read', EIO, 'EIO'],
    ['write', EIO, 'EIO'],
    ['write', ENOSPC, 'ENOSPC'],
  ] as const)(
    'a %s that fails with errno %i is shown with it, and only that',
    async (kind, errno, name) => {
      await disk.setRules([{ start: MIB, end: 2 * MIB, op: kind, delayUs: 3000, errno }]);
      const measured = runSync(disk.loop, [
        ...ios(kind, 2),
        ...ios(kind, 3, MIB),
        ...ios(kind, 2, 2 * MIB),
      ]);
      expect(measured.map((io) => io.errno)).toEqual([
        undefined,
        undefined,
        name,
        name,
        name,
        undefined,
        undefined,
      ]);
      const seen = session.take(disk.loop.dev);
      expect(seen.map(({ key }) => errnoOf(key.error))).toEqual([0, 0, errno, errno, errno, 0, 0]);
      expectTimes(seen.slice(2, 5), measured.slice(2, 5), 3);
      expect(account.completed()).toBe(7);
      expect(session.inFlight(disk.loop.dev)).toEqual([]);
    },
  );

  it('a slow fsync of the disk shows as a flush that takes as long', async () => {
    await disk.setRules([{ start: 0, end: DISK_BYTES, op: 'fsync', delayUs: 30_000 }]);
    const [written, sync] = runSync(disk.loop, [...ios('write', 1), { kind: 'fdatasync' }]);
    const [write, flush, parent] = session.take(disk.loop.dev);
    expectTimes([write!], [written!], 0);
    expect(flush).toMatchObject({ op: 'flush', bytes: 0 });
    expect(flush!.deviceNs).toBeGreaterThanOrEqual(30e6);
    expect(flush!.deviceNs).toBeLessThanOrEqual(Number(sync!.endNs - sync!.startNs));
    expect(parent!.queueNs).toBeGreaterThanOrEqual(flush!.deviceNs);
    expect(account.stats().flushes).toBe(1);
  });

  it('a slow discard takes its time, apart from parallel reads', async () => {
    await disk.setRules([{ start: 0, end: DISK_BYTES, op: 'discard', delayUs: 15_000 }]);
    disk.loop.discard(8 * MIB, MIB);
    const measured = runSync(disk.loop, ios('read', 2));
    const seen = session.take(disk.loop.dev);
    const discards = seen.filter(({ op }) => op === 'discard');
    expect(discards.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(MIB);
    const { discards: count, discardedSectors, reads } = account.stats();
    expect([discards.length, discardedSectors * 512, reads]).toEqual([count, MIB, 2]);
    for (const { deviceNs } of discards) expect(deviceNs).toBeGreaterThanOrEqual(15e6);
    expectTimes(
      seen.filter(({ op }) => op === 'read'),
      measured,
      0,
    );
  });

  it('a change in the speed of a disk shows from the next I/O on', async () => {
    const usual: number[] = [];
    for (const ms of [1, 40, 1]) {
      await disk.setRules([{ start: 0, end: DISK_BYTES, delayUs: ms * 1000 }]);
      const measured = runSync(disk.loop, ios('read', 5));
      const seen = session.take(disk.loop.dev);
      expectTimes(seen, measured, ms);
      // The median: the machine may stand still during one of them.
      usual.push(seen.map(({ deviceNs }) => deviceNs).sort((a, b) => a - b)[2]!);
    }
    expect(Math.max(usual[0]!, usual[2]!)).toBeLessThan(40e6);
  });

  it('a request that hangs is shown while it does, with age and owner, and counted once it ends', async () => {
    await disk.setRules([]);
    const load = await buildLoad();
    disk.hang();
    try {
      const running = startLoad(load, {
        path: disk.loop.path,
        depth: 1,
        batch: 1,
        count: 1,
        blockBytes: 4096,
        spanBytes: MIB,
        seed: 1,
        writes: 0,
      });
      await expect.poll(() => session.source.hanging()?.count, { timeout: 10_000 }).toBe(1);
      const hanging = session.source.hanging()!;
      expect(hanging.dev).toBe(disk.loop.dev);
      expect(hanging.ageNs).toBeGreaterThanOrEqual(3e9);
      const [listed] = session.inFlight(disk.loop.dev);
      expect(listed).toMatchObject({ tgid: running.pid, op: 0, bytes: 4096 });
      const sinceNs = process.hrtime.bigint();
      await sleep(100);
      const passedNs = Number(process.hrtime.bigint() - sinceNs);
      const { ageNs } = session.source.hanging()!;
      expect(ageNs).toBeGreaterThanOrEqual(hanging.ageNs + passedNs);
      expect(session.take(disk.loop.dev)).toEqual([]);
      expect(session.lost()).toBe(0);
      disk.resume();
      const { failures, elapsedNs } = await running.report;
      expect(failures).toBe(0);
      const [seen] = session.take(disk.loop.dev);
      expect(seen!.sector).toBe(listed!.sector);
      expect(seen!.deviceNs).toBeGreaterThanOrEqual(ageNs);
      expect(seen!.deviceNs + seen!.queueNs).toBeLessThanOrEqual(elapsedNs);
      expect(session.source.hanging()).toBeUndefined();
      expect(session.inFlight(disk.loop.dev)).toEqual([]);
    } finally {
      disk.resume();
      load.dispose();
    }
  });

  /** Sends a flush that hangs; `release` lets it end, and resolves when it has. */
  async function hangingFlush(): Promise<() => Promise<void>> {
    await disk.setRules([]);
    const file = await open(disk.loop.path, 'r+');
    disk.hang();
    const flushed = file.datasync();
    await expect.poll(inFlightOps, { timeout: 10_000 }).toEqual([Op.write, Op.flush]);
    return async () => {
      disk.resume();
      await flushed;
      await file.close();
    };
  }

  function inFlightOps(): number[] {
    return session
      .inFlight(disk.loop.dev)
      .map(({ op }) => op)
      .sort((a, b) => a - b);
  }

  it('a flush that hangs stays in flight, and so does the caller that waits for it', async () => {
    const release = await hangingFlush();
    try {
      for (let look = 0; look < 20; look++) {
        expect(inFlightOps()).toEqual([Op.write, Op.flush]);
        await sleep(10);
      }
      expect(session.lost()).toBe(0);
    } finally {
      await release();
    }
    expect(inFlightOps()).toEqual([]);
    expect(session.take(disk.loop.dev)).toHaveLength(2);
    expect(session.lost()).toBe(0);
  });

  it('a flush whose end was missed is reported as lost, no longer as hanging', async () => {
    const release = await hangingFlush();
    session.detachPrograms();
    await release();
    expect(inFlightOps()).toEqual([]);
    expect(session.take(disk.loop.dev)).toEqual([]);
    expect(session.lost()).toBe(account.stats().flushes + account.stats().writes);
    expect(session.source.counters().losses['vanished']).toBe(2);
  });
});
