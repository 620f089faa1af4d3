import type { ViewState } from './state.ts';

/** A box, the frozen window, or the whole history. */
export type SavedPart = 'box' | 'window' | 'everything';

/** What saving applies to: the box under the cross-hair, else the frozen window, else everything. */
export function savedPart(
  view: Pick<ViewState, 'promptFor' | 'cursor' | 'drillDown' | 'frozenAtNs'>,
): SavedPart {
  const { promptFor, cursor, drillDown, frozenAtNs } = view;
  const isAtBox = promptFor === 'cursor' || promptFor === 'drillDown';
  if (isAtBox && (drillDown ?? cursor) !== undefined) return 'box';
  return frozenAtNs === undefined ? 'everything' : 'window';
}
