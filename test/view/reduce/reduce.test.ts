import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFilter } from '../../../src/filter/language/format.ts';
import type { Box } from '../../../src/filter/box.ts';
import { NO_FILTER, term } from '../../../src/filter/filter.ts';
import { INTERVALS_NS, METRICS } from '../../../src/model/metric.ts';
import type { Layout } from '../../../src/model/metric.ts';
import type { Action, TimeStep } from '../../../src/view/action.ts';
import { KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';
import { rowAt, ViewOf, viewAfter, WORLD } from '../fixtures.ts';

const after = (...actions: Action[]): ViewState => viewAfter(actions);

describe('reduce', () => {
  it('the metric key goes through every metric and comes back to the first', () => {
    const seen = METRICS.map(
      (_, n) =>
        after(...METRICS.slice(0, n).map((): Action => ({ type: 'cycleMetric', step: 1 }))).metric,
    );
    expect(new Set(seen)).toEqual(new Set(METRICS));
    expect(after(...METRICS.map((): Action => ({ type: 'cycleMetric', step: 1 }))).metric).toBe(
      'total',
    );
  });

  it('the latency key cycles total, device and queue, and comes back from offset or size to the last one', () => {
    const latency: Action = { type: 'cycleLatency' };
    const size: Action = { type: 'setMetric', metric: 'size' };
    expect(after(latency).metric).toBe('device');
    expect(after(latency, latency).metric).toBe('queue');
    expect(after(latency, latency, latency).metric).toBe('total');
    expect(after(size, latency).metric).toBe('total');
    expect(after(latency, size, latency).metric).toBe('device');
  });

  it('the freeze key freezes at the moment given, and resumes', () => {
    expect(after({ type: 'togglePause' }).frozenAtNs).toBe(1000e9);
    expect(after({ type: 'togglePause' }, { type: 'togglePause' }).frozenAtNs).toBeUndefined();
  });

  it('interval keys stop at the shortest and the longest interval and say so', () => {
    const longest = after(...INTERVALS_NS.map((): Action => ({ type: 'stepInterval', step: 1 })));
    expect(longest.intervalNs).toBe(600e9);
    expect(longest.notice).toBe('one column is 10m, the limit');
    const shortest = after(...INTERVALS_NS.map((): Action => ({ type: 'stepInterval', step: -1 })));
    expect(shortest.intervalNs).toBe(100e6);
  });

  it('a box in lanes is not said to be one to zoom to', () => {
    const at = { column: 3, lowBin: 1, highBin: 1 };
    const box = (layout: Layout, ...actions: readonly Action[]): string | undefined =>
      viewAfter([{ type: 'openCursor' }, ...actions], { from: { ...DEFAULT_VIEW, layout } }).notice;
    for (const action of [{ type: 'toggleAnchor' }, { type: 'dragTo', at }] as const) {
      expect(box('single', action)).toContain('z zooms');
      expect(box('disks', action)).toMatch(/^(?!.*zoom).*contents/);
    }
  });

  it('a logarithmic offset axis is refused with a reason', () => {
    const state = after({ type: 'setMetric', metric: 'offset' }, { type: 'toggleScale' });
    expect(state.scale).toBe('log');
    expect(state.notice).toBe('offset is always linear');
    const inFile = after({ type: 'setMetric', metric: 'file-offset' }, { type: 'toggleScale' });
    expect(inFile.notice).toBe('offset in file is always linear');
  });

  it('a weight or an outlier share that utilization does not have is refused with a reason', () => {
    const busy: Action = { type: 'setMetric', metric: 'utilization' };
    const cut = after(busy, { type: 'cycleOutlierCut' });
    expect(cut).toMatchObject({ outlierCut: 0.001 });
    expect(cut.notice).toBe('utilization ends at 100%: no outliers to cut');
    const weighted = after(busy, { type: 'cycleWeight' });
    expect(weighted).toMatchObject({ weight: 'count' });
    expect(weighted.notice).toBe('utilization counts disks: no weight to change');
  });

  it.each(['offset', 'file-offset'] as const)(
    'an outlier share has no effect on the axis of %s, so it is refused with a reason',
    (metric) => {
      const cut = after({ type: 'setMetric', metric }, { type: 'cycleOutlierCut' });
      expect(cut).toMatchObject({ outlierCut: 0.001 });
      expect(cut.notice).toBe('the axis has every offset: no outliers to cut');
    },
  );

  it('grouping shows the table of processes, whose rows it changes', () => {
    const state = after({ type: 'switchFocus' }, { type: 'cycleGrouping' });
    expect(state).toMatchObject({ focus: 'processes', grouping: 'process' });
  });

  it('sort and selection keys act on the table that has the focus', () => {
    const state = after(
      { type: 'switchFocus' },
      { type: 'shiftSort', step: 1 },
      { type: 'moveRow', by: 'row' },
      { type: 'moveRow', by: 'end' },
    );
    expect(state).toMatchObject({ diskSort: 'qd', diskRow: rowAt(29), processRow: undefined });
  });

  it('one key leads from the default order to MB/s, and through every column back again', () => {
    const next: Action = { type: 'cycleSort', step: 1 };
    expect(after(next).processSort).toBe('bytes');
    expect(after({ type: 'switchFocus' }, next).diskSort).toBe('bytes');
    const all = Array.from(DEFAULT_VIEW.processColumns, () => next);
    const seen = all.map((_, keys) => after(...all.slice(0, keys)).processSort);
    expect(new Set(seen)).toEqual(new Set(DEFAULT_VIEW.processColumns));
    expect(after(...all).processSort).toBe('wait');
    expect(after(next, { type: 'cycleSort', step: -1 }).processSort).toBe('wait');
  });

  it.each(['volumes', 'waits', 'calls'] as const)(
    'the keys for the order skip the queue in the layer of %s, which has none',
    (layer) => {
      for (const type of ['cycleSort', 'shiftSort'] as const)
        for (const focus of ['processes', 'disks'] as const) {
          const next: Action = { type, step: 1 };
          const seen = Array.from({ length: 20 }, (_, keys) =>
            viewAfter(Array(keys).fill(next), { from: { ...DEFAULT_VIEW, layer, focus } }),
          );
          const orders = seen.map((view) => (focus === 'disks' ? view.diskSort : view.processSort));
          expect(orders).toContain('max');
          expect(orders).not.toContain('queue');
        }
    },
  );

  it.each([
    ['process', 'processes'],
    ['thread', 'threads'],
    ['name', 'names'],
    ['cgroup', 'cgroups'],
    ['file', 'files'],
    ['matrix', 'processes'],
  ] as const)('with rows by %s, the notice about a new order is of %s', (grouping, rows) => {
    const view = { ...DEFAULT_VIEW, grouping };
    const { notice } = viewAfter([{ type: 'cycleSort', step: 1 }], { from: view });
    expect(notice).toMatch(new RegExp(`^${rows} sorted by `));
  });

  it('rows of files are sorted by their name and by figures, not by what processes have', () => {
    const next: Action = { type: 'shiftSort', step: 1 };
    const view: ViewState = { ...DEFAULT_VIEW, grouping: 'file', processSort: 'wait' };
    expect(viewAfter([next], { from: view })).toMatchObject({
      processSort: 'comm',
      notice: 'files sorted by name',
    });
    expect(viewAfter([next, next], { from: view }).processSort).toBe('disk');
    expect(viewAfter([next, next, next], { from: view }).processSort).toBe('reads');
  });

  it('the first selection key selects the first row, whichever key it is', () => {
    expect(after({ type: 'moveRow', by: 'rowBack' }).processRow).toEqual(rowAt(0));
    expect(after({ type: 'moveRow', by: 'page' }).processRow).toEqual(rowAt(0));
  });

  it('keys go on from where the selected row is now, not from where it was selected', () => {
    const view = new ViewOf(DEFAULT_VIEW, { ...WORLD, rowIds: ['a', 'b', 'c', 'd', 'e'] });
    view.do({ type: 'moveRow', by: 'row' }, { type: 'moveRow', by: 'row' });
    expect(view.state.processRow?.id).toBe('b');
    view.world = { ...view.world, rowIds: ['a', 'c', 'd', 'b', 'e'] };
    expect(view.do({ type: 'moveRow', by: 'row' }).state.processRow).toEqual({ id: 'e', place: 4 });
  });

  it.each([{ type: 'filterByRow' }, { type: 'highlightRow' }, { type: 'openCard' }] as const)(
    'a selected row that has left the table is not replaced by another: $type',
    (key) => {
      const view = new ViewOf(DEFAULT_VIEW, { ...WORLD, rowIds: ['a', 'b', 'c'] });
      view.do({ type: 'moveRow', by: 'row' }, { type: 'moveRow', by: 'row' });
      view.world = { ...view.world, rowIds: ['a', 'c'] };
      const { state } = view.do(key);
      expect([state.filter, state.highlight, state.card]).toEqual([
        NO_FILTER,
        NO_FILTER,
        undefined,
      ]);
      expect(state.notice).toBe(
        'the selected row is no longer in the table; ↑ and ↓ select another',
      );
      view.world = { ...view.world, rowIds: ['b', 'a', 'c'] };
      expect(view.do(key).state.notice).not.toBe(state.notice);
    },
  );

  it('a second click at the same place selects the row that has moved there meanwhile', () => {
    const click = (id: string): Action => ({
      type: 'pointAtRow',
      pane: 'processes',
      row: { id, place: 0 },
    });
    const moved = after(click('a'), click('b'));
    expect([moved.filter, moved.processRow?.id]).toEqual([NO_FILTER, 'b']);
    expect(after(click('a'), click('a')).filter).not.toEqual(NO_FILTER);
  });

  it('the selection is dropped when the order of the rows changes', () => {
    const moved: Action = { type: 'moveRow', by: 'row' };
    expect(after(moved, moved, { type: 'cycleSort', step: 1 }).processRow).toBeUndefined();
    expect(after(moved, moved, { type: 'cycleGrouping' }).processRow).toBeUndefined();
  });

  it('rows and scroll positions stay inside the list under any sequence of keys', () => {
    const actions = KEY_TABLE.map(({ action }) => action);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...actions), { maxLength: 60 }),
        fc.nat(40),
        fc.nat(40),
        (keys, rows, height) => {
          const end = viewAfter(keys, { world: { list: { rows, height }, findRows: () => [] } });
          for (const row of [end.processRow, end.diskRow, end.inFlightRow]) {
            expect(row?.place ?? 0).toBeGreaterThanOrEqual(0);
            expect(row?.place ?? 0).toBeLessThanOrEqual(Math.max(0, rows - 1));
          }
          for (const top of [end.helpTop, end.drillDownTop]) {
            expect(top).toBeGreaterThanOrEqual(0);
            expect(top).toBeLessThanOrEqual(Math.max(0, rows - height));
          }
        },
      ),
    );
  });
});

