import type { Action, ActionOf } from '../action.ts';
import type { Effect } from '../effect.ts';
import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';

/** The view after an action, and what has to be done or computed. */
export interface Step {
  readonly state: ViewState;
  readonly effects: readonly Effect[];
}

type Handler<Type extends Action['type']> = (
  state: ViewState,
  action: ActionOf<Type>,
  facts: Facts,
) => ViewState | Step;

/** What an action does to the view: one handler for each type. */
export type Handlers<Type extends Action['type'] = Action['type']> = {
  readonly [Each in Type]: Handler<Each>;
};

export function asking(state: ViewState, ...effects: readonly Effect[]): Step {
  return { state, effects };
}
