import { describe, expect, it } from 'vitest';
import { LANE_FIGURES, LAYOUTS, METRICS } from '../../../src/model/metric.ts';
import type { Layout, Metric } from '../../../src/model/metric.ts';
import type { Action } from '../../../src/view/action.ts';
import { consistent, metricsOf } from '../../../src/view/reduce/layout.ts';
import { DEFAULT_VIEW } from '../../../src/view/state.ts';
import type { ViewState } from '../../../src/view/state.ts';
import { viewAfter, WORLD } from '../fixtures.ts';
import type { World } from '../fixtures.ts';

const NEXT: Action = { type: 'cycleLayout' };

function viewOf(layout: Layout, changes: Partial<ViewState> = {}): ViewState {
  return consistent({ ...DEFAULT_VIEW, layout, ...changes });
}

function after(
  state: ViewState,
  actions: readonly Action[],
  world: Partial<World> = {},
): ViewState {
  return viewAfter(actions, { from: state, world });
}

const to = (metric: Metric): Action => ({ type: 'setMetric', metric });

describe('the layouts', () => {
  it('follow each other and come back to the first', () => {
    const seen = LAYOUTS.map((_, n) => after(DEFAULT_VIEW, new Array<Action>(n).fill(NEXT)).layout);
    expect(seen).toEqual([...LAYOUTS]);
    expect(after(DEFAULT_VIEW, new Array<Action>(LAYOUTS.length).fill(NEXT)).layout).toBe('single');
  });

  it('never show a metric that they do not have', () => {
    for (const layout of LAYOUTS)
      for (const metric of METRICS) {
        const view = viewOf(layout, { metric, valueRange: { low: 1, high: 2 } });
        expect(metricsOf(view.layout)).toContain(view.metric);
        if (view.metric !== metric) expect(view.valueRange).toBeUndefined();
      }
  });

  it('come back to the latency that was looked at, whatever was between', () => {
    const view = after(DEFAULT_VIEW, [to('queue'), to('size'), NEXT, NEXT]);
    expect(view).toMatchObject({ layout: 'size-latency', metric: 'queue', latency: 'queue' });
  });

  it('say why they cannot be shown, and are chosen all the same', () => {
    const context = { stackLacks: 4 };
    expect(after(DEFAULT_VIEW, [NEXT], context)).toMatchObject({
      layout: 'stacked',
      notice: 'three maps need a picture 4 lines higher; until then there is one',
    });
  });

  it('say in the space of a narrow status line what the picture is', () => {
    for (const layout of LAYOUTS.slice(1)) {
      const before = viewOf(LAYOUTS[LAYOUTS.indexOf(layout) - 1]!);
      const { notice } = after(before, [NEXT]);
      expect(notice!.length).toBeLessThanOrEqual(51);
    }
  });
});

describe('a metric', () => {
  it('that a map of two values has across changes what lies across', () => {
    expect(after(viewOf('size-latency'), [to('offset')])).toMatchObject({
      layout: 'offset-latency',
      metric: 'device',
    });
    expect(after(viewOf('offset-latency'), [to('size')]).layout).toBe('size-latency');
  });

  it('that a layout has no place for is shown in one heat map', () => {
    for (const layout of ['stacked', 'size-latency', 'offset-latency', 'disks'] as const)
      expect(after(viewOf(layout), [to('utilization')])).toMatchObject({
        layout: 'single',
        metric: 'utilization',
      });
    expect(after(viewOf('disks'), [to('size')])).toMatchObject({ layout: 'single' });
  });

  it('keeps a zoom only among latencies', () => {
    const zoomed = viewOf('stacked', { valueRange: { low: 1e3, high: 1e6 } });
    expect(after(zoomed, [to('total')]).valueRange).toEqual({ low: 1e3, high: 1e6 });
    expect(after(zoomed, [to('size')]).valueRange).toBeUndefined();
    expect(after(zoomed, [to('size'), to('device')]).valueRange).toBeUndefined();
  });
});

