/** State of a replay. */
export interface Playback {
  readonly state: 'playing' | 'paused' | 'loading' | 'ended' | 'following';
  /** Seconds of the trace per second; Infinity: as fast as it can be loaded. */
  readonly speed: number;
  /** Share of the trace before the present, 0 to 1; undefined while its end is unknown. */
  readonly share: number | undefined;
}
