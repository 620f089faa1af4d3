/** What the kernel says of one disk at one moment. */
export interface KernelCount {
  readonly dev: number;
  /** Requests that it has finished since the disk appeared. */
  readonly completed: number;
  /** How many of those that our programs had seen end may be missing in `completed`, at most. */
  readonly unsettled: number;
}

/** One look at the kernel's counts, and what we had seen of each disk before and after it. */
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
  /** The largest gap so far: what was missing once is missing for good. */
  missing: number;
}

/**
 * How many requests the kernel finished that we know nothing of. A lower bound: our programs run before
 * the kernel counts, so whatever was on its way at the start or during a look hides some, and adds none.
 */
export class MissingRequests {
  private readonly ledgers = new Map<number, Ledger>();
  private readonly fromClosed = new Map<number, number>();

  get count(): number {
    let sum = 0;
    for (const missing of this.byDisk().values()) sum += missing;
    return sum;
  }

  /** By device number. */
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
      // Another disk by the same number: counts of one disk never go back.
      if (count.completed < (this.ledgers.get(count.dev)?.completed ?? 0)) this.close(count.dev);
      const ledger = this.ledgers.get(count.dev);
      if (ledger === undefined) this.open(count, seenBefore(count.dev));
      else note(ledger, count.completed, seenAfter(count.dev));
    }
  }

  /** What was found stays; every disk begins anew at the next look. */
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
