import type { ClockBase } from '../base/time.ts';

const NS_PER_MS = 1_000_000n;

/** Ns since the epoch of a trace time, to the nanosecond. */
export function wallNsOf(base: ClockBase, traceNs: number): bigint {
  return base.wallNs + BigInt(Math.round(traceNs));
}

/** `2026-01-31T14:02:11.123456789Z`. */
export function isoTime(wallNs: bigint): string {
  const belowMs = ((wallNs % NS_PER_MS) + NS_PER_MS) % NS_PER_MS;
  const ms = Number((wallNs - belowMs) / NS_PER_MS);
  return `${new Date(ms).toISOString().slice(0, -1)}${belowMs.toString().padStart(6, '0')}Z`;
}
