import type { TimeRange } from '../../base/time.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { Verdict } from '../../filter/verdict.ts';
import { matchingOfAggregate, matchingOfEntry } from '../../history/estimate/count-matching.ts';
import { seedOf } from '../../history/estimate/even-share.ts';
import type { RowChunk } from '../../history/event-ring.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';
import { ColumnRing, columnOf } from '../../history/window/column-ring.ts';
import { shareColumns } from '../../history/window/share-columns.ts';
import type { WindowCounter } from '../../history/window/windowed-count.ts';
import { fileNumber } from '../../model/file.ts';
import { FINE_BINS } from '../../model/fine-bins.ts';
import type { CompletionSummary } from '../../trace/completion-summary.ts';
import { BLOCK_ROWS } from '../time/binning.ts';
import type { LaneSubjects } from './lane-subjects.ts';

/** Number of I/Os by their file or identity, in a few long columns. */
export class RankCounts extends ColumnRing {
  /** By number, over all columns. */
  totals: Float64Array = new Float64Array(0);
  /** I/Os that are known only as counts and have no number. */
  aggregated = 0;
  /** By slot and number. */
  private counts: Float64Array[];
  /** By slot. */
  private readonly aggregatedIn: Float64Array;

  constructor(columns: number, columnNs: number, startNs: number) {
    super(columns, columnNs, startNs);
    this.counts = Array.from({ length: columns }, () => new Float64Array(0));
    this.aggregatedIn = new Float64Array(columns);
  }

  add(number: number, slot: number, count = 1): void {
    if (number >= this.totals.length) this.grow(number + 1);
    this.totals[number]! += count;
    this.counts[slot]![number]! += count;
  }

  addAggregated(slot: number, count: number): void {
    this.aggregated += count;
    this.aggregatedIn[slot]! += count;
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
    for (let number = 0; number < counts.length; number++) this.totals[number]! -= counts[number]!;
    counts.fill(0);
    this.aggregated -= this.aggregatedIn[slot]!;
    this.aggregatedIn[slot] = 0;
  }
}

/** Counts the I/O of everything that can have a lane. The file of I/O that is known only as a count is unknown. */
export class RankCounter implements WindowCounter {
  /** A `filter` that is undefined matches everything. */
  constructor(
    readonly ring: RankCounts,
    private readonly column: LaneSubjects['column'],
    private readonly filter: CompiledFilter | undefined,
  ) {}

  addRows({ rows, from, to }: RowChunk, fromNs: number, toNs: number): void {
    const { ring, filter, column } = this;
    const { completeNs } = rows;
    const numbers = rows[column];
    for (let start = from; start < to; start += BLOCK_ROWS) {
      const end = Math.min(to, start + BLOCK_ROWS);
      const verdicts = filter?.judgeRows(rows, start, end);
      for (let row = start; row < end; row++) {
        const at = completeNs[row]!;
        if (!(at >= fromNs && at < toNs)) continue;
        if (verdicts !== undefined && verdicts[row - start] !== Verdict.yes) continue;
        const slot = ring.slotOf(columnOf(at, ring.columnNs));
        if (slot >= 0) ring.add(fileNumber(numbers[row]!), slot);
      }
    }
    ring.version++;
  }

  addSlice(view: SliceView, fromNs: number, toNs: number): void {
    const { startNs, endNs } = view;
    view.forEachShown((slice, entry, identity) => {
      const { count } = matchingOfEntry(this.filter, slice, entry);
      this.share(identity, count, { fromNs: startNs, toNs: endNs }, { fromNs, toNs });
    });
    this.ring.version++;
  }

  addAggregate(aggregate: CompletionSummary, fromNs: number, toNs: number): void {
    const { identity, startNs, endNs } = aggregate;
    const { count } = matchingOfAggregate(this.filter, aggregate);
    this.share(identity, count, { fromNs: startNs, toNs: endNs }, { fromNs, toNs });
    this.ring.version++;
  }

  private share(identity: number, count: number, stretch: TimeRange, range: TimeRange): void {
    const { ring } = this;
    shareColumns(ring, stretch, count, seedOf(identity, FINE_BINS), range, (column, part) => {
      const slot = ring.slotOf(column);
      if (this.column === 'file') ring.addAggregated(slot, part);
      else ring.add(identity, slot, part);
    });
  }
}
