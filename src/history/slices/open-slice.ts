import { SHARE_FOR_FREQUENT } from '../../model/candidates.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { fineBin, OFFSET_BINS } from '../../model/fine-bins.ts';
import { mostTotalNs } from '../../model/most-total.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { entryLimits, isEntryOfProcess, shiftForSectors } from './identity-facts.ts';
import type { IdentityFacts } from './identity-facts.ts';
import { PAGE_TABLE_BYTES, PagedBins, ROW_CELLS, SLOT_CELLS } from './paged-bins.ts';
import { createBinList, Field, FIELDS, METRIC_INDEX } from './slice.ts';
import type { BinList, Slice } from './slice.ts';

const FIRST_IDENTITIES = 16;
/** When most entries are taken, a new identity gets one only after this many I/Os. */
const OFTEN = 8;
/** Memory of an entry of `waiting`. */
const WAITING_BYTES = 40;
/** Bytes for identity, totals, shift, scale and page table. */
const BYTES_PER_IDENTITY = 4 + FIELDS * 8 + 1 + 8 + PAGE_TABLE_BYTES;

export interface OpenSliceLimits {
  /** Identities of processes with their own entries; further ones share entries. */
  readonly identities: number;
  readonly bytes: number;
}

/** A slice that still grows. Pooled: `reset` starts another stretch of time in the same memory. */
export class OpenSlice implements Slice {
  startNs = 0;
  endNs = 0;
  entries = 0;
  hasAggregates = false;
  /** How many entries there may be, and are, by `entryKind`. */
  private readonly most: readonly number[];
  private readonly counts: number[];
  /** Slot + 1 by identity; 0 without a slot. */
  private slots = new Uint16Array(0);
  /** Identities with a slot, including those folded into another one's. */
  private admitted: number[] = [];
  /** Number of I/Os of identities without a slot, while only slots for frequent ones are left. */
  private readonly waiting = new Map<number, number>();
  private slotIdentities = new Uint32Array(FIRST_IDENTITIES);
  private fields = new Float64Array(FIRST_IDENTITIES * FIELDS);
  private shifts = new Uint8Array(FIRST_IDENTITIES);
  /** 2^−shift: offset bins per sector. */
  private scales = new Float64Array(FIRST_IDENTITIES);
  private readonly bins = new PagedBins(FIRST_IDENTITIES);
  private readonly facts: IdentityFacts;
  private readonly limits: OpenSliceLimits;

  constructor(facts: IdentityFacts, limits: OpenSliceLimits) {
    this.facts = facts;
    this.limits = limits;
    this.most = entryLimits(limits.identities);
    this.counts = this.most.map(() => 0);
  }

  get memoryBytes(): number {
    const perIdentity = this.slotIdentities.length * (BYTES_PER_IDENTITY - PAGE_TABLE_BYTES);
    const perKnownIdentity =
      this.slots.byteLength + this.admitted.length * 8 + this.waiting.size * WAITING_BYTES;
    return perIdentity + perKnownIdentity + this.bins.memoryBytes;
  }

  reset(startNs: number, endNs: number): void {
    for (const identity of this.admitted) this.slots[identity] = 0;
    this.admitted = [];
    this.waiting.clear();
    this.fields.fill(0, 0, this.entries * FIELDS);
    this.bins.clear(this.entries);
    this.entries = 0;
    this.counts.fill(0);
    this.hasAggregates = false;
    this.startNs = startNs;
    this.endNs = endNs;
  }

  /**
   * Adds rows, starting at `from`, as long as they complete in this slice and there is room. Returns the first row not
   * added.
   */
  addRows(rows: CompletionColumns, from: number, to: number): number {
    const { completeNs, sector, identity } = rows;
    const { startNs, endNs } = this;
    this.coverIdentities();
    for (let row = from; row < to; row++) {
      const at = completeNs[row]!;
      if (!(at >= startNs && at < endNs) || !this.hasRoom(ROW_CELLS)) return row;
      const slot = this.slotOf(identity[row]!);
      if (slot < 0) return row;
      this.addRow(slot, rows, row);
      const offset = sector[row]! * this.scales[slot]!;
      if (offset < OFFSET_BINS) this.bins.add(slot, METRIC_INDEX.offset, offset | 0, 1);
      else if (offset >= OFFSET_BINS) this.addFarSector(slot, sector[row]!);
    }
    return to;
  }