describe('time', () => {
  const by = (...steps: TimeStep[]): ViewState =>
    after(...steps.map((step): Action => ({ type: 'scrollTime', by: step })));

  it('time keys go back by a tenth of the screen or a whole one, and forward again', () => {
    expect(by('earlier').frozenAtNs).toBe(990e9);
    expect(by('screenBack').frozenAtNs).toBe(900e9);
    expect(by('screenBack', 'later').frozenAtNs).toBe(910e9);
  });

  it('the picture stands still while the cross-hair is on, and follows again without it', () => {
    const back: Action = { type: 'scrollTime', by: 'earlier' };
    const forward: Action = { type: 'scrollTime', by: 'later' };
    const end: Action = { type: 'close' };
    const held = after({ type: 'openCursor' }, forward);
    expect(held).toMatchObject({ mode: 'cursor', frozenAtNs: 1000e9, heldForCursor: true });
    const returned = after({ type: 'openCursor' }, back, forward, forward);
    expect(returned).toMatchObject({ frozenAtNs: 1000e9, heldForCursor: true });
    expect(viewAfter([end], { from: returned }).frozenAtNs).toBeUndefined();
  });

  it('the picture stays in the past that the cross-hair moved to', () => {
    const past = after(
      { type: 'openCursor' },
      { type: 'scrollTime', by: 'earlier' },
      { type: 'close' },
    );
    expect(past).toMatchObject({ mode: 'main', frozenAtNs: 990e9, heldForCursor: false });
  });

  it('the picture follows again when the present is reached', () => {
    expect(by('screenBack', 'screen').frozenAtNs).toBeUndefined();
    expect(by('screenBack', 'now').frozenAtNs).toBeUndefined();
  });

  it('going back stops when the first I/O is at the left edge', () => {
    expect(by('first').frozenAtNs).toBe(109e9);
    expect(by('first', 'screenBack').notice).toBe('the first I/O is at the left edge');
  });

  it('a recording shorter than the screen is said to be completely on screen', () => {
    const replay = { startNs: 10e9, endNs: 60e9 };
    const world = { nowNs: 60e9, replay };
    const keys = ['5', '0', '%'].map((key): Action => ({ type: 'edit', key }));
    const actions: Action[] = [{ type: 'openGoto' }, ...keys, { type: 'submit' }];
    const state = viewAfter(actions, { world });
    expect(state).toMatchObject({ frozenAtNs: 60e9, notice: 'the whole recording is on screen' });
    expect(state).toMatchObject({ mode: 'cursor', cursor: { column: 74 } });
  });

  it.each([undefined, { startNs: 10e9, endNs: 60e9 }])(
    'a picture that follows is not frozen by a key for time that has nothing to scroll to',
    (replay) => {
      for (const step of ['earlier', 'screenBack', 'first'] as const) {
        const keys: Action[] = [{ type: 'scrollTime', by: step }];
        const { frozenAtNs, notice } = viewAfter(keys, { world: { nowNs: 60e9, replay } });
        expect(frozenAtNs).toBeUndefined();
        expect(notice).toMatch(/is on screen$/);
      }
    },
  );

  it('a percentage that the picture can scroll to is its right edge, without a cross-hair', () => {
    const replay = { startNs: 0, endNs: 1000e9 };
    const keys = ['5', '0', '%'].map((key): Action => ({ type: 'edit', key }));
    const actions: Action[] = [{ type: 'openGoto' }, ...keys, { type: 'submit' }];
    const state = viewAfter(actions, { world: { nowNs: 1000e9, replay } });
    expect(state).toMatchObject({ mode: 'main', frozenAtNs: 500e9, cursor: undefined });
  });

  it('a moment that was typed is centred, with the cross-hair in its column', () => {
    const typed = Array.from('5m ago', (key): Action => ({
      type: 'edit',
      key: key === ' ' ? 'space' : key,
    }));
    const state = after({ type: 'openGoto' }, ...typed, { type: 'submit' });
    expect(state).toMatchObject({ mode: 'cursor', frozenAtNs: 750e9, prompt: undefined });
    expect(state.notice).toBe('centred on 14:25:00');
    expect(state.cursor?.column).toBe(49);
    expect(viewAfter([{ type: 'close' }], { from: state })).toMatchObject({
      mode: 'main',
      frozenAtNs: 750e9,
      cursor: undefined,
    });
  });

  it('a duration after + counts from the first I/O, as with --from', () => {
    const keys = Array.from('+490s', (key): Action => ({ type: 'edit', key }));
    const actions: Action[] = [{ type: 'openGoto' }, ...keys, { type: 'submit' }];
    expect(viewAfter(actions)).toMatchObject({ mode: 'cursor', frozenAtNs: 550e9 });
    const replay = { startNs: 5e9, endNs: 1000e9 };
    expect(viewAfter(actions, { world: { replay } })).toMatchObject({ frozenAtNs: 545e9 });
    const bare: Action[] = [{ type: 'openGoto' }, { type: 'edit', key: '+' }, { type: 'submit' }];
    expect(viewAfter(bare).prompt?.problem?.message).toBe(
      '"" is not a duration such as 100ms, 1s or 1m',
    );
  });

  it('a moment near the present is marked where it is, and not in a map without columns of time', () => {
    const typed = ['-', '1', '0', 's'].map((key): Action => ({ type: 'edit', key }));
    const actions: Action[] = [{ type: 'openGoto' }, ...typed, { type: 'submit' }];
    const near = viewAfter(actions);
    expect(near).toMatchObject({ cursor: { column: 90 }, notice: 'the cross-hair is at 14:29:50' });
    const replay = { startNs: 0, endNs: 1000e9 };
    expect(viewAfter(actions, { world: { replay } })).toMatchObject({
      cursor: { column: 89 },
      notice: 'the cross-hair is at 14:29:50',
    });
    for (const [from, mode] of [
      [{ ...viewAfter([]), layout: 'size-latency' } as const, 'main'],
      [viewAfter([{ type: 'openTrend' }]), 'trend'],
    ] as const) {
      const state = viewAfter(actions, { from, world: { replay } });
      const notice = 'the end of the recording';
      expect(state).toMatchObject({ mode, cursor: undefined, notice });
      expect(viewAfter(actions, { from }).notice).toBe('14:29:50 is on screen');
    }
  });

  it('the prompt stays open with the reason when the moment makes no sense', () => {
    const state = after({ type: 'openGoto' }, { type: 'edit', key: 'x' }, { type: 'submit' });
    expect(state.mode).toBe('goto');
    expect(state.prompt?.problem?.message).toContain('"x" is not a time');
  });
});

