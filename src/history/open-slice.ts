import type { CompletionColumns } from '../model/completion-columns.ts';
import { fineBin, fineBinLow, FINE_BINS, OFFSET_BINS } from '../model/fine-bins.ts';
import type { CompletionSummary } from '../source/event-source.ts';
import { shiftForSectors } from './key-facts.ts';
import type { KeyFacts } from './key-facts.ts';
import { createBinList, Field, FIELDS, METRIC_INDEX } from './slice.ts';
import type { BinList, Slice } from './slice.ts';

/**
 * Histograms are kept in pages of 16 bins (an octave, one cache line of counts) that are allocated
 * when first touched: fully dense arrays cost 11 KB per key, of which a disk fills a few hundred bytes.
 */
const PAGE_BITS = 4;
const PAGE = 1 << PAGE_BITS;
const PAGE_MASK = PAGE - 1;
const FINE_PAGES = FINE_BINS / PAGE;
const OFFSET_PAGES = OFFSET_BINS / PAGE;
const OFFSET_FIRST = METRIC_INDEX.offset * FINE_PAGES;
const PAGES = OFFSET_FIRST + OFFSET_PAGES;

/** Cells a row may need at most: a page per metric, and all offset pages if the shift grows. */
const ROW_CELLS = (METRIC_INDEX.offset + 1 + OFFSET_PAGES) * PAGE;
const SUMMARY_CELLS = PAGES * PAGE + ROW_CELLS;
const FIRST_KEYS = 16;
const FIRST_CELLS = 256 * PAGE;
const BYTES_PER_KEY = (PAGES + FIELDS * 2 + 2 + 1) * 4 + 1;

export interface OpenSliceLimits {
  /** Keys with entries of their own; further ones share an entry per device and operation. */
  readonly keys: number;
  readonly bytes: number;
}

/** A slice that still grows. Pooled: `reset` starts another stretch of time in the same memory. */
export class OpenSlice implements Slice {
  startNs = 0;
  endNs = 0;
  entries = 0;
  hasSummaries = false;
  /** Slot + 1 by key index; 0 when the key has none yet. */
  private slots = new Uint16Array(0);
  /** Keys with a slot, including those folded into another key's. */
  private admitted: number[] = [];
  private slotKeys = new Uint32Array(FIRST_KEYS);
  private fields = new Float64Array(FIRST_KEYS * FIELDS);
  private shifts = new Uint8Array(FIRST_KEYS);
  /** 2^−shift: offset bins per sector. */
  private scales = new Float64Array(FIRST_KEYS);
  /** First cell of each page by slot; 0 when not allocated. */
  private pages = new Uint32Array(FIRST_KEYS * PAGES);
  private cells = new Uint32Array(FIRST_CELLS);
  private usedCells = PAGE;
  private readonly facts: KeyFacts;
  private readonly limits: OpenSliceLimits;

  constructor(facts: KeyFacts, limits: OpenSliceLimits) {
    this.facts = facts;
    this.limits = limits;
  }

  get memoryBytes(): number {
    return (
      this.slots.byteLength +
      this.admitted.length * 8 +
      this.slotKeys.length * BYTES_PER_KEY +
      this.cells.byteLength
    );
  }

  reset(startNs: number, endNs: number): void {
    for (const key of this.admitted) this.slots[key] = 0;
    this.admitted = [];
    this.fields.fill(0, 0, this.entries * FIELDS);
    this.pages.fill(0, 0, this.entries * PAGES);
    this.cells.fill(0, 0, this.usedCells);
    this.usedCells = PAGE;
    this.entries = 0;
    this.hasSummaries = false;
    this.startNs = startNs;
    this.endNs = endNs;
  }

  /**
   * Adds rows from `from` on while they complete in this slice and there is room; returns the first
   * row not added.
   */
  addRows(rows: CompletionColumns, from: number, to: number): number {
    const { completeNs, deviceNs, queueNs, sector, bytes, key } = rows;
    const { startNs, endNs } = this;
    this.coverKeys();
    for (let row = from; row < to; row++) {
      const at = completeNs[row]!;
      if (!(at >= startNs && at < endNs) || !this.hasRoom(ROW_CELLS)) return row;
      const slot = this.slotOf(key[row]!);
      if (slot < 0) return row;
      this.addRow(slot, deviceNs[row]!, queueNs[row]!, bytes[row]!);
      const offset = sector[row]! * this.scales[slot]!;
      if (offset < OFFSET_BINS) this.bump(slot * PAGES + OFFSET_FIRST, offset | 0);
      else if (offset >= OFFSET_BINS) this.addFarSector(slot, sector[row]!);
    }
    return to;
  }

