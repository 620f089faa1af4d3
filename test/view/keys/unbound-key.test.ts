import { expect, test } from 'vitest';
import { unboundKey } from '../../../src/view/keys/unbound-key.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { Mode, ViewState } from '../../../src/view/state.ts';
import { viewAfter } from '../fixtures.ts';

function pressed(key: string, mode: Mode): ViewState {
  return viewAfter([unboundKey(mode, key)], { from: { ...DEFAULT_VIEW, mode } });
}

test('a key without a meaning says so, and how to see those that have one', () => {
  expect(pressed('b', 'main').notice).toBe('b does nothing here; ?: help');
  expect(pressed('ctrl+alt+up', 'cursor').notice).toBe('Ctrl-Alt-Up does nothing here; ?: help');
  expect(pressed('b', 'inFlight').notice).toBe('b does nothing here; ?: help');
  expect(pressed('b', 'help').notice).toBe('b does nothing here');
});

test('a key that would be drawn as a question mark is not taken for the key of the help', () => {
  expect(pressed('日', 'main').notice).toBe('this key does nothing here; ?: help');
  expect(pressed('é', 'main').notice).toBe('é does nothing here; ?: help');
});

test('a key of the main screen says elsewhere how to get there', () => {
  for (const mode of ['cursor', 'inFlight', 'card'] as const)
    expect(pressed('5', mode).notice).toBe('5 does nothing here; Esc first');
});

test('the note about a key passes by itself, and at the next key', () => {
  const noted = viewAfter([{ type: 'openCursor' }, unboundKey('cursor', '+')]);
  expect(noted.passing?.notice).toBe(noted.notice);
  const moved = viewAfter([{ type: 'moveCursor', columns: 1, bins: 0 }], { from: noted });
  expect(moved.notice).toBeUndefined();
});
