import { execFileSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { kernelNowNs } from '../../src/kernel/machine/clock-base.ts';
import { readDiskstats } from '../../src/kernel/machine/diskstats.ts';
import { atOnce } from '../load/at-once.ts';
import { utilization } from '../load/diskstats-since.ts';
import type { CompletionSummary } from '../../src/trace/completion-summary.ts';
import { fineBinLow } from '../../src/model/fine-bins.ts';
import { Monitor } from '../../src/monitor/monitor.ts';
import { NO_FILTER } from '../../src/filter/filter.ts';
import { LoopDevice } from '../load/loop-device.ts';
import { buildLoad, startLoad, type LoadOrder, type RunningLoad } from '../load/load-process.ts';
import { needs } from '../needs.ts';
import type { BundledEntry } from './fixtures/bundle-entry.ts';
import { TraceSession, type SeenIo } from './fixtures/trace-session.ts';

const DISK_BYTES = 128 << 20;
const NEVER_NS = 2 ** 50;
const ALMOST_NONE = 2 ** 20;
const TURN_MS = 100;
/** Until then most I/O comes individually: a budget is kept from measurements of the first moments. */
const SETTLED_S = 3;

let program: BundledEntry;
let disk: LoopDevice;
beforeEach(async () => {
  program = await buildLoad();
  disk = LoopDevice.create({ bytes: DISK_BYTES });
});
afterEach(() => {
  disk.dispose();
  program.dispose();
});

/** A trace of the disk alone. */
function trace(options: Parameters<typeof TraceSession.open>[0] = {}): TraceSession {
  const session = TraceSession.open(options);
  session.focus(disk.dev);
  return session;
}

/** Next to nothing comes individually by chance or because it is slow. */
function almostNone(): TraceSession {
  const session = trace();
  session.detail.slowFrom(NEVER_NS);
  session.detail.sample(ALMOST_NONE);
  return session;
}

function load(perSecond: number, seconds: number): RunningLoad {
  const order: LoadOrder = {
    ...{ path: disk.path, depth: 8, batch: 4, blockBytes: 4096, spanBytes: DISK_BYTES },
    ...{ seed: 1, writes: 0.3, perSecond, count: perSecond * seconds },
  };
  return startLoad(program, order);
}

describe('while most I/O is only counted', needs('tracing'), () => {
  it("utilization is the kernel's own, as iostat shows it, and no lower bound", async () => {
    const session = almostNone();
    const { source } = session;
    const monitor = new Monitor({
      ...{ source, historyBytes: 64 << 20, filter: NO_FILTER },
    });
    const look = () =>
      atOnce(() => ({
        stats: readDiskstats().get(disk.dev)!,
        atNs: Number(kernelNowNs() - source.info.clockBase.monotonicNs),
      }));
    monitor.pump();
    const running = load(30_000, 6);
    let [start, end] = [look(), look()];
    for (let turn = 0; turn < 50; turn++) {
      await sleep(TURN_MS);
      monitor.pump();
      if (turn === 15) start = look();
      if (turn === 45) end = look();
    }
    await running.report;
    monitor.pump();
    const { history } = monitor;
    const shown = history.utilization(disk.dev, start.atNs, end.atNs)!;
    const truth = utilization(start.stats, end.stats, end.atNs - start.atNs);
    session.dispose();
    expect(truth).toBeGreaterThan(0.05);
    expect(Math.abs(shown - truth)).toBeLessThan(0.03);
    expect(history.isUtilizationPartial(disk.dev, start.atNs, end.atNs)).toBe(false);
    const columns = history.busySeries(disk.dev, start.atNs, end.atNs, 100e6)!;
    const mean = columns.reduce((sum, share) => sum + share, 0) / columns.length;
    expect(Math.abs(mean - truth)).toBeLessThan(0.03);
  });

  it('the first I/O of each process comes individually, in each second', async () => {
    const session = almostNone();
    const running = load(10_000, 5);
    const pids = new Set<number>();
    const seen: SeenIo[] = [];
    for (let turn = 0; turn < 30; turn++) {
      const read = `dd if=${disk.path} of=/dev/null bs=4k count=1 iflag=direct status=none & echo $!; wait`;
      pids.add(Number(execFileSync('sh', ['-c', read], { encoding: 'utf8' })));
      await sleep(TURN_MS);
      seen.push(...session.take(disk.dev));
    }
    await running.report;
    seen.push(...session.take(disk.dev));
    const owners = new Set(seen.map(({ key }) => key.tgid));
    expect([...pids].filter((pid) => !owners.has(pid))).toEqual([]);
    const ofLoad = seen.filter(({ key }) => key.tgid === running.pid);
    const seconds = new Set(ofLoad.map(({ completeNs }) => Math.floor(completeNs / 1e9)));
    expect(seconds.size).toBeGreaterThanOrEqual(4);
    // A read and a write in each second, and a few more of both by chance.
    expect(ofLoad.length).toBeLessThan(4 * seconds.size + 10);
    session.dispose();
  });

  it('the first I/O of each file comes individually, with its name', () => {
    execFileSync('mkfs.ext4', ['-q', '-E', 'lazy_itable_init=0,lazy_journal_init=0', disk.path]);
    const session = almostNone();
    const names = Array.from({ length: 40 }, (_, i) => `file-${i}`);
    const writes = names.map((name) => `dd if=/dev/zero of=${name} bs=64k count=8 oflag=direct`);
    const script = `mount "$0" /mnt && cd /mnt && { ${writes.join(' && ')}; } 2> /dev/null`;
    execFileSync('unshare', ['-m', 'sh', '-ec', script, disk.path]);
    const seen = session.take(disk.dev);
    const found = new Set(seen.map(({ file }) => /^\/?(file-\d+)/.exec(file.path ?? '')?.[1]));
    expect(names.filter((name) => !found.has(name))).toEqual([]);
    session.dispose();
  });
});

describe('at the start next to a load', needs('tracing'), () => {
  it('most I/O is only counted from the first on, each for its disk', async () => {
    const perSecond = 30_000;
    const running = load(perSecond, 4);
    const ios = (): number => {
      const { reads, writes } = readDiskstats().get(disk.dev)!;
      return reads + writes;
    };
    await expect.poll(ios, { timeout: 10_000 }).toBeGreaterThan(perSecond / 4);
    const before = ios();
    const session = TraceSession.open({ budget: 0.01 });
    const attached = ios();
    const { oneIn } = session.detail;
    const first = session.take(disk.dev).length;
    const counted = session.takeSummaries(disk.dev);
    await running.report;
    const rows = first + session.take(disk.dev).length;
    counted.push(...session.takeSummaries(disk.dev));
    const ended = ios();
    const lost = session.lost();
    session.dispose();
    const all = counted.reduce((sum, { count }) => sum + count, rows);
    expect(oneIn).toBeGreaterThanOrEqual(16);
    expect(first).toBeLessThan((attached - before) / 4);
    expect(all).toBeLessThanOrEqual(ended - before);
    expect(all).toBeGreaterThanOrEqual(ended - attached - lost);
  });
});

describe('within a small budget', needs('tracing'), () => {
  /** By sector and, within what two programs at one tracepoint are apart, time. */
  function isIn(io: SeenIo, all: ReadonlyMap<number, readonly SeenIo[]>): boolean {
    const apartNs = 1e6;
    const same = all.get(io.sector) ?? [];
    return same.some(({ completeNs }) => Math.abs(completeNs - io.completeNs) < apartNs);
  }

  function totalOf({ deviceNs, queueNs }: SeenIo): number {
    return deviceNs + queueNs;
  }

  function bySlowest(ios: readonly SeenIo[]): readonly SeenIo[] {
    return ios.toSorted((a, b) => totalOf(b) - totalOf(a)).slice(0, 100);
  }

  function bySector(ios: readonly SeenIo[]): ReadonlyMap<number, readonly SeenIo[]> {
    const found = new Map<number, SeenIo[]>();
    for (const io of ios) found.set(io.sector, [...(found.get(io.sector) ?? []), io]);
    return found;
  }

  /** I/Os that were only counted, of which the total latency was certainly longer. */
  function countedAbove(latencyNs: number, summaries: readonly CompletionSummary[]): number {
    const isAbove = (bin: number): boolean => fineBinLow(bin) > latencyNs;
    const bins = summaries.flatMap(({ total }) => [...total].filter((_, bin) => isAbove(bin)));
    return bins.reduce((sum, count) => sum + count, 0);
  }

  // Each trace has clocks of its own: an interrupt between two of them can make an I/O slow for one alone.
  it(
    'the 100 slowest I/Os of a load are those of a trace that has all of them',
    { retry: 2 },
    async () => {
      const whole = trace();
      const sampled = trace({ budget: 0.0001 });
      const [all, some]: [SeenIo[], SeenIo[]] = [[], []];
      const summaries: CompletionSummary[] = [];
      const running = load(30_000, SETTLED_S + 8);
      const begunMs = performance.now();
      const take = (): void => {
        const taken = [whole.take(disk.dev), sampled.take(disk.dev)] as const;
        const counted = sampled.takeSummaries(disk.dev);
        if (performance.now() - begunMs < SETTLED_S * 1000) return;
        all.push(...taken[0]);
        some.push(...taken[1]);
        summaries.push(...counted);
      };
      const reading = setInterval(take, TURN_MS);
      await running.report;
      clearInterval(reading);
      take();
      // Of two clocks at one tracepoint the base differs.
      const baseNs = ({ source }: TraceSession) => Number(source.info.clockBase.monotonicNs);
      const shiftNs = baseNs(sampled) - baseNs(whole);
      whole.dispose();
      sampled.dispose();
      const delivered = bySector(
        some.map((io) => ({ ...io, completeNs: io.completeNs + shiftNs })),
      );
      expect(all.length).toBeGreaterThan(200_000);
      // On a slow machine, the 5,000 a second that always come are a larger part.
      expect(all.length - some.length).toBeGreaterThan(20_000);
      const slowest = bySlowest(all);
      expect(slowest.filter((io) => !isIn(io, delivered))).toEqual([]);
      expect(countedAbove(totalOf(bySlowest(some).at(-1)!), summaries)).toBe(0);
    },
  );
});
