import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ShouldYield } from '../base/time.ts';

/** How long keys may wait while a file is written. */
const TURN_MS = 15;

/** How often it is told how far it is. */
const TOLD_EVERY_MS = 300;

/** What is told of a file that was not wanted any more. */
export const CALLED_OFF = 'called off: no file is written';

/** A file that is written while the screen goes on: in turns, and only as long as it is wanted. */
export class FileWork {
  isCancelled = false;
  private turnMs = performance.now();
  private toldMs = performance.now();

  /** Is told how much is done, from 0 to 1. */
  constructor(private readonly tell: (share: number) => void = () => undefined) {}

  /** Whether the turn has taken long enough. */
  readonly isOver: ShouldYield = () => performance.now() - this.turnMs >= TURN_MS;

  cancel(): void {
    this.isCancelled = true;
  }

  /** Lets keys be answered when it is time to; false when the file is not wanted any more. */
  async goesOn(share: number): Promise<boolean> {
    if (!this.isOver()) return !this.isCancelled;
    await nextTurn();
    this.turnMs = performance.now();
    if (!this.isCancelled && this.turnMs - this.toldMs >= TOLD_EVERY_MS) {
      this.toldMs = this.turnMs;
      this.tell(share);
    }
    return !this.isCancelled;
  }
}
