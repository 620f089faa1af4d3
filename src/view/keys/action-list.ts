import { LAYERS } from '../../model/layer.ts';
import { LAYOUTS, PALETTES } from '../../model/metric.ts';
import type { PersonAction } from '../action.ts';
import { layoutTitle } from '../describe.ts';
import type { Mode } from '../state.ts';
import { KEY_TABLE } from './key-table.ts';

/** One line of the list of all actions. */
export interface ListedAction {
  readonly text: string;
  /** As the key decoder names them; empty where it can only be chosen here. */
  readonly keys: readonly string[];
  readonly action: PersonAction;
}

/** What keys reach only step by step. */
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

/** Actions that move in the list itself would only close it. */
const SELF: readonly PersonAction['type'][] = ['openActions'];

/** What can be done in a mode, in the order of the key table. */
export function actionsOf(mode: Mode): readonly ListedAction[] {
  const listed = new Map<string, ListedAction>();
  for (const { modes, description: text, keys, action } of KEY_TABLE) {
    if (!modes.includes(mode) || SELF.includes(action.type)) continue;
    // Two lines of the help for the same action, such as two ways to quit.
    const known = listed.get(text)?.keys ?? [];
    listed.set(text, { text, keys: [...known, ...keys], action });
  }
  return mode === 'main' ? [...listed.values(), ...DIRECT] : [...listed.values()];
}

/**
 * Those that contain every word of the query, in any case: first the one that has it as its key, then those that
 * start with it.
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