  private addRow(slot: number, deviceNs: number, queueNs: number, bytes: number): void {
    const { fields } = this;
    const at = slot * FIELDS;
    const page = slot * PAGES;
    fields[at + Field.count]! += 1;
    fields[at + Field.bytes]! += bytes;
    this.bump(page + METRIC_INDEX.size * FINE_PAGES, fineBin(bytes));
    if (deviceNs >= 0) {
      fields[at + Field.deviceNs]! += deviceNs;
      if (deviceNs > fields[at + Field.maxDeviceNs]!) fields[at + Field.maxDeviceNs] = deviceNs;
      this.bump(page + METRIC_INDEX.device * FINE_PAGES, fineBin(deviceNs));
    }
    if (queueNs >= 0) {
      fields[at + Field.queueNs]! += queueNs;
      if (queueNs > fields[at + Field.maxQueueNs]!) fields[at + Field.maxQueueNs] = queueNs;
      this.bump(page + METRIC_INDEX.queue * FINE_PAGES, fineBin(queueNs));
    }
    const totalNs = deviceNs + queueNs;
    if (deviceNs >= 0 && queueNs >= 0) {
      if (totalNs > fields[at + Field.maxTotalNs]!) fields[at + Field.maxTotalNs] = totalNs;
      this.bump(page + METRIC_INDEX.total * FINE_PAGES, fineBin(totalNs));
    }
  }

  private bump(firstPage: number, bin: number): void {
    const page = firstPage + (bin >> PAGE_BITS);
    let cell = this.pages[page]!;
    if (cell === 0) cell = this.claimPage(page);
    this.cells[cell + (bin & PAGE_MASK)]!++;
  }

  private addTo(firstPage: number, bin: number, count: number): void {
    const page = firstPage + (bin >> PAGE_BITS);
    let cell = this.pages[page]!;
    if (cell === 0) cell = this.claimPage(page);
    this.cells[cell + (bin & PAGE_MASK)]! += count;
  }

  private claimPage(page: number): number {
    const cell = this.usedCells;
    this.usedCells = cell + PAGE;
    this.pages[page] = cell;
    return cell;
  }

  /** Adds the whole summary, or nothing when there is no room. */
  addSummary(summary: CompletionSummary, key: number): boolean {
    this.coverKeys();
    if (!this.hasRoom(SUMMARY_CELLS)) return false;
    const slot = this.slotOf(key);
    if (slot < 0) return false;
    this.hasSummaries = true;
    this.addSummaryFields(summary, slot * FIELDS);
    const page = slot * PAGES;
    this.addBins(page + METRIC_INDEX.device * FINE_PAGES, summary.device, 0);
    this.addBins(page + METRIC_INDEX.queue * FINE_PAGES, summary.queue, 0);
    this.addBins(page + METRIC_INDEX.total * FINE_PAGES, summary.total, 0);
    this.addBins(page + METRIC_INDEX.size * FINE_PAGES, summary.size, 0);
    this.widenOffsets(slot, summary.offsetShift);
    this.addBins(page + OFFSET_FIRST, summary.offset, this.shifts[slot]! - summary.offsetShift);
    return true;
  }

  private addSummaryFields(summary: CompletionSummary, at: number): void {
    const { fields } = this;
    fields[at + Field.count]! += summary.count;
    fields[at + Field.bytes]! += summary.bytes;
    fields[at + Field.deviceNs]! += summary.deviceNsSum;
    fields[at + Field.queueNs]! += summary.queueNsSum;
    const slowest = fineBinLow(
      Math.max(
        0,
        summary.total.findLastIndex((count) => count > 0),
      ),
    );
    const totalNs = Math.max(summary.maxDeviceNs, summary.maxQueueNs, slowest);
    fields[at + Field.maxDeviceNs] = Math.max(fields[at + Field.maxDeviceNs]!, summary.maxDeviceNs);
    fields[at + Field.maxQueueNs] = Math.max(fields[at + Field.maxQueueNs]!, summary.maxQueueNs);
    fields[at + Field.maxTotalNs] = Math.max(fields[at + Field.maxTotalNs]!, totalNs);
  }

