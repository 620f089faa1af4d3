import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { fioReads } from '../load/fio.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { describeTracing } from './fixtures/needs-tracing.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const DISK_BYTES = 64 << 20;
const DELAY_NS = 5e6;
const QUEUE_UNSEEN = 'first seen after their wait for a free request';

/** fio counts the system call as well, and the time until its thread runs again. */
const SHARE = 0.02;
const AT_LEAST_NS = 20_000;

function expectNear(name: string, seenNs: number, fioNs: number): void {
  const apart = Math.abs(seenNs - fioNs);
  const text = `${name}: ${(seenNs / 1e3).toFixed(0)} µs, fio says ${(fioNs / 1e3).toFixed(0)}`;
  expect(apart, text).toBeLessThanOrEqual(Math.max(SHARE * fioNs, AT_LEAST_NS));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** As fio does: the smallest value that so many are not above. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.ceil(share * sorted.length) - 1]!;
}

describeTracing('a disk that gets more I/O than it has requests', () => {
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
    disk = await SlowDisk.start(program, DISK_BYTES);
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
    'has the total latency that fio measures: %s, %i requests, %i jobs, owners by %s',
    async (scheduler, requests, jobs, owners) => {
      if (!disk.loop.hasScheduler(scheduler)) {
        process.stderr.write(`skipped: this kernel has no ${scheduler}\n`);
        return;
      }
      disk.loop.setQueue('scheduler', scheduler);
      disk.loop.setQueue('nr_requests', String(requests));
      session = TraceSession.open(owners === 'bio' ? { without: ['block_io_start'] } : {});
      session.focus(disk.loop.dev);
      const fio = await fioReads({ path: disk.loop.path, jobs, count: 30 });
      const seen = session.take(disk.loop.dev);
      expect(seen).toHaveLength(fio.count);
      const totals = seen.map((io) => io.queueNs + io.deviceNs).sort((a, b) => a - b);
      expectNear('mean', mean(totals), fio.mean);
      expectNear('p50', percentile(totals, 0.5), fio.p50);
      expectNear('p99', percentile(totals, 0.99), fio.p99);
      expect(session.source.remarks()[QUEUE_UNSEEN]).toBe(0);
      // So many are served at a time, while the others wait.
      const shareNs = DELAY_NS * (jobs / requests - 1);
      expect(mean(seen.map((io) => io.queueNs))).toBeGreaterThan(0.8 * shareNs);
    },
  );

  it('shows none of the wait on a kernel that does not tell when bios are queued, and counts that', async () => {
    disk.loop.setQueue('nr_requests', '4');
    session = TraceSession.open({ without: ['block_bio_queue'] });
    session.focus(disk.loop.dev);
    const fio = await fioReads({ path: disk.loop.path, jobs: 32, count: 10 });
    const seen = session.take(disk.loop.dev);
    expect(mean(seen.map((io) => io.queueNs + io.deviceNs))).toBeLessThan(fio.mean / 2);
    expect(session.source.remarks()[QUEUE_UNSEEN]).toBeGreaterThanOrEqual(fio.count);
  });
});
