/**
 * Whether some I/Os pass a filter: none of them, all of them, or what is known of them does not decide.
 * Two bits, so that verdicts join without a branch: the low one is set where some may pass, the high one
 * where all do. `and` is `&`, `or` is `|`.
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

/** None fails where all pass, and some may fail where some may pass without all. */
export function opposite(verdict: Verdict): Verdict {
  return (((~verdict & 1) << 1) | ((~verdict >> 1) & 1)) as Verdict;
}
