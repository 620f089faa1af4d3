import type { Clock, ClockBase } from '../../base/time.ts';

/** `now`: the clock that the source stamps I/O with, in ns. */
export function realClock(base: ClockBase, now = () => process.hrtime.bigint()): Clock {
  return { nowNs: () => Number(now() - base.monotonicNs) };
}

/** A trace that started `pastNs` ago. */
export function clockBaseBefore(pastNs: number): ClockBase {
  return {
    monotonicNs: process.hrtime.bigint() - BigInt(pastNs),
    wallNs: BigInt(Date.now()) * 1_000_000n - BigInt(pastNs),
  };
}