  /** Takes the number of the row: fractions passed as arguments would be allocated as objects. */
  private addRow(slot: number, rows: CompletionColumns, row: number): void {
    const { fields, bins } = this;
    const bytes = rows.bytes[row]!;
    const deviceNs = rows.deviceNs[row]!;
    const queueNs = rows.queueNs[row]!;
    const at = slot * FIELDS;
    fields[at + Field.count]! += 1;
    fields[at + Field.bytes]! += bytes;
    bins.add(slot, METRIC_INDEX.size, fineBin(bytes), 1);
    if (deviceNs >= 0) {
      fields[at + Field.deviceNs]! += deviceNs;
      if (deviceNs > fields[at + Field.maxDeviceNs]!) fields[at + Field.maxDeviceNs] = deviceNs;
      bins.add(slot, METRIC_INDEX.device, fineBin(deviceNs), 1);
    }
    if (queueNs >= 0) {
      fields[at + Field.queueNs]! += queueNs;
      if (queueNs > fields[at + Field.maxQueueNs]!) fields[at + Field.maxQueueNs] = queueNs;
      bins.add(slot, METRIC_INDEX.queue, fineBin(queueNs), 1);
    }
    const totalNs = deviceNs + queueNs;
    if (deviceNs >= 0 && queueNs >= 0) {
      if (totalNs > fields[at + Field.maxTotalNs]!) fields[at + Field.maxTotalNs] = totalNs;
      bins.add(slot, METRIC_INDEX.total, fineBin(totalNs), 1);
    }
  }

  /** Adds the whole aggregate, or nothing when there is no room; returns which. */
  addAggregate(summary: CompletionSummary, identity: number): boolean {
    this.coverIdentities();
    if (!this.hasRoom(SLOT_CELLS)) return false;
    const slot = this.slotOf(identity);
    if (slot < 0) return false;
    this.hasAggregates = true;
    this.addAggregateFields(summary, slot * FIELDS);
    this.addBins(slot, METRIC_INDEX.device, summary.device, 0);
    this.addBins(slot, METRIC_INDEX.queue, summary.queue, 0);
    this.addBins(slot, METRIC_INDEX.total, summary.total, 0);
    this.addBins(slot, METRIC_INDEX.size, summary.size, 0);
    this.widenOffsets(slot, summary.offsetShift);
    const foldBy = this.shifts[slot]! - summary.offsetShift;
    this.addBins(slot, METRIC_INDEX.offset, summary.offset, foldBy);
    return true;
  }

  private addAggregateFields(summary: CompletionSummary, at: number): void {
    const { fields } = this;
    fields[at + Field.count]! += summary.count;
    fields[at + Field.bytes]! += summary.bytes;
    fields[at + Field.deviceNs]! += summary.deviceNsSum;
    fields[at + Field.queueNs]! += summary.queueNsSum;
    fields[at + Field.aggregateErrors]! += summary.errors ?? 0;
    fields[at + Field.countVariance]! += summary.countVariance ?? 0;
    const totalNs = mostTotalNs(summary);
    fields[at + Field.maxDeviceNs] = Math.max(fields[at + Field.maxDeviceNs]!, summary.maxDeviceNs);
    fields[at + Field.maxQueueNs] = Math.max(fields[at + Field.maxQueueNs]!, summary.maxQueueNs);
    fields[at + Field.maxTotalNs] = Math.max(fields[at + Field.maxTotalNs]!, totalNs);
  }

  private addBins(slot: number, metric: number, counts: Uint32Array, foldBy: number): void {
    for (let bin = 0; bin < counts.length; bin++) {
      if (counts[bin]! > 0) this.bins.add(slot, metric, bin >> foldBy, counts[bin]!);
    }
  }

