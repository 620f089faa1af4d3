import { Dimension } from '../abi/layout.ts';

export const EPOCHS = Dimension.epochs;
export const EPOCH_NS = 2 ** Dimension.epochShift;

/** A stretch of time, in ns of the clock of `epochSpan`'s arguments. */
export interface Span {
  readonly startNs: number;
  readonly endNs: number;
}

/**
 * The time of the completions by which the slot of an epoch grew between two readings. Slots are used in turn; after
 * more than one round, only the two readings limit the time.
 */
export function epochSpan(slot: number, sinceNs: number, untilNs: number): Span {
  const current = Math.floor(untilNs / EPOCH_NS);
  const latest = current - ((((current - slot) % EPOCHS) + EPOCHS) % EPOCHS);
  const startNs = latest * EPOCH_NS;
  const endNs = startNs + EPOCH_NS;
  const previousEndNs = endNs - EPOCHS * EPOCH_NS;
  if (previousEndNs > sinceNs) return { startNs: sinceNs, endNs: untilNs };
  // It was counted at the very end of an epoch and read in the next one, so it happened within the epoch.
  if (endNs <= sinceNs) return { startNs, endNs };
  return { startNs: Math.max(startNs, sinceNs), endNs: Math.min(endNs, untilNs) };
}
