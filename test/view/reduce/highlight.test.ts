import { describe, expect, test } from 'vitest';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { term } from '../../../src/filter/filter.ts';
import { rowAt, viewAfter } from '../fixtures.ts';

describe('the highlight', () => {
  test('the highlight is that of the selected row, and leaves the filter as it is', () => {
    const view = viewAfter([{ type: 'highlightRow' }]);
    expect(formatFilter(view.highlight)).toBe('pid=892 disk=sda');
    expect(view.filter.kind).toBe('everything');
    expect(view.notice).toBe('in colour, the rest in grey; the same key or Esc ends it');
  });

  test('the highlight ends with the same key, and with Escape', () => {
    const from = viewAfter([{ type: 'highlightRow' }]);
    for (const action of [{ type: 'highlightRow' }, { type: 'stop' }] as const) {
      const view = viewAfter([action], { from });
      expect(view.highlight.kind).toBe('everything');
      expect(view.notice).toBe('highlight ended');
    }
  });

  test('the highlight ends with the same key although another row is the first by now', () => {
    const from = viewAfter([{ type: 'highlightRow' }]);
    const world = { rowTerms: [term('disk', '=', 'sdb')] };
    const view = viewAfter([{ type: 'highlightRow' }], { from, world });
    expect(view.highlight.kind).toBe('everything');
  });

  test('the highlight moves to another row or operation', () => {
    const from = { ...viewAfter([{ type: 'highlightRow' }]), processRow: rowAt(1) };
    const world = { rowTerms: [term('disk', '=', 'sdb')] };
    expect(formatFilter(viewAfter([{ type: 'highlightRow' }], { from, world }).highlight)).toBe(
      'disk=sdb',
    );
    const reads = viewAfter([{ type: 'highlightTerm', term: term('op', '=', 'read') }], { from });
    expect(formatFilter(reads.highlight)).toBe('op=read');
  });

  test('the highlight asks for a row when none is selected', () => {
    const view = viewAfter([{ type: 'highlightRow' }], { world: { rowTerms: undefined } });
    expect(view.highlight.kind).toBe('everything');
    expect(view.notice).toBe('select a row first, with ↑ and ↓');
  });

  test('the highlight can be the values of a box, seen from the picture again', () => {
    const box = { metric: 'total', startNs: 0, endNs: 1e9, low: 1e6, high: 2e6 } as const;
    const from = { ...viewAfter([]), mode: 'drillDown', drillDown: box } as const;
    const view = viewAfter([{ type: 'highlightBox' }], { from });
    expect(formatFilter(view.highlight)).toBe('lat>=1ms lat<2ms');
    expect(view).toMatchObject({ mode: 'cursor', drillDown: undefined });
  });

  test('the highlight says where it is visible when the picture of now cannot show it', () => {
    const from = { ...viewAfter([]), layout: 'disks' } as const;
    expect(viewAfter([{ type: 'highlightRow' }], { from }).notice).toContain(
      'V changes the layout',
    );
  });
});
