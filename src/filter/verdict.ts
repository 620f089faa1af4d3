/**
 * Whether some I/Os match a filter: none, all, or maybe.
 *
 * Two bits, so that verdicts join without a branch: the low one means that some may match, the high one that all do.
 * `and` is `&`, `or` is `|`.
 */
export const Verdict = {
  no: 0,
  maybe: 1,
  yes: 3,
} as const;
export type Verdict = (typeof Verdict)[keyof typeof Verdict];

export function both(a: Verdict, b: Verdict): Verdict {
  return (a & b) as Verdict;
}

export function either(a: Verdict, b: Verdict): Verdict {
  return (a | b) as Verdict;
}

/** `no` and `yes` swap; `maybe` stays. */
export function opposite(verdict: Verdict): Verdict {
  return (((~verdict & 1) << 1) | ((~verdict >> 1) & 1)) as Verdict;
}
