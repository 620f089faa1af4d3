import { execFileSync } from 'node:child_process';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import type { WaitParts } from '../../src/query/box/wait-parts.ts';
import { buildSlowFile, SlowDisk } from '../load/slow-file/slow-file.ts';
import { needs } from '../needs.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { inside } from './fixtures/mounted.ts';
import { parsed } from '../filter/fixtures.ts';
import { TraceSession } from './fixtures/trace-session.ts';

const MIB = 1 << 20;
const WRITE_NS = 20e6;
const FLUSH_NS = 60e6;

/** A file of its own, because a new one has metadata that must be in the journal; prints how long fsync took, in ns. */
const SCRIPT = `python3 -c '
import os, time
file = os.open("new", os.O_CREAT | os.O_WRONLY)
os.write(file, b"x" * 65536)
start = time.monotonic_ns()
os.fsync(file)
print(time.monotonic_ns() - start)
'`;

describe('what an fsync waits for on a disk of known slowness', needs('tracing'), () => {
  let program: BundledEntry;
  let disk: SlowDisk;
  let session: TraceSession;
  let monitor: Monitor;
  beforeAll(async () => {
    program = await buildSlowFile();
    disk = await SlowDisk.start(program, 64 * MIB);
    execFileSync('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,nodiscard', disk.loop.path]);
    const all = { start: 0, end: 64 * MIB };
    await disk.setRules([
      { ...all, op: 'write', delayUs: WRITE_NS / 1e3 },
      { ...all, op: 'fsync', delayUs: FLUSH_NS / 1e3 },
    ]);
  });
  afterAll(async () => {
    await disk.dispose();
    program.dispose();
  });
  beforeEach(() => {
    session = TraceSession.open({ calls: true });
    session.focus(disk.loop.dev);
    const { source } = session;
    monitor = new Monitor({ source, historyBytes: 1 << 24, filter: NO_FILTER, layer: 'calls' });
  });
  afterEach(() => {
    session.dispose();
  });

  function slowestFsync(): WaitParts {
    while (!monitor.pump());
    monitor.setFilter(parsed('call=fsync comm=python3'));
    const { startNs, endNs } = monitor.history;
    const time = { startNs, endNs: endNs + 1, low: 0, high: Infinity };
    return monitor.inspect({ metric: 'total', ...time }).waitedFor!;
  }

  // A program that has to wait for a processor is measured again.
  it(
    'is its data, the journal and the flushes, which add up to what the program measured',
    { retry: 2 },
    () => {
      const measuredNs = Number(inside(disk.loop.path, SCRIPT));
      const { totalNs, parts, deviceNs, queueNs, outsideNs, untimed, isComplete } = slowestFsync();
      expect(totalNs / measuredNs).toBeGreaterThan(0.95);
      expect(totalNs).toBeLessThanOrEqual(measuredNs);
      const of = (stage: string) => parts.filter((part) => part.stage === stage);
      expect(of('data').map(({ io }) => io.bytes)).toEqual([65_536]);
      expect(of('data')[0]!.io.comm).toBe('python3');
      // Descriptor and blocks, then the commit block.
      expect(of('journal').length).toBeGreaterThanOrEqual(2);
      expect(of('flush').length).toBeGreaterThanOrEqual(1);
      for (const { io } of [...of('data'), ...of('journal')])
        expect(io.deviceNs!).toBeGreaterThanOrEqual(WRITE_NS);
      for (const { io } of of('flush')) expect(io.deviceNs!).toBeGreaterThanOrEqual(FLUSH_NS);
      // One after the other: the data, the journal, the flush before its commit block, and that.
      const [data, flush] = [of('data')[0]!, of('flush')[0]!];
      expect(data.afterNs).toBeLessThan(of('journal')[0]!.afterNs);
      expect(flush.afterNs).toBeGreaterThan(data.afterNs);
      expect(deviceNs).toBeGreaterThanOrEqual(2 * WRITE_NS + FLUSH_NS);
      expect(deviceNs + queueNs + outsideNs).toBeCloseTo(totalNs, -1);
      expect((deviceNs + queueNs) / totalNs).toBeGreaterThan(0.9);
      expect([untimed, isComplete]).toEqual([0, true]);
    },
  );

  it('is nothing of a disk where the time passes above it', () => {
    inside(disk.loop.path, SCRIPT.replace('os.write(file, b"x" * 65536)', 'os.fsync(file)'));
    while (!monitor.pump());
    monitor.setFilter(parsed('call=write,openat comm=python3 file~new'));
    const { startNs, endNs } = monitor.history;
    const time = { startNs, endNs: endNs + 1, low: 0, high: Infinity };
    const waited = monitor.inspect({ metric: 'total', ...time }).waitedFor!;
    expect(waited.outsideNs).toBeGreaterThan(0);
    expect(waited.parts.filter(({ stage }) => stage === 'data')).toEqual([]);
  });
});
