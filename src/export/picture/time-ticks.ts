import type { Heatmap } from '../../heatmap/time/heatmap.ts';
import type { LocalTime } from './local-time.ts';

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

/** At most about `count` ticks. The tick at midnight shows the date, because that is what changes. */
export function timeTicks(map: Heatmap, time: LocalTime, count: number): TimeTick[] {
  const startMs = time.ms(map.startNs);
  const spanMs = (map.endNs - map.startNs) / 1e6;
  const step = STEPS.find((ms) => ms * count >= spanMs) ?? STEPS.at(-1)!;
  const decimals = step < SECOND ? 3 : 0;
  const ticks: TimeTick[] = [];
  for (let at = Math.ceil(startMs / step) * step; at <= startMs + spanMs; at += step) {
    const isMidnight = time.hasWallClock && at % DAY === 0;
    const text = isMidnight ? new Date(at).toISOString().slice(5, 10) : time.clockAt(at, decimals);
    ticks.push({ traceNs: map.startNs + (at - startMs) * 1e6, text });
  }
  return ticks;
}
