/** The kernel's count for one disk at one moment. */
export interface KernelCount {
  readonly dev: number;
  /** Requests that the kernel has completed since the disk appeared. */
  readonly completed: number;
  /** The programs may have seen this many requests, at most, that are missing from `completed`. */
  readonly unsettled: number;
}

/** One reading of the kernel's counts, with the I/Os that ioheat had seen of each disk before and after it. */
export interface Look {
  readonly counts: readonly KernelCount[];
  readonly seenBefore: (dev: number) => number;
  readonly seenAfter: (dev: number) => number;
}

interface Ledger {
  readonly completedAtStart: number;
  readonly seenAtStart: number;
  readonly unsettledAtStart: number;
  completed: number;
  /** The largest difference so far, because a request that was missing once stays missing. */
  missing: number;
}

/**
 * Counts the requests that the kernel completed and ioheat missed. The number is a lower bound: the programs run before
 * the kernel counts, so requests in flight at the start or during a reading can hide missed ones, but never add any.
 */
export class MissingRequests {
  private readonly ledgers = new Map<number, Ledger>();
  private readonly fromClosed = new Map<number, number>();

  get count(): number {
    let sum = 0;
    for (const missing of this.byDisk().values()) sum += missing;
    return sum;
  }

  /** The number of missed requests by device number. */
  byDisk(): ReadonlyMap<number, number> {
    const all = new Map(this.fromClosed);
    for (const [dev, { missing }] of this.ledgers) all.set(dev, (all.get(dev) ?? 0) + missing);
    return all;
  }

  isKnown(dev: number): boolean {
    return this.ledgers.has(dev);
  }

  compare({ counts, seenBefore, seenAfter }: Look): void {
    const present = new Set(counts.map(({ dev }) => dev));
    for (const dev of this.ledgers.keys()) if (!present.has(dev)) this.close(dev);
    for (const count of counts) {
      // Counts of a disk never decrease, so this is another disk with the same number.
      if (count.completed < (this.ledgers.get(count.dev)?.completed ?? 0)) this.close(count.dev);
      const ledger = this.ledgers.get(count.dev);
      if (ledger === undefined) this.open(count, seenBefore(count.dev));
      else note(ledger, count.completed, seenAfter(count.dev));
    }
  }

  /** Keeps what was found, and starts every disk again at the next reading. */
  restart(): void {
    for (const dev of [...this.ledgers.keys()]) this.close(dev);
  }

  private open({ dev, completed, unsettled }: KernelCount, seen: number): void {
    this.ledgers.set(dev, {
      completedAtStart: completed,
      seenAtStart: seen,
      unsettledAtStart: unsettled,
      completed,
      missing: 0,
    });
  }

  private close(dev: number): void {
    const missing = this.ledgers.get(dev)?.missing ?? 0;
    this.fromClosed.set(dev, (this.fromClosed.get(dev) ?? 0) + missing);
    this.ledgers.delete(dev);
  }
}

function note(ledger: Ledger, completed: number, seen: number): void {
  ledger.completed = completed;
  const grown = completed - ledger.completedAtStart - ledger.unsettledAtStart;
  ledger.missing = Math.max(ledger.missing, grown - (seen - ledger.seenAtStart));
}
