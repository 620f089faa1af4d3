import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { term } from '../../../src/filter/filter.ts';
import { INTERVALS_NS, METRICS } from '../../../src/model/metric.ts';
import type { Action, TimeStep } from '../../../src/view/action.ts';
import { KEY_TABLE } from '../../../src/view/keys/key-table.ts';
import type { ViewState } from '../../../src/view/state.ts';
import { viewAfter } from '../fixtures.ts';

const after = (...actions: Action[]): ViewState => viewAfter(actions);

describe('reduce', () => {
  it('goes through every metric and comes back to the first', () => {
    const seen = METRICS.map(
      (_, n) =>
        after(...METRICS.slice(0, n).map((): Action => ({ type: 'cycleMetric', step: 1 }))).metric,
    );
    expect(seen).toEqual([...METRICS]);
    expect(after(...METRICS.map((): Action => ({ type: 'cycleMetric', step: 1 }))).metric).toBe(
      'device',
    );
  });

  it('cycles device, queue and total latency, entering at device from any other metric', () => {
    const latency: Action = { type: 'cycleLatency' };
    expect(after(latency).metric).toBe('queue');
    expect(after(latency, latency).metric).toBe('total');
    expect(after({ type: 'setMetric', metric: 'size' }, latency).metric).toBe('device');
  });

  it('freezes at the moment it is told and resumes by the same key', () => {
    expect(after({ type: 'togglePause' }).frozenAtNs).toBe(1000e9);
    expect(after({ type: 'togglePause' }, { type: 'togglePause' }).frozenAtNs).toBeUndefined();
  });

  it('stops at the shortest and the longest interval and says so', () => {
    const longest = after(...INTERVALS_NS.map((): Action => ({ type: 'stepInterval', step: 1 })));
    expect(longest.intervalNs).toBe(600e9);
    expect(longest.notice).toBe('one column is 10m, the limit');
    const shortest = after(...INTERVALS_NS.map((): Action => ({ type: 'stepInterval', step: -1 })));
    expect(shortest.intervalNs).toBe(100e6);
  });

  it('refuses a logarithmic offset and explains it', () => {
    const state = after({ type: 'setMetric', metric: 'offset' }, { type: 'toggleScale' });
    expect(state.scale).toBe('log');
    expect(state.notice).toBe('offset is always linear');
  });

  it('sorts and selects rows in the table that has the focus', () => {
    const state = after(
      { type: 'switchFocus' },
      { type: 'cycleSort', step: 1 },
      { type: 'moveRow', by: 'row' },
      { type: 'moveRow', by: 'end' },
    );
    expect(state).toMatchObject({ diskSort: 'qd', diskRow: 29, processRow: undefined });
  });

  it('selects the first row with the first key, whichever it is', () => {
    expect(after({ type: 'moveRow', by: 'rowBack' }).processRow).toBe(0);
    expect(after({ type: 'moveRow', by: 'page' }).processRow).toBe(0);
  });

  it('drops the selection when the order of the rows changes', () => {
    const moved: Action = { type: 'moveRow', by: 'row' };
    expect(after(moved, moved, { type: 'cycleSort', step: 1 }).processRow).toBeUndefined();
    expect(after(moved, moved, { type: 'cycleGrouping' }).processRow).toBeUndefined();
  });

  it('keeps rows and scroll positions inside the list under any sequence of keys', () => {
    const actions = KEY_TABLE.map(({ action }) => action);
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...actions), { maxLength: 60 }),
        fc.nat(40),
        fc.nat(40),
        (keys, rows, height) => {
          const end = viewAfter(keys, { world: { list: { rows, height }, findRows: () => [] } });
          for (const row of [end.processRow, end.diskRow]) {
            expect(row ?? 0).toBeGreaterThanOrEqual(0);
            expect(row ?? 0).toBeLessThanOrEqual(Math.max(0, rows - 1));
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

  it('goes back by a tenth of the screen or a whole one, and forward again', () => {
    expect(by('earlier').frozenAtNs).toBe(990e9);
    expect(by('screenBack').frozenAtNs).toBe(900e9);
    expect(by('screenBack', 'later').frozenAtNs).toBe(910e9);
  });

  it('stands still at the present while the cross-hair holds it, and follows when that is left', () => {
    const back: Action = { type: 'scrollTime', by: 'earlier' };
    const forward: Action = { type: 'scrollTime', by: 'later' };
    const end: Action = { type: 'close' };
    const held = after({ type: 'openCursor' }, forward);
    expect(held).toMatchObject({ mode: 'cursor', frozenAtNs: 1000e9, heldForCursor: true });
    const returned = after({ type: 'openCursor' }, back, forward, forward);
    expect(returned).toMatchObject({ frozenAtNs: 1000e9, heldForCursor: true });
    expect(viewAfter([end], { from: returned }).frozenAtNs).toBeUndefined();
  });

  it('stays in the past that was gone to with the cross-hair', () => {
    const past = after(
      { type: 'openCursor' },
      { type: 'scrollTime', by: 'earlier' },
      { type: 'close' },
    );
    expect(past).toMatchObject({ mode: 'main', frozenAtNs: 990e9, heldForCursor: false });
  });

  it('follows again when the present is reached', () => {
    expect(by('screenBack', 'screen').frozenAtNs).toBeUndefined();
    expect(by('screenBack', 'now').frozenAtNs).toBeUndefined();
  });

  it('stops when the first I/O stands at the left edge', () => {
    expect(by('first').frozenAtNs).toBe(109e9);
    expect(by('first', 'screenBack').notice).toBe('the first I/O is at the left edge');
  });

  it('says of a recording that is shorter than the screen that all of it is there', () => {
    const replay = { startNs: 10e9, endNs: 60e9 };
    const world = { nowNs: 60e9, replay };
    const keys = ['5', '0', '%'].map((key): Action => ({ type: 'edit', key }));
    const actions: Action[] = [{ type: 'openGoto' }, ...keys, { type: 'submit' }];
    const state = viewAfter(actions, { world });
    expect(state).toMatchObject({ frozenAtNs: 60e9, notice: 'the whole recording is on screen' });
  });

  it('shows a moment that is typed in the middle of the picture', () => {
    const typed = Array.from('5m ago', (key): Action => ({
      type: 'edit',
      key: key === ' ' ? 'space' : key,
    }));
    const state = after({ type: 'openGoto' }, ...typed, { type: 'submit' });
    expect(state).toMatchObject({ mode: 'main', frozenAtNs: 750e9, prompt: undefined });
  });

  it('keeps the prompt open with the reason when the moment makes no sense', () => {
    const state = after({ type: 'openGoto' }, { type: 'edit', key: 'x' }, { type: 'submit' });
    expect(state.mode).toBe('goto');
    expect(state.prompt?.problem?.message).toContain('"x" is no time');
  });
});

describe('the view over time', () => {
  const open: Action = { type: 'openTrend' };

  it('keeps the window, the interval and the filter of the picture, there and back', () => {
    const frozen = after({ type: 'togglePause' }, { type: 'stepInterval', step: 1 });
    const trend = viewAfter([open], { from: frozen });
    expect(trend).toEqual({ ...frozen, mode: 'trend', notice: undefined });
    expect(viewAfter([{ type: 'close' }], { from: trend })).toEqual({
      ...frozen,
      notice: undefined,
    });
  });

  it('scrolls as the picture does', () => {
    const back: Action = { type: 'scrollTime', by: 'screenBack' };
    const { frozenAtNs } = after(back);
    expect(after(open, back)).toMatchObject({ mode: 'trend', frozenAtNs });
  });
});

describe('cursor and box', () => {
  const open: Action = { type: 'openCursor' };
  const up: Action = { type: 'moveCursor', columns: 0, bins: 1 };
  const left: Action = { type: 'moveCursor', columns: -1, bins: 0 };

  it('reaches every cell and the outlier lane, and nothing beyond', () => {
    const high = after(open, ...Array.from({ length: 99 }, () => up));
    expect(high.cursor).toEqual({ column: 87, bin: 40 });
    expect(after(open, ...Array.from({ length: 99 }, () => left)).cursor?.column).toBe(0);
  });

  it('stands still under the cursor, and follows again when it is left', () => {
    expect(after(open).frozenAtNs).toBe(1000e9);
    expect(after(open, { type: 'close' }).frozenAtNs).toBeUndefined();
    const frozenBefore = after({ type: 'togglePause' }, open, { type: 'close' });
    expect(frozenBefore.frozenAtNs).toBe(1000e9);
  });

  it('stays where it stands when a box has become a filter', () => {
    const filtered = after(open, { type: 'openDrillDown' }, { type: 'filterByBox' });
    expect(filtered).toMatchObject({ mode: 'main', frozenAtNs: 1000e9 });
  });

  it('drills into a box', () => {
    const state = after(open, { type: 'toggleAnchor' }, left, left, up, { type: 'openDrillDown' });
    expect(state).toMatchObject({
      mode: 'drillDown',
      frozenAtNs: 1000e9,
      drillDown: { startNs: 85e9, endNs: 88e9, low: 20, high: 22 },
    });
  });

  it('comes back from the help to where it was opened', () => {
    const help: Action[] = [{ type: 'openCursor' }, { type: 'openHelp' }];
    expect(after(...help)).toMatchObject({ mode: 'help', helpFor: 'cursor' });
    expect(after(...help, { type: 'close' })).toMatchObject({ mode: 'cursor' });
  });

  it('goes back one step with each Escape', () => {
    const close: Action = { type: 'close' };
    const detail = [open, { type: 'toggleAnchor' }, up, { type: 'openDrillDown' }] as Action[];
    expect(after(...detail, close).mode).toBe('cursor');
    expect(after(...detail, close, close)).toMatchObject({ mode: 'cursor', anchor: undefined });
    expect(after(...detail, close, close, close)).toMatchObject({
      mode: 'main',
      cursor: undefined,
    });
  });

  it('zooms the y axis to the box, and keeps it for other latencies only', () => {
    const zoomed = [open, { type: 'toggleAnchor' }, up, { type: 'zoomToBox' }] as Action[];
    expect(after(...zoomed).valueRange).toEqual({ low: 20, high: 22 });
    expect(after(...zoomed, { type: 'cycleLatency' }).valueRange).toEqual({ low: 20, high: 22 });
    expect(after(...zoomed, { type: 'setMetric', metric: 'size' }).valueRange).toBeUndefined();
    expect(after(...zoomed, { type: 'fitValues' }).valueRange).toBeUndefined();
  });

  it('refuses to zoom into the lane, which has no upper end', () => {
    const lane: Action = { type: 'moveCursor', columns: 0, bins: 99 };
    expect(after(open, lane, { type: 'zoomToBox' }).notice).toContain('no upper end');
  });
});

describe('filters', () => {
  const type = (text: string): Action[] =>
    Array.from(text, (key): Action => ({ type: 'edit', key: key === ' ' ? 'space' : key }));
  const filtered = (...actions: Action[]): string => formatFilter(after(...actions).filter);
  const submit: Action = { type: 'submit' };

  it('takes a typed filter for the whole history', () => {
    expect(filtered({ type: 'openFilter' }, ...type('disk=sda lat>10ms'), submit)).toBe(
      'disk=sda lat>10ms',
    );
  });

  it('keeps the line open with the place of a mistake, and the filter as it was', () => {
    const state = after({ type: 'openFilter' }, ...type('disk=sda lta>1ms'), submit);
    expect(state.mode).toBe('filter');
    expect(state.prompt?.problem?.column).toBe(9);
    expect(formatFilter(state.filter)).toBe('');
  });

  it('completes the word at the cursor', () => {
    const state = after({ type: 'openFilter' }, ...type('op=w'), { type: 'complete' });
    expect(state.prompt?.line).toEqual({ text: 'op=write', cursor: 8 });
  });

  it('opens the line with the filter in force', () => {
    const state = after({ type: 'filterByRow' }, { type: 'openFilter' });
    expect(state.prompt?.line.text).toBe('pid=892 disk=sda ');
  });

  it('filters by the selected row in place of what was asked of the same fields', () => {
    const typed = [{ type: 'openFilter' }, ...type('pid=1 op=write'), submit] as Action[];
    expect(filtered(...typed, { type: 'filterByRow' })).toBe('op=write pid=892 disk=sda');
  });

  it('says how to select a row when none is selected', () => {
    const bare = { rowTerms: undefined };
    expect(viewAfter([{ type: 'filterByRow' }], { world: bare }).notice).toContain('select a row');
  });

  it('undoes filters one by one, and clearing is one of them', () => {
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

  it('takes the entry under the cursor of a pick list when none is marked', () => {
    const open: Action = { type: 'openPick', what: 'process' };
    const down: Action = { type: 'movePick', by: 'row' };
    expect(filtered(open, submit)).toBe('pid=892');
    expect(filtered(open, down, submit)).toBe('pid=1204');
  });

  it('takes all marked entries, or everything but them', () => {
    const open: Action = { type: 'openPick', what: 'process' };
    const down: Action = { type: 'movePick', by: 'row' };
    const marks: Action[] = [open, { type: 'markPick' }, down, { type: 'markPick' }];
    expect(filtered(...marks, submit)).toBe('pid=892,1204');
    expect(filtered(...marks, { type: 'invertPick' }, submit)).toBe('pid!=892,1204');
    expect(after(...marks, submit, open).pick?.chosen).toEqual(['892', '1204']);
  });

  it('narrows a pick list by what is typed', () => {
    const state = after({ type: 'openPick', what: 'disk' }, ...type('nv'));
    expect(state.pick).toMatchObject({ query: { text: 'nv' }, row: 0 });
  });

  it('turns the values of a box into a filter, open upwards in the lane', () => {
    const box: Action[] = [{ type: 'openCursor' }, { type: 'openDrillDown' }];
    expect(filtered(...box, { type: 'filterByBox' })).toBe('dlat>=20ns dlat<21ns');
    const lane: Action = { type: 'moveCursor', columns: 0, bins: 99 };
    expect(
      filtered({ type: 'openCursor' }, lane, { type: 'openDrillDown' }, { type: 'filterByBox' }),
    ).toBe('dlat>=40ns');
  });

  it('freezes with the slowest I/O of all in the middle and the cross-hair on it', () => {
    const worst = after({ type: 'setMetric', metric: 'size' }, { type: 'goToSlowest' });
    expect(worst).toMatchObject({ mode: 'cursor', metric: 'total', frozenAtNs: 450e9 });
    expect(worst.cursor).toEqual({ column: 49, bin: 40 });
    expect(worst.notice).toContain('3s in total');
    const none = viewAfter([{ type: 'goToSlowest' }], { world: { slowest: undefined } });
    expect(none).toMatchObject({ mode: 'main', frozenAtNs: undefined });
    expect(none.notice).toContain('no I/O');
  });

  it('moves the cross-hair on to what stands out when all of the picture is counted', () => {
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

  it('waits for the slowest I/O of all, and for where it stands, and says so', () => {
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

  it('keeps waiting when the program has something to say meanwhile', () => {
    const world = { slowest: 'searching' } as const;
    const waiting = viewAfter([{ type: 'goToSlowest' }], { world });
    const told = viewAfter([{ type: 'notify', notice: 'loading 10%' }], { from: waiting, world });
    expect(told).toMatchObject({ seeks: { kind: 'slowest' }, notice: 'loading 10%' });
  });

  it('goes back to the charts from a time that was asked for there', () => {
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
