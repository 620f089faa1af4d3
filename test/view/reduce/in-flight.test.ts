import { describe, expect, test } from 'vitest';
import { NO_FILTER, term } from '../../../src/filter/filter.ts';
import type { Action } from '../../../src/view/action.ts';
import { actionOf } from '../../../src/view/keys/find-binding.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import { rowAt, ViewOf, viewAfter, WORLD } from '../fixtures.ts';

const OPEN: Action = { type: 'openInFlight' };
const DOWN: Action = { type: 'moveRow', by: 'row' };
const END: Action = { type: 'moveRow', by: 'end' };
const ENTER: Action = { type: 'filterByRow' };
const click = (place: number): Action => ({ type: 'pointAtRow', row: rowAt(place) });
const OF_PROCESS = { world: { rowTerms: [term('pid', '=', 892)] } };

function listOf(...rowIds: string[]): ViewOf {
  return new ViewOf(DEFAULT_VIEW, { ...WORLD, rowIds }).do(OPEN);
}

describe('the list of I/Os in flight', () => {
  test('the list of I/Os in flight selects no row until a key does, and then leaves the tables alone', () => {
    const table = viewAfter([DOWN, DOWN]);
    const list = viewAfter([OPEN], { from: table });
    expect(list.inFlightRow).toBeUndefined();
    const moved = viewAfter([DOWN, END], { from: list });
    expect(moved).toMatchObject({ inFlightRow: rowAt(29), processRow: rowAt(1) });
    expect(viewAfter([{ type: 'close' }, OPEN], { from: moved }).inFlightRow).toBeUndefined();
  });

  test('the first key in the list of I/Os in flight selects the oldest, and End the youngest', () => {
    expect(viewAfter([OPEN, DOWN]).inFlightRow).toEqual(rowAt(0));
    expect(viewAfter([OPEN, END]).inFlightRow).toEqual(rowAt(29));
  });

  test('the selection in the list of I/Os in flight stays on its row, and keys go on from where that is now', () => {
    const view = listOf('a', 'b', 'c', 'd').do(DOWN, DOWN, DOWN);
    expect(view.state.inFlightRow?.id).toBe('c');
    view.world = { ...view.world, rowIds: ['b', 'c', 'd', 'e'] };
    expect(view.do(DOWN).state.inFlightRow).toMatchObject({ id: 'd', place: 2 });
  });

  test('a selected I/O that has ended is not replaced by another, and keys go on from its place', () => {
    const view = listOf('a', 'b', 'c').do(DOWN, DOWN);
    view.world = { ...view.world, rowIds: ['a', 'c', 'd'] };
    expect(view.do(ENTER).state).toMatchObject({
      mode: 'inFlight',
      filter: NO_FILTER,
      notice: 'the selected I/O is no longer in flight; ↑ and ↓ select another',
    });
    expect(view.do(DOWN).state.inFlightRow).toMatchObject({ id: 'd', place: 2 });
  });

  test('Enter in the list of I/Os in flight shows only the process of the selected I/O, and closes the list', () => {
    const { mode, filter } = viewAfter([OPEN, DOWN, ENTER], OF_PROCESS);
    expect([mode, filter]).toEqual(['main', term('pid', '=', 892)]);
    expect(viewAfter([OPEN, ENTER], { world: { rowTerms: undefined } })).toMatchObject({
      mode: 'inFlight',
      notice: 'select a row first, with ↑ and ↓',
    });
    expect(viewAfter([OPEN, DOWN, ENTER], { world: { rowTerms: undefined } })).toMatchObject({
      mode: 'inFlight',
      notice: 'no known process to filter by',
    });
  });

  test('Enter takes the only I/O in flight without a selection, and none of several', () => {
    const world = { ...WORLD, rowIds: ['a'] };
    const view = new ViewOf(DEFAULT_VIEW, { ...world, ...OF_PROCESS.world }).do(OPEN, ENTER);
    expect(view.state).toMatchObject({ mode: 'main', filter: term('pid', '=', 892) });
    const unknown = new ViewOf(DEFAULT_VIEW, { ...world, rowTerms: undefined }).do(OPEN, ENTER);
    expect(unknown.state).toMatchObject({
      mode: 'inFlight',
      inFlightRow: { id: 'a', place: 0 },
      notice: 'no known process to filter by',
    });
    expect(listOf('a', 'b').do(ENTER).state.inFlightRow).toBeUndefined();
  });

  test('the list of I/Os in flight opens from the cross-hair, and leaves it where it was', () => {
    const cursor = { column: 3, bin: 2 };
    const from = { ...DEFAULT_VIEW, mode: 'cursor', cursor, frozenAtNs: 60e9 } as const;
    expect(actionOf('cursor', 'I')).toEqual(OPEN);
    const list = viewAfter([OPEN], { from });
    expect(list).toMatchObject({ mode: 'inFlight', cursor });
    expect(viewAfter([{ type: 'close' }], { from: list })).toMatchObject({
      mode: 'cursor',
      cursor,
    });
    const filtered = viewAfter([DOWN, ENTER], { ...OF_PROCESS, from: list });
    expect(filtered).toMatchObject({ mode: 'cursor', filter: term('pid', '=', 892) });
  });

  test('a click in the list of I/Os in flight selects its row, and a second one does what Enter does', () => {
    const clicked = viewAfter([OPEN, click(2)], OF_PROCESS);
    expect(clicked).toMatchObject({
      inFlightRow: rowAt(2),
      notice: 'click again, or Enter, to show only its process',
    });
    expect(viewAfter([click(1)], { ...OF_PROCESS, from: clicked })).toMatchObject({
      mode: 'inFlight',
      inFlightRow: rowAt(1),
    });
    expect(viewAfter([click(2)], { ...OF_PROCESS, from: clicked })).toMatchObject({
      mode: 'main',
      filter: term('pid', '=', 892),
    });
  });

  test('the list of I/Os in flight says that it is empty when there is nothing to select', () => {
    expect(listOf().do(DOWN).state).toMatchObject({ notice: 'the list is empty' });
    expect(listOf().do(ENTER).state).toMatchObject({ notice: 'the list is empty' });
  });
});
