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
  it('the layout key goes through all layouts and comes back to the first', () => {
    const seen = LAYOUTS.map((_, n) => after(DEFAULT_VIEW, new Array<Action>(n).fill(NEXT)).layout);
    expect(seen).toEqual([...LAYOUTS]);
    expect(after(DEFAULT_VIEW, new Array<Action>(LAYOUTS.length).fill(NEXT)).layout).toBe('single');
  });

  it('a layout never shows a metric that it does not have', () => {
    for (const layout of LAYOUTS)
      for (const metric of METRICS) {
        const view = viewOf(layout, { metric, valueRange: { low: 1, high: 2 } });
        expect(metricsOf(view)).toContain(view.metric);
        if (view.metric !== metric) expect(view.valueRange).toBeUndefined();
      }
  });

  it('a log with total latencies alone is shown with these, whatever is asked for', () => {
    const from = viewOf('single', { traceLatency: 'total' });
    for (const action of [to('queue'), to('device')])
      expect(after(from, [action])).toMatchObject({
        ...{ metric: 'total', notice: 'this log has total latencies alone' },
      });
    expect(after(from, [{ type: 'cycleLatency' }]).metric).toBe('total');
    expect(metricsOf(from)).not.toContain('device');
    const sorted = [1, 2, 3, 4, 5, 6, 7].map((n) => {
      const sorts = new Array<Action>(n).fill({ type: 'cycleSort', step: 1 });
      return after(from, sorts).processSort;
    });
    expect(sorted).not.toContain('queue');
    const asked = viewOf('stacked', { metric: 'device', traceLatency: undefined });
    const unknown: Action = { type: 'metricUnknown', metric: 'total', notice: '' };
    expect(after({ ...asked, traceLatency: 'total' }, [unknown])).toMatchObject({
      ...{ metric: 'total', latency: 'total' },
    });
  });

  it('a layout returns to the latency of before, whatever layouts were between', () => {
    const view = after(DEFAULT_VIEW, [to('queue'), to('size'), NEXT, NEXT, NEXT]);
    expect(view).toMatchObject({ layout: 'size-latency', metric: 'queue', latency: 'queue' });
  });

  it('a layout that cannot be shown is selected, and a notice says why', () => {
    const context = { stackLacks: () => 4 };
    expect(after(DEFAULT_VIEW, [NEXT], context)).toMatchObject({
      layout: 'stacked',
      notice: '3 maps need 4 more lines; showing one',
    });
  });

  it('the notice of a layout fits into a narrow status line', () => {
    for (const layout of LAYOUTS.slice(1)) {
      const before = viewOf(LAYOUTS[LAYOUTS.indexOf(layout) - 1]!);
      const { notice } = after(before, [NEXT]);
      expect(notice!.length).toBeLessThanOrEqual(51);
    }
  });
});

describe('a metric', () => {
  it('a map of two values with a new metric changes its x axis', () => {
    expect(after(viewOf('size-latency'), [to('offset')])).toMatchObject({
      layout: 'offset-latency',
      metric: 'total',
    });
    expect(after(viewOf('offset-latency'), [to('size')]).layout).toBe('size-latency');
  });

  it('a metric that a layout has no place for is shown in one heat map', () => {
    for (const layout of ['stacked', 'layers', 'size-latency', 'offset-latency', 'disks'] as const)
      expect(after(viewOf(layout), [to('utilization')])).toMatchObject({
        layout: 'single',
        metric: 'utilization',
      });
    expect(after(viewOf('disks'), [to('size')])).toMatchObject({ layout: 'single' });
  });

  it('a new metric keeps the zoom only among latencies', () => {
    const zoomed = viewOf('stacked', { valueRange: { low: 1e3, high: 1e6 } });
    expect(after(zoomed, [to('total')]).valueRange).toEqual({ low: 1e3, high: 1e6 });
    expect(after(zoomed, [to('size')]).valueRange).toBeUndefined();
    expect(after(zoomed, [to('size'), to('device')]).valueRange).toBeUndefined();
  });
});

describe('lanes of disks', () => {
  it('in the layout of disk lanes, the weight key changes the figure of the colours', () => {
    const weigh: Action = { type: 'cycleWeight' };
    const once = after(viewOf('disks'), [weigh]);
    expect(once).toMatchObject({ laneFigure: 'mean', weight: 'count' });
    expect(once.notice).toContain('mean total latency');
    expect(LANE_FIGURES.map(() => weigh).length).toBe(2);
    expect(after(once, [weigh]).laneFigure).toBe('p99');
    expect(after(viewOf('stacked'), [weigh])).toMatchObject({ laneFigure: 'p99', weight: 'time' });
  });

  it('disk lanes have no outlier cut, scale or zoom, and a notice says so', () => {
    const valueRange = { low: 1e3, high: 1e6 };
    const lanes = viewOf('disks', { cursor: { column: 3, bin: 1 }, mode: 'cursor', valueRange });
    for (const type of ['cycleOutlierCut', 'toggleScale', 'zoomToBox', 'fitValues'] as const) {
      const next = after(lanes, [{ type }]);
      expect({ ...next, notice: undefined }).toEqual({ ...lanes, notice: undefined });
      expect(next.notice).toMatch(/lanes/);
    }
  });
});

