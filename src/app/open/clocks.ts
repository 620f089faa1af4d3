import type { Clock, ClockBase } from '../../base/time.ts';

/** A clock since `base`; `now` is the clock with which the source stamps I/O, in ns. */
export function realClock(base: ClockBase, now = () => process.hrtime.bigint()): Clock {
  return { nowNs: () => Number(now() - base.monotonicNs) };
}

/** The base of a trace that started `pastNs` ago. */
export function clockBaseBefore(pastNs: number): ClockBase {
  return {
    monotonicNs: process.hrtime.bigint() - BigInt(pastNs),
    wallNs: BigInt(Date.now()) * 1_000_000n - BigInt(pastNs),
  };
}
