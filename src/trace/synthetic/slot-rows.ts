import { appendRows, createColumns, resultsOf } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { Random } from './random.ts';
import { UNKNOWN_FILE } from '../../model/file.ts';

/** Patterns are generated in slots of this length, each from its own seed. */
export const SLOT_NS = 100e6;

/** A stretch of time that a pattern fills; reused for the next one. */
export interface Slot {
  readonly startNs: number;
  readonly endNs: number;
  /** Multiplies every rate of the pattern. */
  readonly load: number;
  /** Reseeded for each slot, so that slots are independent. */
  readonly random: Random;
  readonly rows: SlotRows;
}

/** Adds the completions of one slot; must depend only on the slot. */
export type FillSlot = (slot: Slot) => void;

const FIRST_CAPACITY = 1024;

/** Completions of one slot, added in any order, then sorted by time. */
export class SlotRows {
  columns: CompletionColumns = createColumns(FIRST_CAPACITY);
  /** After `sort`: the rows in order of completion. */
  order = new Uint32Array(FIRST_CAPACITY);
  private bucketEnds = new Uint32Array(FIRST_CAPACITY + 1);

  get length(): number {
    return this.columns.length;
  }

  clear(): void {
    this.columns.length = 0;
  }

  push(
    completeNs: number,
    queueNs: number,
    deviceNs: number,
    sector: number,
    bytes: number,
    identity: number,
    file = UNKNOWN_FILE,
    fileOffset = NaN,
    result = NaN,
  ): void {
    // Submitted before the trace started: a tracer would not have seen it.
    if (completeNs < queueNs + deviceNs) return;
    if (this.columns.length === this.columns.identity.length) this.grow();
    const { columns } = this;
    const row = columns.length++;
    columns.completeNs[row] = Math.floor(completeNs);
    columns.queueNs[row] = queueNs;
    columns.deviceNs[row] = deviceNs;
    columns.sector[row] = sector;
    columns.bytes[row] = bytes;
    columns.identity[row] = identity;
    columns.file[row] = file;
    columns.fileOffset[row] = fileOffset;
    if (!Number.isNaN(result)) resultsOf(columns)[row] = result;
    else if (columns.result.length > 0) columns.result[row] = NaN;
  }

  /**
   * Bucket sort with as many buckets as rows, then insertion sort: times within a slot are spread enough for this to
   * be linear. It takes a third of the time of a comparison sort.
   */
  sort(startNs: number, endNs: number): void {
    this.fillBuckets(startNs, endNs);
    const { order } = this;
    const { completeNs, length } = this.columns;
    for (let i = 1; i < length; i++) {
      const row = order[i]!;
      const time = completeNs[row]!;
      let at = i - 1;
      while (at >= 0 && completeNs[order[at]!]! > time) {
        order[at + 1] = order[at]!;
        at--;
      }
      order[at + 1] = row;
    }
  }

  /**
   * Appends rows in order of completion, starting at position `from`, while they completed by `untilNs` and fit;
   * returns the position of the next row.
   */
  take(target: CompletionColumns, from: number, untilNs: number): number {
    const { columns, order } = this;
    const end = Math.min(columns.length, from + target.identity.length - target.length);
    let position = from;
    let at = target.length;
    for (; position < end; position++, at++) {
      const row = order[position]!;
      const completeNs = columns.completeNs[row]!;
      if (completeNs > untilNs) break;
      target.completeNs[at] = completeNs;
      target.deviceNs[at] = columns.deviceNs[row]!;
      target.queueNs[at] = columns.queueNs[row]!;
      target.sector[at] = columns.sector[row]!;
      target.bytes[at] = columns.bytes[row]!;
      target.identity[at] = columns.identity[row]!;
      target.file[at] = columns.file[row]!;
      target.fileOffset[at] = columns.fileOffset[row]!;
      if (columns.result.length > 0) resultsOf(target)[at] = columns.result[row]!;
    }
    target.length = at;
    return position;
  }

  private fillBuckets(startNs: number, endNs: number): void {
    const { order, bucketEnds } = this;
    const { completeNs, length } = this.columns;
    const scale = length / (endNs - startNs);
    bucketEnds.fill(0, 0, length + 1);
    for (let row = 0; row < length; row++) {
      bucketEnds[((completeNs[row]! - startNs) * scale) | 0]!++;
    }
    let sum = 0;
    for (let bucket = 0; bucket <= length; bucket++) {
      sum += bucketEnds[bucket]!;
      bucketEnds[bucket] = sum;
    }
    for (let row = length - 1; row >= 0; row--) {
      const bucket = ((completeNs[row]! - startNs) * scale) | 0;
      order[--bucketEnds[bucket]!] = row;
    }
  }

  private grow(): void {
    const old = this.columns;
    const capacity = old.identity.length * 2;
    this.columns = createColumns(capacity);
    appendRows(this.columns, old, 0, old.length);
    this.order = new Uint32Array(capacity);
    this.bucketEnds = new Uint32Array(capacity + 1);
  }
}
