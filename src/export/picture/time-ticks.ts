import { NS_PER_MS } from '../../base/time.ts';
import type { LocalTime } from './local-time.ts';

/** Trace time. */
interface Span {
  readonly startNs: number;
  readonly endNs: number;
}

/** A round time below the picture. */
export interface TimeTick {
  readonly traceNs: number;
  readonly text: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Ms between ticks, in steps that people count in. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 20, 30].map((seconds) => seconds * SECOND),
  ...[1, 2, 5, 10, 15, 20, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7, 14, 28].map((days) => days * DAY),
];

/** Float arithmetic on times of day is off by less. */
const TOLERANCE_NS = 1000;

/** At most about `count` ticks. The tick at midnight shows the date, because that is what changes. */
export function timeTicks({ startNs, endNs }: Span, time: LocalTime, count: number): TimeTick[] {
  const startMs = time.ms(startNs);
  const spanMs = (endNs - startNs) / NS_PER_MS;
  const step = STEPS.find((ms) => ms * count >= spanMs) ?? Math.ceil(spanMs / count / DAY) * DAY;
  const decimals = step < SECOND ? 3 : 0;
  const ticks: TimeTick[] = [];
  for (let at = Math.ceil(startMs / step) * step; ; at += step) {
    const nearNs = startNs + (at - startMs) * NS_PER_MS;
    // Where the clocks have changed, longer steps would otherwise miss midnight.
    const traceNs = step <= HOUR ? nearNs : nearNs + (at - time.ms(nearNs)) * NS_PER_MS;
    if (traceNs > endNs + TOLERANCE_NS) return ticks;
    const localMs = Math.round(time.ms(traceNs));
    const isMidnight = time.hasWallClock && localMs % DAY === 0;
    const text = isMidnight
      ? new Date(localMs).toISOString().slice(5, 10)
      : time.clockAt(localMs, decimals);
    ticks.push({ traceNs, text });
  }
}
