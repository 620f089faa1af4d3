import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fineBin, fineBinHigh } from '../../src/model/fine-bins.ts';
import { ownerIsKnown } from '../../src/model/identity.ts';
import type { CompletionSummary } from '../../src/trace/completion-summary.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { buildLoad, startLoad, type LoadOrder } from '../load/load-process.ts';
import { runSync } from '../load/sync-load.ts';
import { runUring } from '../load/uring.ts';
import { needs } from '../needs.ts';
import { SeededRandom } from '../random.ts';
import { Account, expectWhole } from './fixtures/account.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const DISK_BYTES = 128 << 20;
const NEVER_NS = 2 ** 50;

/** Random reads and writes of 4 KiB, in this process. */
function load(disk: LoopDevice, count: number, seed: number): void {
  const random = new SeededRandom(seed);
  const fd = disk.openDirect();
  const next = () => ({
    write: random.next() < 0.25,
    offset: Math.floor((random.next() * DISK_BYTES) / 4096) * 4096,
    bytes: 4096,
  });
  try {
    runUring({ fd, depth: 32, batch: 8, count, maxBytes: 4096, next });
  } finally {
    closeSync(fd);
  }
}

function countOf(summaries: readonly CompletionSummary[]): number {
  return summaries.reduce((sum, { count }) => sum + count, 0);
}

describe('a sample in detail', needs('tracing'), () => {
  let disk: LoopDevice;
  let session: TraceSession;
  let account: Account;
  beforeEach(() => {
    disk = LoopDevice.create({ bytes: DISK_BYTES });
    session = TraceSession.open();
    session.focus(disk.dev);
    account = new Account(disk);
  });
  afterEach(() => {
    account.dispose();
    session.dispose();
    disk.dispose();
  });

  it('one in 16 drawn: what was drawn, counted and lost adds up to what the disk did', () => {
    session.detail.slowFrom(NEVER_NS);
    session.detail.sample(16);
    load(disk, 40_000, 1);
    const rows = session.take(disk.dev);
    const summarised = countOf(session.takeSummaries(disk.dev));
    expectWhole(session, disk, account, { rows: rows.length, summarised });
    // 2,500 with a standard deviation of 48.
    expect(rows.length).toBeGreaterThan(2250);
    expect(rows.length).toBeLessThan(2750);
    expect(session.source.kernelCounters().leftOut).toBe(summarised);
    const writes = rows.filter(({ op }) => op === 'write').length;
    expect(writes / rows.length).toBeCloseTo(0.25, 1);
  });

  it('nothing is drawn any more once all come again', () => {
    session.detail.sample(1024);
    session.detail.sample(1);
    load(disk, 2000, 2);
    const rows = session.take(disk.dev).length;
    expect(session.takeSummaries(disk.dev)).toEqual([]);
    expectWhole(session, disk, account, { rows });
  });

  it('all slow I/Os come individually, whatever is drawn', () => {
    load(disk, 5000, 3);
    const before = session.take(disk.dev).map(({ deviceNs, queueNs }) => deviceNs + queueNs);
    const slowNs = fineBinHigh(fineBin(before.sort((a, b) => a - b)[before.length >> 3]!));
    session.detail.slowFrom(slowNs);
    session.detail.sample(1024);
    load(disk, 20_000, 4);
    const rows = session.take(disk.dev);
    const summaries = session.takeSummaries(disk.dev);
    const slow = rows.filter(({ deviceNs, queueNs }) => deviceNs + queueNs >= slowNs);
    // The second load may be faster than the first; the sample alone would bring 20.
    expect(slow.length).toBeGreaterThan(100);
    const slowest = Math.max(...summaries.map(({ total }) => total.findLastIndex((n) => n > 0)));
    expect(slowest).toBeLessThan(fineBin(slowNs));
    const all = { rows: before.length + rows.length, summarised: countOf(summaries) };
    expectWhole(session, disk, account, all);
  });

  it('belongs to its owners, as far as the sample can tell', () => {
    session.detail.slowFrom(NEVER_NS);
    session.detail.sample(16);
    load(disk, 20_000, 5);
    const rows = session.take(disk.dev);
    const summaries = session.takeSummaries(disk.dev);
    const { identities } = session.source.info;
    const owned = summaries.filter(({ identity }) => ownerIsKnown(identities.get(identity)));
    expect(countOf(owned)).toBe(countOf(summaries));
    for (const { identity } of owned) expect(identities.get(identity).tgid).toBe(process.pid);
    expectWhole(session, disk, account, { rows: rows.length, summarised: countOf(summaries) });
  });
});

