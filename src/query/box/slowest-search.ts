import type { ShouldYield } from '../../base/time.ts';
import { JUDGED_ROWS } from '../../filter/match/match.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { LATENCIES } from '../../model/metric.ts';
import { BoxRows } from './box-rows.ts';
import { slowestOfEntry } from './slowest-of-entry.ts';
import type { RowChunk } from '../../history/event-ring.ts';
import { ForwardScan } from '../../history/scan/forward-scan.ts';
import type { Visitor } from '../../history/scan/visitor.ts';
import type { History } from '../../history/history.ts';
import { addKnown } from '../../model/add-known.ts';
import type { SliceView } from '../../history/slices/slice-view.ts';

/** When the slowest I/O completed. */
export interface SlowestMoment {
  /** Trace time in ns; for aggregated I/O, the middle of its stretch of time. */
  readonly atNs: number;
  /** `atNs` may be wrong by this many ns; 0 for a row. */
  readonly withinNs: number;
  /** Queue plus device latency, or the one of them that is known, in ns. */
  readonly latencyNs: number;
}

/**
 * The slowest I/O that matches the filter and completed in [startNs, endNs); undefined if no latency is known. If
 * only a part of a slice is in the range, its slowest I/O counts as inside.
 */
export function findSlowest(
  history: History,
  startNs: number,
  endNs: number,
  filter: CompiledFilter,
): SlowestMoment | undefined {
  return new SlowestSearch(history, startNs, endNs, filter).advance()?.slowest;
}

/** The same in turns. Searches the I/O that the history has when it starts. */
export class SlowestSearch {
  private readonly scan: ForwardScan<Finder>;

  constructor(history: History, startNs: number, endNs: number, filter: CompiledFilter) {
    this.scan = new ForwardScan(history, startNs, endNs, () => {
      return new Finder(startNs, endNs, filter);
    });
  }

  /** Undefined until the search is complete. */
  advance(shouldYield?: ShouldYield): { readonly slowest: SlowestMoment | undefined } | undefined {
    return this.scan.advance(shouldYield);
  }
}

class Finder implements Visitor {
  slowest: SlowestMoment | undefined;
  private readonly finder: BoxRows;

  constructor(
    startNs: number,
    endNs: number,
    private readonly filter: CompiledFilter,
  ) {
    const everyValue = { metric: 'utilization', startNs, endNs, low: 0, high: Infinity } as const;
    this.finder = new BoxRows(everyValue, filter);
  }

  addRows({ rows, from, to, longestNs: longestOf }: RowChunk, fromNs: number): void {
    if (longestOf !== undefined && !(longestOf(from, to) > (this.slowest?.latencyNs ?? -1))) return;
    const { deviceNs, queueNs, completeNs } = rows;
    for (let block = from; block < to; block += JUDGED_ROWS) {
      const found = this.finder.find(rows, block, Math.min(to, block + JUDGED_ROWS), fromNs);
      let longestNs = this.slowest?.latencyNs ?? -1;
      for (let i = 0; i < found; i++) {
        const row = this.finder.row[i]!;
        const latencyNs = addKnown(deviceNs[row]!, queueNs[row]!);
        if (!(latencyNs > longestNs)) continue;
        longestNs = latencyNs;
        this.slowest = { atNs: completeNs[row]!, withinNs: 0, latencyNs };
      }
    }
  }

  addSlice(view: SliceView, startNs: number, endNs: number): void {
    const fromNs = Math.max(view.startNs, startNs);
    const toNs = Math.min(view.endNs, endNs);
    view.forEachShown((slice, entry) => {
      // Of I/O that was never issued, only the queue latency is known.
      for (const latency of LATENCIES) {
        const aboveNs = this.slowest?.latencyNs ?? 0;
        const latencyNs = slowestOfEntry(slice, entry, latency, this.filter, aboveNs);
        if (latencyNs === undefined) continue;
        this.slowest = { atNs: (fromNs + toNs) / 2, withinNs: (toNs - fromNs) / 2, latencyNs };
      }
    });
  }
}
