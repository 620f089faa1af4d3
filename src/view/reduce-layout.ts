import {
  isLatency,
  LANE_FIGURES,
  LATENCIES,
  LAYOUTS,
  METRICS,
  OUTLIER_CUTS,
  WEIGHTS,
} from '../model/metric.ts';
import type { Layout, Metric } from '../model/metric.ts';
import type { ActionContext } from './action.ts';
import { neighbour, noticing } from './cycle.ts';
import {
  describeLaneFigure,
  describeLayout,
  describeMetric,
  describeOutlierCut,
  describeScale,
  describeWeight,
} from './describe.ts';
import type { ViewState } from './view-state.ts';

const LAYOUT_METRICS: Readonly<Record<Layout, readonly Metric[]>> = {
  single: METRICS,
  stacked: [...LATENCIES, 'offset', 'size'],
  'size-latency': LATENCIES,
  'offset-latency': LATENCIES,
  disks: LATENCIES,
};

/** What the y axis of a layout can be. */
export function metricsOf(layout: Layout): readonly Metric[] {
  return LAYOUT_METRICS[layout];
}

/** With a metric that the layout has. */
export function consistent(state: ViewState): ViewState {
  const latency = isLatency(state.metric) ? state.metric : state.latency;
  if (metricsOf(state.layout).includes(state.metric)) return { ...state, latency };
  return { ...state, latency, metric: latency, valueRange: undefined };
}

export function cycleLayout(state: ViewState, { layoutProblem }: ActionContext): ViewState {
  const layout = neighbour(LAYOUTS, state.layout, 1);
  const next = consistent({ ...state, layout });
  const problem = layoutProblem(layout);
  return { ...next, notice: problem ?? describeLayout(next) };
}

/**
 * A range of one metric says nothing of another, except among latencies. What the layout has no place
 * for is shown in the one that has.
 */
export function withMetric(state: ViewState, metric: Metric): ViewState {
  const isComparable = isLatency(metric) && isLatency(state.metric);
  const valueRange = isComparable ? state.valueRange : undefined;
  if (metricsOf(state.layout).includes(metric)) {
    const latency = isLatency(metric) ? metric : state.latency;
    return noticing(state, describeMetric, { metric, latency, valueRange });
  }
  const across = acrossLayout(state.layout, metric);
  if (across === undefined)
    return noticing(state, describeMetric, { layout: 'single', metric, valueRange });
  return noticing(state, describeLayout, { layout: across });
}

/** In a map of two values, a metric that can lie across does. */
function acrossLayout(layout: Layout, metric: Metric): Layout | undefined {
  if (layout !== 'size-latency' && layout !== 'offset-latency') return undefined;
  if (metric === 'size') return 'size-latency';
  return metric === 'offset' ? 'offset-latency' : undefined;
}

/** Lanes have no weight, but the same key asks the same of them: what the colour is. */
export function cycleWeight(state: ViewState): ViewState {
  if (state.layout === 'disks')
    return noticing(state, describeLaneFigure, {
      laneFigure: neighbour(LANE_FIGURES, state.laneFigure, 1),
    });
  return noticing(state, describeWeight, { weight: neighbour(WEIGHTS, state.weight, 1) });
}

export function cycleOutlierCut(state: ViewState): ViewState {
  if (state.layout === 'disks')
    return { ...state, notice: 'lanes of disks leave no I/O out: there is nothing to cut' };
  return noticing(state, describeOutlierCut, {
    outlierCut: neighbour(OUTLIER_CUTS, state.outlierCut, 1),
  });
}

export function toggleScale(state: ViewState): ViewState {
  if (state.layout === 'disks')
    return { ...state, notice: 'lanes of disks have no axis: their colours are logarithmic' };
  if (state.metric === 'offset' || state.metric === 'utilization')
    return { ...state, notice: `${state.metric} is always linear` };
  return noticing(state, describeScale, { scale: state.scale === 'log' ? 'linear' : 'log' });
}
