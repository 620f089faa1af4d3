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
export function opposite(verdict: number): Verdict {
  return (((~verdict & 1) << 1) | ((~verdict >> 1) & 1)) as Verdict;
}

/** How many may still pass. */
export function countOpen(verdicts: Uint8Array): number {
  let open = 0;
  for (let i = 0; i < verdicts.length; i++) open += verdicts[i]! & 1;
  return open;
}

export function joinByAnd(verdicts: Uint8Array, others: Uint8Array): void {
  for (let i = 0; i < verdicts.length; i++) verdicts[i]! &= others[i]!;
}

export function joinByOr(verdicts: Uint8Array, others: Uint8Array): void {
  for (let i = 0; i < verdicts.length; i++) verdicts[i]! |= others[i]!;
}
