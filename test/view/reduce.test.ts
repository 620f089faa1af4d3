import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { INTERVALS_NS, METRICS } from '../../src/model/metric.ts';
import type { Action, ActionContext } from '../../src/view/action.ts';
import { KEY_TABLE } from '../../src/view/key-table.ts';
import { reduce } from '../../src/view/reduce.ts';
import { DEFAULT_VIEW } from '../../src/view/view-state.ts';
import type { ViewState } from '../../src/view/view-state.ts';

const context: ActionContext = { nowNs: 7e9, listRows: 30, listHeight: 10 };
const after = (...actions: Action[]): ViewState =>
  actions.reduce((state, action) => reduce(state, action, context), DEFAULT_VIEW);

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
    expect(after({ type: 'togglePause' }).frozenAtNs).toBe(7e9);
    expect(after({ type: 'togglePause' }, { type: 'togglePause' }).frozenAtNs).toBeUndefined();
  });

  it('stops at the shortest and the longest interval and says so', () => {
    const longest = after(...INTERVALS_NS.map((): Action => ({ type: 'stepInterval', step: 1 })));
    expect(longest.intervalNs).toBe(60e9);
    expect(longest.notice).toBe('one column is 1m, the limit');
    const shortest = after(...INTERVALS_NS.map((): Action => ({ type: 'stepInterval', step: -1 })));
    expect(shortest.intervalNs).toBe(100e6);
  });

  it('refuses a logarithmic offset and explains it', () => {
    const state = after({ type: 'setMetric', metric: 'offset' }, { type: 'toggleScale' });
    expect(state.scale).toBe('log');
    expect(state.notice).toBe('offset is always linear');
  });

  it('sorts and scrolls the table that has the focus', () => {
    const state = after(
      { type: 'switchFocus' },
      { type: 'cycleSort', step: 1 },
      {
        type: 'scroll',
        by: 'end',
      },
    );
    expect(state).toMatchObject({ diskSort: 'iops', diskTop: 20, processTop: 0 });
  });

  it('keeps the scroll position inside the list under any sequence of keys', () => {
    const actions = KEY_TABLE.flatMap(({ does }) => ('action' in does ? [does.action] : []));
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...actions), { maxLength: 60 }),
        fc.nat(40),
        fc.nat(40),
        (keys, listRows, listHeight) => {
          const end = keys.reduce(
            (state, action) => reduce(state, action, { nowNs: 0, listRows, listHeight }),
            DEFAULT_VIEW,
          );
          for (const top of [end.processTop, end.diskTop, end.helpTop]) {
            expect(top).toBeGreaterThanOrEqual(0);
            expect(top).toBeLessThanOrEqual(Math.max(0, listRows - listHeight));
          }
        },
      ),
    );
  });
});
