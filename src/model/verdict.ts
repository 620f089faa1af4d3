/**
 * How many of some I/Os pass a filter. In this order, so that `and` is the lesser of two, `or` the
 * greater, and `not` is `all − verdict`.
 */
export const Verdict = {
  none: 0,
  /** Not to be told from what is known of them: some, all or none. */
  unknown: 1,
  all: 2,
} as const;
export type Verdict = (typeof Verdict)[keyof typeof Verdict];

export function both(a: Verdict, b: Verdict): Verdict {
  return a < b ? a : b;
}

export function either(a: Verdict, b: Verdict): Verdict {
  return a > b ? a : b;
}

export function opposite(verdict: Verdict): Verdict {
  return (Verdict.all - verdict) as Verdict;
}
