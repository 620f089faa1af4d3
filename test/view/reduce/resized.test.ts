import { describe, expect, it } from 'vitest';
import { reduce } from '../../../src/view/reduce/reduce.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';
import { WORLD } from '../fixtures.ts';

const BEFORE = { columns: 100, bins: 40 };

function resized(view: Partial<ViewState>, columns: number, bins: number): ViewState {
  const state = { ...DEFAULT_VIEW, mode: 'cursor', ...view } as const;
  const action = { type: 'resized', before: BEFORE } as const;
  return reduce(state, action, { ...WORLD, columns, bins }).state;
}

describe('a cross-hair in a picture of another size', () => {
  it('a cross-hair in a picture of another size stays at its time, which is counted from the right edge, and at its value', () => {
    const view = resized({ cursor: { column: 90, bin: 20 } }, 60, 20);
    expect(view.cursor).toEqual({ column: 50, bin: 10 });
  });

  it('a cross-hair in a picture of another size takes the other corner of its box along', () => {
    const box = { cursor: { column: 90, bin: 20 }, anchor: { column: 70, bin: 0 } };
    expect(resized(box, 180, 80).anchor).toEqual({ column: 150, bin: 1 });
  });

  it('a cross-hair in a picture of another size goes to the left edge where its time is no longer shown', () => {
    expect(resized({ cursor: { column: 10, bin: 20 } }, 60, 40).cursor?.column).toBe(0);
  });

  it('a cross-hair in a picture of another size stays in the row of outliers', () => {
    expect(resized({ cursor: { column: 90, bin: 40 } }, 100, 12).cursor?.bin).toBe(12);
  });

  it('a cross-hair in a picture of another size stays at its size or offset where these are the columns', () => {
    const view = resized({ layout: 'size-latency', cursor: { column: 50, bin: 0 } }, 50, 40);
    expect(view.cursor?.column).toBe(25);
  });
});
