import { EPOCH_NS, EPOCHS } from './layout.ts';

/** A stretch of time, in ns of the same clock as what it was made from. */
export interface Span {
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * When the completions of an epoch's slot happened that came between two looks. Slots are used in turn;
 * whoever looks away for longer than a round only knows that it was between the looks.
 */
export function epochSpan(slot: number, sinceNs: number, untilNs: number): Span {
  const current = Math.floor(untilNs / EPOCH_NS);
  const latest = current - ((((current - slot) % EPOCHS) + EPOCHS) % EPOCHS);
  const startNs = latest * EPOCH_NS;
  const endNs = startNs + EPOCH_NS;
  const previousEndNs = endNs - EPOCHS * EPOCH_NS;
  if (previousEndNs > sinceNs) return { startNs: sinceNs, endNs: untilNs };
  // Counted at the last moment of an epoch, seen in the next one: the whole epoch is right then.
  if (endNs <= sinceNs) return { startNs, endNs };
  return { startNs: Math.max(startNs, sinceNs), endNs: Math.min(endNs, untilNs) };
}