describe('in a stack of maps', () => {
  it('in a stack of maps, the share of outliers changes for the others while one is zoomed', () => {
    const valueRange = { low: 1e3, high: 1e6 };
    const zoomed = viewOf('stacked', { valueRange });
    const next = after(zoomed, [{ type: 'cycleOutlierCut' }]);
    expect(next).toMatchObject({ outlierCut: 0.01, valueRange });
    expect(next.notice).toBe('other maps: axis without the slowest 1%; see the outlier row');
  });

  it('in a stack of maps, outliers and scale change for the others while the map of offsets is active', () => {
    const offsets = viewOf('stacked', { metric: 'offset' });
    expect(after(offsets, [{ type: 'cycleOutlierCut' }])).toMatchObject({
      ...{ metric: 'offset', outlierCut: 0.01 },
      notice: 'axis without the slowest 1%; see the outlier row',
    });
    expect(after(offsets, [{ type: 'toggleScale' }])).toMatchObject({ scale: 'linear' });
  });

  it('in a stack of maps that do not fit, the one shown refuses as it does alone', () => {
    const small = { world: { stackLacks: () => 3 } };
    const offsets = viewOf('stacked', { metric: 'offset' });
    const cut = viewAfter([{ type: 'cycleOutlierCut' }], { from: offsets, ...small });
    const notice = 'the axis has every offset: no outliers to cut';
    expect(cut).toMatchObject({ outlierCut: 0.001, notice });
    const scale = viewAfter([{ type: 'toggleScale' }], { from: offsets, ...small });
    expect(scale).toMatchObject({ scale: 'log', notice: 'offset is always linear' });
  });
});

it('a zoomed axis keeps its outliers, and a notice says what comes first', () => {
  const zoomed = viewOf('single', { valueRange: { low: 1e3, high: 1e6 } });
  const next = after(zoomed, [{ type: 'cycleOutlierCut' }]);
  expect(next).toEqual({ ...zoomed, notice: 'the y axis is zoomed; Z resets it first' });
  const reset = after(next, [{ type: 'fitValues' }, { type: 'cycleOutlierCut' }]);
  expect(reset.outlierCut).not.toBe(zoomed.outlierCut);
});

describe('the cursor in stacked maps', () => {
  const at = (column: number, bin: number, metric: Metric = 'device'): ViewState =>
    viewOf('stacked', { metric, mode: 'cursor', cursor: { column, bin } });
  const map: Action = { type: 'nextMap', step: 1 };
  const up: Action = { type: 'moveCursor', columns: 0, bins: 1 };
  const down: Action = { type: 'moveCursor', columns: 0, bins: -1 };

  it('Tab moves the cursor through the stacked maps, to the fullest cell at its time', () => {
    const view = after(at(5, 2), [map]);
    expect(view).toMatchObject({ metric: 'offset', cursor: { column: 5, bin: 5 } });
    expect(after(view, [map]).metric).toBe('size');
    expect(after(view, [map, map])).toMatchObject({ metric: 'device', latency: 'device' });
    expect(after(view, [{ type: 'nextMap', step: -1 }]).metric).toBe('device');
  });

  it('the cursor moves over the edge of a map into the next stacked map', () => {
    expect(after(at(5, 0), [down])).toMatchObject({
      metric: 'offset',
      cursor: { column: 5, bin: 12 },
    });
    expect(after(at(5, WORLD.bins, 'size'), [up])).toMatchObject({
      metric: 'offset',
      cursor: { column: 5, bin: 0 },
    });
  });

  it('the cursor stops at the edge of a map before it leaves it, and at the last map', () => {
    expect(after(at(5, WORLD.bins), [up])).toMatchObject({ metric: 'device' });
    expect(after(at(5, 0, 'size'), [down])).toMatchObject({ metric: 'size', cursor: { bin: 0 } });
    const page: Action = { type: 'moveCursor', columns: 0, bins: -10 };
    expect(after(at(5, 3), [page])).toMatchObject({ metric: 'device', cursor: { bin: 0 } });
  });

  it('the cursor stays in its map while a box is selected, and where there is one map', () => {
    const box = { ...at(5, 0), anchor: { column: 4, bin: 3 } };
    expect(after(box, [down])).toMatchObject({ metric: 'device', cursor: { bin: 0 } });
    expect(after(box, [map])).toMatchObject({ metric: 'device', notice: /box/ });
    const single = { ...at(5, 0), layout: 'single' as const };
    expect(after(single, [down]).metric).toBe('device');
    expect(after(single, [map])).toMatchObject({ metric: 'device', focus: 'disks' });
    expect(after(single, [map]).metric).toBe('device');
    const low = { stackLacks: () => 4 };
    expect(after(at(5, 0), [map], low)).toMatchObject({ metric: 'device', notice: /4 lines/ });
    expect(after(at(5, 0), [down], low).metric).toBe('device');
  });

  it('the cursor resets the zoom of the map that it leaves', () => {
    const zoomed = { ...at(5, 2), valueRange: { low: 1, high: 2 } };
    expect(after(zoomed, [map]).valueRange).toBeUndefined();
  });
});

describe('the slowest I/O', () => {
  const slowest: Action = { type: 'goToSlowest' };

  it('the slowest I/O is marked at its place in the new picture, also when the axis grows', () => {
    const context = { bins: 7, place: () => ({ column: 42, bin: 9 }) };
    const view = after(viewOf('stacked', { metric: 'size' }), [slowest], context);
    expect(view).toMatchObject({ metric: 'total', mode: 'cursor', cursor: { column: 42, bin: 9 } });
  });

  it('the slowest I/O is shown in one heat map when a map of two values has no place for it', () => {
    const context: Partial<World> = {
      place: ({ layout }) => (layout === 'single' ? { column: 8, bin: 3 } : undefined),
    };
    const view = after(viewOf('size-latency'), [slowest], context);
    expect(view).toMatchObject({ layout: 'single', cursor: { column: 8, bin: 3 } });
    expect(view.notice).toContain('cannot show');
  });
});
