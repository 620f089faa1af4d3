import { clockText } from '../base/clock-text.ts';
import type { ClockBase } from '../base/time.ts';
import { localMs, NS_PER_MS, NS_PER_SECOND, wallMs } from '../base/time.ts';

/** A round wall-clock time, or a date where labels are days apart, and the column that contains it. */
export interface TimeLabel {
  readonly column: number;
  readonly text: string;
}

export interface TimeSpan {
  readonly startNs: number;
  readonly columns: number;
  readonly columnNs: number;
}

const DAY = 86400;
/** In a stretch of time of this length, times of day occur twice. */
export const NS_PER_DAY = DAY * NS_PER_SECOND;
/** Seconds between labels, in steps that people count in. */
const STEPS = [
  ...[1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1200, 1800, 3600, 7200, 10800, 21600, 43200],
  ...[1, 2, 5, 10, 20, 50, 100].map((days) => days * DAY),
];

/** `2026-01-31` or `14:02:11`, its mark and a gap. */
const LABEL_COLUMNS = 12;
const MS_PER_SECOND = NS_PER_SECOND / NS_PER_MS;

/** Left to right. A label belongs to a time, not to a position, so it scrolls with the picture. */
export function timeLabels(span: TimeSpan, clockBase: ClockBase): TimeLabel[] {
  const { startNs, columns, columnNs } = span;
  const startMs = wallMs(clockBase, startNs);
  const shiftMs = startMs - localMs(startMs);
  const columnMs = columnNs / NS_PER_MS;
  const stepMs = stepFor(columnMs * LABEL_COLUMNS);
  const areDates = stepMs >= DAY * MS_PER_SECOND;
  const labels: TimeLabel[] = [];
  for (let at = Math.ceil((startMs - shiftMs) / stepMs) * stepMs; ; at += stepMs) {
    const ms = areDates ? midnight(at, at + shiftMs) : at + shiftMs;
    const column = Math.floor((ms - startMs) / columnMs);
    if (column >= columns) return labels;
    labels.push({ column, text: areDates ? formatDate(at) : clockText(ms) });
  }
}

/** The moment of a local midnight, given one that is too early or too late if clocks have changed. */
function midnight(localMidnightMs: number, nearMs: number): number {
  return nearMs + localMidnightMs - localMs(nearMs);
}

function stepFor(leastMs: number): number {
  const step = STEPS.find((seconds) => seconds * MS_PER_SECOND >= leastMs) ?? STEPS.at(-1)!;
  return step * MS_PER_SECOND;
}

/** `2026-01-31 14:02:11`. */
export function formatWallMoment(ms: number): string {
  return `${formatDate(localMs(ms))} ${clockText(ms)}`;
}

function formatDate(localTimeMs: number): string {
  return new Date(localTimeMs).toISOString().slice(0, 10);
}
