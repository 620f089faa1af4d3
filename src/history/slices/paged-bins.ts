import { FINE_BINS, OFFSET_BINS } from '../../model/fine-bins.ts';
import { METRIC_INDEX } from './slice.ts';
import type { BinList } from './slice.ts';

/**
 * Pages of 16 bins (an octave, one cache line of counts) are allocated on first use: dense arrays take 11 KB per
 * identity, of which a disk fills a few hundred bytes.
 */
const PAGE_BITS = 4;
const PAGE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE - 1;
const FINE_PAGES = FINE_BINS / PAGE;
const OFFSET_PAGES = OFFSET_BINS / PAGE;

/** Pages of one slot: first those of the metrics in fine bins, then those of offsets. */
const PAGES = METRIC_INDEX.offset * FINE_PAGES + OFFSET_PAGES;
export const PAGE_TABLE_BYTES = PAGES * 4;

/** Maximum cells for a row: a page per metric, and all offset pages if its bins are folded. */
export const ROW_CELLS = (METRIC_INDEX.offset + 1 + OFFSET_PAGES) * PAGE;
/** Maximum cells for a slot. */
export const SLOT_CELLS = PAGES * PAGE + ROW_CELLS;

const FIRST_CELLS = 256 * PAGE;

/** The histograms of an open slice, one per slot and metric. */
export class PagedBins {
  /** First cell of each page, by slot; 0 when not allocated. */
  private pages: Uint32Array;
  private cells = new Uint32Array(FIRST_CELLS);
  private usedCells = PAGE;

  constructor(slots: number) {
    this.pages = new Uint32Array(slots * PAGES);
  }

  get memoryBytes(): number {
    return this.pages.byteLength + this.cells.byteLength;
  }

  clear(slots: number): void {
    this.pages.fill(0, 0, slots * PAGES);
    this.cells.fill(0, 0, this.usedCells);
    this.usedCells = PAGE;
  }

  growSlots(slots: number): void {
    const pages = new Uint32Array(slots * PAGES);
    pages.set(this.pages);
    this.pages = pages;
  }

  hasRoom(cells: number): boolean {
    return this.usedCells + cells <= this.cells.length;
  }

  /** Memory that `growCells` would allocate. */
  growthBytes(): number {
    return this.cells.byteLength;
  }

  growCells(): void {
    const cells = new Uint32Array(this.cells.length * 2);
    cells.set(this.cells);
    this.cells = cells;
  }

  /** Adds to a bin; the caller has made sure that there is room. */
  add(slot: number, metric: number, bin: number, count: number): void {
    const page = slot * PAGES + metric * FINE_PAGES + (bin >> PAGE_BITS);
    let cell = this.pages[page]!;
    if (cell === 0) cell = this.claim(page);
    this.cells[cell + (bin & PAGE_MASK)]! += count;
  }

  private claim(page: number): number {
    const cell = this.usedCells;
    this.usedCells = cell + PAGE;
    this.pages[page] = cell;
    return cell;
  }

  /** See `Slice.readBins`. */
  read(slot: number, metric: number, into: BinList): number {
    const { pages, cells } = this;
    const first = slot * PAGES + metric * FINE_PAGES;
    const last = first + (metric === METRIC_INDEX.offset ? OFFSET_PAGES : FINE_PAGES);
    let filled = 0;
    for (let page = first; page < last; page++) {
      const cell = pages[page]!;
      if (cell === 0) continue;
      for (let i = 0; i < PAGE; i++) {
        const count = cells[cell + i]!;
        if (count === 0) continue;
        into.bins[filled] = (page - first) * PAGE + i;
        into.counts[filled++] = count;
      }
    }
    return filled;
  }

  /** Empties the bins of a slot's metric, but keeps their pages. */
  empty(slot: number, metric: number): void {
    const first = slot * PAGES + metric * FINE_PAGES;
    const last = first + (metric === METRIC_INDEX.offset ? OFFSET_PAGES : FINE_PAGES);
    for (let page = first; page < last; page++) {
      const cell = this.pages[page]!;
      if (cell !== 0) this.cells.fill(0, cell, cell + PAGE);
    }
  }
}
