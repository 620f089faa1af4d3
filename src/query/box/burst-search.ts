import type { ShouldYield } from '../../base/time.ts';
import { JUDGED_ROWS } from '../../filter/match/match.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import type { RowChunk } from '../../history/event-ring.ts';
import type { History } from '../../history/history.ts';
import { ForwardScan } from '../../history/scan/forward-scan.ts';
import type { Visitor } from '../../history/scan/visitor.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';
import { findBursts } from '../../model/bursts.ts';
import type { Burst, SlowestOfColumn } from '../../model/bursts.ts';
import type { Latency } from '../../model/metric.ts';
import { BoxRows } from './box-rows.ts';
import { slowestOfEntry } from './slowest-of-entry.ts';

/** Searches the whole history, in turns, for bursts of slow I/O that match the filter. */
export class BurstSearch {
  private readonly scan: ForwardScan<Finder>;

  constructor(history: History, filter: CompiledFilter, latency: Latency, columnNs: number) {
    this.scan = new ForwardScan(history, history.startNs, Infinity, () => {
      return new Finder(filter, latency, columnNs);
    });
  }

  /** Undefined until the whole history has been read. */
  advance(shouldYield?: ShouldYield): readonly Burst[] | undefined {
    const found = this.scan.advance(shouldYield);
    return found && findBursts(found.slowest);
  }
}

class Finder implements Visitor {
  readonly slowest = new Map<number, SlowestOfColumn>();
  private readonly rows: BoxRows;

  constructor(
    private readonly filter: CompiledFilter,
    private readonly latency: Latency,
    private readonly columnNs: number,
  ) {
    const everyTime = { startNs: -Infinity, endNs: Infinity, low: 0, high: Infinity };
    this.rows = new BoxRows({ metric: latency, ...everyTime }, filter);
  }

  addRows({ rows, from, to }: RowChunk, fromNs: number): void {
    const { completeNs } = rows;
    for (let block = from; block < to; block += JUDGED_ROWS) {
      const found = this.rows.find(rows, block, Math.min(to, block + JUDGED_ROWS), fromNs);
      let column = -Infinity;
      let longestNs = -1;
      for (let i = 0; i < found; i++) {
        const atNs = completeNs[this.rows.row[i]!]!;
        const latencyNs = this.rows.value[i]!;
        const ofThis = Math.floor(atNs / this.columnNs);
        if (ofThis !== column) {
          column = ofThis;
          longestNs = this.slowest.get(column)?.latencyNs ?? -1;
        }
        if (!(latencyNs > longestNs)) continue;
        longestNs = latencyNs;
        this.slowest.set(column, { atNs, withinNs: 0, latencyNs });
      }
    }
  }

  /** An aggregate tells only its slowest I/O, which completed at some time within its stretch. */
  addSlice(view: SliceView): void {
    const atNs = (view.startNs + view.endNs) / 2;
    const withinNs = (view.endNs - view.startNs) / 2;
    const column = Math.floor(atNs / this.columnNs);
    view.forEachShown((slice, entry) => {
      const aboveNs = this.slowest.get(column)?.latencyNs ?? 0;
      const latencyNs = slowestOfEntry(slice, entry, this.latency, this.filter, aboveNs);
      if (latencyNs !== undefined) this.slowest.set(column, { atNs, withinNs, latencyNs });
    });
  }
}
