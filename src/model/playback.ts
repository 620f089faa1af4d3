/** How a replay stands. */
export interface Playback {
  readonly state: 'playing' | 'paused' | 'loading' | 'ended' | 'following';
  /** Seconds of the trace per second; Infinity: as fast as it can be loaded. */
  readonly speed: number;
  /** How much of the trace lies before the present, 0 to 1; undefined while its end is not known. */
  readonly share: number | undefined;
}