describe('the view over time', () => {
  const open: Action = { type: 'openTrend' };

  it('the charts keep window, interval and filter of the picture, there and back', () => {
    const frozen = after({ type: 'togglePause' }, { type: 'stepInterval', step: 1 });
    const trend = viewAfter([open], { from: frozen });
    expect(trend).toEqual({ ...frozen, mode: 'trend', notice: undefined });
    expect(viewAfter([{ type: 'close' }], { from: trend })).toEqual({
      ...frozen,
      notice: undefined,
    });
  });

  it('the charts scroll as the picture does', () => {
    const back: Action = { type: 'scrollTime', by: 'screenBack' };
    const { frozenAtNs } = after(back);
    expect(after(open, back)).toMatchObject({ mode: 'trend', frozenAtNs });
  });
});

describe('cursor and box', () => {
  const open: Action = { type: 'openCursor' };
  const up: Action = { type: 'moveCursor', columns: 0, bins: 1 };
  const left: Action = { type: 'moveCursor', columns: -1, bins: 0 };

  it('the cross-hair reaches every cell and the outlier row, and nothing beyond', () => {
    const high = after(open, ...Array.from({ length: 99 }, () => up));
    expect(high.cursor).toEqual({ column: 87, bin: 40 });
    expect(after(open, ...Array.from({ length: 99 }, () => left)).cursor?.column).toBe(0);
  });

  it('the picture stands still under the cross-hair, and follows again without it', () => {
    expect(after(open).frozenAtNs).toBe(1000e9);
    expect(after(open, { type: 'close' }).frozenAtNs).toBeUndefined();
    const frozenBefore = after({ type: 'togglePause' }, open, { type: 'close' });
    expect(frozenBefore.frozenAtNs).toBe(1000e9);
  });

  it('the picture stays where it is when a box has become a filter', () => {
    const filtered = after(open, { type: 'openDrillDown' }, { type: 'filterByBox' });
    expect(filtered).toMatchObject({ mode: 'main', frozenAtNs: 1000e9 });
  });

  it('Enter opens the drill-down of a box', () => {
    const state = after(open, { type: 'toggleAnchor' }, left, left, up, { type: 'openDrillDown' });
    expect(state).toMatchObject({
      mode: 'drillDown',
      frozenAtNs: 1000e9,
      drillDown: { startNs: 85e9, endNs: 88e9, low: 20, high: 22 },
    });
  });

  it('closing the help returns to the mode it was opened from', () => {
    const help: Action[] = [{ type: 'openCursor' }, { type: 'openHelp' }];
    expect(after(...help)).toMatchObject({ mode: 'help', helpFor: 'cursor' });
    expect(after(...help, { type: 'close' })).toMatchObject({ mode: 'cursor' });
  });

  it('each Escape goes back one step', () => {
    const close: Action = { type: 'close' };
    const detail = [open, { type: 'toggleAnchor' }, up, { type: 'openDrillDown' }] as Action[];
    expect(after(...detail, close).mode).toBe('cursor');
    expect(after(...detail, close, close)).toMatchObject({ mode: 'cursor', anchor: undefined });
    expect(after(...detail, close, close, close)).toMatchObject({
      mode: 'main',
      cursor: undefined,
    });
  });

  it('the y axis is zoomed to the box, and the zoom kept for other latencies only', () => {
    const zoomed = [open, { type: 'toggleAnchor' }, up, { type: 'zoomToBox' }] as Action[];
    expect(after(...zoomed).valueRange).toEqual({ low: 20, high: 22 });
    expect(after(...zoomed, { type: 'cycleLatency' }).valueRange).toEqual({ low: 20, high: 22 });
    expect(after(...zoomed, { type: 'setMetric', metric: 'size' }).valueRange).toBeUndefined();
    expect(after(...zoomed, { type: 'fitValues' }).valueRange).toBeUndefined();
    expect(after({ type: 'fitValues' }).notice).toBe('the y axis is not zoomed');
  });

  it('zooming into the outlier row is refused, because it has no upper end', () => {
    const lane: Action = { type: 'moveCursor', columns: 0, bins: 99 };
    expect(after(open, lane, { type: 'zoomToBox' }).notice).toContain('no upper end');
  });
});

