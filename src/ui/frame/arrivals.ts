/** How often the number of I/Os since a freeze is updated. */
const REPORT_EVERY_NS = 1e9;

/** Counts I/Os that arrive while the picture is frozen. */
export class Arrivals {
  private takenBefore: number | undefined;
  private reportedAtNs = -Infinity;
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
    if (nowNs - this.reportedAtNs < REPORT_EVERY_NS) return false;
    this.reportedAtNs = nowNs;
    this.count = taken() - this.takenBefore;
    return true;
  }
}
