import { closeSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fioLatencies, fioReads } from '../load/fio.ts';
import { runSync } from '../load/sync-load.ts';
import { runUring } from '../load/uring.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import { StolenTime } from '../load/stolen-time.ts';
import { Wakeups } from '../load/wakeups.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { needs } from '../needs.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const DISK_BYTES = 64 << 20;
const DELAY_NS = 5e6;
const PARTS = 16;
const PART_BYTES = 64 << 10;
const QUEUE_UNSEEN = 'first seen after their wait for a free request';

/** Counted for all disks: what others had in their queues when the trace began is over when this is called first. */
function queueUnseen({ source }: TraceSession): number {
  return source.remarks()[QUEUE_UNSEEN]!;
}

/** fio counts the system call as well. */
const SHARE = 0.02;
const AT_LEAST_NS = 20_000;

function expectNear(name: string, seenNs: number, fioNs: number): void {
  const text = `${name}: ${(seenNs / 1e3).toFixed(0)} µs, fio says ${(fioNs / 1e3).toFixed(0)}`;
  expect(isNear(seenNs, fioNs), text).toBe(true);
}

function isNear(seenNs: number, fioNs: number): boolean {
  return Math.abs(seenNs - fioNs) <= Math.max(SHARE * fioNs, AT_LEAST_NS);
}

interface Load {
  readonly path: string;
  readonly jobs: number;
  readonly count: number;
}

/** Latencies in ns, ascending. */
interface Compared {
  readonly fio: readonly number[];
  readonly seen: readonly SeenIo[];
  readonly lost: number;
  /** From the queue to when the thread of fio ran again, as fio counts them. */
  readonly untilRun: readonly number[];
}

/** More of the processors' time than this, and fio's threads are late where no tracer sees it. */
const MOST_STOLEN = 0.002;
const ATTEMPTS = 20;
const TIMEOUT_MS = 120_000;

/**
 * Again while they disagree and the host of this virtual machine took its processors away meanwhile, or ftrace did
 * not see a thread: only a run of its own processors can speak against the tracer.
 */
async function compare(session: TraceSession, dev: number, load: Load): Promise<Compared> {
  for (let attempt = 1; ; attempt++) {
    const stolen = new StolenTime();
    const compared = await compareOnce(session, dev, load);
    const isWhole = compared.untilRun.every((ns) => !Number.isNaN(ns));
    const isUndisturbed = isWhole && stolen.share() <= MOST_STOLEN;
    if (isUndisturbed || agrees(compared) || attempt === ATTEMPTS) return compared;
  }
}

function agrees({ fio, untilRun }: Compared): boolean {
  return (
    isNear(mean(untilRun), mean(fio)) &&
    [0.5, 0.99].every((share) => isNear(percentile(untilRun, share), percentile(fio, share)))
  );
}

async function compareOnce(session: TraceSession, dev: number, load: Load): Promise<Compared> {
  const wakeups = new Wakeups('fio');
  try {
    session.focus(dev);
    const fio = await fioLatencies(load);
    const seen = session.take(dev).filter(({ key }) => key.comm === 'fio');
    const runs = wakeups.read();
    const base = Number(session.source.info.clockBase.monotonicNs);
    const untilRun = seen.map(({ queueNs, deviceNs, completeNs, key }) => {
      const completeAtNs = base + completeNs;
      const ranNs = runs.get(key.tid)?.runningFrom(completeAtNs) ?? NaN;
      return queueNs + deviceNs + ranNs - completeAtNs;
    });
    return { fio, seen, lost: session.lost(), untilRun: untilRun.sort((a, b) => a - b) };
  } finally {
    wakeups.dispose();
  }
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** As fio does: the smallest value that so many are not above. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1]!;
}

