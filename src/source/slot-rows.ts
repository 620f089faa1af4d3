import { appendRows, createColumns } from '../model/completion-columns.ts';
import type { CompletionColumns } from '../model/completion-columns.ts';
import type { Random } from './random.ts';

/** Patterns are generated in stretches of this length, each from its own seed. */
export const SLOT_NS = 100e6;

/** One stretch of time that a pattern fills; reused for the next one. */
export interface Slot {
  readonly startNs: number;
  readonly endNs: number;
  /** Multiplies every rate of the pattern. */
  readonly load: number;
  /** Restarted for each slot, so that no slot depends on another. */
  readonly random: Random;
  readonly rows: SlotRows;
}

/** Adds the completions of one slot; must depend on nothing but the slot. */
export type FillSlot = (slot: Slot) => void;

const FIRST_CAPACITY = 1024;

/** Completions of one slot, pushed in any order and then put into order of time. */
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
    key: number,
  ): void {
    // Submitted before the trace began: a tracer would not have seen it either.
    if (completeNs < queueNs + deviceNs) return;
    if (this.columns.length === this.columns.key.length) this.grow();
    const { columns } = this;
    const row = columns.length++;
    columns.completeNs[row] = Math.floor(completeNs);
    columns.queueNs[row] = queueNs;
    columns.deviceNs[row] = deviceNs;
    columns.sector[row] = sector;
    columns.bytes[row] = bytes;
    columns.key[row] = key;
  }

  /**
   * Bucket sort with as many buckets as rows, then insertion: times within a slot are spread widely
   * enough that this is linear, a third of the price of a comparison sort.
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
   * Appends rows in order of completion, from position `from` on, while they completed by `untilNs`
   * and fit; returns the position of the next row.
   */
  take(target: CompletionColumns, from: number, untilNs: number): number {
    const { columns, order } = this;
    const end = Math.min(columns.length, from + target.key.length - target.length);
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
      target.key[at] = columns.key[row]!;
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
    const capacity = old.key.length * 2;
    this.columns = createColumns(capacity);
    appendRows(this.columns, old, 0, old.length);
    this.order = new Uint32Array(capacity);
    this.bucketEnds = new Uint32Array(capacity + 1);
  }
}
