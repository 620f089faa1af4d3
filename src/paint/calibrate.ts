import type { PaintClock } from './painter.ts';
import type { Canvas, SizeCost } from './plan.ts';

/** How long an I/O of so many bytes took, in ns. */
export type TimedIo = (bytes: number) => number;

const TRIES = 160;
/** Enough for a target so slow that more would take long. */
const FEWEST_TRIES = 32;
const MOST_NS = 1_500_000_000n;
/** A machine is busy for some milliseconds and then is not: the tries are spread over such times. */
const TRIES_AT_ONCE = 8;
const PAUSE_NS = 25_000_000n;

/** From a block to the largest I/O, each twice the one before. */
export function sizesToTry({ blockBytes, maxBytes }: Canvas): number[] {
  const sizes: number[] = [];
  for (let bytes = blockBytes; bytes <= maxBytes; bytes *= 2) sizes.push(bytes);
  return sizes;
}

/**
 * What an I/O of each size costs, in ns. The sizes take turns, so that all of them meet the same
 * moments, and the quickest sixteenth counts: the rest waited for a busy machine, not for its bytes.
 * Undefined when the clock says that it shall end.
 */
export async function calibrate(
  sizes: readonly number[],
  timed: TimedIo,
  clock: PaintClock,
): Promise<SizeCost[] | undefined> {
  const times = sizes.map((): number[] => []);
  const endNs = clock.nowNs() + MOST_NS;
  for (let tries = 0; tries < TRIES; tries++) {
    if (tries >= FEWEST_TRIES && clock.nowNs() >= endNs) break;
    // The first I/O of a size after others, or after a pause, warms caches up.
    sizes.forEach((bytes, index) => {
      timed(bytes);
      times[index]!.push(timed(bytes));
    });
    if ((tries + 1) % TRIES_AT_ONCE !== 0) continue;
    if (!(await clock.waitUntil(clock.nowNs() + PAUSE_NS))) return undefined;
  }
  return sizes.map((bytes, index) => ({ bytes, ns: Math.max(1, quick(times[index]!)) }));
}

function quick(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 4]!;
}
