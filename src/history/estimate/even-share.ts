/**
 * Aggregated I/O is drawn as if it were spread evenly over its stretch of time, in whole I/Os. Returns how many of
 * `count` I/Os complete before a moment. `seed` decides where rounding puts remainders, so that the remainders of
 * different values do not line up. The result depends on nothing else: every caller gets the same answer for the same
 * I/O, and parts add up to the whole.
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

/**
 * A seed in [0, 1). Those of successive bins, and of successive identities, are evenly distributed: multiples of an
 * irrational number, modulo 1, are a low-discrepancy sequence (Weyl).
 */
export function seedOf(identity: number, bin: number): number {
  return ((bin + 1) * GOLDEN_RATIO + identity * SILVER_RATIO) % 1;
}

const GOLDEN_RATIO = 0.6180339887;
const SILVER_RATIO = 0.4142135624;
