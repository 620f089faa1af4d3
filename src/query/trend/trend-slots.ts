/** A stretch of buckets of which nothing left of `toNs` has been counted. */
export interface UncountedRun {
  readonly startNs: number;
  readonly toNs: number;
}

/**
 * Which bucket of the trace is in which slot, and how far back it has been counted. A bucket keeps its
 * slot while the window moves over it.
 */
export class TrendSlots {
  /** Completions of the slot's bucket from here on have been counted. */
  readonly countedFromNs: Float64Array;
  /** What has been counted was spread up to a present that goes on. */
  readonly isUnsettled: Uint8Array;
  /** Number of the leftmost bucket. */
  private first = NaN;

  constructor(
    readonly length: number,
    readonly bucketNs: number,
  ) {
    this.countedFromNs = new Float64Array(length);
    this.isUnsettled = new Uint8Array(length);
  }

  /** Slot of a bucket by its number since the start of the trace; −1 outside the window. */
  of(number: number): number {
    const { first, length } = this;
    return number >= first && number < first + length ? this.place(number) : -1;
  }

  /** Moves the window; calls back for each bucket that enters, none of which is counted. */
  moveTo(first: number, enters: (slot: number) => void): void {
    const before = this.first;
    this.first = first;
    for (let number = first; number < first + this.length; number++) {
      if (number >= before && number < before + this.length) continue;
      enters(this.place(number));
      this.forget(number);
    }
  }

  /** Nothing of a bucket counts as counted any more. */
  forget(number: number): void {
    const slot = this.place(number);
    this.countedFromNs[slot] = (number + 1) * this.bucketNs;
    this.isUnsettled[slot] = 0;
  }

  /** The slots of the window, from the left. */
  order(): Int32Array {
    return Int32Array.from({ length: this.length }, (_, i) => this.place(this.first + i));
  }

  /** The numbers of the window, from the left. */
  *numbers(): Generator<number> {
    for (let i = 0; i < this.length; i++) yield this.first + i;
  }

  isCounted(number: number): boolean {
    return this.countedFromNs[this.place(number)]! <= number * this.bucketNs;
  }

  get isWhole(): boolean {
    return this.newestRun() === undefined;
  }

  /** From 0 to 1: how much of the window has been counted. */
  get share(): number {
    const { bucketNs, length } = this;
    if (this.isWhole) return 1;
    let countedNs = 0;
    for (const number of this.numbers())
      countedNs += (number + 1) * bucketNs - this.countedFromNs[this.place(number)]!;
    return countedNs / (bucketNs * length);
  }

  /** The stretch to count next; undefined when all is counted. */
  newestRun(): UncountedRun | undefined {
    const { first, bucketNs } = this;
    let last = first + this.length - 1;
    while (last >= first && this.isCounted(last)) last--;
    if (last < first) return undefined;
    let start = last;
    while (start > first && this.isUncounted(start - 1)) start--;
    return { startNs: start * bucketNs, toNs: this.countedFromNs[this.place(last)]! };
  }

  /** Of that stretch, completions from `fromNs` on have been counted. */
  noteCounted({ startNs, toNs }: UncountedRun, fromNs: number): void {
    const { bucketNs } = this;
    const least = Math.max(startNs, fromNs);
    for (let number = Math.floor(least / bucketNs); number * bucketNs < toNs; number++)
      this.countedFromNs[this.place(number)] = Math.max(number * bucketNs, least);
  }

  private isUncounted(number: number): boolean {
    return this.countedFromNs[this.place(number)]! >= (number + 1) * this.bucketNs;
  }

  private place(number: number): number {
    const slot = number % this.length;
    return slot < 0 ? slot + this.length : slot;
  }
}
