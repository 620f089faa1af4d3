import { BusySeries } from './busy-series.ts';

/** Idle gaps remembered one by one; older ones are only known by the cells they lie in. */
const MAX_GAPS = 1024;

/**
 * The union of all [issue, complete] of one disk, built as completions arrive. Completions come
 * nearly in order, so the end of the union only moves forward; a long I/O that completes late fills
 * gaps that were taken for idle.
 *
 * Exact for the last `MAX_GAPS` gaps. An I/O that began before them makes every whole cell of the
 * series that it spans busy, and only the cell in which it began stays as it was: too low by less
 * than 100 ms.
 */
export class BusyTracker {
  readonly series: BusySeries;
  /** Starts and ends of idle gaps, ascending, in pairs. Room for twice as many as are kept. */
  private readonly gaps = new Float64Array(MAX_GAPS * 4);
  private gapEnd = 0;
  /** The latest completion: nothing after is known to be busy. */
  private frontierNs = NaN;
  /** Gaps before this are forgotten. */
  private finalNs = -Infinity;
  /** All whole cells of [solidNs, finalNs) are busy. */
  private solidNs = Infinity;

  constructor(series = new BusySeries()) {
    this.series = series;
  }

  get memoryBytes(): number {
    return this.series.memoryBytes + this.gaps.byteLength;
  }

  /** The disk had a request from `issueNs` until `completeNs`. */
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

  /** Makes [fromNs, toNs), which lies before the frontier, busy. */
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

  /** Rare: an I/O that lies inside a gap, so it came out of order. */
  private insertGap(at: number, fromNs: number, toNs: number): void {
    const { gaps } = this;
    let index = at;
    if (this.gapEnd === gaps.length) {
      const before = this.gapEnd;
      this.forgetGaps();
      index -= before - this.gapEnd;
      if (index < 0) {
        this.finalNs = toNs;
        return;
      }
    }
    gaps.copyWithin(index + 2, index, this.gapEnd);
    gaps[index] = fromNs;
    gaps[index + 1] = toNs;
    this.gapEnd += 2;
  }
}
