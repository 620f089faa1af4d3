import { followDomain } from './domain-tracker.ts';
import type { TrackedDomain } from './domain-tracker.ts';
import type { Interval } from './scale.ts';

/** The ends of the colours of a picture; they move as seldom as the ends of an axis do. */
export class FollowedColors {
  private tracked: TrackedDomain | undefined;
  /** The colours of half a picture say nothing of the whole one, so they do not stay. */
  private areWhole = false;

  /** Undefined until there is something to colour. */
  get range(): Interval | undefined {
    return this.tracked?.domain;
  }

  /** Whether they are what a whole picture has asked for. */
  get areSettled(): boolean {
    return this.areWhole && this.tracked !== undefined;
  }

  reset(): void {
    this.tracked = undefined;
  }

  /** `isWhole`: `fit` is what all of the picture asks for. */
  follow(fit: Interval, nowNs: number, isWhole: boolean): void {
    this.tracked = followDomain(this.areWhole ? this.tracked : undefined, fit, nowNs);
    this.areWhole = isWhole;
  }
}
