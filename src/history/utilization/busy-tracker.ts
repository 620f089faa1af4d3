import { BusySeries } from './busy-series.ts';

/** Idle gaps kept individually; older ones are only known by their cells. */
const MAX_GAPS = 1024;

/**
 * The union of all [issue, complete] of one disk, updated as completions arrive. Completions are nearly in order, so
 * the end of the union only moves forward; a long I/O that completes late fills gaps that counted as idle.
 *
 * Exact for the last `MAX_GAPS` gaps. An I/O that started before them marks every whole cell of the series that it
 * spans as busy; only the cell in which it started is unchanged: too low by less than 100 ms.
 */
export class BusyTracker {
  readonly series: BusySeries;
  /** Starts and ends of idle gaps, ascending, in pairs. Has room for twice as many as are kept. */
  private readonly gaps = new Float64Array(MAX_GAPS * 4);
  private gapEnd = 0;
  /** The latest completion. Nothing is known about the time after it. */
  private frontierNs = NaN;
  /** Gaps before this time are forgotten. */
  private finalNs = -Infinity;
  /** All whole cells of [solidNs, finalNs) are busy. */
  private solidNs = Infinity;

  constructor(series = new BusySeries()) {
    this.series = series;
  }

  get memoryBytes(): number {
    return this.series.memoryBytes + this.gaps.byteLength;
  }

  /** Call for each request: the disk was busy from `issueNs` until `completeNs`. */
  add(issueNs: number, completeNs: number): void {
    if (completeNs > this.frontierNs) this.advance(issueNs, completeNs);
    else if (Number.isNaN(this.frontierNs)) this.begin(issueNs, completeNs);
    else this.fillGaps(issueNs, completeNs);
  }

  private begin(issueNs: number, completeNs: number): void {
    this.series.add(issueNs, completeNs);
    this.pushGap(-Infinity, issueNs);
    this.frontierNs = completeNs;
  }

  private advance(issueNs: number, completeNs: number): void {
    const frontierNs = this.frontierNs;
    this.frontierNs = completeNs;
    if (issueNs >= frontierNs) {
      if (issueNs > frontierNs) this.pushGap(frontierNs, issueNs);
      this.series.add(issueNs, completeNs);
      return;
    }
    this.series.add(frontierNs, completeNs);
    this.fillGaps(issueNs, frontierNs);
  }

  private pushGap(fromNs: number, toNs: number): void {
    if (this.gapEnd === this.gaps.length) this.forgetGaps();
    this.gaps[this.gapEnd++] = fromNs;
    this.gaps[this.gapEnd++] = toNs;
  }

  private forgetGaps(): void {
    const forgotten = this.gapEnd / 2;
    this.finalNs = this.gaps[forgotten - 1]!;
    this.solidNs = Infinity;
    this.gaps.copyWithin(0, forgotten, this.gapEnd);
    this.gapEnd -= forgotten;
  }

  /** Marks [fromNs, toNs), which must be before the frontier, as busy. */
  private fillGaps(fromNs: number, toNs: number): void {
    const { gaps } = this;
    let top = this.gapEnd;
    while (top > 0 && gaps[top - 1]! > fromNs) {
      top -= 2;
      this.fillGap(top, fromNs, toNs);
    }
    while (this.gapEnd > 0 && gaps[this.gapEnd - 1]! <= gaps[this.gapEnd - 2]!) this.gapEnd -= 2;
    if (fromNs < this.finalNs && fromNs < this.solidNs) {
      this.series.fill(fromNs, Math.min(toNs, this.finalNs + this.series.cellNs));
      if (toNs >= this.finalNs) this.solidNs = fromNs;
    }
  }

  private fillGap(at: number, fromNs: number, toNs: number): void {
    const { gaps } = this;
    const startNs = gaps[at]!;
    const endNs = gaps[at + 1]!;
    const from = Math.max(fromNs, startNs);
    const to = Math.min(toNs, endNs);
    if (to <= from) return;
    this.series.add(from, to);
    if (from === startNs) gaps[at] = to;
    else gaps[at + 1] = from;
    if (from > startNs && to < endNs) this.insertGap(at + 2, to, endNs);
  }

  /** Rare: an I/O inside a gap, which arrived out of order. */
  private insertGap(at: number, fromNs: number, toNs: number): void {
    const { gaps } = this;
    let index = at;
    if (this.gapEnd === gaps.length) {
      const before = this.gapEnd;
      this.forgetGaps();
      index -= before - this.gapEnd;
      if (index < 0) return;
    }
    gaps.copyWithin(index + 2, index, this.gapEnd);
    gaps[index] = fromNs;
    gaps[index + 1] = toNs;
    this.gapEnd += 2;
  }
}
