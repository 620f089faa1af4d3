import { ColumnRing } from '../../history/window/column-ring.ts';
import { IdentityMark } from '../../model/identity.ts';
import type { Identity } from '../../model/identity.ts';
import { Tally } from '../tally/tally.ts';

/** Sums of the I/O of each bucket of time; the buckets are the columns of a window. */
export class TrendSums extends ColumnRing {
  /** Has a row per slot. */
  readonly tally = new Tally();
  /** I/Os that may or may not match the filter, by slot; they are not in the tally. */
  readonly undecided: Float64Array;
  /** Completions of each disk, by slot. */
  readonly byDevice = new Map<number, Float64Array>();
  private someSizes: 'known' | 'unknown' | undefined;

  constructor(buckets: number, bucketNs: number, startNs: number) {
    super(buckets, bucketNs, startNs);
    this.undecided = new Float64Array(buckets);
    for (let slot = 0; slot < buckets; slot++) this.tally.claim();
  }

  /** Whether there is I/O and the size of none is known. */
  get lacksSizes(): boolean {
    return this.someSizes === 'unknown';
  }

  /** To be called for each identity that is counted. */
  noteSizes({ marks }: Identity): void {
    if ((marks & IdentityMark.sizeUnknown) === 0) this.someSizes = 'known';
    else this.someSizes ??= 'unknown';
  }

  /** Slots of the window, left to right. */
  order(): Int32Array {
    return Int32Array.from({ length: this.columns }, (_, i) => this.slotOf(this.firstColumn + i));
  }

  /** Completions of one disk by slot; the caller adds to them. */
  ofDevice(dev: number): Float64Array {
    const known = this.byDevice.get(dev);
    if (known !== undefined) return known;
    const counts = new Float64Array(this.columns);
    this.byDevice.set(dev, counts);
    return counts;
  }

  protected emptySlot(slot: number): void {
    this.tally.clear(slot);
    this.undecided[slot] = 0;
    for (const counts of this.byDevice.values()) counts[slot] = 0;
  }
}
