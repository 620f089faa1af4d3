import type { Clock } from '../../base/time.ts';

/** The speed of a trace that plays as fast as it can be loaded. */
export const MAX_SPEED = Infinity;

type Motion = 'paused' | 'playing' | 'following';

/**
 * The clock of a replay, in ns since the start of the trace. It is paused, runs at a multiple of real time, or moves
 * with what is loaded. It never passes the end, once that is known.
 */
export class ReplayClock implements Clock {
  private motion: Motion = 'paused';
  private rate = 1;
  private anchorNs = 0;
  private anchorRealNs: number;
  private lastNs = Infinity;

  /** `realNs` must not decrease; only differences of it are used. */
  constructor(private readonly realNs: () => number) {
    this.anchorRealNs = realNs();
  }

  get isPlaying(): boolean {
    return this.motion === 'playing';
  }

  get isFollowing(): boolean {
    return this.motion === 'following';
  }

  /** Seconds of the trace per second. */
  get speed(): number {
    return this.rate;
  }

  /** End of the trace; Infinity while it is unknown. */
  get endNs(): number {
    return this.lastNs;
  }

  nowNs(): number {
    if (this.motion === 'paused' || this.goesAlong()) return this.anchorNs;
    const elapsedNs = this.realNs() - this.anchorRealNs;
    const rate = this.motion === 'following' ? 1 : this.rate;
    return Math.min(this.lastNs, this.anchorNs + elapsedNs * rate);
  }

  /** Time up to which to load. */
  untilNs(): number {
    return this.motion === 'following' || this.goesAlong() ? Infinity : this.nowNs();
  }

  play(): void {
    this.move('playing');
  }

  pause(): void {
    this.move('paused');
  }

  /** Follows a stream that is still being written: runs in real time, but never behind what has been loaded. */
  follow(): void {
    this.move('following');
  }

  seek(atNs: number): void {
    this.anchor(Math.max(0, atNs));
  }

  setSpeed(speed: number): void {
    this.anchor(this.nowNs());
    this.rate = speed;
  }

  /** Everything up to here is loaded, and more is pending: a playing clock must not pass it. */
  holdAt(loadedNs: number): void {
    if (this.motion === 'playing' && !this.goesAlong() && loadedNs < this.nowNs())
      this.anchor(loadedNs);
  }

  /** Sets the clock to the last loaded I/O, if it moves with it. */
  reached(loadedNs: number): void {
    const isLed = this.motion === 'following' || this.goesAlong();
    if (isLed && loadedNs > this.nowNs()) this.anchor(loadedNs);
  }

  endAt(endNs: number): void {
    const nowNs = this.nowNs();
    this.lastNs = endNs;
    this.anchor(nowNs);
  }

  private goesAlong(): boolean {
    return this.motion === 'playing' && this.rate === MAX_SPEED;
  }

  private move(motion: Motion): void {
    this.anchor(this.nowNs());
    this.motion = motion;
  }

  private anchor(atNs: number): void {
    this.anchorNs = Math.min(this.lastNs, atNs);
    this.anchorRealNs = this.realNs();
  }
}
