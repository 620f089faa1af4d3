import type { Playback } from '../../model/playback.ts';
import { MAX_SPEED } from './replay-clock.ts';
import type { ReplayClock } from './replay-clock.ts';
import type { ReplaySource } from './replay-source.ts';
import type { Gap } from './trace-feed.ts';

/** Steps of `faster` and `slower`; other speeds can be entered as a number. */
export const SPEEDS: readonly number[] = [0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 1000, MAX_SPEED];

/** A request that needs more to be loaded first. */
type Goal =
  | { readonly kind: 'share'; readonly share: number }
  | { readonly kind: 'gap'; readonly afterNs: number };

/** Play, pause, seek: synchronizes the clock with what is loaded. */
export class Transport {
  private goal: Goal | undefined;
  /** Whether to play as soon as everything up to the present is loaded. */
  private playsWhenThere = false;
  private foundGap: Gap | undefined | 'none';

  constructor(
    readonly clock: ReplayClock,
    readonly source: ReplaySource,
  ) {}

  /** End of the trace; undefined while it is unknown. */
  get endNs(): number | undefined {
    const { source } = this;
    return source.isEnded ? source.endNs : source.claimedEndNs;
  }

  get isAtEnd(): boolean {
    return this.clock.nowNs() >= this.clock.endNs;
  }

  /** Whether data up to the present, or beyond, is still being loaded. */
  get isLoading(): boolean {
    const { clock, goal, source } = this;
    if (goal !== undefined) return true;
    return !source.isCaughtUp && !source.isEnded && !clock.isPlaying && !clock.isFollowing;
  }

  status(): Playback {
    const { clock, endNs, source } = this;
    const { startNs } = source;
    const nowNs = clock.nowNs();
    const share =
      endNs === undefined || clock.isFollowing
        ? undefined
        : Math.max(0, Math.min(1, endNs > startNs ? (nowNs - startNs) / (endNs - startNs) : 1));
    return { state: this.state(), speed: clock.speed, share };
  }

  private state(): Playback['state'] {
    if (this.isLoading) return 'loading';
    if (this.isAtEnd) return 'ended';
    if (this.clock.isFollowing) return 'following';
    return this.clock.isPlaying ? 'playing' : 'paused';
  }

  /** Call after each read of the source. */
  step(): void {
    const { clock, source } = this;
    if (source.isEnded && clock.endNs === Infinity) this.end();
    if (source.isCaughtUp) this.startIfDue();
    else clock.holdAt(Math.max(source.startNs, source.lastNs));
    clock.reached(source.lastNs);
    this.pursue();
  }

  /** Continues from the present; false at the end. */
  play(): boolean {
    if (this.isAtEnd) return false;
    this.dropGoal();
    if (this.source.isCaughtUp) this.clock.play();
    else this.playsWhenThere = true;
    return true;
  }

  /** Pauses at a time, once it is loaded. */
  pauseAt(atNs: number): void {
    const { clock, source } = this;
    this.dropGoal();
    this.playsWhenThere = false;
    clock.pause();
    clock.seek(atNs);
    source.isCaughtUp = source.isEnded;
  }

  /** Moves to a share of the whole, 0 to 1; loads everything first if the length is unknown. */
  toShare(share: number): void {
    const { startNs } = this.source;
    if (this.endNs !== undefined) {
      this.pauseAt(startNs + share * (this.endNs - startNs));
      return;
    }
    this.pauseAt(this.clock.nowNs());
    this.pursueLoading({ kind: 'share', share });
  }

  setSpeed(speed: number): void {
    this.clock.setSpeed(speed);
  }

  /** Next higher or lower speed; undefined at the last. */
  stepSpeed(step: 1 | -1): number | undefined {
    const { speed } = this.clock;
    const next =
      step > 0 ? SPEEDS.find((one) => one > speed) : SPEEDS.findLast((one) => one < speed);
    if (next !== undefined) this.setSpeed(next);
    return next;
  }

  /** Searches for the first gap that starts after `afterNs`; see `takeGap`. */
  seekGap(afterNs: number): void {
    this.pauseAt(this.clock.nowNs());
    this.foundGap = undefined;
    this.pursueLoading({ kind: 'gap', afterNs });
    this.pursue();
  }

  /** Returns the result of `seekGap` once: `none` when there are no more gaps, undefined while it searches. */
  takeGap(): Gap | 'none' | undefined {
    const found = this.foundGap;
    this.foundGap = undefined;
    return found;
  }

  private pursueLoading(goal: Goal): void {
    this.goal = goal;
    this.source.loadsAll = true;
  }

  private dropGoal(): void {
    this.goal = undefined;
    this.source.loadsAll = false;
  }

  private pursue(): void {
    const { goal, source } = this;
    if (goal?.kind === 'gap') {
      const found = source.gaps().find(({ startNs }) => startNs > goal.afterNs);
      if (found === undefined && !source.isEnded) return;
      this.foundGap = found ?? 'none';
      this.dropGoal();
    } else if (goal?.kind === 'share' && source.isEnded) this.toShare(goal.share);
  }

  private startIfDue(): void {
    if (!this.playsWhenThere || this.goal !== undefined) return;
    this.playsWhenThere = false;
    if (!this.isAtEnd) this.clock.play();
  }

  private end(): void {
    const { clock, source } = this;
    const goesAlong = clock.untilNs() === Infinity;
    clock.endAt(source.endNs);
    if (goesAlong) clock.seek(source.endNs);
    // What a stream has brought is a recording from now on.
    if (clock.isFollowing) clock.pause();
  }
}
