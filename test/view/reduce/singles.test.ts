import { describe, expect, test } from 'vitest';
import type { Action } from '../../../src/view/action.ts';
import { viewAfter } from '../fixtures.ts';

const OPEN: Action = { type: 'openSingles' };
const UP: Action = { type: 'moveSingle', by: 'rowBack' };
const EXPLAIN: Action = { type: 'explainSingle' };
const CLOSE: Action = { type: 'close' };
const LISTED = { world: { list: { rows: 5, height: 3 } } };

describe('the list of single I/Os', () => {
  test('the list of single I/Os follows until a row is chosen, and stands still under it', () => {
    expect(viewAfter([OPEN], LISTED)).toMatchObject({
      singlesBack: undefined,
      frozenAtNs: undefined,
    });
    const chosen = viewAfter([OPEN, UP], LISTED);
    expect(chosen.singlesBack).toBe(0);
    expect(chosen.frozenAtNs).toBeDefined();
  });

  test('the list of single I/Os is counted from the last row, and ends at the first', () => {
    const step = (by: 'page' | 'pageBack' | 'start' | 'end'): Action => ({
      type: 'moveSingle',
      by,
    });
    expect(viewAfter([OPEN, UP, UP, UP], LISTED).singlesBack).toBe(2);
    expect(viewAfter([OPEN, step('start'), UP], LISTED).singlesBack).toBe(4);
    expect(viewAfter([OPEN, step('start'), step('end')], LISTED).singlesBack).toBe(0);
    expect(viewAfter([OPEN, step('start'), step('page')], LISTED).singlesBack).toBe(2);
  });

  test('the list of single I/Os explains the chosen row, or the last one, and comes back to it', () => {
    expect(viewAfter([OPEN, EXPLAIN], LISTED)).toMatchObject({ mode: 'explain', singlesBack: 0 });
    const explained = viewAfter([OPEN, UP, UP, EXPLAIN], LISTED);
    expect(explained).toMatchObject({ mode: 'explain', singlesBack: 1 });
    const back = viewAfter([CLOSE], { ...LISTED, from: explained });
    expect(back).toMatchObject({ mode: 'singles', singlesBack: 1 });
  });

  test('the list of single I/Os lets the picture follow again when it is closed, unless that stood still before', () => {
    const closed = viewAfter([OPEN, UP, CLOSE], LISTED);
    expect(closed).toMatchObject({ mode: 'main', frozenAtNs: undefined, heldForCursor: false });
    const frozen = viewAfter([{ type: 'togglePause' }], LISTED);
    const still = viewAfter([OPEN, UP, CLOSE], { ...LISTED, from: frozen });
    expect(still.frozenAtNs).toBe(frozen.frozenAtNs);
    expect(still.frozenAtNs).toBeDefined();
  });

  test('the list of single I/Os says that it is empty when there is nothing to choose', () => {
    const empty = { world: { list: { rows: 0, height: 3 } } };
    expect(viewAfter([OPEN, UP], empty).notice).toBe('the list is empty');
    expect(viewAfter([OPEN, EXPLAIN], empty)).toMatchObject({ mode: 'singles' });
  });
});
