import { appendRows, createColumns } from '../../model/completion-columns.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';

/** One row of the history; valid until the next append, unless it was kept. */
export interface RowPlace {
  readonly rows: CompletionColumns;
  readonly row: number;
}

/**
 * Keeps the `capacity` rows with the largest values offered, in a binary heap with the smallest at its root. Of equal
 * values, the earlier ones stay. An offer allocates nothing.
 */
export class Slowest {
  /** Only offers that exceed this are kept. */
  threshold: number;
  private size = 0;
  private offered = 0;
  private readonly capacity: number;
  /** Slots in heap order. */
  private readonly heap: Uint32Array;
  private readonly values: Float64Array;
  private readonly order: Float64Array;
  private readonly row: Uint32Array;
  private readonly rows: CompletionColumns[] = [];

  constructor(capacity: number) {
    this.capacity = capacity;
    this.threshold = capacity > 0 ? -Infinity : Infinity;
    this.heap = new Uint32Array(capacity);
    this.values = new Float64Array(capacity);
    this.order = new Float64Array(capacity);
    this.row = new Uint32Array(capacity);
  }

  offer(value: number, rows: CompletionColumns, row: number): void {
    if (!(value > this.threshold)) return;
    const isFull = this.size === this.capacity;
    const slot = isFull ? this.heap[0]! : this.size;
    this.values[slot] = value;
    this.order[slot] = this.offered++;
    this.rows[slot] = rows;
    this.row[slot] = row;
    if (isFull) this.sink(slot);
    else this.rise(slot);
    if (this.size === this.capacity) this.threshold = this.values[this.heap[0]!]!;
  }

  private rise(slot: number): void {
    const { heap } = this;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.isLess(slot, heap[parent]!)) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = slot;
  }

  /** Puts the slot at the root and sifts it down. */
  private sink(slot: number): void {
    const { heap, size } = this;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && this.isLess(heap[child + 1]!, heap[child]!)) child++;
      if (!this.isLess(heap[child]!, slot)) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = slot;
  }

  private isLess(a: number, b: number): boolean {
    const difference = this.values[a]! - this.values[b]!;
    return difference < 0 || (difference === 0 && this.order[a]! > this.order[b]!);
  }

  /** Copies the rows that were offered, so that they stay valid after the next append. */
  keep(): void {
    const columns = createColumns(this.size);
    for (let slot = 0; slot < this.size; slot++) {
      const row = this.row[slot]!;
      appendRows(columns, this.rows[slot]!, row, row + 1);
      this.rows[slot] = columns;
      this.row[slot] = slot;
    }
  }

  /** Largest first; equals in the order in which they were offered. */
  sorted(): RowPlace[] {
    const slots = Array.from(this.heap.subarray(0, this.size));
    slots.sort((a, b) => (this.isLess(a, b) ? 1 : -1));
    return slots.map((slot) => ({ rows: this.rows[slot]!, row: this.row[slot]! }));
  }
}
