import type { CompletionColumns } from '../../model/completion-columns.ts';
import { FINE_BINS, fineBin, fineBinLow } from '../../model/fine-bins.ts';

/** This share of the I/Os of the last moments is slow, */
export const SLOW_SHARE = 0.002;
/** or up to this one, if the slowest of the last minute would not be among them otherwise. */
export const MOST_SLOW_SHARE = 0.01;
export const SLOWEST_OF_MINUTE = 200;
/** What is left of a count after a step; there are four a second. */
const KEPT = 0.5;
const KEPT_OF_MINUTE = 0.99;

/** From which total latency on an I/O is slow, by the distribution of the last moments and of the last minute. */
export class SlowLimit {
  private readonly latest = new Float64Array(FINE_BINS);
  private readonly minute = new Float64Array(FINE_BINS);

  addRows({ deviceNs, queueNs, length }: CompletionColumns): void {
    const { latest } = this;
    for (let row = 0; row < length; row++) {
      const ns = deviceNs[row]! + queueNs[row]!;
      if (ns >= 0) latest[fineBin(ns)]! += 1;
    }
  }

  addCounts(bins: Uint32Array): void {
    for (let bin = 0; bin < FINE_BINS; bin++) this.latest[bin]! += bins[bin]!;
  }

  /** In ns. */
  step(): number {
    const { latest, minute } = this;
    // An I/O adds a half, a quarter and so on: one in the end.
    for (let bin = 0; bin < FINE_BINS; bin++)
      minute[bin] = minute[bin]! * KEPT_OF_MINUTE + latest[bin]! * (1 - KEPT);
    const all = latest.reduce((sum, count) => sum + count, 0);
    const usual = binAbove(latest, SLOW_SHARE * all);
    const least = binAbove(latest, MOST_SLOW_SHARE * all);
    const wanted = binAbove(minute, SLOWEST_OF_MINUTE);
    for (let bin = 0; bin < FINE_BINS; bin++) latest[bin]! *= KEPT;
    return fineBinLow(Math.min(usual, Math.max(least, wanted)));
  }
}

/** The lowest bin from which on there are at most `most`. */
function binAbove(counts: Float64Array, most: number): number {
  let bin = FINE_BINS;
  for (let above = 0; bin > 0; bin--) {
    above += counts[bin - 1]!;
    if (above > most) break;
  }
  return bin;
}
