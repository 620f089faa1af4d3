/**
 * I/O that is known only as aggregates is drawn as if it were spread evenly over its stretch of time, in
 * whole I/Os. This says how many of `count` lie before a moment. Where exactly the rounding puts the
 * odd ones differs with `seed`, or those of all values would line up; it depends on nothing else, so
 * everybody who asks about the same I/O gets the same answer, and parts add up to the whole.
 */
export function countBefore(
  atNs: number,
  count: number,
  seed: number,
  startNs: number,
  endNs: number,
): number {
  if (atNs <= startNs) return 0;
  if (atNs >= endNs) return count;
  return Math.floor((count * (atNs - startNs)) / (endNs - startNs) + seed);
}

/** From 0 to 1, evenly for successive bins and for successive keys. */
export function seedOf(key: number, bin: number): number {
  return ((bin + 1) * GOLDEN_RATIO + key * SILVER_RATIO) % 1;
}

const GOLDEN_RATIO = 0.6180339887;
const SILVER_RATIO = 0.4142135624;
