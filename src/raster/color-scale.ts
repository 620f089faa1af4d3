import { assert } from '../base/assert.ts';

/** The counts that a level stands for, both ends included; fractional weights go up to `most` + 1. */
export interface CountRange {
  readonly least: number;
  readonly most: number;
}

/** Maps counts or other weights to colour levels: 0 for no I/O, 1 for the least, up to `levels`. */
export interface ColorScale {
  readonly levels: number;
  levelOf(count: number): number;
  /** Exactly the counts that `levelOf` maps to a level; undefined if there is no such whole number. */
  countsOf(level: number): CountRange | undefined;
}

/** Counts below this are looked up in a table; larger ones are rare in a picture. */
const TABLE_SIZE = 4096;
const LAST_IN_TABLE = TABLE_SIZE - 1;

export function createColorScale(
  kind: 'log' | 'linear',
  levels: number,
  ceiling: number,
  floor = 1,
): ColorScale {
  assert(levels > 0 && ceiling >= floor, `${levels} levels from ${floor} to ${ceiling}`);
  const least = leastCounts(kind, levels, ceiling, floor);
  const table = new Uint8Array(TABLE_SIZE);
  least.forEach((count, level) => table.fill(level + 1, count));
  return {
    levels,
    // Estimated weights have fractions; even the smallest of them is I/O.
    levelOf: (count) => (count < LAST_IN_TABLE ? table[Math.ceil(count)]! : search(least, count)),
    countsOf: (level) => {
      const from = least[level - 1]!;
      const to = level < levels ? least[level]! - 1 : Infinity;
      return from <= to ? { least: from, most: to } : undefined;
    },
  };
}

/**
 * The least count of each level; if two are equal, the lower level is unused. Counts below `floor` also have level 1.
 */
function leastCounts(
  kind: 'log' | 'linear',
  levels: number,
  ceiling: number,
  floor: number,
): number[] {
  return Array.from({ length: levels }, (_, level) => {
    const share = level / levels;
    const exact = kind === 'log' ? floor * (ceiling / floor) ** share : ceiling * share;
    return level === 0 ? 1 : Math.max(1, Math.ceil(exact - 1e-9));
  });
}

/** The number of values in the ascending `least` that are ≤ `count`. */
function search(least: readonly number[], count: number): number {
  let level = least.length;
  while (level > 0 && least[level - 1]! > count) level--;
  return level;
}
