import { closeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readDiskstats, type DiskStats } from '../../src/kernel/machine/diskstats.ts';
import { diskstatsSince } from '../load/diskstats-since.ts';
import { fineBin, fineBinHigh, fineBinLow } from '../../src/model/fine-bins.ts';
import { IdentityMark } from '../../src/model/identity.ts';
import { opClass } from '../../src/model/operation.ts';
import type { CompletionSummary } from '../../src/trace/completion-summary.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { buildLoad, startLoad, type LoadOrder } from '../load/load-process.ts';
import { SeededRandom } from '../random.ts';
import { runUring } from '../load/uring.ts';
import { needs } from '../needs.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const DISK_BYTES = 128 * MIB;
const SMALL_RING = 1 << 16;

/** Random reads and writes of 4 KiB, in this process, which meanwhile cannot read the ring. */
function load(disk: LoopDevice, count: number, seed: number): void {
  const random = new SeededRandom(seed);
  const fd = disk.openDirect();
  try {
    runUring({
      fd,
      depth: 32,
      batch: 8,
      count,
      maxBytes: 4096,
      next: () => ({
        write: random.next() < 0.25,
        offset: Math.floor((random.next() * DISK_BYTES) / 4096) * 4096,
        bytes: 4096,
      }),
    });
  } finally {
    closeSync(fd);
  }
}

function total(bins: Uint32Array): number {
  return bins.reduce((sum, count) => sum + count, 0);
}

function sumOf(summaries: readonly CompletionSummary[], field: 'count' | 'bytes'): number {
  return summaries.reduce((sum, summary) => sum + summary[field], 0);
}

describe('a full ring', needs('tracing'), () => {
  let disk: LoopDevice;
  let session: TraceSession;
  let before: DiskStats;
  beforeEach(() => {
    disk = LoopDevice.create({ bytes: DISK_BYTES });
    session = TraceSession.open({ ringBytes: SMALL_RING });
    // Other tests load other disks at the same time.
    session.focus(disk.dev);
    before = readDiskstats().get(disk.dev)!;
  });
  afterEach(() => {
    session.dispose();
    disk.dispose();
  });
  const truth = () => diskstatsSince(before, readDiskstats().get(disk.dev)!);

  it('a full ring loses nothing: what does not fit is counted', () => {
    load(disk, 20_000, 1);
    const { reads, writes, readSectors, writtenSectors } = truth();
    const rows = session.take(disk.dev);
    const summaries = session.takeSummaries(disk.dev);
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.length).toBeLessThan(SMALL_RING / 80);
    const lost = session.lost();
    expect(rows.length + sumOf(summaries, 'count') + lost).toBe(reads + writes);
    const bytes = rows.reduce((sum, row) => sum + row.bytes, 0) + sumOf(summaries, 'bytes');
    expect(bytes).toBe(512 * (readSectors + writtenSectors));
    expect(session.source.readSummaries()).toEqual([]);
    expect(session.inFlight(disk.dev)).toEqual([]);
  });

  it('a full ring counts by operation, with histograms that add up', () => {
    load(disk, 10_000, 2);
    const rows = session.take(disk.dev);
    const summaries = session.takeSummaries(disk.dev);
    const { identities } = session.source.info;
    const writes = summaries.filter(
      ({ identity: key }) => opClass(identities.get(key).cmdFlags) === 'write',
    );
    const seenWrites = rows.filter(({ op }) => op === 'write').length;
    expect(sumOf(writes, 'count') + seenWrites).toBe(truth().writes);
    for (const summary of summaries) {
      const { count, device, queue, size, offset } = summary;
      expect(identities.get(summary.identity)).toMatchObject({ tgid: 0 });
      expect(identities.get(summary.identity).marks & IdentityMark.noDetail).not.toBe(0);
      expect([device, queue, summary.total, size, offset].map(total)).toEqual(
        Array.from({ length: 5 }, () => count),
      );
      expect(size.findIndex((bin) => bin > 0)).toBe(fineBin(4096));
      const slowest = device.findLastIndex((bin) => bin > 0);
      expect(fineBin(summary.maxDeviceNs)).toBe(slowest);
      expect(summary.deviceNsSum).toBeLessThanOrEqual(count * summary.maxDeviceNs);
      // The kernel numbers the bins as we do, or its sum would not lie between their edges.
      const least = device.reduce((sum, some, bin) => sum + some * fineBinLow(bin), 0);
      const most = device.reduce((sum, some, bin) => sum + some * fineBinHigh(bin), 0);
      expect(summary.deviceNsSum).toBeGreaterThanOrEqual(least);
      expect(summary.deviceNsSum).toBeLessThan(most);
      // Offsets are spread over the whole disk.
      expect(offset.length * 2 ** summary.offsetShift * 512).toBe(DISK_BYTES);
      expect(summary.startNs).toBeGreaterThanOrEqual(0);
      expect(summary.endNs).toBeGreaterThan(summary.startNs);
    }
  });

  it('summaries of a full ring keep the order of time while nobody reads', async () => {
    load(disk, 3000, 3);
    await sleep(2200);
    load(disk, 6000, 4);
    session.take(disk.dev);
    const summaries = session.takeSummaries(disk.dev);
    const byTime = new Map<number, number>();
    for (const { startNs, count } of summaries) {
      byTime.set(startNs, (byTime.get(startNs) ?? 0) + count);
    }
    const starts = [...byTime.keys()].sort((a, b) => a - b);
    expect(starts.length).toBeGreaterThan(1);
    expect(starts.at(-1)! - starts[0]!).toBeGreaterThan(1e9);
    for (const { startNs, endNs } of summaries)
      expect(endNs - startNs).toBeLessThanOrEqual(2 ** 30);
  });

  it('a ring that was full is used again as soon as it is read', () => {
    load(disk, 5000, 5);
    session.take(disk.dev);
    load(disk, 200, 6);
    expect(session.take(disk.dev).length).toBeGreaterThan(150);
  });
});

