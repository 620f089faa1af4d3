import { NS_PER_SECOND } from '../../base/time.ts';

/** Counts I/Os that arrive while the picture is frozen. */
export class Arrivals {
  private takenBefore: number | undefined;
  private reportedSecond: number | undefined;
  /** I/Os since the picture was frozen; 0 while it is not. */
  count = 0;

  /**
   * Of a frame at the trace time `nowNs`, when the source has handed out `taken()` I/Os in all; true
   * when there is a new number to show. A live source reads files to answer, so it is asked only then.
   */
  update(isFrozen: boolean, taken: () => number, nowNs: number): boolean {
    if (!isFrozen) {
      this.takenBefore = undefined;
      this.count = 0;
      return false;
    }
    this.takenBefore ??= taken();
    // With the frames that a standing picture gets, and in none that a key brings.
    const second = Math.floor(nowNs / NS_PER_SECOND);
    if (second === this.reportedSecond) return false;
    this.reportedSecond = second;
    this.count = taken() - this.takenBefore;
    return true;
  }
}