describe('lanes of disks', () => {
  it('take the key of the weight for what their colour is', () => {
    const weigh: Action = { type: 'cycleWeight' };
    const once = after(viewOf('disks'), [weigh]);
    expect(once).toMatchObject({ laneFigure: 'mean', weight: 'count' });
    expect(once.notice).toContain('mean device latency');
    expect(LANE_FIGURES.map(() => weigh).length).toBe(2);
    expect(after(once, [weigh]).laneFigure).toBe('p99');
    expect(after(viewOf('stacked'), [weigh])).toMatchObject({ laneFigure: 'p99', weight: 'time' });
  });

  it('have nothing to cut, no axis to change and nothing to zoom, and say so', () => {
    const lanes = viewOf('disks', { cursor: { column: 3, bin: 1 }, mode: 'cursor' });
    for (const type of ['cycleOutlierCut', 'toggleScale', 'zoomToBox'] as const) {
      const next = after(lanes, [{ type }]);
      expect({ ...next, notice: undefined }).toEqual({ ...lanes, notice: undefined });
      expect(next.notice).toMatch(/lanes/);
    }
  });
});

describe('the cursor in stacked maps', () => {
  const at = (column: number, bin: number, metric: Metric = 'device'): ViewState =>
    viewOf('stacked', { metric, mode: 'cursor', cursor: { column, bin } });
  const map: Action = { type: 'nextMap', step: 1 };
  const up: Action = { type: 'moveCursor', columns: 0, bins: 1 };
  const down: Action = { type: 'moveCursor', columns: 0, bins: -1 };

  it('goes round through all three, to where most is at that time', () => {
    const view = after(at(5, 2), [map]);
    expect(view).toMatchObject({ metric: 'offset', cursor: { column: 5, bin: 5 } });
    expect(after(view, [map]).metric).toBe('size');
    expect(after(view, [map, map])).toMatchObject({ metric: 'device', latency: 'device' });
    expect(after(view, [{ type: 'nextMap', step: -1 }]).metric).toBe('device');
  });

  it('steps over an edge into the map that lies there', () => {
    expect(after(at(5, 0), [down])).toMatchObject({
      metric: 'offset',
      cursor: { column: 5, bin: 12 },
    });
    expect(after(at(5, WORLD.bins, 'size'), [up])).toMatchObject({
      metric: 'offset',
      cursor: { column: 5, bin: 0 },
    });
  });

  it('stays where there is no further map, and stops at an edge before it goes over it', () => {
    expect(after(at(5, WORLD.bins), [up])).toMatchObject({ metric: 'device' });
    expect(after(at(5, 0, 'size'), [down])).toMatchObject({ metric: 'size', cursor: { bin: 0 } });
    const page: Action = { type: 'moveCursor', columns: 0, bins: -10 };
    expect(after(at(5, 3), [page])).toMatchObject({ metric: 'device', cursor: { bin: 0 } });
  });

  it('leaves no map while a box is selected, nor where there is one map', () => {
    const box = { ...at(5, 0), anchor: { column: 4, bin: 3 } };
    expect(after(box, [down])).toMatchObject({ metric: 'device', cursor: { bin: 0 } });
    expect(after(box, [map])).toMatchObject({ metric: 'device', notice: /box/ });
    const single = { ...at(5, 0), layout: 'single' as const };
    expect(after(single, [down]).metric).toBe('device');
    expect(after(single, [map]).metric).toBe('device');
    const low = { stackLacks: 4 };
    expect(after(at(5, 0), [map], low)).toMatchObject({ metric: 'device', notice: /4 lines/ });
    expect(after(at(5, 0), [down], low).metric).toBe('device');
  });

  it('drops the zoom of the map that it leaves', () => {
    const zoomed = { ...at(5, 2), valueRange: { low: 1, high: 2 } };
    expect(after(zoomed, [map]).valueRange).toBeUndefined();
  });
});

describe('the slowest I/O', () => {
  const worst: Action = { type: 'goToSlowest' };

  it('is marked in the cell that the new picture gives, also where that is higher than this one', () => {
    const context = { bins: 7, place: () => ({ column: 42, bin: 9 }) };
    const view = after(viewOf('stacked', { metric: 'size' }), [worst], context);
    expect(view).toMatchObject({ metric: 'total', mode: 'cursor', cursor: { column: 42, bin: 9 } });
  });

  it('is shown in one heat map when a map of two values has no place for it', () => {
    const context: Partial<World> = {
      place: ({ layout }) => (layout === 'single' ? { column: 8, bin: 3 } : undefined),
    };
    const view = after(viewOf('size-latency'), [worst], context);
    expect(view).toMatchObject({ layout: 'single', cursor: { column: 8, bin: 3 } });
    expect(view.notice).toContain('cannot show');
  });
});
