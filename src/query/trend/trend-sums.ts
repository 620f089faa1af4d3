import { FINE_BINS, fineBin } from '../../model/fine-bins.ts';
import { OP_CLASSES } from '../../model/operation.ts';
import { ColumnRing } from '../../history/window/column-ring.ts';
import type { BinList } from '../../history/slices/slice.ts';

/** What completions of each bucket of time add up to; the buckets are the columns of a window. */
export class TrendSums extends ColumnRing {
  /** Per operation class, then per slot. */
  readonly counts: readonly Float64Array[];
  readonly bytes: readonly Float64Array[];
  readonly waitNs: readonly Float64Array[];
  /** I/Os that have a time, and the longest. */
  readonly measured: Float64Array;
  readonly maxNs: Float64Array;
  /** `FINE_BINS` per slot. */
  readonly histograms: Float64Array;
  readonly errors: Float64Array;
  /** I/Os of which is not known whether they pass the filter: in no other sum. */
  readonly undecided: Float64Array;
  readonly byDevice = new Map<number, Float64Array>();

  constructor(slots: number, bucketNs: number, startNs: number) {
    super(slots, bucketNs, startNs);
    const perClass = (): Float64Array[] => OP_CLASSES.map(() => new Float64Array(slots));
    this.counts = perClass();
    this.bytes = perClass();
    this.waitNs = perClass();
    this.measured = new Float64Array(slots);
    this.maxNs = new Float64Array(slots);
    this.histograms = new Float64Array(slots * FINE_BINS);
    this.errors = new Float64Array(slots);
    this.undecided = new Float64Array(slots);
  }

  /** The slots of the window, from the left. */
  order(): Int32Array {
    return Int32Array.from({ length: this.columns }, (_, i) => this.slotOf(this.firstColumn + i));
  }

  protected emptySlot(slot: number): void {
    for (const sums of this.all()) sums[slot] = 0;
    this.histograms.fill(0, slot * FINE_BINS, (slot + 1) * FINE_BINS);
  }

  /** Completions of one disk by slot, to add to. */
  ofDevice(dev: number): Float64Array {
    const known = this.byDevice.get(dev);
    if (known !== undefined) return known;
    const counts = new Float64Array(this.columns);
    this.byDevice.set(dev, counts);
    return counts;
  }

  addCounts(slot: number, opClass: number, count: number, bytes: number, waitNs: number): void {
    this.counts[opClass]![slot]! += count;
    this.bytes[opClass]![slot]! += bytes;
    this.waitNs[opClass]![slot]! += waitNs;
  }

  /** Adds one latency; NaN when it is not known. */
  addTime(slot: number, timeNs: number): void {
    if (!(timeNs >= 0)) return;
    this.histograms[slot * FINE_BINS + fineBin(timeNs)]!++;
    this.measured[slot]!++;
    if (timeNs > this.maxNs[slot]!) this.maxNs[slot] = timeNs;
  }

  /** Adds a share of a histogram. Which share held its largest value is not known: any may have. */
  addTimes(slot: number, list: BinList, filled: number, share: number, maxNs: number): void {
    const { histograms } = this;
    const origin = slot * FINE_BINS;
    let sum = 0;
    for (let i = 0; i < filled; i++) {
      const count = list.counts[i]! * share;
      histograms[origin + list.bins[i]!]! += count;
      sum += count;
    }
    this.measured[slot]! += sum;
    if (filled > 0 && maxNs > this.maxNs[slot]!) this.maxNs[slot] = maxNs;
  }

  private *all(): Generator<Float64Array> {
    yield* this.counts;
    yield* this.bytes;
    yield* this.waitNs;
    yield* [this.measured, this.maxNs, this.errors, this.undecided];
    yield* this.byDevice.values();
  }
}
