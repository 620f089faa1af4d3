import type { DiskBusy } from '../../model/disk-busy.ts';
import { NS_PER_MS } from '../../base/time.ts';
import { growth, type DiskStats } from '../machine/diskstats.ts';

export interface BusyReaderOptions {
  readonly readStats: () => ReadonlyMap<number, DiskStats>;
  /** The current trace time. */
  readonly nowNs: () => number;
  readonly nowMs?: () => number;
  /** Whether the kernel counts the I/O of a disk and the trace has all of it. */
  readonly isComparable: (dev: number) => boolean;
}

/** Readings may take this share of the time, so machines with a thousand disks are read less often. */
const MOST_OF_TIME = 1 / 200;
/** A stretch is kept this long, because I/O in it may turn out to have no rows. */
const KEPT_NS = 3e9;
/** A disk is reported for this long after its last I/O without rows. */
const REPORTED_NS = 2e9;
/** `isComparable` is asked about a disk this often. */
const CHECK_EVERY_NS = 1e9;

interface Reading {
  readonly atNs: number;
  readonly stats: ReadonlyMap<number, DiskStats>;
}

/** Finds how long disks were busy by the kernel's own count, where some of their I/O has no rows. */
export class BusyReader {
  private readonly nowMs: () => number;
  private last: Reading | undefined;
  private nextMs = -Infinity;
  /** Stretches that are not reported yet, the latest last. */
  private kept: DiskBusy[] = [];
  private found: DiskBusy[] = [];
  /** The trace time until which a disk is reported. */
  private readonly reportedUntilNs = new Map<number, number>();

  constructor(private readonly options: BusyReaderOptions) {
    this.nowMs = options.nowMs ?? (() => performance.now());
  }

  /** Call it once a second, so that the time before the first I/O without rows is known. */
  look(): void {
    const startMs = this.nowMs();
    if (startMs < this.nextMs) return;
    const { last, options } = this;
    const now = { atNs: options.nowNs(), stats: options.readStats() };
    const endMs = this.nowMs();
    this.nextMs = endMs + (endMs - startMs) / MOST_OF_TIME;
    this.last = now;
    if (last === undefined) return;
    const stretches = growthOf(last, now);
    const isReported = ({ dev }: DiskBusy): boolean => last.atNs < this.reportedUntil(dev);
    this.found.push(...stretches.filter(isReported));
    this.kept.push(...stretches.filter((stretch) => !isReported(stretch)));
    this.kept = this.kept.filter(({ toNs }) => toNs > now.atNs - KEPT_NS);
  }

  private reportedUntil(dev: number): number {
    return this.reportedUntilNs.get(dev) ?? -Infinity;
  }

  /** Call it with the disks that had I/O without rows since the last call. */
  tookCounts(devs: ReadonlySet<number>): void {
    const { options, reportedUntilNs } = this;
    const nowNs = options.nowNs();
    for (const dev of devs) {
      const isChecked = this.reportedUntil(dev) > nowNs + REPORTED_NS - CHECK_EVERY_NS;
      if (isChecked || !options.isComparable(dev)) continue;
      this.report(dev);
      reportedUntilNs.set(dev, nowNs + REPORTED_NS);
    }
    if (devs.size > 0) this.look();
  }

  /** Reports the stretches that were kept of a disk. */
  private report(dev: number): void {
    this.found.push(...this.kept.filter((stretch) => stretch.dev === dev));
    this.kept = this.kept.filter((stretch) => stretch.dev !== dev);
  }

  /** Returns what was found since the last call. */
  take(): readonly DiskBusy[] {
    const { found } = this;
    this.found = [];
    return found;
  }
}

function growthOf(before: Reading, after: Reading): DiskBusy[] {
  return [...after.stats].flatMap(([dev, { ioMs }]) => {
    const earlier = before.stats.get(dev);
    if (earlier === undefined) return [];
    const busyNs = growth(earlier.ioMs, ioMs) * NS_PER_MS;
    return [{ dev, fromNs: before.atNs, toNs: after.atNs, busyNs }];
  });
}
