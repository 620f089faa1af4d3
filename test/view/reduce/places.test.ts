import { describe, expect, test } from 'vitest';
import { term } from '../../../src/filter/filter.ts';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { rowAt, viewAfter } from '../fixtures.ts';

const metric = { type: 'setMetric', metric: 'offset' } as const;
const filter = { type: 'filterByRow' } as const;
const back = { type: 'goBack' } as const;
const forward = { type: 'goForward' } as const;

describe('back and forward', () => {
  test('go through metrics, filters and layouts in the order in which they were looked at', () => {
    const there = viewAfter([metric, filter, { type: 'cycleLayout' }]);
    const seen = [0, 1, 2].map((steps) => {
      const view = viewAfter(
        Array.from({ length: steps + 1 }, () => back),
        { from: there },
      );
      return [view.layout, view.metric, formatFilter(view.filter)];
    });
    expect(seen).toEqual([
      ['single', 'offset', 'pid=892 disk=sda'],
      ['single', 'offset', ''],
      ['single', 'total', ''],
    ]);
    const again = viewAfter([back, back, back, forward, forward, forward], { from: there });
    expect(again).toMatchObject({ layout: there.layout, metric: there.metric });
    expect(formatFilter(again.filter)).toBe('pid=892 disk=sda');
  });

  test('a new view after going back replaces those that lay forward', () => {
    const view = viewAfter([metric, back, { type: 'setMetric', metric: 'size' }, forward]);
    expect(view).toMatchObject({ metric: 'size', notice: 'no later view' });
  });

  test('the first view has nothing before it', () => {
    expect(viewAfter([back])).toMatchObject({ metric: 'total', notice: 'no earlier view' });
  });

  test('scrolling is not a view, but a jump to another time is', () => {
    const scrolled = viewAfter([{ type: 'scrollTime', by: 'earlier' }]);
    expect(scrolled.back).toEqual([]);
    const found = viewAfter([{ type: 'goToSlowest' }]);
    const view = viewAfter([back], { from: found });
    expect(view).toMatchObject({ mode: 'main', cursor: undefined, frozenAtNs: undefined });
  });

  test('another filter has other rows: none of them stays selected', () => {
    const filtered = viewAfter([filter]);
    const there = { ...filtered, processRow: rowAt(2), diskRow: rowAt(1) };
    expect(viewAfter([back], { from: there })).toMatchObject({
      processRow: undefined,
      diskRow: undefined,
    });
    const same = viewAfter([metric], { from: { ...viewAfter([]), processRow: rowAt(2) } });
    expect(viewAfter([back], { from: same }).processRow).toEqual(rowAt(2));
  });

  test('a filter that going back removed comes back with the key that undoes the last change', () => {
    const there = viewAfter([filter, back, { type: 'undoFilter' }]);
    expect(formatFilter(there.filter)).toBe('pid=892 disk=sda');
    const again = viewAfter([{ type: 'undoFilter' }], { from: there });
    expect(formatFilter(again.filter)).toBe('');
  });

  test('a highlight and a zoom are views of their own', () => {
    const lit = viewAfter([{ type: 'highlightTerm', term: term('op', '=', 'read') }]);
    expect(viewAfter([back], { from: lit }).highlight.kind).toBe('everything');
    const zoomed = viewAfter([{ type: 'openCursor' }, { type: 'zoomToBox' }]);
    expect(zoomed.valueRange).toBeDefined();
    expect(viewAfter([back], { from: zoomed }).valueRange).toBeUndefined();
  });
});
