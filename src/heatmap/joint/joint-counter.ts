import type { CompiledFilter } from '../../filter/match/match.ts';
import { findTimes } from '../../history/event-ring.ts';
import type { RowChunk } from '../../history/event-ring.ts';
import { ColumnRing, columnOf } from '../../history/window/column-ring.ts';
import type { WindowCounter } from '../../history/window/windowed-count.ts';
import { BLOCK_ROWS } from '../time/binning.ts';
import { addJointBlock, createJointCounts, emptyJointCounts } from './joint-counts.ts';
import type { JointAxes, JointCounts } from './joint-counts.ts';

/**
 * A map of two values for each part of a window of time. When the window moves, only the part at its old end is
 * counted again, not the whole window. Nothing is subtracted, so no errors accumulate.
 */
export class JointParts extends ColumnRing {
  /** By slot; undefined for parts without I/O. */
  private readonly parts: (JointCounts | undefined)[] = [];

  constructor(
    readonly axes: JointAxes,
    columns: number,
    columnNs: number,
    startNs: number,
  ) {
    super(columns, columnNs, startNs);
  }

  /** The counts of a column in the window, to be added to. */
  partOf(column: number): JointCounts {
    return (this.parts[this.slotOf(column)] ??= createJointCounts(this.axes.map));
  }

  filled(): JointCounts[] {
    return this.parts.filter((part) => part !== undefined);
  }

  protected emptySlot(slot: number): void {
    const part = this.parts[slot];
    if (part !== undefined) emptyJointCounts(part);
  }
}

/** Counts pairs of values, which only rows have; aggregates do not. */
export class JointCounter implements WindowCounter {
  /** A `filter` that is undefined matches everything. */
  constructor(
    readonly ring: JointParts,
    private readonly filter: CompiledFilter | undefined,
  ) {}

  addSlice(): void {
    // Aggregates have no pairs of values.
  }

  addRows({ rows, from, to, timesOf }: RowChunk, fromNs: number, toNs: number): void {
    for (let start = from; start < to; start += BLOCK_ROWS) {
      const end = Math.min(to, start + BLOCK_ROWS);
      const { firstNs, lastNs } = timesOf?.(start, end) ?? findTimes(rows, start, end);
      if (!(firstNs < toNs && lastNs >= fromNs)) continue;
      const block = { rows, from: start, to: end };
      this.addBlock(block, Math.max(firstNs, fromNs), Math.min(lastNs, toNs), toNs);
    }
  }

  /** A block of rows is usually within one part of the window. */
  private addBlock(
    { rows, from, to }: RowChunk,
    fromNs: number,
    lastNs: number,
    endNs: number,
  ): void {
    const { ring, filter } = this;
    const { axes, columnNs } = ring;
    for (let column = columnOf(fromNs, columnNs); column * columnNs <= lastNs; column++) {
      const startNs = Math.max(fromNs, column * columnNs);
      const toNs = Math.min(endNs, (column + 1) * columnNs);
      if (ring.slotOf(column) < 0 || startNs >= toNs) continue;
      const selection = { fromNs: startNs, toNs, filter };
      addJointBlock(ring.partOf(column), axes, rows, from, to, selection);
      ring.version++;
    }
  }
}
