import type { ActionOf } from '../action.ts';
import { modeOfPicture, selectionOf } from '../state.ts';
import type { ViewState } from '../state.ts';
import { filterByTerms } from './filter.ts';
import { askingOfRow } from './selection.ts';
import { asking } from './step.ts';
import type { Handlers } from './step.ts';

/** The card of a process or disk. */
export const CARD_HANDLERS: Handlers<'openCard' | 'cardRead' | 'filterByCard'> = {
  openCard: (state, _, facts) =>
    state.cursor === undefined
      ? askingOfRow(state, { type: 'readCard' }, facts)
      : asking(state, { type: 'readCard' }),
  cardRead,
  filterByCard: (state) =>
    state.card === undefined
      ? state
      : filterByTerms({ ...state, ...belowCard(state) }, state.card.terms),
};

function cardRead(state: ViewState, { card }: ActionOf<'cardRead'>): ViewState {
  if (card === undefined) return { ...state, notice: noCardText(state) };
  return { ...state, mode: 'card', card, notice: undefined };
}

function noCardText(state: ViewState): string {
  if (state.cursor !== undefined) return 'nothing under the cross-hair has a card';
  return selectionOf(state) === undefined
    ? 'select one process, cgroup, file or disk, with ↑ and ↓'
    : 'this row is not one process, cgroup, file or disk';
}

/** The view without the card: the cross-hair is still where it was when the card was opened. */
export function belowCard({ cursor }: Pick<ViewState, 'cursor'>): Pick<ViewState, 'mode' | 'card'> {
  return { mode: modeOfPicture({ cursor }), card: undefined };
}
