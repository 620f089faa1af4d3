import type { PersonAction } from '../action.ts';
import type { Mode } from '../state.ts';
import { KEY_TABLE } from './key-table.ts';
import type { KeyBinding } from './key-table.ts';

/** In these modes, keys that are not bound type text. */
const TEXT_MODES: readonly Mode[] = [
  'goto',
  'filter',
  'pick',
  'actions',
  'find',
  'export',
  'record',
  'save',
  'note',
];

/** The action of a key in a mode; undefined if it has none. */
export function actionOf(mode: Mode, key: string): PersonAction | undefined {
  const bound = findBinding(mode, key)?.action;
  if (bound !== undefined || !TEXT_MODES.includes(mode)) return bound;
  return { type: 'edit', key };
}

const BY_MODE = indexKeys(KEY_TABLE);

export function findBinding(mode: Mode, key: string): KeyBinding | undefined {
  return BY_MODE.get(`${mode} ${key}`);
}

function indexKeys(table: readonly KeyBinding[]): Map<string, KeyBinding> {
  const index = new Map<string, KeyBinding>();
  for (const binding of table)
    for (const mode of binding.modes)
      for (const key of binding.keys) index.set(`${mode} ${key}`, binding);
  return index;
}
