import type { ClockBase } from '../base/time.ts';
import { NS_PER_SECOND } from '../base/time.ts';

const BIG_SECOND = 1_000_000_000n;

/** Ns since the Unix epoch of a trace time, exact to the nanosecond. */
export function wallNsOf(base: ClockBase, traceNs: number): bigint {
  return base.wallNs + BigInt(Math.round(traceNs));
}

/** `2026-01-31T14:02:11.123456789Z`. */
export function isoTime(wallNs: bigint): string {
  return new IsoClock({ monotonicNs: 0n, wallNs }).text(0);
}

/** Formats many times of one trace: the text of a second is made once, without a BigInt per time. */
export class IsoClock {
  private readonly baseSeconds: number;
  private readonly baseNs: number;
  private second = NaN;
  private prefix = '';

  constructor({ wallNs }: ClockBase) {
    const ns = ((wallNs % BIG_SECOND) + BIG_SECOND) % BIG_SECOND;
    this.baseNs = Number(ns);
    this.baseSeconds = Number((wallNs - ns) / BIG_SECOND);
  }

  /** The text of a trace time, a whole number of ns. */
  text(traceNs: number): string {
    const ns = this.baseNs + traceNs;
    const second = Math.floor(ns / NS_PER_SECOND);
    if (second !== this.second) {
      this.second = second;
      this.prefix = new Date((this.baseSeconds + second) * 1000).toISOString().slice(0, 20);
    }
    return `${this.prefix}${String(ns - second * NS_PER_SECOND).padStart(9, '0')}Z`;
  }
}
