import type { Clock, ClockBase } from '../base/time.ts';

/** The machine's monotonic clock, the one that the kernel stamps I/O with (CLOCK_MONOTONIC). */
export function realClock(base: ClockBase): Clock {
  return { nowNs: () => Number(process.hrtime.bigint() - base.monotonicNs) };
}

/** A trace that began `pastNs` ago. */
export function clockBaseBefore(pastNs: number): ClockBase {
  return {
    monotonicNs: process.hrtime.bigint() - BigInt(pastNs),
    wallNs: BigInt(Date.now()) * 1_000_000n - BigInt(pastNs),
  };
}
