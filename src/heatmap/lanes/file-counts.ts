import type { CompiledFilter } from '../../filter/match/match.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { RowChunk } from '../../history/event-ring.ts';
import { ColumnRing, columnOf } from '../../history/window/column-ring.ts';
import type { WindowCounter } from '../../history/window/windowed-count.ts';
import { fileNumber } from '../../model/file-table.ts';
import { BLOCK_ROWS } from '../time/binning.ts';

/** I/Os by file, in a few long columns. */
export class FileCounts extends ColumnRing {
  /** By file, over all columns. */
  totals: Float64Array = new Float64Array(0);
  /** By slot and file. */
  private counts: Float64Array[];

  constructor(columns: number, columnNs: number, startNs: number) {
    super(columns, columnNs, startNs);
    this.counts = Array.from({ length: columns }, () => new Float64Array(0));
  }

  add(file: number, slot: number): void {
    if (file >= this.totals.length) this.grow(file + 1);
    this.totals[file]!++;
    this.counts[slot]![file]!++;
  }

  private grow(size: number): void {
    const larger = Math.max(2 * this.totals.length, size);
    const copy = (from: Float64Array): Float64Array => {
      const to = new Float64Array(larger);
      to.set(from);
      return to;
    };
    this.totals = copy(this.totals);
    this.counts = this.counts.map(copy);
  }

  protected emptySlot(slot: number): void {
    const counts = this.counts[slot]!;
    for (let file = 0; file < counts.length; file++) this.totals[file]! -= counts[file]!;
    counts.fill(0);
  }
}

/** Counts I/O by file. What is known only as a count is of no file. */
export class FileCounter implements WindowCounter {
  /** `filter` undefined: everything matches. */
  constructor(
    readonly ring: FileCounts,
    private readonly filter: CompiledFilter | undefined,
  ) {}

  addRows({ rows, from, to }: RowChunk, fromNs: number, toNs: number): void {
    const { ring, filter } = this;
    const { completeNs, file } = rows;
    for (let start = from; start < to; start += BLOCK_ROWS) {
      const end = Math.min(to, start + BLOCK_ROWS);
      const verdicts = filter?.judgeRows(rows, start, end);
      for (let row = start; row < end; row++) {
        const at = completeNs[row]!;
        if (!(at >= fromNs && at < toNs)) continue;
        if (verdicts !== undefined && verdicts[row - start] !== Verdict.yes) continue;
        const slot = ring.slotOf(columnOf(at, ring.columnNs));
        if (slot >= 0) ring.add(fileNumber(file[row]!), slot);
      }
    }
    ring.version++;
  }

  addSlice(): void {
    // Slices have no files.
  }

  addAggregate(): void {
    // Aggregates have no files.
  }
}
