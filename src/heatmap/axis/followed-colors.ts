import { followDomain } from './domain-tracker.ts';
import type { TrackedDomain } from './domain-tracker.ts';
import type { Interval } from './scale.ts';

/** Weights of the first and the last colour of a picture; they change as rarely as the ends of an axis. */
export class FollowedColors {
  private tracked: TrackedDomain | undefined;
  /** Colours that were chosen from a part of the picture are replaced. */
  private areWhole = false;

  /** Undefined until there is something to colour. */
  get range(): Interval | undefined {
    return this.tracked?.domain;
  }

  /** Whether they were chosen from a whole picture. */
  get areSettled(): boolean {
    return this.areWhole && this.tracked !== undefined;
  }

  reset(): void {
    this.tracked = undefined;
  }

  /** `isWhole`: `fit` was computed from the whole picture. */
  follow(fit: Interval, nowNs: number, isWhole: boolean): void {
    this.tracked = followDomain(this.areWhole ? this.tracked : undefined, fit, nowNs);
    this.areWhole = isWhole;
  }
}
