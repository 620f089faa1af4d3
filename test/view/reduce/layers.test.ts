import { describe, expect, it } from 'vitest';
import { formatFilter } from '../../../src/filter/language/format.ts';
import { NO_FILTER, term } from '../../../src/filter/filter.ts';
import type { Layer } from '../../../src/model/layer.ts';
import { METRICS } from '../../../src/model/metric.ts';
import { reduce } from '../../../src/view/reduce/reduce.ts';
import { withFilter } from '../../../src/view/reduce/filter.ts';
import { withFilterAndLayer } from '../../../src/view/reduce/layers.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';
import { parsed } from '../../filter/fixtures.ts';
import { rowAt, WORLD } from '../fixtures.ts';

function cycle(view: ViewState, layers: readonly Layer[]): ViewState {
  return reduce(view, { type: 'cycleLayer' }, { ...WORLD, layers }).state;
}

const VOLUMES: ViewState = { ...DEFAULT_VIEW, layer: 'volumes' };

describe('the layer that is shown', () => {
  it('the layer that is shown is that of disks, until a key goes to the next one with I/O, and back', () => {
    expect(DEFAULT_VIEW.layer).toBe('disks');
    const above = cycle(DEFAULT_VIEW, ['disks', 'volumes']);
    expect(above.layer).toBe('volumes');
    expect(above.notice).toMatch(/^volumes: /);
    expect(cycle(above, ['disks', 'volumes']).layer).toBe('disks');
  });

  it('the layer that is shown stays where nothing else has I/O, and says so', () => {
    const same = cycle(DEFAULT_VIEW, ['disks']);
    expect(same.layer).toBe('disks');
    expect(same.notice).toContain('no other layer');
    expect(cycle(VOLUMES, ['disks']).layer).toBe('disks');
  });

  it('the layer that is shown has only the total latency where there is no queue', () => {
    const queue = { ...DEFAULT_VIEW, metric: 'queue', latency: 'queue' } as const;
    const above = cycle(queue, ['disks', 'volumes']);
    expect([above.metric, above.latency]).toEqual(['total', 'total']);
    for (const metric of METRICS) {
      const { state } = reduce(above, { type: 'setMetric', metric }, WORLD);
      const isPart = metric === 'queue' || metric === 'device';
      expect(state.metric).toBe(isPart ? 'total' : metric);
      if (isPart) expect(state.notice).toContain('only total latency');
    }
    expect(reduce(above, { type: 'cycleLatency' }, WORLD).state.metric).toBe('total');
  });

  it('the layer that is shown leads back, as other changes of the picture do', () => {
    const above = cycle(DEFAULT_VIEW, ['disks', 'volumes']);
    expect(reduce(above, { type: 'goBack' }, WORLD).state.layer).toBe('disks');
  });

  it('the layer that is shown says what waits and calls take where there are none', () => {
    const calls = { type: 'setLayer', layer: 'calls' } as const;
    expect(reduce(DEFAULT_VIEW, calls, { ...WORLD, layers: ['disks'] }).state.notice).toBe(
      'no calls so far; live, they take --calls',
    );
    const go = { type: 'setLayer', layer: 'waits' } as const;
    const empty = reduce(DEFAULT_VIEW, go, { ...WORLD, layers: ['disks'] }).state;
    expect([empty.layer, empty.notice]).toEqual([
      'waits',
      'no waits so far; live, they take --waits',
    ]);
    const some = reduce(DEFAULT_VIEW, go, { ...WORLD, layers: ['disks', 'waits'] }).state;
    expect(some.notice).toMatch(/^waits: /);
  });

  it('the layer that is shown drops the selected rows, which another layer does not have', () => {
    const above = cycle({ ...DEFAULT_VIEW, processRow: rowAt(3), diskRow: rowAt(1) }, [
      'disks',
      'volumes',
    ]);
    expect([above.processRow, above.diskRow]).toEqual([undefined, undefined]);
  });

  it('the layer that is shown has no cell under the cross-hair, so that this is left and the picture follows', () => {
    const from: ViewState = {
      ...VOLUMES,
      mode: 'cursor',
      cursor: { column: 5, bin: 2 },
      anchor: { column: 3, bin: 2 },
      frozenAtNs: 900e9,
      heldForCursor: true,
    };
    const filtered = withFilter(from, parsed('layer=disks disk=sda'));
    expect(filtered).toMatchObject({
      ...{ mode: 'main', layer: 'disks', cursor: undefined, anchor: undefined },
      ...{ frozenAtNs: undefined, heldForCursor: false },
    });
    expect(withFilter(from, parsed('disk=dm-0'))).toMatchObject({
      ...{ mode: 'cursor', cursor: from.cursor },
    });
  });
});

