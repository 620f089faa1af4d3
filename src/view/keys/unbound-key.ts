import { sanitizeText } from '../../base/sanitize.ts';
import type { Action } from '../action.ts';
import type { Mode } from '../state.ts';
import { findBinding } from './find-binding.ts';
import { keyCap } from './key-caps.ts';

/** A key without an action shows a notice, because without any answer the program would seem to hang. */
export function unboundKey(mode: Mode, key: string): Action {
  const notice = `${shownName(key)} does nothing here${advice(mode, key)}`;
  return { type: 'notify', notice, passes: true };
}

/** A character that cannot be drawn would be shown as `?`, which is the key of the help. */
function shownName(key: string): string {
  const name = keyCap(key);
  return sanitizeText(name) === name ? name : 'this key';
}

/** Says how to get to where the key works, or to the list of keys that do. */
function advice(mode: Mode, key: string): string {
  if (mode !== 'main' && findBinding('main', key) !== undefined) return '; Esc first';
  return findBinding(mode, '?')?.action.type === 'openHelp' ? '; ?: help' : '';
}
