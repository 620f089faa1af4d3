import { describe, expect, test } from 'vitest';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import { viewAfter } from '../fixtures.ts';

describe('the card of the selected row', () => {
  test('the card of the selected row opens over the picture, and closes to the main screen', () => {
    const open = viewAfter([{ type: 'openCard' }]);
    expect(open).toMatchObject({ mode: 'card', card: { title: 'mysqld (892)' } });
    const closed = viewAfter([{ type: 'close' }], { from: open });
    expect(closed).toMatchObject({ mode: 'main', card: undefined });
  });

  test('the card of the selected row opens over the cross-hair, too, and closes to it', () => {
    const from = { ...DEFAULT_VIEW, mode: 'cursor', cursor: { column: 3, bin: 2 } } as const;
    const open = viewAfter([{ type: 'openCard' }], { from });
    expect(open.mode).toBe('card');
    const closed = viewAfter([{ type: 'close' }], { from: open });
    expect(closed).toMatchObject({ mode: 'cursor', cursor: from.cursor });
    const filtered = viewAfter([{ type: 'filterByCard' }], { from: open });
    expect(filtered).toMatchObject({ mode: 'cursor', cursor: from.cursor });
  });

  test('the card of the selected row says what to select when the row is not one process or disk', () => {
    const view = viewAfter([{ type: 'openCard' }], { world: { card: undefined } });
    expect(view.mode).toBe('main');
    expect(view.notice).toBe('select one process, cgroup, file or disk, with ↑ and ↓');
    const selected = { ...DEFAULT_VIEW, processRow: { id: 'a', place: 0 } };
    const none = viewAfter([{ type: 'openCard' }], { from: selected, world: { card: undefined } });
    expect(none.notice).toBe('this row is not one process, cgroup, file or disk');
    const from = { ...DEFAULT_VIEW, mode: 'cursor', cursor: { column: 3, bin: 2 } } as const;
    const empty = viewAfter([{ type: 'openCard' }], { from, world: { card: undefined } });
    expect(empty.notice).toBe('nothing under the cross-hair has a card');
  });

  test('the card of the selected row filters by what it was opened for, whatever row is there by now', () => {
    const open = viewAfter([{ type: 'openCard' }]);
    const world = { rowTerms: undefined };
    const view = viewAfter([{ type: 'filterByCard' }], { from: open, world });
    expect(formatFilter(view.filter)).toBe('pid=892');
    expect(view).toMatchObject({ mode: 'main', card: undefined });
  });
});
