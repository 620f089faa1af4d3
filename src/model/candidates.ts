/** More than the kernel programs remember names of files as sent: what is forgotten here is sent again. */
const MOST = 1 << 15;

interface Candidate<T> {
  times: number;
  value: T;
}

/** Finds what comes often among more than can be kept. What comes less often than others is forgotten. */
export class Candidates<T> {
  private readonly known = new Map<string, Candidate<T>>();

  /** `merge`: what is kept of two that have the same id. */
  constructor(
    private readonly enough: number,
    private readonly merge: (known: T, latest: T) => T,
    private readonly most = MOST,
  ) {}

  get size(): number {
    return this.known.size;
  }

  /** Counts one more; returns what is known of it, and forgets it, once it has come often enough. */
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

  /** When there is no room for any of them any more. */
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
