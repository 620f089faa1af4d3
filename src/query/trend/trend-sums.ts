import { ColumnRing } from '../../history/window/column-ring.ts';
import { Tally } from '../tally/tally.ts';

/** What completions of each bucket of time add up to; the buckets are the columns of a window. */
export class TrendSums extends ColumnRing {
  /** A row per slot. */
  readonly tally = new Tally();
  /** I/Os of which is not known whether they match the filter, by slot: they are not in the tally. */
  readonly undecided: Float64Array;
  /** Completions of each disk, by slot. */
  readonly byDevice = new Map<number, Float64Array>();

  constructor(buckets: number, bucketNs: number, startNs: number) {
    super(buckets, bucketNs, startNs);
    this.undecided = new Float64Array(buckets);
    for (let slot = 0; slot < buckets; slot++) this.tally.claim();
  }

  /** The slots of the window, from the left. */
  order(): Int32Array {
    return Int32Array.from({ length: this.columns }, (_, i) => this.slotOf(this.firstColumn + i));
  }

  /** Completions of one disk by slot, to add to. */
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
