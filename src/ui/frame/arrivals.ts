import { NS_PER_SECOND } from '../../base/time.ts';

/** Counts I/Os that arrive while the picture is frozen. */
export class Arrivals {
  private takenBefore: number | undefined;
  private reportedSecond: number | undefined;
  /** I/Os since the picture was frozen; 0 while it is not. */
  count = 0;

  /**
   * Call it for a frame at the trace time `nowNs`. `taken()` returns how many I/Os the source has delivered in total;
   * it is called only if needed, because a live source reads files to answer. True if there is a new number to show.
   */
  update(isFrozen: boolean, taken: () => number, nowNs: number): boolean {
    if (!isFrozen) {
      this.takenBefore = undefined;
      this.count = 0;
      return false;
    }
    this.takenBefore ??= taken();
    // Counts once a second: with the frames of a frozen picture, not with those that follow a key.
    const second = Math.floor(nowNs / NS_PER_SECOND);
    if (second === this.reportedSecond) return false;
    this.reportedSecond = second;
    this.count = taken() - this.takenBefore;
    return true;
  }
}