  private addBins(firstPage: number, counts: Uint32Array, shift: number): void {
    for (let bin = 0; bin < counts.length; bin++) {
      if (counts[bin]! > 0) this.addTo(firstPage, bin >> shift, counts[bin]!);
    }
  }

  private addFarSector(slot: number, sector: number): void {
    const shift = shiftForSectors(sector + 1);
    this.widenOffsets(slot, shift);
    this.facts.noteOffsetShift(this.slotKeys[slot]!, shift);
    this.bump(slot * PAGES + OFFSET_FIRST, Math.floor(sector * this.scales[slot]!));
  }

  /** Makes offset bins at least 2^shift sectors wide, folding what was counted in narrower ones. */
  private widenOffsets(slot: number, shift: number): void {
    const by = shift - this.shifts[slot]!;
    if (by <= 0) return;
    const filled = this.readBins(slot, METRIC_INDEX.offset, scratch);
    const first = slot * PAGES + OFFSET_FIRST;
    for (let page = first; page < first + OFFSET_PAGES; page++) {
      const cell = this.pages[page]!;
      if (cell !== 0) this.cells.fill(0, cell, cell + PAGE);
    }
    for (let i = 0; i < filled; i++) this.addTo(first, scratch.bins[i]! >> by, scratch.counts[i]!);
    this.setShift(slot, shift);
  }

  private setShift(slot: number, shift: number): void {
    this.shifts[slot] = shift;
    this.scales[slot] = 2 ** -shift;
  }

  key(entry: number): number {
    return this.slotKeys[entry]!;
  }

  field(entry: number, field: number): number {
    return this.fields[entry * FIELDS + field]!;
  }

  offsetShift(entry: number): number {
    return this.shifts[entry]!;
  }

  readBins(entry: number, metric: number, into: BinList): number {
    const { pages, cells } = this;
    const first = entry * PAGES + metric * FINE_PAGES;
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

  /** Slot of a key, or −1 when there is no room for another. */
  private slotOf(key: number): number {
    const slot = this.slots[key]!;
    return slot > 0 ? slot - 1 : this.admit(key);
  }

  private admit(key: number): number {
    const isFull = this.entries >= this.limits.keys && !this.facts.isExempt(key);
    const slot = isFull ? this.slotOfOther(key) : this.addEntry(key);
    if (slot < 0) return slot;
    this.slots[key] = slot + 1;
    this.admitted.push(key);
    return slot;
  }

  private slotOfOther(key: number): number {
    const other = this.facts.other(key);
    this.coverKeys();
    return this.slotOf(other);
  }

  private addEntry(key: number): number {
    const slot = this.entries;
    if (slot === this.slotKeys.length && !this.growKeys()) return -1;
    this.entries++;
    this.slotKeys[slot] = key;
    this.setShift(slot, this.facts.offsetShift(key));
    return slot;
  }

  private growKeys(): boolean {
    const capacity = this.slotKeys.length * 2;
    if (this.memoryBytes + this.slotKeys.length * BYTES_PER_KEY > this.limits.bytes) return false;
    this.slotKeys = copied(new Uint32Array(capacity), this.slotKeys);
    this.fields = copied(new Float64Array(capacity * FIELDS), this.fields);
    this.shifts = copied(new Uint8Array(capacity), this.shifts);
    this.scales = copied(new Float64Array(capacity), this.scales);
    this.pages = copied(new Uint32Array(capacity * PAGES), this.pages);
    return true;
  }

  private hasRoom(cells: number): boolean {
    return this.usedCells + cells <= this.cells.length || this.growCells(cells);
  }

  private growCells(room: number): boolean {
    const more = Math.max(this.cells.length, room);
    if (this.memoryBytes + more * 4 > this.limits.bytes) return false;
    this.cells = copied(new Uint32Array(this.cells.length + more), this.cells);
    return true;
  }

  private coverKeys(): void {
    const size = this.facts.keys.size;
    if (size <= this.slots.length) return;
    this.slots = copied(new Uint16Array(Math.max(256, size, this.slots.length * 2)), this.slots);
  }
}

const scratch = createBinList();

function copied<T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(
  larger: T,
  from: T,
): T {
  larger.set(from);
  return larger;
}
