import { statfsSync } from 'node:fs';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { IdentityTable } from '../model/identity-table.ts';
import { readDiskstats, type DiskStats } from './diskstats.ts';
import { MissingRequests, type KernelCount } from './missing-requests.ts';
import { SeenByDisk, type SummaryCount } from './seen-by-disk.ts';

/** How far the kernel programs have come. */
export interface TracePosition {
  /** Bytes that were ever put into the ring. */
  readonly ring: number;
  /** I/Os that were ever counted without detail. */
  readonly summarised: number;
}

export interface AuditOptions {
  readonly keys: IdentityTable;
  readonly cpus: number;
  readonly position: () => TracePosition;
  readonly readStats?: () => ReadonlyMap<number, DiskStats>;
}

/** One look, until everything has come that was there when it was taken. */
interface OpenLook {
  readonly counts: readonly KernelCount[];
  readonly before: TracePosition;
  readonly after: TracePosition;
  /** What came in sum since the look, which may have happened after it. */
  readonly later: SeenByDisk;
  seenBefore?: ReadonlyMap<number, number>;
}

const REST_MS = 1;

/**
 * Compares what came with what the kernel counts of its own, so that an I/O for which it ran none of
 * our programs is missed all the same. The ring is read up to where it was at each look, and stops
 * there for a moment: `limit`.
 */
export class KernelAudit {
  private readonly seen: SeenByDisk;
  private readonly requests = new MissingRequests();
  private readonly readStats: () => ReadonlyMap<number, DiskStats>;
  private summarised = 0;
  private taken = 0;
  private look: OpenLook | undefined;

  constructor(private readonly options: AuditOptions) {
    this.seen = new SeenByDisk(options.keys);
    this.readStats = options.readStats ?? readKernelStats;
  }

  /** I/Os that nobody saw; at least so many. */
  get missing(): number {
    // I/Os counted under no disk may be of any.
    return Math.max(0, this.requests.count - this.seen.of(0));
  }

  /** Of `missing`, what is surely of one disk when `known` of them are accounted for otherwise. */
  missingOn(known: number): ReadonlyMap<number, number> {
    const byDisk = [...this.requests.byDisk()];
    const elsewhere = known + this.seen.of(0);
    return new Map(byDisk.map(([dev, count]) => [dev, Math.max(0, count - elsewhere)]));
  }

  /** How far the ring may be read before `tookRows` is called. */
  get limit(): number {
    const { look, taken } = this;
    if (look === undefined) return Infinity;
    if (look.seenBefore === undefined) return look.before.ring;
    return taken < look.after.ring ? look.after.ring : Infinity;
  }

  /** `ringPosition`: how far the ring has been read. */
  tookRows(rows: CompletionColumns, ringPosition: number): void {
    this.seen.addRows(rows);
    this.taken = ringPosition;
    this.settle();
  }

  tookSummaries(summaries: readonly SummaryCount[]): void {
    for (const summary of summaries) {
      this.seen.addSummary(summary);
      if (this.look?.seenBefore === undefined) this.look?.later.addSummary(summary);
      this.summarised += summary.count;
    }
    this.settle();
  }

  /** Asks the kernel about `disks`, unless the last answer is still waiting for what it counts. */
  start(disks: readonly number[]): void {
    this.look ??= this.takeLook(disks);
    this.settle();
  }

  /** From now on other I/Os come: all that was compared so far is closed. */
  restart(): void {
    this.look = undefined;
    this.requests.restart();
  }

  private takeLook(disks: readonly number[]): OpenLook {
    const earlier = disks.every((dev) => this.requests.isKnown(dev)) ? undefined : this.rest();
    const before = this.options.position();
    const stats = this.readStats();
    const after = this.options.position();
    const found = disks.map((dev) => stats.get(dev)).filter((one) => one !== undefined);
    const counts = found.map((now) => this.countOf(now, earlier?.get(now.dev)));
    return { counts, before, after, later: new SeenByDisk(this.options.keys) };
  }

  private rest(): ReadonlyMap<number, DiskStats> {
    const stats = this.readStats();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REST_MS);
    return stats;
  }

  /**
   * A request is seen before it is counted. Where the disk was at rest all are; else those in flight may
   * not be, and of those that no kernel calls in flight any more one for each CPU.
   */
  private countOf(now: DiskStats, earlier: DiskStats | undefined): KernelCount {
    const completed = completedOf(now);
    const wasAtRest =
      earlier !== undefined &&
      completedOf(earlier) === completed &&
      earlier.inFlight + now.inFlight === 0;
    const unsettled = wasAtRest ? 0 : now.inFlight + this.options.cpus;
    return { dev: now.dev, completed, unsettled };
  }

  private settle(): void {
    const { look } = this;
    if (look === undefined || this.taken < look.before.ring) return;
    look.seenBefore ??= this.seen.without(look.later);
    if (this.taken < look.after.ring || this.summarised < look.after.summarised) return;
    this.look = undefined;
    const { counts, seenBefore } = look;
    this.requests.compare({
      counts,
      seenBefore: (dev) => seenBefore.get(dev) ?? 0,
      seenAfter: (dev) => this.seen.of(dev),
    });
  }
}

function completedOf({ reads, writes, discards, flushes }: DiskStats): number {
  return reads + writes + discards + flushes;
}

const PROC_MAGIC = 0x9fa0;
const DISKSTATS = '/proc/diskstats';

/** In a container, something else may lie over the kernel's file (lxcfs) that counts other things. */
function readKernelStats(): ReadonlyMap<number, DiskStats> {
  try {
    return statfsSync(DISKSTATS).type === PROC_MAGIC ? readDiskstats(DISKSTATS) : new Map();
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause) return new Map();
    throw cause;
  }
}
