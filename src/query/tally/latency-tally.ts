import { FINE_BINS, fineBin } from '../../model/fine-bins.ts';
import { quantile } from '../../model/quantile.ts';
import type { BinList } from '../../history/slices/slice.ts';

/** Initial number of histograms, 5 KB each. */
const FIRST_ROWS = 16;

/**
 * Latencies of groups of I/O in ns: a histogram per row, with bins 6 % wide. Rows beyond `mostHistograms` have only
 * their largest latency.
 */
export class LatencyTally {
  private rows = 0;
  private histograms = new Float64Array(FIRST_ROWS * FINE_BINS);
  /** −1 if no latency is known. */
  private largest = new Float64Array(FIRST_ROWS);
  /** Bins of a row that may be filled: [first, end). */
  private firstBin = new Uint16Array(FIRST_ROWS);
  private endBin = new Uint16Array(FIRST_ROWS);

  constructor(private readonly mostHistograms = Infinity) {}

  /** Adds an empty row and returns its number. */
  claim(): number {
    const row = this.rows++;
    if (row === this.largest.length) this.grow();
    this.cover(row);
    this.clear(row);
    return row;
  }

  /** Invalidates all rows. */
  reset(): void {
    this.rows = 0;
  }

  clear(row: number): void {
    const origin = this.originOf(row);
    this.histograms.fill(0, origin, origin + FINE_BINS);
    this.largest[row] = -1;
    this.endBin[row] = 0;
    this.firstBin[row] = FINE_BINS;
  }

  /** Adds one latency; NaN if it is not known. */
  add(row: number, ns: number): void {
    if (!(ns >= 0)) return;
    const bin = fineBin(ns);
    this.histograms[this.originOf(row) + bin]!++;
    if (ns > this.largest[row]!) this.largest[row] = ns;
    if (bin < this.firstBin[row]!) this.firstBin[row] = bin;
    if (bin >= this.endBin[row]!) this.endBin[row] = bin + 1;
  }

  /**
   * Adds each count of a list `factor` times; the largest latency among them is at most `maxNs`.
   */
  addBins(row: number, list: BinList, filled: number, factor: number, maxNs: number): void {
    if (filled === 0) return;
    const { histograms } = this;
    const origin = this.originOf(row);
    for (let i = 0; i < filled; i++)
      histograms[origin + list.bins[i]!]! += list.counts[i]! * factor;
    this.noteBins(row, list.bins[0]!, list.bins[filled - 1]! + 1, maxNs);
  }

  /** Adds a whole histogram. */
  addAll(row: number, counts: Uint32Array, maxNs: number): void {
    let [first, end] = [FINE_BINS, 0];
    for (let bin = 0; bin < FINE_BINS; bin++) {
      const count = counts[bin]!;
      if (count === 0) continue;
      if (end === 0) first = bin;
      end = bin + 1;
      this.histograms[this.originOf(row) + bin]! += count;
    }
    if (end > 0) this.noteBins(row, first, end, maxNs);
  }

  private noteBins(row: number, first: number, end: number, maxNs: number): void {
    if (maxNs > this.largest[row]!) this.largest[row] = maxNs;
    if (first < this.firstBin[row]!) this.firstBin[row] = first;
    if (end > this.endBin[row]!) this.endBin[row] = end;
  }

  /**
   * Wrong by at most the width of a bin, and never above the largest; undefined if no latency is known.
   */
  quantileNs(row: number, share: number): number | undefined {
    const { histograms } = this;
    if (row >= this.mostHistograms) return undefined;
    const [first, end] = [this.firstBin[row]!, this.endBin[row]!];
    const origin = this.originOf(row);
    let total = 0;
    for (let bin = first; bin < end; bin++) total += histograms[origin + bin]!;
    const found = quantile(histograms, origin, first, end, total, share);
    return found === undefined ? undefined : Math.min(found, this.largest[row]!);
  }

  /** Undefined if no latency is known. */
  maxNs(row: number): number | undefined {
    return this.largest[row]! < 0 ? undefined : this.largest[row]!;
  }

  /** Rows without a histogram share one that is never read. */
  private originOf(row: number): number {
    return (row < this.mostHistograms ? row : this.mostHistograms) * FINE_BINS;
  }

  private cover(row: number): void {
    const { histograms } = this;
    if (this.originOf(row) + FINE_BINS > histograms.length)
      this.histograms = doubled(histograms, new Float64Array(2 * histograms.length));
  }

  private grow(): void {
    this.largest = doubled(this.largest, new Float64Array(2 * this.largest.length));
    this.firstBin = doubled(this.firstBin, new Uint16Array(2 * this.firstBin.length));
    this.endBin = doubled(this.endBin, new Uint16Array(2 * this.endBin.length));
  }
}

function doubled<T extends Float64Array | Uint16Array>(from: T, larger: T): T {
  larger.set(from);
  return larger;
}