describe('failed I/O', needs('tracing'), () => {
  it('comes individually, whatever is drawn', () => {
    const disk = LoopDevice.create({ bytes: DISK_BYTES });
    const session = TraceSession.open();
    session.focus(disk.dev);
    session.detail.slowFrom(NEVER_NS);
    session.detail.sample(65_536);
    try {
      disk.truncateBacking((1 << 20) + 8192);
      runSync(disk, [{ kind: 'read', offset: 1 << 20, bytes: 65_536 }]);
      const seen = session.take(disk.dev);
      expect(seen).toHaveLength(1);
      expect(seen[0]!.key.error).not.toBe(0);
      expect(session.takeSummaries(disk.dev)).toEqual([]);
    } finally {
      session.dispose();
      disk.dispose();
    }
  });
});

describe('a budget that is too small for the load', needs('tracing'), () => {
  let program: BundledEntry;
  let disk: LoopDevice;
  let session: TraceSession;
  let account: Account;
  beforeEach(async () => {
    program = await buildLoad();
    disk = LoopDevice.create({ bytes: DISK_BYTES });
    session = TraceSession.open({ budget: 0.0001 });
    session.focus(disk.dev);
    account = new Account(disk);
  });
  afterEach(() => {
    account.dispose();
    session.dispose();
    disk.dispose();
    program.dispose();
  });

  const order = (perSecond: number, seed: number): LoadOrder => ({
    ...{ path: disk.path, depth: 16, batch: 8, blockBytes: 4096, spanBytes: DISK_BYTES },
    ...{ seed, writes: 0, perSecond, count: 5 * perSecond },
  });

  it('leaves most I/Os out, loses none, and states whose they are with its uncertainty', async () => {
    const loads = [startLoad(program, order(15_000, 1)), startLoad(program, order(5000, 2))];
    const { identities } = session.source.info;
    const found = new Map(loads.map(({ pid }) => [pid, { count: 0, variance: 0 }]));
    let [rows, summarised] = [0, 0];
    const read = (): void => {
      for (const { key } of session.take(disk.dev)) {
        rows++;
        found.get(key.tgid)!.count++;
      }
      for (const { identity, count, countVariance = 0 } of session.takeSummaries(disk.dev)) {
        summarised += count;
        const owner = found.get(identities.get(identity).tgid);
        if (owner === undefined) continue;
        owner.count += count;
        owner.variance += countVariance;
      }
    };
    const reading = setInterval(read, 50);
    const reports = await Promise.all(loads.map(({ report }) => report));
    clearInterval(reading);
    await sleep(0);
    read();
    expect(session.source.counters().oneIn).toBeGreaterThan(1);
    expectWhole(session, disk, account, { rows, summarised });
    // On a slow machine, the 5,000 a second that always come are a larger part.
    expect(summarised).toBeGreaterThan(20_000);
    for (const [i, { pid }] of loads.entries()) {
      const { count, variance } = found.get(pid)!;
      const truth = reports[i]!.reads;
      expect(Math.abs(count - truth)).toBeLessThan(5 * Math.sqrt(variance));
      expect(Math.sqrt(variance) / truth).toBeLessThan(0.05);
    }
  });
});