describe('a layer in a filter', () => {
  it('a layer in a filter is the one to show; the rest of the filter stays', () => {
    const view = withFilter(DEFAULT_VIEW, parsed('layer=volumes op=write'));
    expect(view.layer).toBe('volumes');
    expect(formatFilter(view.filter)).toBe('op=write');
    expect(withFilterAndLayer(VOLUMES, term('layer', '=', 'disks'))).toMatchObject({
      ...{ layer: 'disks', filter: NO_FILTER },
    });
  });

  it('a layer in a filter is that of calls where a result is asked for, as only calls have one', () => {
    for (const text of ['ret<0', 'call=read ret=0'])
      expect(withFilter(DEFAULT_VIEW, parsed(text)).layer).toBe('calls');
  });

  it('a layer in a filter stays that of calls where a call is asked for, and is that where there are no waits', () => {
    const calls: ViewState = { ...DEFAULT_VIEW, layer: 'calls' };
    expect(withFilter(calls, parsed('call=fsync')).layer).toBe('calls');
    const asked = parsed('call=fsync');
    expect(withFilter(DEFAULT_VIEW, asked, ['disks', 'calls']).layer).toBe('calls');
    expect(withFilter(DEFAULT_VIEW, asked, ['disks', 'waits', 'calls']).layer).toBe('waits');
  });

  it('a layer in a filter is that of waits where a call is asked for, and nothing else is known', () => {
    const view = withFilter(DEFAULT_VIEW, parsed('call=fsync lat>100ms'));
    expect([view.layer, formatFilter(view.filter)]).toEqual(['waits', 'call=fsync lat>100ms']);
    expect(withFilter(DEFAULT_VIEW, parsed('layer=disks call=fsync')).layer).toBe('disks');
  });

  it('a layer in a filter is undone with the filter', () => {
    for (const text of ['layer=volumes op=write', 'layer=volumes', 'ret<0']) {
      const view = withFilter(DEFAULT_VIEW, parsed(text));
      const { state } = reduce(view, { type: 'undoFilter' }, WORLD);
      expect([state.layer, state.filter, state.filterStack]).toEqual(['disks', NO_FILTER, []]);
    }
  });

  it('a layer in a filter stays where a key has led since, when a filter without a layer is undone', () => {
    const view = withFilter(DEFAULT_VIEW, parsed('op=write'));
    const above = cycle(view, ['disks', 'volumes']);
    expect(reduce(above, { type: 'undoFilter' }, WORLD).state.layer).toBe('volumes');
  });

  it('a layer in a filter does not put two layers into one figure', () => {
    for (const text of ['layer=disks,volumes', 'layer!=disks', 'layer=disks or op=read']) {
      const view = withFilterAndLayer(VOLUMES, parsed(text));
      expect(view.layer).toBe('volumes');
      expect(formatFilter(view.filter)).toBe(text);
    }
  });
});

describe('the layer of a filter', () => {
  function typed(text: string, layers: readonly Layer[], from = DEFAULT_VIEW): ViewState {
    return withFilter(from, parsed(text), layers);
  }

  it('the layer of a filter says what it takes where there is nothing of it', () => {
    const missing = 'no waits so far; live, they take --waits';
    expect(typed('layer=waits', ['disks'])).toMatchObject({ layer: 'waits', notice: missing });
    expect(typed('layer=waits lat>1ms', ['disks']).notice).toBe(missing);
  });

  it('the layer of a filter is described where there is something, and stays when the filter is cleared, which says so', () => {
    const waits = typed('layer=waits', ['disks', 'waits']);
    expect(waits.notice).toMatch(/^waits: /);
    const slow = typed('lat>1ms', ['disks', 'waits'], waits);
    const cleared = reduce(slow, { type: 'clearFilter' }, WORLD).state;
    expect(cleared).toMatchObject({
      layer: 'waits',
      notice: 'filter cleared; all waits are shown',
    });
    const all = reduce(typed('lat>1ms', ['disks']), { type: 'clearFilter' }, WORLD).state;
    expect(all.notice).toBe('filter cleared; everything is shown');
  });
});
