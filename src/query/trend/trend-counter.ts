import type { RowChunk } from '../../history/event-ring.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';
import { columnOf } from '../../history/window/column-ring.ts';
import { SlotFinder } from '../../history/window/slot-finder.ts';
import type { WindowCounter } from '../../history/window/windowed-count.ts';
import type { CompletionColumns } from '../../model/completion-columns.ts';
import { JUDGED_ROWS } from '../../filter/match/match.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import { tallyClass } from '../tally/tally.ts';
import { Verdict } from '../../filter/verdict.ts';
import { rangesOfEntry } from '../../history/estimate/known-ranges.ts';
import { createBinList, Field, readLatencies } from '../../history/slices/slice.ts';
import type { Slice } from '../../history/slices/slice.ts';
import type { TrendSums } from './trend-sums.ts';

/** Where the I/O of one identity is added. */
interface Target {
  readonly opClass: number;
  readonly device: Float64Array;
  readonly isError: boolean;
}

const list = createBinList();

/**
 * Sorts I/O that matches a filter into the buckets of a trend. Slices wider than a bucket are spread evenly over
 * their width; those that are still being filled end now.
 */
export class TrendCounter implements WindowCounter {
  private readonly targets: (Target | undefined)[] = [];

  /** Buckets that may still change. */
  private unsettled = new Set<number>();
  private latestNs = -Infinity;

  constructor(
    readonly ring: TrendSums,
    private readonly filter: CompiledFilter,
    private readonly identities: IdentityTable,
  ) {}

  /** Moves the time up to which everything is known; returns the buckets that this changes. */
  moveOn(latestNs: number): Iterable<number> {
    if (latestNs === this.latestNs) return [];
    this.latestNs = latestNs;
    const { unsettled } = this;
    this.unsettled = new Set();
    return unsettled;
  }

  addSlice(view: SliceView, fromNs: number, toNs: number): void {
    const knownNs = view.isOver ? Infinity : this.latestNs;
    view.forEachShown((slice, entry) => {
      this.addEntry(slice, entry, { fromNs, toNs, knownNs });
    });
  }

  /** `knownNs`: I/O that completed later is not in the slice yet. */
  private addEntry(
    slice: Slice,
    entry: number,
    { fromNs, toNs, knownNs }: { fromNs: number; toNs: number; knownNs: number },
  ): void {
    const verdict = this.judgeEntry(slice, entry);
    if (verdict === Verdict.no) return;
    const { ring } = this;
    const { columnNs } = ring;
    const endNs = Math.min(slice.endNs, Math.max(knownNs, slice.startNs + 1));
    const { filled, maxNs } = readLatencies(slice, entry, list);
    const [leastNs, mostNs] = [Math.max(fromNs, slice.startNs), Math.min(toNs, endNs)];
    for (let number = columnOf(leastNs, columnNs); number * columnNs < mostNs; number++) {
      const slot = ring.slotOf(number);
      if (slot < 0) continue;
      const at = number * columnNs;
      const ns = Math.min(at + columnNs, mostNs) - Math.max(at, leastNs);
      const share = ns / (endNs - slice.startNs);
      const isInside = at <= slice.startNs && at + columnNs >= slice.endNs;
      if (endNs < slice.endNs && !isInside) this.unsettled.add(number);
      this.addShare(slice, entry, slot, verdict, share);
      if (verdict === Verdict.yes) ring.tally.latencies.addBins(slot, list, filled, share, maxNs);
    }
  }

  private addShare(
    slice: Slice,
    entry: number,
    slot: number,
    verdict: Verdict,
    share: number,
  ): void {
    const { ring: sums } = this;
    const count = slice.field(entry, Field.count) * share;
    if (verdict === Verdict.maybe) {
      sums.undecided[slot]! += count;
      return;
    }
    const { opClass, device, isError } = this.targetOf(slice.identity(entry));
    const bytes = slice.field(entry, Field.bytes) * share;
    const waitNs = slice.field(entry, Field.deviceNs) + slice.field(entry, Field.queueNs);
    const errors = isError ? count : slice.field(entry, Field.aggregateErrors) * share;
    sums.tally.add(slot, opClass, count, bytes, waitNs * share, errors);
    device[slot]! += count;
  }

  private judgeEntry(slice: Slice, entry: number): Verdict {
    const { filter } = this;
    const identity = slice.identity(entry);
    const verdict = filter.judge(identity);
    if (verdict !== Verdict.maybe || filter.quantities.length === 0) return verdict;
    const ranges = rangesOfEntry(slice, entry, filter.quantities);
    return filter.judge(identity, (quantity) => ranges[quantity]);
  }

  addRows({ rows, from, to }: RowChunk, fromNs: number, toNs: number): void {
    for (let at = from; at < to; at += JUDGED_ROWS)
      this.addBlock(rows, at, Math.min(to, at + JUDGED_ROWS), fromNs, toNs);
  }

  private addBlock(
    rows: CompletionColumns,
    from: number,
    to: number,
    fromNs: number,
    toNs: number,
  ): void {
    const { filter, ring } = this;
    const { completeNs } = rows;
    const verdicts = filter.passesAll ? undefined : filter.judgeRows(rows, from, to);
    const slots = new SlotFinder(ring, fromNs, toNs);
    let { slot, startNs, endNs } = slots;
    for (let row = from; row < to; row++) {
      const verdict = verdicts === undefined ? Verdict.yes : verdicts[row - from]!;
      if (verdict === Verdict.no) continue;
      const at = completeNs[row]!;
      if (!(at >= startNs && at < endNs)) {
        slots.moveTo(at);
        ({ slot, startNs, endNs } = slots);
      }
      if (slot < 0) continue;
      if (verdict === Verdict.maybe) ring.undecided[slot]!++;
      else this.addRow(rows, row, slot);
    }
  }

  private addRow(rows: CompletionColumns, row: number, slot: number): void {
    const { tally } = this.ring;
    const { opClass, device, isError } = this.targetOf(rows.identity[row]!);
    const deviceNs = rows.deviceNs[row]!;
    const queueNs = rows.queueNs[row]!;
    const totalNs = deviceNs + queueNs;
    const isWhole = totalNs >= 0;
    const waitNs = isWhole ? totalNs : (deviceNs || 0) + (queueNs || 0);
    tally.add(slot, opClass, 1, rows.bytes[row]!, waitNs, isError ? 1 : 0);
    tally.latencies.add(slot, isWhole ? totalNs : deviceNs);
    device[slot]!++;
  }

  private targetOf(identity: number): Target {
    const known = this.targets[identity];
    if (known !== undefined) return known;
    const one = this.identities.get(identity);
    this.ring.noteSizes(one);
    const device = this.ring.ofDevice(one.dev);
    const target = { opClass: tallyClass(one), device, isError: one.error !== 0 };
    this.targets[identity] = target;
    return target;
  }
}