describe('the highest rate this machine can do', needs('tracing'), () => {
  let program: BundledEntry;
  let disk: LoopDevice;
  let session: TraceSession;
  beforeEach(async () => {
    program = await buildLoad();
    disk = LoopDevice.create({ bytes: DISK_BYTES });
    session = TraceSession.open();
    session.focus(disk.dev);
  });
  afterEach(() => {
    session.dispose();
    disk.dispose();
    program.dispose();
  });

  const order = (seed: number): LoadOrder => ({
    path: disk.path,
    depth: 64,
    batch: 16,
    count: 250_000,
    blockBytes: 4096,
    spanBytes: DISK_BYTES,
    seed,
    writes: 0.3,
  });

  it('at the highest rate of this machine, rows, summaries and losses add up to all I/O', async () => {
    const before = readDiskstats().get(disk.dev)!;
    const loads = [startLoad(program, order(1)), startLoad(program, order(2))];
    let rows = 0;
    let mostInFlight = 0;
    const reading = setInterval(() => {
      mostInFlight = Math.max(mostInFlight, session.inFlight(disk.dev).length);
      rows += session.count(disk.dev);
    }, 20);
    const reports = await Promise.all(loads.map((running) => running.report));
    clearInterval(reading);
    rows += session.count(disk.dev);
    const summarised = sumOf(session.takeSummaries(disk.dev), 'count');
    const { reads, writes } = diskstatsSince(before, readDiskstats().get(disk.dev)!);
    expect(reports.map(({ failures }) => failures)).toEqual([0, 0]);
    expect(rows + summarised + session.lost()).toBe(reads + writes);
    expect(mostInFlight).toBeGreaterThan(1);
    expect(session.inFlight(disk.dev)).toEqual([]);
    expect(session.owners(disk.dev)).toEqual(new Set(loads.map(({ pid }) => pid)));
  });
});
