import { columnOf } from './column-ring.ts';
import type { ColumnRing } from './column-ring.ts';

/**
 * Finds the slots of rows in a window, for loops over many rows. Rows are nearly in order of completion, so a loop
 * keeps `slot`, `startNs` and `endNs` in variables of its own and calls `moveTo` only for a row outside of them.
 */
export class SlotFinder {
  /** −1 outside the window or the selection. */
  slot = -1;
  /** All times in [startNs, endNs) have the same slot. There are none at first, and outside the selection. */
  startNs = Infinity;
  endNs = -Infinity;

  /** The selection is [fromNs, toNs). */
  constructor(
    private readonly ring: ColumnRing,
    private readonly fromNs: number,
    private readonly toNs: number,
  ) {}

  moveTo(atNs: number): void {
    const { ring, fromNs, toNs } = this;
    const { columnNs } = ring;
    const column = columnOf(atNs, columnNs);
    const startNs = Math.max(column * columnNs, fromNs);
    const endNs = Math.min((column + 1) * columnNs, toNs);
    const isSelected = atNs >= startNs && atNs < endNs;
    this.slot = isSelected ? ring.slotOf(column) : -1;
    this.startNs = isSelected ? startNs : Infinity;
    this.endNs = endNs;
  }
}
