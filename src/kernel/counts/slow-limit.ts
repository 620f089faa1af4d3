import type { CompletionColumns } from '../../model/completion-columns.ts';
import { FINE_BINS, fineBin, fineBinLow } from '../../model/fine-bins.ts';

/** At most this share of all I/Os is slow. */
export const SLOW_SHARE = 0.002;

/**
 * From which total latency on an I/O is slow, by the distribution of the last moments: at each step, what came before
 * counts half.
 */
export class SlowLimit {
  private readonly counts = new Float64Array(FINE_BINS);

  addRows({ deviceNs, queueNs, length }: CompletionColumns): void {
    const { counts } = this;
    for (let row = 0; row < length; row++) {
      const ns = deviceNs[row]! + queueNs[row]!;
      if (ns >= 0) counts[fineBin(ns)]!++;
    }
  }

  addCounts(bins: Uint32Array): void {
    for (let bin = 0; bin < FINE_BINS; bin++) this.counts[bin]! += bins[bin]!;
  }

  /** In ns: the lowest edge of a bin above which no more than `SLOW_SHARE` is. */
  step(): number {
    const { counts } = this;
    const most = SLOW_SHARE * counts.reduce((sum, count) => sum + count, 0);
    let bin = FINE_BINS;
    for (let above = 0; bin > 0; bin--) {
      above += counts[bin - 1]!;
      if (above > most) break;
    }
    for (let at = 0; at < FINE_BINS; at++) counts[at]! /= 2;
    return fineBinLow(bin);
  }
}
