import type { ShouldYield } from '../../base/time.ts';
import type { CompiledFilter } from '../../filter/match.ts';
import { fineBin } from '../../model/fine-bins.ts';
import { Verdict } from '../../filter/verdict.ts';
import { BLOCK_ROWS, BoxRows } from '../box/box-rows.ts';
import type { HeldRows } from '../../history/event-ring.ts';
import { HistoryWalk } from '../../history/scan/scan-forward.ts';
import type { Visitor } from '../../history/scan/scan-forward.ts';
import type { History } from '../../history/history.ts';
import { judgeEntry } from '../../history/estimate/judge-bins.ts';
import { Field } from '../../history/slices/slice.ts';
import { knownSum } from '../../model/add-known.ts';
import type { Slice } from '../../history/slices/slice.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';

/** When the slowest I/O completed. */
export interface WorstMoment {
  /** Trace time in ns; of I/O that is known only in sum, the middle of the stretch that it is in. */
  readonly atNs: number;
  /** How far from `atNs` it may have been, in ns; 0 for a single I/O. */
  readonly withinNs: number;
  /** Queue and device time together, or the one that is known, in ns. */
  readonly latencyNs: number;
}

/**
 * The slowest I/O that passes the filter and completed in [startNs, endNs); undefined when none has
 * a time. Where only a part of a slice lies in the range, its slowest I/O counts as if it did too.
 */
export function findWorst(
  history: History,
  startNs: number,
  endNs: number,
  filter: CompiledFilter,
): WorstMoment | undefined {
  return new WorstSearch(history, startNs, endNs, filter).advance()?.worst;
}

/** The same in parts, of what the history has when the search begins. */
export class WorstSearch {
  private readonly walk: HistoryWalk<Finder>;

  constructor(history: History, startNs: number, endNs: number, filter: CompiledFilter) {
    this.walk = new HistoryWalk(history, startNs, endNs, (rowsFromNs) => {
      return new Finder(startNs, endNs, filter, rowsFromNs);
    });
  }

  /** Undefined until it is known what the worst is. */
  advance(shouldYield?: ShouldYield): { readonly worst: WorstMoment | undefined } | undefined {
    return this.walk.advance(shouldYield);
  }
}

class Finder implements Visitor {
  worst: WorstMoment | undefined;
  private readonly startNs: number;
  private readonly endNs: number;
  private readonly filter: CompiledFilter;
  private readonly finder: BoxRows;

  constructor(startNs: number, endNs: number, filter: CompiledFilter, rowsFromNs: number) {
    this.startNs = startNs;
    this.endNs = endNs;
    this.filter = filter;
    const everyValue = { metric: 'utilization', startNs, endNs, low: 0, high: Infinity } as const;
    this.finder = new BoxRows(everyValue, filter, rowsFromNs);
  }

  addRows(held: HeldRows, from: number, to: number): void {
    if (!(held.longestNs(from, to) > (this.worst?.latencyNs ?? -1))) return;
    const { deviceNs, queueNs, completeNs } = held.rows;
    for (let block = from; block < to; block += BLOCK_ROWS) {
      const found = this.finder.find(held.rows, block, Math.min(to, block + BLOCK_ROWS));
      let longestNs = this.worst?.latencyNs ?? -1;
      for (let i = 0; i < found; i++) {
        const row = this.finder.row[i]!;
        const latencyNs = knownSum(deviceNs[row]!, queueNs[row]!);
        if (!(latencyNs > longestNs)) continue;
        longestNs = latencyNs;
        this.worst = { atNs: completeNs[row]!, withinNs: 0, latencyNs };
      }
    }
  }

  addSlice(view: SliceView): void {
    const fromNs = Math.max(view.startNs, this.startNs);
    const toNs = Math.min(view.endNs, this.endNs);
    view.forEachShown((slice, entry) => {
      const latencyNs = this.longestOf(slice, entry);
      if (!(latencyNs > (this.worst?.latencyNs ?? 0))) return;
      this.worst = { atNs: (fromNs + toNs) / 2, withinNs: (toNs - fromNs) / 2, latencyNs };
    });
  }

  /** 0 when it does not pass, or has no time. */
  private longestOf(slice: Slice, entry: number): number {
    const totalNs = slice.field(entry, Field.maxTotalNs);
    const metric = totalNs > 0 ? 'total' : 'device';
    const longestNs = totalNs > 0 ? totalNs : slice.field(entry, Field.maxDeviceNs);
    const judge = judgeEntry(this.filter, slice, entry, metric);
    return judge.ofBin(fineBin(longestNs), 0) === Verdict.yes ? longestNs : 0;
  }
}
