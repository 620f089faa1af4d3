export const NS_PER_US = 1e3;
export const NS_PER_MS = 1e6;
export const NS_PER_SECOND = 1e9;

/**
 * Where the time of a trace begins. All other times are `Number` nanoseconds since then, which keeps
 * them exact for 104 days (2^53 ns) however long the machine has been up.
 */
export interface ClockBase {
  /** CLOCK_MONOTONIC at the start of the trace. */
  readonly monotonicNs: bigint;
  /** CLOCK_REALTIME at the same moment, ns since the epoch. */
  readonly wallNs: bigint;
}

/** The only way to learn what time it is: real in `cli`, replayed, or advanced by hand in tests. */
export interface Clock {
  /** Nanoseconds since the start of the trace. */
  nowNs(): number;
}

/** Milliseconds since the epoch of a trace time, for `Date`. */
export function wallMs(base: ClockBase, traceNs: number): number {
  return Number(base.wallNs / 1_000_000n) + traceNs / NS_PER_MS;
}

/** Whether a turn of work is up, because the screen must be painted or a key waits. */
export type ShouldYield = () => boolean;
