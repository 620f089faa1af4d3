import type { CompletionColumns } from '../../model/completion-columns.ts';
import type { CompiledFilter } from '../../filter/match.ts';
import type { KeyTable } from '../../model/key-table.ts';
import { opClassIndex } from '../../model/operation.ts';
import { Verdict } from '../../filter/verdict.ts';
import { rangesOfEntry } from '../../history/estimate/known-ranges.ts';
import { createBinList, Field, METRIC_INDEX } from '../../history/slices/slice.ts';
import type { Slice } from '../../history/slices/slice.ts';
import type { TrendSlots } from './trend-slots.ts';
import { TrendSums } from './trend-sums.ts';

/** Rows judged at once: few enough that their values stay in the first-level cache. */
const BLOCK_ROWS = 4096;

/** Where the I/O of one key is added. */
interface Target {
  readonly opClass: number;
  readonly device: Float64Array;
  readonly isError: boolean;
}

const list = createBinList();

/** Sorts what passes a filter into the buckets of a trend. */
export class TrendAdder {
  readonly sums: TrendSums;
  private readonly targets: (Target | undefined)[] = [];

  constructor(
    private readonly slots: TrendSlots,
    private readonly filter: CompiledFilter,
    private readonly keys: KeyTable,
  ) {
    this.sums = new TrendSums(slots.length);
  }

  /**
   * Adds the part of an entry that lies in [fromNs, toNs), as if it were spread evenly over its slice
   * up to `latestNs`; what that may still change is marked as unsettled.
   */
  addEntry(slice: Slice, entry: number, fromNs: number, toNs: number, latestNs: number): void {
    const verdict = this.judgeEntry(slice, entry);
    if (verdict === Verdict.no) return;
    const { slots } = this;
    const { bucketNs } = slots;
    const endNs = Math.min(slice.endNs, Math.max(latestNs, slice.startNs + 1));
    const totals = slice.readBins(entry, METRIC_INDEX.total, list);
    const filled = totals > 0 ? totals : slice.readBins(entry, METRIC_INDEX.device, list);
    const maxNs = slice.field(entry, totals > 0 ? Field.maxTotalNs : Field.maxDeviceNs);
    const [leastNs, mostNs] = [Math.max(fromNs, slice.startNs), Math.min(toNs, endNs)];
    for (let number = Math.floor(leastNs / bucketNs); number * bucketNs < mostNs; number++) {
      const slot = slots.of(number);
      if (slot < 0) continue;
      const at = number * bucketNs;
      const ns = Math.min(at + bucketNs, mostNs) - Math.max(at, leastNs);
      const share = ns / (endNs - slice.startNs);
      const isInside = at <= slice.startNs && at + bucketNs >= slice.endNs;
      if (endNs < slice.endNs && !isInside) slots.isUnsettled[slot] = 1;
      this.addShare(slice, entry, slot, verdict, share);
      if (verdict === Verdict.yes) this.sums.addTimes(slot, list, filled, share, maxNs);
    }
  }

  private addShare(
    slice: Slice,
    entry: number,
    slot: number,
    verdict: Verdict,
    share: number,
  ): void {
    const { sums } = this;
    const count = slice.field(entry, Field.count) * share;
    if (verdict === Verdict.maybe) {
      sums.undecided[slot]! += count;
      return;
    }
    const { opClass, device, isError } = this.targetOf(slice.key(entry));
    const bytes = slice.field(entry, Field.bytes) * share;
    const waitNs = slice.field(entry, Field.deviceNs) + slice.field(entry, Field.queueNs);
    sums.addCounts(slot, opClass, count, bytes, waitNs * share);
    sums.errors[slot]! += isError ? count : slice.field(entry, Field.summaryErrors) * share;
    device[slot]! += count;
  }

  private judgeEntry(slice: Slice, entry: number): Verdict {
    const { filter } = this;
    const key = slice.key(entry);
    const verdict = filter.judge(key);
    if (verdict !== Verdict.maybe || filter.quantities.length === 0) return verdict;
    const ranges = rangesOfEntry(slice, entry, filter.quantities);
    return filter.judge(key, (quantity) => ranges[quantity]);
  }

  /** Adds those of rows [from, to) that complete in [fromNs, toNs). */
  addRows(rows: CompletionColumns, from: number, to: number, fromNs: number, toNs: number): void {
    for (let at = from; at < to; at += BLOCK_ROWS)
      this.addBlock(rows, at, Math.min(to, at + BLOCK_ROWS), () => fromNs, toNs);
  }

  /** Adds those rows that complete in a part of a bucket that has been counted. */
  addNewRows(rows: CompletionColumns): void {
    const { countedFromNs } = this.slots;
    for (let at = 0; at < rows.length; at += BLOCK_ROWS) {
      const to = Math.min(rows.length, at + BLOCK_ROWS);
      this.addBlock(rows, at, to, (slot) => countedFromNs[slot]!, Infinity);
    }
  }

  private addBlock(
    rows: CompletionColumns,
    from: number,
    to: number,
    fromNs: (slot: number) => number,
    toNs: number,
  ): void {
    const { filter, slots, sums } = this;
    const { bucketNs } = slots;
    const { completeNs } = rows;
    const verdicts = filter.passesAll ? undefined : filter.judgeRows(rows, from, to);
    let slot = -1;
    let [leastNs, mostNs] = [Infinity, -Infinity];
    for (let row = from; row < to; row++) {
      const verdict = verdicts === undefined ? Verdict.yes : verdicts[row - from]!;
      if (verdict === Verdict.no) continue;
      const at = completeNs[row]!;
      if (!(at >= leastNs && at < mostNs)) {
        const number = Math.floor(at / bucketNs);
        slot = slots.of(number);
        leastNs = slot < 0 ? Infinity : Math.max(number * bucketNs, fromNs(slot));
        mostNs = Math.min((number + 1) * bucketNs, toNs);
        if (!(at >= leastNs && at < mostNs)) {
          leastNs = Infinity;
          continue;
        }
      }
      if (verdict === Verdict.maybe) sums.undecided[slot]!++;
      else this.addRow(rows, row, slot);
    }
  }

  private addRow(rows: CompletionColumns, row: number, slot: number): void {
    const { sums } = this;
    const { opClass, device, isError } = this.targetOf(rows.key[row]!);
    const deviceNs = rows.deviceNs[row]!;
    const queueNs = rows.queueNs[row]!;
    const totalNs = deviceNs + queueNs;
    const isWhole = totalNs >= 0;
    const waitNs = isWhole ? totalNs : (deviceNs || 0) + (queueNs || 0);
    sums.addCounts(slot, opClass, 1, rows.bytes[row]!, waitNs);
    sums.addTime(slot, isWhole ? totalNs : deviceNs);
    if (isError) sums.errors[slot]!++;
    device[slot]!++;
  }

  private targetOf(key: number): Target {
    const known = this.targets[key];
    if (known !== undefined) return known;
    const { dev, cmdFlags, error } = this.keys.get(key);
    const device = this.sums.ofDevice(dev);
    const target = { opClass: opClassIndex(cmdFlags), device, isError: error !== 0 };
    this.targets[key] = target;
    return target;
  }
}
