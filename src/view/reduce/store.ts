import type { Action } from '../action.ts';
import type { Effect } from '../effect.ts';
import type { Facts } from '../facts.ts';
import { reduce } from './reduce.ts';
import type { ViewState } from '../state.ts';

/** The environment of the view. */
export interface StoreWorld {
  /** The facts for an action on this view. */
  facts(state: ViewState): Facts;
  /** Does or computes an effect; its answer is dispatched before the next action. */
  perform(effect: Effect, state: ViewState): Action | undefined;
  /** Called for every change, in order; the actions it returns are dispatched next. */
  changed(before: ViewState, after: ViewState, action: Action): readonly Action[];
}

/** Owns the view: every change is an action dispatched here, one after the other. */
export class ViewStore {
  constructor(
    private current: ViewState,
    private readonly world: StoreWorld,
  ) {}

  get state(): ViewState {
    return this.current;
  }

  dispatch(action: Action): void {
    const waiting: Action[] = [action];
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const before = this.current;
      const { state, effects } = reduce(before, next, this.world.facts(before));
      this.current = state;
      if (state !== before) waiting.push(...this.world.changed(before, state, next));
      for (const effect of effects) {
        const answer = this.world.perform(effect, this.current);
        if (answer !== undefined) waiting.push(answer);
      }
    }
  }
}