  private addFarSector(slot: number, sector: number): void {
    const shift = shiftForSectors(sector + 1);
    this.widenOffsets(slot, shift);
    this.facts.noteOffsetShift(this.slotIdentities[slot]!, shift);
    const bin = Math.floor(sector * this.scales[slot]!);
    this.bins.add(slot, METRIC_INDEX.offset, bin, 1);
  }

  /** Makes offset bins at least 2^shift sectors wide: counts of narrower bins are folded. */
  private widenOffsets(slot: number, shift: number): void {
    const foldBy = shift - this.shifts[slot]!;
    if (foldBy <= 0) return;
    const { bins } = this;
    const filled = bins.read(slot, METRIC_INDEX.offset, scratch);
    bins.empty(slot, METRIC_INDEX.offset);
    for (let i = 0; i < filled; i++) {
      bins.add(slot, METRIC_INDEX.offset, scratch.bins[i]! >> foldBy, scratch.counts[i]!);
    }
    this.setShift(slot, shift);
  }

  private setShift(slot: number, shift: number): void {
    this.shifts[slot] = shift;
    this.scales[slot] = 2 ** -shift;
  }

  identity(entry: number): number {
    return this.slotIdentities[entry]!;
  }

  field(entry: number, field: number): number {
    return this.fields[entry * FIELDS + field]!;
  }

  offsetShift(entry: number): number {
    return this.shifts[entry]!;
  }

  readBins(entry: number, metric: number, into: BinList): number {
    return this.bins.read(entry, metric, into);
  }

  /** Slot of an identity; −1 when there is no room for another. */
  private slotOf(identity: number): number {
    const slot = this.slots[identity]!;
    return slot > 0 ? slot - 1 : this.admit(identity);
  }

  private admit(identity: number): number {
    if (this.mustWait(identity)) return this.slotOfFolded(identity);
    const slot = this.isFullFor(identity) ? this.slotOfFolded(identity) : this.addEntry(identity);
    if (slot < 0) return slot;
    this.slots[identity] = slot + 1;
    this.admitted.push(identity);
    return slot;
  }

  /** Whether the remaining entries are reserved for frequent identities and this one has not had enough I/O yet. */
  private mustWait(identity: number): boolean {
    const { waiting } = this;
    const kind = this.facts.entryKind[identity]!;
    if (!isEntryOfProcess(kind) || this.isFullFor(identity)) return false;
    if (this.counts[kind]! < this.most[kind]! * (1 - SHARE_FOR_FREQUENT)) return false;
    const times = (waiting.get(identity) ?? 0) + 1;
    waiting.set(identity, times);
    return times < OFTEN;
  }

  private isFullFor(identity: number): boolean {
    const kind = this.facts.entryKind[identity]!;
    return this.counts[kind]! >= this.most[kind]!;
  }

  private slotOfFolded(identity: number): number {
    const folded = this.facts.folded(identity);
    this.coverIdentities();
    return this.slotOf(folded);
  }

  private addEntry(identity: number): number {
    const slot = this.entries;
    if (slot === this.slotIdentities.length && !this.growIdentities()) return -1;
    this.entries++;
    this.counts[this.facts.entryKind[identity]!]!++;
    this.slotIdentities[slot] = identity;
    this.setShift(slot, this.facts.offsetShift(identity));
    return slot;
  }

  private growIdentities(): boolean {
    const capacity = this.slotIdentities.length * 2;
    if (this.memoryBytes + this.slotIdentities.length * BYTES_PER_IDENTITY > this.limits.bytes)
      return false;
    this.slotIdentities = copied(new Uint32Array(capacity), this.slotIdentities);
    this.fields = copied(new Float64Array(capacity * FIELDS), this.fields);
    this.shifts = copied(new Uint8Array(capacity), this.shifts);
    this.scales = copied(new Float64Array(capacity), this.scales);
    this.bins.growSlots(capacity);
    return true;
  }

  private hasRoom(cells: number): boolean {
    return this.bins.hasRoom(cells) || this.growCells();
  }

  private growCells(): boolean {
    if (this.memoryBytes + this.bins.growthBytes() > this.limits.bytes) return false;
    this.bins.growCells();
    return true;
  }

  private coverIdentities(): void {
    const size = this.facts.identities.size;
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
