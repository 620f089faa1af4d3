/**
 * More candidates than the number of file names that the kernel programs remember as sent: a forgotten name is sent
 * again.
 */
const MOST = 1 << 15;

/** Share of a table that is kept free for items that prove to be frequent. */
export const SHARE_FOR_FREQUENT = 1 / 8;

interface Candidate<T> {
  times: number;
  value: T;
}

/** Finds frequent items among more than can be kept; the less frequent ones are forgotten. */
export class Candidates<T> {
  private readonly known = new Map<string, Candidate<T>>();

  /** `merge` combines two values with the same id. */
  constructor(
    private readonly enough: number,
    private readonly merge: (known: T, latest: T) => T,
    private readonly most = MOST,
  ) {}

  get size(): number {
    return this.known.size;
  }

  /** Counts an item once more. When it has come often enough, returns its value and forgets it. */
  add(id: string, latest: T): T | undefined {
    const known = this.known.get(id);
    const value = known === undefined ? latest : this.merge(known.value, latest);
    const times = (known?.times ?? 0) + 1;
    if (times >= this.enough) {
      this.known.delete(id);
      return value;
    }
    if (known === undefined && this.known.size >= this.most) this.thin();
    this.known.set(id, { times, value });
    return undefined;
  }

  /** Call it when there is no room for any candidate any more. */
  clear(): void {
    this.known.clear();
  }

  /** Halves all counts until there is room. */
  private thin(): void {
    while (this.known.size >= this.most)
      for (const [id, candidate] of this.known) {
        candidate.times >>= 1;
        if (candidate.times === 0) this.known.delete(id);
      }
  }
}
