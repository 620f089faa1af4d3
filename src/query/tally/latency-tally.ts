import { FINE_BINS, fineBin } from '../../model/fine-bins.ts';
import { quantile } from '../../model/quantile.ts';
import type { BinList } from '../../history/slices/slice.ts';

const FIRST_ROWS = 16;
/**
 * Pages of 16 bins (an octave) are allocated on first use: whole histograms take 5 KB per row, of which a file with
 * two I/Os fills 16 bytes.
 */
const PAGE_BITS = 4;
const PAGE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE - 1;
const PAGES = FINE_BINS / PAGE;
const FIRST_CELLS = 64 * PAGE;

/** All bins of one row, in a dense array. */
const whole = new Float64Array(FINE_BINS);

/**
 * Latencies of groups of I/O in ns: a histogram per row, with bins 6 % wide. Rows beyond `mostHistograms` have only
 * their largest latency.
 */
export class LatencyTally {
  private rows = 0;
  /** First cell of each page, by row; 0 when not allocated. */
  private pages = new Uint32Array(FIRST_ROWS * PAGES);
  private cells = new Float64Array(FIRST_CELLS);
  private usedCells = PAGE;
  /** Largest latency by row; −1 if none is known. */
  private largest = new Float64Array(FIRST_ROWS);
  /** The bins [first, end) of a row that may have counts. */
  private firstBin = new Uint16Array(FIRST_ROWS);
  private endBin = new Uint16Array(FIRST_ROWS);

  constructor(private readonly mostHistograms = Infinity) {}

  get memoryBytes(): number {
    return this.pages.byteLength + this.cells.byteLength + 12 * this.largest.length;
  }

  /** Adds an empty row and returns its number. */
  claim(): number {
    const row = this.rows++;
    if (row === this.largest.length) this.grow();
    this.pages.fill(0, row * PAGES, (row + 1) * PAGES);
    this.clear(row);
    return row;
  }

  /** Invalidates all rows. */
  reset(): void {
    this.rows = 0;
    this.usedCells = PAGE;
  }

  /** Empties the bins of a row, but keeps their pages. */
  clear(row: number): void {
    for (let page = row * PAGES; page < (row + 1) * PAGES; page++) {
      const cell = this.pages[page]!;
      if (cell !== 0) this.cells.fill(0, cell, cell + PAGE);
    }
    this.largest[row] = -1;
    this.endBin[row] = 0;
    this.firstBin[row] = FINE_BINS;
  }

  /** Adds one latency; NaN if it is not known. */
  add(row: number, ns: number): void {
    if (!(ns >= 0)) return;
    const bin = fineBin(ns);
    this.addToBin(row, bin, 1);
    if (ns > this.largest[row]!) this.largest[row] = ns;
    if (bin < this.firstBin[row]!) this.firstBin[row] = bin;
    if (bin >= this.endBin[row]!) this.endBin[row] = bin + 1;
  }

  private addToBin(row: number, bin: number, count: number): void {
    if (row >= this.mostHistograms) return;
    const page = row * PAGES + (bin >> PAGE_BITS);
    let cell = this.pages[page]!;
    if (cell === 0) cell = this.claimPage(page);
    this.cells[cell + (bin & PAGE_MASK)]! += count;
  }

  private claimPage(page: number): number {
    const cell = this.usedCells;
    this.usedCells = cell + PAGE;
    if (this.usedCells > this.cells.length)
      this.cells = doubled(this.cells, new Float64Array(2 * this.cells.length));
    this.cells.fill(0, cell, cell + PAGE);
    return (this.pages[page] = cell);
  }

  /**
   * Adds each count of a list `factor` times; the largest latency among them is at most `maxNs`.
   */
  addBins(row: number, list: BinList, filled: number, factor: number, maxNs: number): void {
    if (filled === 0) return;
    for (let i = 0; i < filled; i++) this.addToBin(row, list.bins[i]!, list.counts[i]! * factor);
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
      this.addToBin(row, bin, count);
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
    if (row >= this.mostHistograms) return undefined;
    const [first, end] = [this.firstBin[row]!, this.endBin[row]!];
    const total = this.unfold(row, first, end);
    const found = quantile(whole, 0, first, end, total, share);
    return found === undefined ? undefined : Math.min(found, this.largest[row]!);
  }

  /** Copies the bins [first, end) of a row into `whole`; returns their sum. */
  private unfold(row: number, first: number, end: number): number {
    const { pages, cells } = this;
    let total = 0;
    for (let bin = first; bin < end; bin++) {
      const cell = pages[row * PAGES + (bin >> PAGE_BITS)]!;
      const count = cell === 0 ? 0 : cells[cell + (bin & PAGE_MASK)]!;
      whole[bin] = count;
      total += count;
    }
    return total;
  }

  /** Undefined if no latency is known. */
  maxNs(row: number): number | undefined {
    return this.largest[row]! < 0 ? undefined : this.largest[row]!;
  }

  private grow(): void {
    const rows = 2 * this.largest.length;
    this.pages = doubled(this.pages, new Uint32Array(rows * PAGES));
    this.largest = doubled(this.largest, new Float64Array(rows));
    this.firstBin = doubled(this.firstBin, new Uint16Array(rows));
    this.endBin = doubled(this.endBin, new Uint16Array(rows));
  }
}

function doubled<T extends Float64Array | Uint16Array | Uint32Array>(from: T, larger: T): T {
  larger.set(from);
  return larger;
}
