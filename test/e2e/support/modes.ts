import { actionOf } from '../../../src/view/keys/find-binding.ts';
import { KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import type { KeyBinding } from '../../../src/view/keys/key-table.ts';
import type { Mode } from '../../../src/view/state.ts';

/** Keys that lead from the main screen into each mode that can be reached: the table, walked. */
export function waysIntoModes(): ReadonlyMap<Mode, readonly string[]> {
  const ways = new Map<Mode, readonly string[]>([['main', []]]);
  // A map is walked in the order in which it grows, so each way is a shortest one.
  for (const [mode, way] of ways) {
    for (const binding of KEY_TABLE.filter(({ modes }) => modes.includes(mode))) {
      const next = openedMode(binding);
      if (next !== undefined && !ways.has(next)) ways.set(next, [...way, binding.keys[0]!]);
    }
  }
  return ways;
}

const KNOWN_MODES = new Set(KEY_TABLE.flatMap(({ modes }) => modes));

/** The action that opens a mode is named after it: `openHelp`. */
function openedMode({ action }: KeyBinding): Mode | undefined {
  const name = /^open([A-Z].*)$/.exec(action.type)?.[1]?.toLowerCase();
  return [...KNOWN_MODES].find((mode) => mode.toLowerCase() === name);
}

export const ALL_KEYS: readonly string[] = [...new Set(KEY_TABLE.flatMap(({ keys }) => keys))];

/** Keys with a meaning in the mode, except those after which there is no screen to look at. */
export function keysOf(mode: Mode): readonly string[] {
  return ALL_KEYS.filter((key) => {
    const action = actionOf(mode, key);
    if (action === undefined) return false;
    return action.type !== 'run' || !['quit', 'suspend'].includes(action.what);
  });
}
