import { TIMES_NS } from './import-rows.ts';
import { nsBetween } from './log-text.ts';
import type { Stamp } from './log-text.ts';

/**
 * The first time of a log, from the times of its first lines, from which all times count. Times of one trace are less than 104
 * days from each other: a time that is further away from the middle one is damaged, and all other lines would be
 * impossible if they counted from it.
 */
export function firstTime<T extends Stamp>(stamps: readonly T[]): T | undefined {
  // Of two, the earlier: a damaged time is too large, as clocks start at boot.
  const middle = stamps.toSorted((a, b) => nsBetween(b, a))[(stamps.length - 1) >> 1];
  return middle && stamps.find((stamp) => Math.abs(nsBetween(middle, stamp)) < TIMES_NS);
}
