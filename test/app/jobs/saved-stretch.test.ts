import { expect, test } from 'vitest';
import { stretchToSave } from '../../../src/app/jobs/saved-stretch.ts';
import type { Box } from '../../../src/filter/box.ts';
import { term } from '../../../src/filter/filter.ts';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';

const BOX: Box = { metric: 'size', startNs: 3e9, endNs: 4e9, low: 4096, high: 8192 };
const history = { startNs: 1e9, observedFromNs: 0, endNs: 9e9 };
const picture = { columns: 5, boxOf: () => BOX };

function stretch(changes: Partial<ViewState>) {
  const { startNs, endNs, filter } = stretchToSave(
    { ...DEFAULT_VIEW, ...changes },
    picture,
    history,
  );
  return [startNs, endNs, formatFilter(filter)];
}

test('saving covers the whole history while the picture follows', () => {
  expect(stretch({})).toEqual([1e9, 9e9 + 1, '']);
});

test('saving covers the window on the screen while it is frozen', () => {
  expect(stretch({ frozenAtNs: 8e9 })).toEqual([3e9, 8e9, '']);
});

test('saving covers the box under the cross-hair, with its values', () => {
  const cursor = { column: 1, bin: 2 };
  expect(stretch({ promptFor: 'cursor', cursor, frozenAtNs: 8e9 })).toEqual([
    ...[3e9, 4e9],
    'size>=4k size<8k',
  ]);
  expect(stretch({ promptFor: 'drillDown', cursor, drillDown: { ...BOX, endNs: 5e9 } })[1]).toBe(
    5e9,
  );
});

test('saving covers no time before the trace or after the present, of which the recording would claim that nothing happened', () => {
  expect(stretch({ frozenAtNs: 2e9 })).toEqual([0, 2e9, '']);
  const drillDown = { ...BOX, startNs: -5e9, endNs: 60e9 };
  expect(stretch({ promptFor: 'drillDown', drillDown }).slice(0, 2)).toEqual([0, 9e9 + 1]);
  expect(stretch({ promptFor: 'drillDown', drillDown, frozenAtNs: 20e9 })[1]).toBe(20e9);
});

test('saving covers only what passes the filter', () => {
  expect(stretch({ filter: term('disk', '=', 'sda') })[2]).toBe('disk=sda');
});
