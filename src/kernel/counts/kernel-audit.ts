import type { CompletionColumns } from '../../model/completion-columns.ts';
import { OTHER_DISKS } from '../../model/device.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { readKernelStats, type DiskStats } from '../machine/diskstats.ts';
import { MissingRequests, type KernelCount } from './missing-requests.ts';
import { SeenByDisk, type SummaryCount } from './seen-by-disk.ts';

/** What the kernel programs have delivered so far. */
export interface TracePosition {
  /** Bytes written to the ring since the start. */
  readonly ring: number;
  /** I/Os counted in summaries since the start. */
  readonly summarised: number;
}

export interface AuditOptions {
  readonly identities: IdentityTable;
  readonly cpus: number;
  readonly position: () => TracePosition;
  readonly readStats?: () => ReadonlyMap<number, DiskStats>;
}

/** A reading of the kernel's counts that waits until everything older than it has been read from the ring. */
interface OpenLook {
  readonly counts: readonly KernelCount[];
  readonly before: TracePosition;
  readonly after: TracePosition;
  /** Aggregated I/O that arrived since the reading. It may have happened before or after it. */
  readonly later: SeenByDisk;
  seenBefore?: ReadonlyMap<number, number>;
}

const REST_MS = 1;

/**
 * Compares the I/Os received with the kernel's own counts, to find I/Os for which the kernel skipped all programs. So
 * that both are of the same time, the ring must not be read beyond `limit`, its position at a reading of those counts,
 * until that reading is compared.
 */
export class KernelAudit {
  private readonly seen: SeenByDisk;
  private readonly requests = new MissingRequests();
  private readonly readStats: () => ReadonlyMap<number, DiskStats>;
  private summarised = 0;
  private taken = 0;
  private look: OpenLook | undefined;

  constructor(private readonly options: AuditOptions) {
    this.seen = new SeenByDisk(options.identities);
    this.readStats = options.readStats ?? readKernelStats;
  }

  /** The number of I/Os that were missed: a lower bound. */
  get missing(): number {
    return Math.max(0, this.requests.count - this.seenElsewhere());
  }

  /** How many of `missing` certainly belong to each disk, if `known` of them have another cause. */
  missingOn(known: number): ReadonlyMap<number, number> {
    const byDisk = [...this.requests.byDisk()];
    const elsewhere = known + this.seenElsewhere();
    return new Map(byDisk.map(([dev, count]) => [dev, Math.max(0, count - elsewhere)]));
  }

  /** I/Os counted without a disk, or for several, may belong to any disk. */
  private seenElsewhere(): number {
    return this.seen.of(0) + this.seen.of(OTHER_DISKS);
  }

  /** The ring position up to which to read before the next call of `tookRows`. */
  get limit(): number {
    const { look, taken } = this;
    if (look === undefined) return Infinity;
    if (look.seenBefore === undefined) return look.before.ring;
    return taken < look.after.ring ? look.after.ring : Infinity;
  }

  /** `ringPosition` is the position up to which the ring has been read. */
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

  /** Reads the kernel's counts of `disks`, unless the last reading is not yet compared. */
  start(disks: readonly number[]): void {
    this.look ??= this.takeLook(disks);
    this.settle();
  }

  /** Call it when different I/Os are recorded from now on. It keeps what was found. */
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
    return { counts, before, after, later: new SeenByDisk(this.options.identities) };
  }

  private rest(): ReadonlyMap<number, DiskStats> {
    const stats = this.readStats();
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, REST_MS);
    return stats;
  }

  /**
   * The programs run before the kernel counts a request. On an idle disk all requests are counted. Otherwise the kernel
   * may not have counted those in flight yet, nor, on each CPU, one that is no longer in flight.
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
