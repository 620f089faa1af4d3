import type { PaintClock } from './painter.ts';
import type { Canvas, SizeCost } from './plan.ts';

/** Does an I/O of this many bytes and returns how long it took, in ns. */
export type TimedIo = (bytes: number) => number;

const TRIES = 160;
/** Used for slow targets, where more tries would take too long. */
const FEWEST_TRIES = 32;
const MOST_NS = 1_500_000_000n;
/** A machine may be busy for some milliseconds, so the tries are spread over time. */
const TRIES_AT_ONCE = 8;
const PAUSE_NS = 25_000_000n;

/** The sizes to try: from one block to the largest I/O, each twice the previous one. */
export function sizesToTry({ blockBytes, maxBytes }: Canvas): number[] {
  const sizes: number[] = [];
  for (let bytes = blockBytes; bytes <= maxBytes; bytes *= 2) sizes.push(bytes);
  return sizes;
}

/**
 * Measures the time of an I/O of each size, in ns. Sizes alternate, so that all of them are measured under the same
 * load, and the fastest sixteenth counts, because the others were delayed by other work. Undefined when the clock
 * ends the painting.
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
    // The first I/O of a size after other sizes, or after a pause, warms up caches.
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
