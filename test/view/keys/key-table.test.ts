import { describe, expect, it } from 'vitest';
import { findBinding } from '../../../src/view/keys/find-binding.ts';
import { KEY_GROUPS, KEY_TABLE } from '../../../src/view/keys/key-table.ts';

describe('key table', () => {
  it('gives a key one meaning in each mode', () => {
    const meanings = KEY_TABLE.flatMap(({ modes, keys }) =>
      modes.flatMap((mode) => keys.map((key) => `${mode} ${key}`)),
    );
    expect(meanings).toHaveLength(new Set(meanings).size);
  });

  it('finds every binding by each of its keys', () => {
    for (const binding of KEY_TABLE)
      for (const mode of binding.modes)
        for (const key of binding.keys) expect(findBinding(mode, key)).toBe(binding);
  });

  it('knows nothing of a key that is not in the table', () => {
    expect(findBinding('main', 'ctrl+x')).toBeUndefined();
  });

  it('has a binding in every group of the help', () => {
    for (const group of KEY_GROUPS)
      expect(KEY_TABLE.some((binding) => binding.group === group)).toBe(true);
  });

  it('moves through time by the same keys in the picture and in the view over time', () => {
    const keys = KEY_TABLE.filter(({ modes, group }) => modes.includes('main') && group === 'Time')
      .flatMap((binding) => binding.keys)
      .filter((key) => key !== '!');
    expect(keys.length).toBeGreaterThan(9);
    for (const key of keys)
      expect(findBinding('trend', key)?.action).toEqual(findBinding('main', key)?.action);
  });

  it('leaves every mode by q, Escape or Ctrl-C', () => {
    expect(findBinding('main', 'q')?.action).toEqual({ type: 'run', what: 'quit' });
    expect(findBinding('main', 'ctrl+c')?.action).toEqual({ type: 'run', what: 'quit' });
    expect(findBinding('help', 'escape')?.action).toEqual({ type: 'close' });
    expect(findBinding('help', 'ctrl+c')?.action).toEqual({ type: 'run', what: 'quit' });
  });
});