describe('a disk that gets more I/O than it has requests', needs('tracing'), () => {
  let program: BundledEntry;
  let disk: SlowDisk;
  let session: TraceSession | undefined;
  beforeAll(async () => {
    program = await buildSlowFile();
  });
  afterAll(() => {
    program.dispose();
  });
  beforeEach(async () => {
    // With `partitions`, the kernel takes them away with the disk.
    disk = await SlowDisk.start(program, DISK_BYTES, { partitions: true });
    await disk.setRules([{ start: 0, end: DISK_BYTES, delayUs: DELAY_NS / 1e3 }]);
  });
  afterEach(async () => {
    session?.dispose();
    await disk.dispose();
  });

  it.each([
    ['none', 4, 32, 'request'],
    ['none', 4, 32, 'bio'],
    ['mq-deadline', 4, 32, 'request'],
    ['kyber', 4, 32, 'request'],
    ['bfq', 4, 32, 'request'],
    ['none', 32, 64, 'request'],
    ['none', 32, 1, 'request'],
  ] as const)(
    "total latencies of a saturated disk equal fio's: %s, %i requests, %i jobs, owners by %s",
    async (scheduler, requests, jobs, owners) => {
      if (!disk.loop.hasScheduler(scheduler)) {
        process.stderr.write(`skipped: this kernel has no ${scheduler}\n`);
        return;
      }
      disk.loop.setQueue('scheduler', scheduler);
      disk.loop.setQueue('nr_requests', String(requests));
      // Two reads that are neighbours by chance would be one request.
      disk.loop.setQueue('nomerges', '2');
      session = TraceSession.open(owners === 'bio' ? { without: ['block_io_start'] } : {});
      const { dev, path } = disk.loop;
      session.focus(dev);
      const before = queueUnseen(session);
      const { fio, seen, lost, untilRun } = await compare(session, dev, { path, jobs, count: 30 });
      expect(seen.length + lost).toBe(fio.length);
      expectNear('mean', mean(untilRun), mean(fio));
      for (const share of [0.5, 0.99])
        expectNear(`p${100 * share}`, percentile(untilRun, share), percentile(fio, share));
      expect(queueUnseen(session)).toBe(before);
      // Of the callers so many are served at a time, while the others wait; at the start nobody does.
      const waiting = 1 - requests / jobs;
      const totalNs = mean(seen.map((io) => io.queueNs + io.deviceNs));
      expect(mean(seen.map((io) => io.queueNs))).toBeGreaterThan(0.7 * waiting * totalNs);
    },
    TIMEOUT_MS,
  );

  it('each part of an I/O larger than a request waits since the whole was queued', () => {
    disk.loop.setQueue('max_sectors_kb', '64');
    disk.loop.setQueue('nr_requests', '4');
    session = TraceSession.open();
    session.focus(disk.loop.dev);
    const before = queueUnseen(session);
    const [call] = runSync(disk.loop, [{ kind: 'read', offset: 0, bytes: PARTS * PART_BYTES }]);
    const seen = session.take(disk.loop.dev);
    expect(seen.map(({ bytes }) => bytes)).toEqual(Array(PARTS).fill(PART_BYTES));
    const starts = seen.map((io) => io.completeNs - io.deviceNs - io.queueNs);
    // Times are single-precision: a few ns of a hundred milliseconds.
    expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan(50);
    const waits = seen.map(({ queueNs }) => queueNs).sort((a, b) => a - b);
    expect(waits.at(-1)).toBeGreaterThanOrEqual((PARTS / 4 - 1) * DELAY_NS);
    expect(waits.at(-1)).toBeLessThan(Number(call!.endNs - call!.startNs));
    expect(queueUnseen(session)).toBe(before);
  });

  it('an I/O is not queued since an earlier one at its place that got no request', async () => {
    const places = Array.from({ length: 32 }, (_, index) => index << 20);
    disk.loop.setQueue('nr_requests', '4');
    session = TraceSession.open();
    session.focus(disk.loop.dev);
    // What finds no free request is refused to this thread, and submitted by a worker of io_uring.
    const fd = disk.loop.openDirect();
    try {
      const next = (index: number) => ({ write: false, offset: places[index]!, bytes: 4096 });
      runUring({ fd, depth: 32, batch: 32, count: 32, maxBytes: 4096, next });
    } finally {
      closeSync(fd);
    }
    expect(new Set(session.take(disk.loop.dev).map(({ key }) => key.tid)).size).toBeGreaterThan(1);
    await disk.setRules([]);
    const calls = runSync(
      disk.loop,
      places.map((offset) => ({ kind: 'read', offset, bytes: 4096 })),
    );
    const seen = session.take(disk.loop.dev);
    expect(seen).toHaveLength(places.length);
    seen.forEach(({ queueNs, deviceNs }, index) => {
      const { startNs, endNs } = calls[index]!;
      expect(queueNs + deviceNs).toBeLessThanOrEqual(Number(endNs - startNs));
    });
  });

  it(
    'a saturated disk is named by its whole disk, also for I/O through a partition',
    async () => {
      disk.loop.addPartition(1, 8 << 20, 32 << 20);
      disk.loop.setQueue('nr_requests', '4');
      session = TraceSession.open();
      session.focus(disk.loop.dev);
      const before = queueUnseen(session);
      const load = { path: `${disk.loop.path}p1`, jobs: 16, count: 10 };
      const { fio, seen, untilRun } = await compare(session, disk.loop.dev, load);
      expect(Math.min(...seen.map(({ sector }) => sector))).toBeGreaterThanOrEqual((8 << 20) / 512);
      expectNear('mean', mean(untilRun), mean(fio));
      expect(queueUnseen(session)).toBe(before);
    },
    TIMEOUT_MS,
  );

  it('on a kernel without queue events no wait is shown, and that is counted', async () => {
    disk.loop.setQueue('nr_requests', '4');
    session = TraceSession.open({ without: ['block_bio_queue'] });
    session.focus(disk.loop.dev);
    const fio = await fioReads({ path: disk.loop.path, jobs: 32, count: 10 });
    const seen = session.take(disk.loop.dev);
    expect(mean(seen.map((io) => io.queueNs + io.deviceNs))).toBeLessThan(fio.mean / 2);
    expect(queueUnseen(session)).toBeGreaterThanOrEqual(fio.count);
  });
});
