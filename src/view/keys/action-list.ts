import { LAYERS } from '../../model/layer.ts';
import { LAYOUTS, PALETTES } from '../../model/metric.ts';
import type { PersonAction } from '../action.ts';
import { layoutTitle } from '../describe.ts';
import type { Mode } from '../state.ts';
import { KEY_TABLE } from './key-table.ts';

/** One line of the list of all actions. */
export interface ListedAction {
  readonly text: string;
  /** Keys by the names of the key decoder; empty if the action can only be chosen here. */
  readonly keys: readonly string[];
  readonly action: PersonAction;
}

/** Values to which keys get only step by step. */
const DIRECT: readonly ListedAction[] = [
  ...PALETTES.map((palette): ListedAction => ({
    text: `palette: ${palette}`,
    keys: [],
    action: { type: 'setPalette', palette },
  })),
  ...LAYOUTS.map((layout): ListedAction => ({
    text: `layout: ${layoutTitle(layout)}`,
    keys: [],
    action: { type: 'setLayout', layout },
  })),
  ...LAYERS.map((layer): ListedAction => ({
    text: `layer: ${layer}`,
    keys: [],
    action: { type: 'setLayer', layer },
  })),
];

/** These actions are left out, because they would open the list from itself. */
const SELF: readonly PersonAction['type'][] = ['openActions'];

/** The actions of a mode, in the order of the key table. */
export function actionsOf(mode: Mode): readonly ListedAction[] {
  const listed = new Map<string, ListedAction>();
  for (const { modes, description: text, keys, action } of KEY_TABLE) {
    if (!modes.includes(mode) || SELF.includes(action.type)) continue;
    // The help may have two lines for the same action, such as two ways to quit.
    const known = listed.get(text)?.keys ?? [];
    listed.set(text, { text, keys: [...known, ...keys], action });
  }
  return mode === 'main' ? [...listed.values(), ...DIRECT] : [...listed.values()];
}

/**
 * The actions that contain every word of the query, in upper or lower case. The one whose key is the query comes first,
 * then those that start with it.
 */
export function matchingActions(mode: Mode, query: string): readonly ListedAction[] {
  const typed = query.trim();
  const lower = typed.toLowerCase();
  const words = lower.split(/\s+/);
  const rank = ({ text, keys }: ListedAction): number => {
    if (keys.includes(typed)) return 0;
    if (text.toLowerCase().startsWith(lower)) return 1;
    return words.every((word) => text.toLowerCase().includes(word)) ? 2 : 3;
  };
  const ranked = actionsOf(mode).map((one) => ({ one, rank: rank(one) }));
  const matching = ranked.filter((entry) => entry.rank < 3).sort((a, b) => a.rank - b.rank);
  return matching.map(({ one }) => one);
}
