import type { Action } from '../action.ts';
import type { Facts } from '../facts.ts';
import type { ViewState } from '../state.ts';
import { ACTION_HANDLERS } from './actions.ts';
import { BURST_HANDLERS } from './bursts.ts';
import { CARD_HANDLERS } from './card.ts';
import { COLUMN_HANDLERS } from './columns.ts';
import { CURSOR_HANDLERS } from './cursor.ts';
import { FILTER_HANDLERS } from './filter.ts';
import { FIND_HANDLERS } from './find.ts';
import { HIGHLIGHT_HANDLERS } from './highlight.ts';
import { LAYER_HANDLERS } from './layers.ts';
import { LAYOUT_HANDLERS } from './layout.ts';
import { MAP_HANDLERS } from './maps.ts';
import { NOTE_HANDLERS } from './notes.ts';
import { PICK_HANDLERS } from './pick.ts';
import { PLACE_HANDLERS, remember } from './places.ts';
import { POINTER_HANDLERS } from './pointer.ts';
import { PROMPT_HANDLERS } from './prompts.ts';
import { stopSeeking } from './seeking.ts';
import { SINGLE_HANDLERS } from './singles.ts';
import { SLOWEST_HANDLERS } from './slowest.ts';
import type { Handlers, Step } from './step.ts';
import { TABLE_HANDLERS } from './tables.ts';
import { TEXT_HANDLERS } from './text.ts';
import { TIME_HANDLERS } from './time.ts';

const HANDLERS: Handlers = {
  ...LAYOUT_HANDLERS,
  ...LAYER_HANDLERS,
  ...TIME_HANDLERS,
  ...TABLE_HANDLERS,
  ...COLUMN_HANDLERS,
  ...CARD_HANDLERS,
  ...ACTION_HANDLERS,
  ...PLACE_HANDLERS,
  ...FIND_HANDLERS,
  ...FILTER_HANDLERS,
  ...HIGHLIGHT_HANDLERS,
  ...PICK_HANDLERS,
  ...CURSOR_HANDLERS,
  ...MAP_HANDLERS,
  ...SLOWEST_HANDLERS,
  ...SINGLE_HANDLERS,
  ...BURST_HANDLERS,
  ...POINTER_HANDLERS,
  ...PROMPT_HANDLERS,
  ...NOTE_HANDLERS,
  ...TEXT_HANDLERS,
};

/**
 * The only way in which a view changes. Pure: no clock, no input or output, no counting. What must be
 * counted or done is in the effects of the step.
 */
export function reduce(state: ViewState, action: Action, facts: Facts): Step {
  // Each handler takes the action of its own key.
  const handler = HANDLERS[action.type] as (
    state: ViewState,
    action: Action,
    facts: Facts,
  ) => ViewState | Step;
  const next = handler(stopSeeking(state, action, facts), action, facts);
  const { state: after, effects } = 'effects' in next ? next : { state: next, effects: [] };
  return { state: remember(state, after, action), effects };
}
