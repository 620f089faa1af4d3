import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ShouldYield } from '../../base/time.ts';

/** How long keys may wait while a file is written. */
const TURN_MS = 15;

/** How often progress is shown. */
const REPORT_EVERY_MS = 300;

/** The notice for a cancelled file. */
export const CANCELLED = 'cancelled, nothing written';

/** An export or a save in the background: it works in turns, until it is done or cancelled. */
export class FileJob {
  isCancelled = false;
  private turnMs = performance.now();
  private reportedMs = performance.now();

  /** Called with the share that is done, 0 to 1. */
  constructor(private readonly report: (share: number) => void = () => undefined) {}

  /** Whether the deadline of this turn has passed. */
  readonly shouldYield: ShouldYield = () => performance.now() - this.turnMs >= TURN_MS;

  cancel(): void {
    this.isCancelled = true;
  }

  /** Lets keys be answered at the deadline; false once the job is cancelled. */
  async continues(share: number): Promise<boolean> {
    if (!this.shouldYield()) return !this.isCancelled;
    await nextTurn();
    this.turnMs = performance.now();
    if (!this.isCancelled && this.turnMs - this.reportedMs >= REPORT_EVERY_MS) {
      this.reportedMs = this.turnMs;
      this.report(share);
    }
    return !this.isCancelled;
  }
}
