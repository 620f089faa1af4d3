export const NS_PER_US = 1e3;
export const NS_PER_MS = 1e6;
export const NS_PER_SECOND = 1e9;
const BIG_MS = 1_000_000n;

/**
 * The start of a trace. All other times are `Number` nanoseconds since then, which is exact for 104 days (2^53 ns),
 * whatever the uptime of the machine.
 */
export interface ClockBase {
  /** CLOCK_MONOTONIC at the start of the trace. */
  readonly monotonicNs: bigint;
  /** CLOCK_REALTIME at the same moment, ns since the epoch. */
  readonly wallNs: bigint;
}

/** The trace time [fromNs, toNs), in ns. */
export interface TimeRange {
  readonly fromNs: number;
  readonly toNs: number;
}

/** The present time of a trace: real, of a replay, or advanced by hand in tests. */
export interface Clock {
  /** Nanoseconds since the start of the trace. */
  nowNs(): number;
}

/** Converts trace time to milliseconds since the epoch, for `Date`. */
export function wallMs(base: ClockBase, traceNs: number): number {
  const restNs = Number(base.wallNs % BIG_MS);
  return Number(base.wallNs / BIG_MS) + (restNs + traceNs) / NS_PER_MS;
}

const MS_PER_MINUTE = 60_000;

/** Of ms since the epoch: local time as if it were UTC, so that local hours are multiples of an hour. */
export function localMs(ms: number): number {
  return ms - new Date(ms).getTimezoneOffset() * MS_PER_MINUTE;
}

/** The trace time of a moment in ms since the epoch, exact for whole ms. */
export function traceNsAt(base: ClockBase, ms: number): number {
  const restNs = Number(base.wallNs % BIG_MS);
  return (ms - Number(base.wallNs / BIG_MS)) * NS_PER_MS - restNs;
}

/** Whether a turn of work must stop, because the screen must be painted or a key is pending. */
export type ShouldYield = () => boolean;
