import { followDomain } from './domain-tracker.ts';
import type { TrackedDomain } from './domain-tracker.ts';
import type { Interval } from './scale.ts';

/** Weights of the first and the last colour of a picture; they change as rarely as the ends of an axis. */
export class FollowedColors {
  private tracked: TrackedDomain | undefined;
  /** Whether they were chosen from a whole picture; colours chosen from a part are replaced. */
  private areWhole = false;

  /** Undefined until there is something to colour. */
  get range(): Interval | undefined {
    return this.tracked?.domain;
  }

  /** False while they may change because only a part of the picture has been counted. */
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