describe('filters', () => {
  const type = (text: string): Action[] =>
    Array.from(text, (key): Action => ({ type: 'edit', key: key === ' ' ? 'space' : key }));
  const filtered = (...actions: Action[]): string => formatFilter(after(...actions).filter);
  const submit: Action = { type: 'submit' };

  it('a typed filter applies to the whole history', () => {
    expect(filtered({ type: 'openFilter' }, ...type('disk=sda lat>10ms'), submit)).toBe(
      'disk=sda lat>10ms',
    );
  });

  it('a mistake in a filter keeps the line open with its place, and the old filter', () => {
    const state = after({ type: 'openFilter' }, ...type('disk=sda lta>1ms'), submit);
    expect(state.mode).toBe('filter');
    expect(state.prompt?.problem?.column).toBe(9);
    expect(formatFilter(state.filter)).toBe('');
  });

  it('Tab completes the word at the cursor of the filter', () => {
    const state = after({ type: 'openFilter' }, ...type('op=w'), { type: 'complete' });
    expect(state.prompt?.line).toEqual({ text: 'op=write', cursor: 8 });
  });

  it('the filter line opens with the current filter', () => {
    const state = after({ type: 'filterByRow' }, { type: 'openFilter' });
    expect(state.prompt?.line.text).toBe('pid=892 disk=sda ');
  });

  it('filtering by the selected row replaces conditions on the same fields', () => {
    const typed = [{ type: 'openFilter' }, ...type('pid=1 op=write'), submit] as Action[];
    expect(filtered(...typed, { type: 'filterByRow' })).toBe('op=write pid=892 disk=sda');
  });

  it('filtering by a row says how to select one when none is selected', () => {
    const bare = { rowTerms: undefined };
    expect(viewAfter([{ type: 'filterByRow' }], { world: bare }).notice).toContain('select a row');
  });

  it('filtering by a row needs no selection where there is one row alone', () => {
    const enter: Action = { type: 'filterByRow' };
    expect(viewAfter([enter], { world: { rowIds: ['only'] } }).processRow).toBeUndefined();
    const world = { rowIds: ['only'], rowTerms: undefined };
    expect(viewAfter([enter], { world }).notice).toBe('this row has no name to filter by');
    expect(viewAfter([enter], { world: { rowIds: [] } }).notice).toBe('the table is empty');
  });

  it('filters are undone one by one, and so is clearing the filter', () => {
    const undo: Action = { type: 'undoFilter' };
    const steps: Action[] = [
      { type: 'filterByRow' },
      { type: 'toggleTerm', term: term('op', '=', 'read') },
      { type: 'clearFilter' },
    ];
    expect(filtered(...steps)).toBe('');
    expect(filtered(...steps, undo)).toBe('pid=892 disk=sda op=read');
    expect(filtered(...steps, undo, undo)).toBe('pid=892 disk=sda');
    expect(filtered(...steps, undo, undo, undo)).toBe('');
    expect(after(undo).notice).toBe('no earlier filter');
  });

  it('clearing a filter where there is none says so, and leaves nothing to undo', () => {
    const state = after({ type: 'clearFilter' });
    expect(state.notice).toBe('no filter to clear');
    expect(state.filterStack).toEqual([]);
  });

  it('a selected row that nothing identifies is no missing selection', () => {
    const world = { rowTerms: undefined };
    const enter: Action = { type: 'filterByRow' };
    expect(viewAfter([enter], { world }).notice).toBe('select a row first, with ↑ and ↓');
    const down: Action = { type: 'moveRow', by: 'row' };
    expect(viewAfter([down, enter], { world }).notice).toBe('this row has no name to filter by');
  });

  it('Enter in a pick list takes the entry under the cursor when none is marked', () => {
    const open: Action = { type: 'openPick', what: 'process' };
    const down: Action = { type: 'movePick', by: 'row' };
    expect(filtered(open, submit)).toBe('pid=892');
    expect(filtered(open, down, submit)).toBe('pid=1204');
  });

  it('a pick list takes all marked entries, or everything but them', () => {
    const open: Action = { type: 'openPick', what: 'process' };
    const down: Action = { type: 'movePick', by: 'row' };
    const marks: Action[] = [open, { type: 'markPick' }, down, { type: 'markPick' }];
    expect(filtered(...marks, submit)).toBe('pid=892,1204');
    expect(filtered(...marks, { type: 'invertPick' }, submit)).toBe('pid!=892,1204');
    expect(after(...marks, submit, open).pick?.chosen).toEqual(['892', '1204']);
  });

  it('in a pick list that was opened again, Enter keeps the choice, and after a step or a word takes another one', () => {
    const open: Action = { type: 'openPick', what: 'process' };
    const down: Action = { type: 'movePick', by: 'row' };
    const from = after(open, submit);
    const next = (actions: readonly Action[], pickIds?: readonly string[]): string =>
      formatFilter(viewAfter(actions, { from, world: pickIds && { pickIds } }).filter);
    expect(next([open, submit])).toBe('pid=892');
    expect(next([open, down, submit])).toBe('pid=1204');
    expect(next([open, ...type('java'), submit], ['77'])).toBe('pid=77');
    expect(next([open, down, { type: 'markPick' }, submit])).toBe('pid=892,1204');
  });

  it('a list of processes needs rows of processes, and leaves the table grouped as it was', () => {
    const from: ViewState = { ...DEFAULT_VIEW, grouping: 'cgroup' };
    const open: Action = { type: 'openPick', what: 'process' };
    expect(viewAfter([open], { from }).grouping).toBe('process');
    for (const end of ['close', 'submit'] as const)
      expect(viewAfter([open, { type: end }], { from }).grouping).toBe('cgroup');
    const disks = viewAfter([{ type: 'openPick', what: 'disk' }], { from });
    expect(disks.grouping).toBe('cgroup');
  });

  it('a file that is opened after its prompt was closed leaves the cross-hair where it is', () => {
    const from = after({ type: 'openRecord' }, { type: 'close' }, { type: 'openCursor' });
    expect(viewAfter([{ type: 'promptDone', notice: 'recording' }], { from })).toEqual({
      ...from,
      notice: 'recording',
    });
    const failed: Action = { type: 'promptFailed', message: 'disk full' };
    expect(viewAfter([failed], { from }).notice).toBe('disk full');
  });

  it('Enter in a narrowed pick list takes all that match, and says how many', () => {
    const open: Action = { type: 'openPick', what: 'process' };
    const all = after(open, ...type('post'), submit);
    expect(formatFilter(all.filter)).toBe('comm~post');
    expect(all.notice).toBe('all 3 matches; u undoes the filter');
    expect(filtered(open, ...type('12'), submit)).toBe('pid=892,1204,77');
    expect(filtered(open, ...type('2 my'), submit)).toBe('pid=892,1204,77');
    expect(filtered({ type: 'openPick', what: 'disk' }, ...type('nv'), submit)).toBe('disk~nv');
    const others = after(open, ...type('post'), { type: 'invertPick' }, submit);
    expect(formatFilter(others.filter)).toBe('comm!~post');
    expect(others.notice).toBe('all 3 matches excluded; u undoes the filter');
  });

  it('Enter in a narrowed pick list takes one entry when it was chosen, or is the only one', () => {
    const open: Action = { type: 'openPick', what: 'process' };
    expect(filtered(open, ...type('post'), { type: 'movePick', by: 'row' }, submit)).toBe(
      'pid=1204',
    );
    expect(filtered(open, ...type('post'), { type: 'markPick' }, submit)).toBe('pid=892');
    const one = viewAfter([open, ...type('post'), submit], { world: { pickIds: ['892'] } });
    expect(formatFilter(one.filter)).toBe('pid=892');
  });

  it('Enter in a narrowed pick list takes the first match where keys have gone back to it, until more is typed', () => {
    const open: Action = { type: 'openPick', what: 'process' };
    const there: Action[] = [
      { type: 'movePick', by: 'row' },
      { type: 'movePick', by: 'rowBack' },
    ];
    expect(filtered(open, ...type('post'), ...there, submit)).toBe('pid=892');
    expect(filtered(open, ...type('pos'), ...there, ...type('t'), submit)).toBe('comm~post');
  });

  it('a second click on an entry of a pick list applies this one, whichever it is', () => {
    const open: Action = { type: 'openPick', what: 'process' };
    const click = (row: number): Action => ({ type: 'pointAtEntry', row, line: row });
    for (const typed of [[], type('post')])
      for (const [row, filter] of ['pid=892', 'pid=1204'].entries()) {
        expect(after(open, ...typed, click(row))).toMatchObject({ mode: 'pick', pick: { row } });
        expect(filtered(open, ...typed, click(row), click(row))).toBe(filter);
      }
    expect(filtered(open, ...type('post'), click(0), submit)).toBe('pid=892');
  });

  it('Enter in a pick list without a match keeps the filter and the list', () => {
    const from = after({ type: 'openPick', what: 'process' }, submit);
    const open: Action = { type: 'openPick', what: 'process' };
    const unmark: Action = { type: 'markPick' };
    const none = viewAfter([open, unmark, ...type('zz')], { from });
    const entered = viewAfter([submit], { from: none, world: { pickIds: [] } });
    expect(formatFilter(entered.filter)).toBe('pid=892');
    expect(entered).toMatchObject({
      mode: 'pick',
      notice: 'no entry matches; Esc closes the list',
    });
  });

  it('a pick list keeps the order in which it was opened', () => {
    const { pick } = after({ type: 'openPick', what: 'process' });
    expect(pick?.opened.map(({ id }) => id)).toEqual(['892', '1204', '77']);
  });

  it('a step in the list of columns takes away the notice about an earlier key', () => {
    const from = { ...after({ type: 'openColumns' }), notice: 'Tab does nothing here; Esc first' };
    expect(viewAfter([{ type: 'moveColumnRow', by: 'row' }], { from }).notice).toBeUndefined();
  });

  it('typing narrows a pick list', () => {
    const state = after({ type: 'openPick', what: 'disk' }, ...type('nv'));
    expect(state.pick).toMatchObject({ query: { text: 'nv' }, row: 0 });
  });

  it('a box becomes a filter on its values, open upwards in the outlier row', () => {
    const box: Action[] = [{ type: 'openCursor' }, { type: 'openDrillDown' }];
    expect(filtered(...box, { type: 'filterByBox' })).toBe('dlat>=20ns dlat<21ns');
    const lane: Action = { type: 'moveCursor', columns: 0, bins: 99 };
    expect(
      filtered({ type: 'openCursor' }, lane, { type: 'openDrillDown' }, { type: 'filterByBox' }),
    ).toBe('dlat>=40ns');
  });

  it('a box over all values becomes a filter on I/O that has one, and all lanes do not', () => {
    const filterBy = (box: Partial<Box>): ViewState => {
      const boxOf = (): Box => ({ ...WORLD.boxOf(cell, cell), low: 0, high: Infinity, ...box });
      const keys: Action[] = [
        { type: 'openCursor' },
        { type: 'openDrillDown' },
        { type: 'filterByBox' },
      ];
      return viewAfter(keys, { world: { boxOf } });
    };
    const cell = { column: 0, bin: 0 };
    expect(formatFilter(filterBy({}).filter)).toBe('dlat>=0ns');
    const lanes = filterBy({ where: [] });
    expect(lanes.filter).toEqual(NO_FILTER);
    expect(lanes.notice).toBe('cannot filter by all lanes: they have all I/O');
  });

  it('the key to the slowest I/O freezes with it centred and the cross-hair on it', () => {
    const slowest = after({ type: 'setMetric', metric: 'size' }, { type: 'goToSlowest' });
    expect(slowest).toMatchObject({ mode: 'cursor', metric: 'total', frozenAtNs: 450e9 });
    expect(slowest.cursor).toEqual({ column: 49, bin: 40 });
    expect(slowest.notice).toContain('3s in total');
    const none = viewAfter([{ type: 'goToSlowest' }], { world: { slowest: undefined } });
    expect(none).toMatchObject({ mode: 'main', frozenAtNs: undefined });
    expect(none.notice).toContain('no I/O');
  });

  it('leaving the slowest I/O restores the metric and layout from before', () => {
    const size: Action[] = [{ type: 'setMetric', metric: 'size' }, { type: 'goToSlowest' }];
    expect(after(...size, { type: 'close' })).toMatchObject({ mode: 'main', metric: 'size' });
    const again = after(...size, { type: 'goToSlowest' }, { type: 'close' });
    expect(again).toMatchObject({ mode: 'main', metric: 'size', latency: after().latency });
    const zoomed = after(
      ...size,
      { type: 'moveCursor', columns: 0, bins: -5 },
      { type: 'zoomToBox' },
    );
    expect(zoomed).toMatchObject({ mode: 'main', metric: 'total', beforeSlowest: undefined });
  });

  it('the cross-hair moves to the notable cell when all of the picture is counted', () => {
    const world = { notable: { cell: { column: 3, bin: 4 }, isPartial: true } };
    const seekOn: Action = { type: 'seekOn' };
    const opened = viewAfter([{ type: 'openCursor' }], { world });
    expect(opened).toMatchObject({ mode: 'cursor', cursor: { column: 3, bin: 4 } });
    expect(opened.notice).toContain('still counting');
    expect(viewAfter([seekOn], { from: opened, world })).toBe(opened);
    const counted = viewAfter([seekOn], { from: opened });
    expect(counted).toMatchObject({ cursor: { column: 87, bin: 20 }, seeks: undefined });
    const moved = viewAfter([{ type: 'moveCursor', columns: 1, bins: 0 }], { from: opened, world });
    expect(viewAfter([seekOn], { from: moved })).toMatchObject({ cursor: { column: 4, bin: 4 } });
  });

  it('a notice says that the slowest I/O and its place are being searched', () => {
    const slowest: Action = { type: 'goToSlowest' };
    const seekOn: Action = { type: 'seekOn' };
    const searching = { slowest: 'searching' } as const;
    const counting = { place: () => 'counting' as const };
    const waiting = viewAfter([slowest], { world: searching });
    expect(waiting).toMatchObject({ mode: 'cursor', cursor: undefined });
    expect(waiting.notice).toContain('searching for the slowest');
    expect(viewAfter([seekOn], { from: waiting, world: searching })).toBe(waiting);
    expect(viewAfter([{ type: 'openDrillDown' }], { from: waiting })).toBe(waiting);
    const found = viewAfter([seekOn], { from: waiting, world: counting });
    expect(found).toMatchObject({ metric: 'total', frozenAtNs: 450e9, cursor: undefined });
    expect(found.notice).toContain('3s in total; counting');
    expect(viewAfter([seekOn], { from: found, world: counting })).toBe(found);
    expect(viewAfter([seekOn], { from: found })).toEqual(after(slowest));
    const left = viewAfter([{ type: 'close' }], { from: waiting, world: searching });
    expect(left).toMatchObject({ mode: 'main', frozenAtNs: undefined, seeks: undefined });
    const none = viewAfter([seekOn], { from: waiting, world: { slowest: undefined } });
    expect(none).toMatchObject({ mode: 'main', frozenAtNs: undefined, seeks: undefined });
  });

  it('a key that ends a search leaves a cross-hair that can be moved', () => {
    const world = { slowest: 'searching', bursts: 'searching' } as const;
    const ending: Action[] = [{ type: 'cycleSort', step: 1 }, { type: 'seekOn' }];
    const ended = viewAfter([{ type: 'goToSlowest' }, ...ending], { world });
    expect(ended).toMatchObject({ seeks: undefined, cursor: { column: 99, bin: 20 } });
    const open: Action = { type: 'openCursor' };
    const kept = viewAfter([open, { type: 'nextBurst', step: 1 }, ...ending], { world });
    expect(kept).toMatchObject({ seeks: undefined, cursor: { column: 87, bin: 20 } });
  });

  it('another notice does not stop the search for the slowest I/O', () => {
    const world = { slowest: 'searching' } as const;
    const waiting = viewAfter([{ type: 'goToSlowest' }], { world });
    const told = viewAfter([{ type: 'notify', notice: 'loading 10%' }], { from: waiting, world });
    expect(told).toMatchObject({ seeks: { kind: 'slowest' }, notice: 'loading 10%' });
  });

  it('going to a moment from the charts returns to the charts', () => {
    const asked = after({ type: 'openTrend' }, { type: 'openGoto' });
    expect(viewAfter([{ type: 'close' }], { from: asked }).mode).toBe('trend');
    const keys = Array.from('14:25', (key): Action => ({ type: 'edit', key }));
    expect(viewAfter([...keys, { type: 'submit' }], { from: asked })).toMatchObject({
      mode: 'trend',
      prompt: undefined,
      frozenAtNs: 750e9,
    });
  });
});
