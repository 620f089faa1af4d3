import { describe, expect, test } from 'vitest';
import type { Action } from '../../../src/view/action.ts';
import { actionsOf, matchingActions } from '../../../src/view/keys/action-list.ts';
import { KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import { viewAfter } from '../fixtures.ts';

function typed(text: string): Action[] {
  return Array.from(text, (key) => ({ type: 'edit', key }));
}

describe('the list of all actions', () => {
  test('the list of all actions has every key of the main screen but its own, and choices that have no key', () => {
    const texts = actionsOf('main').map(({ text }) => text);
    for (const { modes, description, action } of KEY_TABLE)
      if (modes.includes('main') && action.type !== 'openActions')
        expect(texts).toContain(description);
    expect(texts).toContain('palette: colorblind');
    expect(texts).toContain('layout: size × latency');
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('the list of all actions is narrowed by words in any order, or by a key', () => {
    const texts = (query: string) => matchingActions('main', query).map(({ text }) => text);
    expect(texts('PAL color')).toEqual(['palette: colorblind']);
    expect(texts('c')[0]).toBe('next palette');
    expect(texts('no such thing')).toEqual([]);
  });

  test('the list of all actions does what the key would do, in the mode that it was opened from', () => {
    const open = viewAfter([{ type: 'openActions' }]);
    expect(open).toMatchObject({ mode: 'actions', actions: { row: 0, of: 'main' } });
    const chosen = viewAfter([...typed('pal color'), { type: 'submit' }], { from: open });
    expect(chosen).toMatchObject({ mode: 'main', actions: undefined, palette: 'colorblind' });
    expect(chosen.notice).toContain('colorblind');
    const lanes = viewAfter([...typed('layout: disks'), { type: 'submit' }], { from: open });
    expect(lanes).toMatchObject({ layout: 'disks', metric: 'total' });
    const help = viewAfter([...typed('this help'), { type: 'submit' }], { from: open });
    expect(help).toMatchObject({ mode: 'help', helpFor: 'main' });
    const cursor = viewAfter([{ type: 'openCursor' }, { type: 'openActions' }]);
    const home = viewAfter([...typed('left edge'), { type: 'submit' }], { from: cursor });
    expect(home).toMatchObject({ mode: 'cursor', cursor: { column: 0 } });
  });

  test('the list of all actions stays open when nothing matches, and closes with Escape to where it was opened', () => {
    const from = viewAfter([{ type: 'openCursor' }, { type: 'openActions' }]);
    const world = { list: { rows: 0, height: 10 } };
    expect(viewAfter([{ type: 'submit' }], { from, world }).mode).toBe('actions');
    expect(viewAfter([{ type: 'close' }], { from })).toMatchObject({ mode: 'cursor' });
  });

  test('the list of all actions moves through the rows, and typing starts at the first again', () => {
    const from = viewAfter([
      { type: 'openActions' },
      { type: 'moveAction', by: 'row' },
      { type: 'moveAction', by: 'page' },
    ]);
    expect(from.actions?.row).toBe(10);
    expect(viewAfter(typed('p'), { from }).actions).toMatchObject({ row: 0, query: { text: 'p' } });
  });
});
