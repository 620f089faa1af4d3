import { describe, expect, it } from 'vitest';
import { findBinding } from '../../../src/view/keys/find-binding.ts';
import { KEY_GROUPS, KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import { viewAfter } from '../fixtures.ts';

describe('key table', () => {
  it('a key has one meaning in each mode', () => {
    const meanings = KEY_TABLE.flatMap(({ modes, keys }) =>
      modes.flatMap((mode) => keys.map((key) => `${mode} ${key}`)),
    );
    const taken = meanings.filter((meaning, i) => meanings.indexOf(meaning) < i);
    expect(taken).toEqual([]);
  });

  it('each key of the key table finds its binding', () => {
    for (const binding of KEY_TABLE)
      for (const mode of binding.modes)
        for (const key of binding.keys) expect(findBinding(mode, key)).toBe(binding);
  });

  it('a key that is not in the key table has no binding', () => {
    expect(findBinding('main', 'ctrl+x')).toBeUndefined();
  });

  it('each group of the help has keys', () => {
    for (const group of KEY_GROUPS)
      expect(KEY_TABLE.some((binding) => binding.group === group)).toBe(true);
  });

  it('the keys that move through time are the same in the picture and in the charts', () => {
    const keys = KEY_TABLE.filter(({ modes, group }) => modes.includes('main') && group === 'Time')
      .flatMap((binding) => binding.keys)
      .filter((key) => key !== '!');
    expect(keys.length).toBeGreaterThan(9);
    for (const key of keys)
      expect([key, findBinding('trend', key)?.action]).toEqual([
        key,
        findBinding('main', key)?.action,
      ]);
  });

  it.each(['main', 'cursor'] as const)('Shift-Tab leads back from where Tab leads: %s', (mode) => {
    const from = { ...DEFAULT_VIEW, mode, cursor: { column: 0, bin: 0 } };
    const [there, back] = ['tab', 'shift+tab'].map((key) => findBinding(mode, key)?.action);
    const away = viewAfter([there!], { from });
    expect(away.focus).not.toBe(from.focus);
    expect(viewAfter([back!], { from: away }).focus).toBe(from.focus);
  });

  it('every mode is left by q, Escape or Ctrl-C', () => {
    expect(findBinding('main', 'q')?.action).toEqual({ type: 'run', what: 'quit' });
    expect(findBinding('main', 'ctrl+c')?.action).toEqual({ type: 'run', what: 'quit' });
    expect(findBinding('help', 'escape')?.action).toEqual({ type: 'close' });
    expect(findBinding('help', 'ctrl+c')?.action).toEqual({ type: 'run', what: 'quit' });
  });
});
