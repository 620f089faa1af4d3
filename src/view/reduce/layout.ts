import { hasQueue } from '../../model/layer.ts';
import {
  hasLanes,
  isLatency,
  LANE_FIGURES,
  LATENCIES,
  LAYOUTS,
  METRICS,
  OUTLIER_CUTS,
  PALETTES,
  WEIGHTS,
} from '../../model/metric.ts';
import { isPlace } from '../../model/metric.ts';
import type { Latency, Layout, Metric } from '../../model/metric.ts';
import type { Action } from '../action.ts';
import type { Facts } from '../facts.ts';
import { neighbour, withNotice } from './cycle.ts';
import {
  describeLaneFigure,
  describeLayout,
  describeMetric,
  describeOutlierCut,
  describePalette,
  describeScale,
  describeWeight,
  metricTitle,
} from '../describe.ts';
import { activeMap, stackedMaps, stackProblem } from '../stack.ts';
import type { ViewState } from '../state.ts';
import type { Handlers } from './step.ts';

/** Changes what the picture shows, and how. */
export const LAYOUT_HANDLERS: Handlers<
  | 'setMetric'
  | 'cycleMetric'
  | 'cycleLatency'
  | 'cycleLayout'
  | 'toggleScale'
  | 'cycleOutlierCut'
  | 'cyclePalette'
  | 'cycleWeight'
  | 'fitValues'
  | 'metricUnknown'
> = {
  // A cell of one map means nothing in another.
  setMetric: (state, { metric }) =>
    withMetric({ ...state, cursor: undefined, anchor: undefined }, metric),
  cycleMetric: (state, { step }) =>
    withMetric(state, neighbour(metricsOf(state), state.metric, step)),
  cycleLatency: (state) => withMetric(state, nextLatency(state)),
  cycleLayout,
  toggleScale,
  cycleOutlierCut,
  cyclePalette: (state) =>
    withNotice(state, describePalette, { palette: neighbour(PALETTES, state.palette, 1) }),
  cycleWeight,
  fitValues,
  metricUnknown,
};

const LAYOUT_METRICS: Readonly<Record<Layout, readonly Metric[]>> = {
  single: METRICS,
  stacked: [...LATENCIES, 'offset', 'size'],
  layers: LATENCIES,
  'size-latency': LATENCIES,
  'offset-latency': LATENCIES,
  disks: LATENCIES,
  files: LATENCIES,
  processes: LATENCIES,
  cgroups: LATENCIES,
};

/** The metrics that the y axis of a layout can show: queue and device only where they are known. */
export function metricsOf({
  layout,
  layer,
  traceLatency,
}: Pick<ViewState, 'layout' | 'layer' | 'traceLatency'>): readonly Metric[] {
  const metrics = LAYOUT_METRICS[layout];
  return hasQueue(layer, traceLatency)
    ? metrics
    : metrics.filter((metric) => !isPartOfTotal(metric));
}

function isPartOfTotal(metric: Metric): boolean {
  return metric === 'queue' || metric === 'device';
}

/** The view with a metric that its layout can show. */
export function consistent(state: ViewState): ViewState {
  const shown = isLatency(state.metric) ? state.metric : state.latency;
  const latency = hasQueue(state.layer, state.traceLatency) ? shown : 'total';
  if (metricsOf(state).includes(state.metric)) return { ...state, latency };
  return { ...state, latency, metric: latency, valueRange: undefined };
}

function fitValues(state: ViewState): ViewState {
  if (hasLanes(state.layout)) return { ...state, notice: 'lanes have no axis to reset' };
  if (state.valueRange === undefined) return { ...state, notice: 'the y axis is not zoomed' };
  return { ...state, valueRange: undefined, notice: 'y axis reset' };
}

function cycleLayout(state: ViewState, _: unknown, facts: Facts): ViewState {
  const layout = neighbour(LAYOUTS, state.layout, 1);
  const next = consistent({ ...state, layout });
  return { ...next, notice: stackProblem(next, facts) ?? describeLayout(next) };
}

/** The trace lacks the metric's data; it may have another metric. */
function metricUnknown(
  state: ViewState,
  { metric, notice }: Extract<Action, { type: 'metricUnknown' }>,
): ViewState {
  if (metric === undefined) return { ...state, notice };
  return consistent({ ...state, metric, valueRange: undefined, notice });
}

/**
 * Changes the metric. A zoomed range of one metric means nothing for another, except among latencies. If the layout
 * cannot show the metric, it changes to one that can.
 */
function withMetric(state: ViewState, metric: Metric): ViewState {
  if (!hasQueue(state.layer, state.traceLatency) && isPartOfTotal(metric))
    return { ...state, notice: onlyTotalText(state) };
  const isComparable = isLatency(metric) && isLatency(state.metric);
  const valueRange = isComparable ? state.valueRange : undefined;
  if (metricsOf(state).includes(metric)) {
    const latency = isLatency(metric) ? metric : state.latency;
    return withNotice(state, describeMetric, { metric, latency, valueRange });
  }
  const across = acrossLayout(state.layout, metric);
  if (across === undefined)
    return withNotice(state, describeMetric, { layout: 'single', metric, valueRange });
  return withNotice(state, describeLayout, { layout: across });
}

function onlyTotalText({ layer }: ViewState): string {
  return hasQueue(layer)
    ? 'this log has total latencies alone'
    : `${layer} have no queue of their own: only total latency`;
}

/** The map of two values with this metric on its x axis, if the layout is such a map. */
function acrossLayout(layout: Layout, metric: Metric): Layout | undefined {
  if (layout !== 'size-latency' && layout !== 'offset-latency') return undefined;
  if (metric === 'size') return 'size-latency';
  return metric === 'offset' ? 'offset-latency' : undefined;
}

/** Changes the weight. Lanes have none: there, the same key changes the figure behind their colour. */
function cycleWeight(state: ViewState): ViewState {
  if (hasLanes(state.layout))
    return withNotice(state, describeLaneFigure, {
      laneFigure: neighbour(LANE_FIGURES, state.laneFigure, 1),
    });
  if (state.metric === 'utilization')
    return { ...state, notice: 'utilization counts disks: no weight to change' };
  return withNotice(state, describeWeight, { weight: neighbour(WEIGHTS, state.weight, 1) });
}

function cycleOutlierCut(state: ViewState, _: unknown, facts: Facts): ViewState {
  const problem = cutProblem(state);
  const isOfOthers = hasOtherAxis(state, facts);
  if (problem !== undefined && !isOfOthers) return { ...state, notice: problem };
  const outlierCut = neighbour(OUTLIER_CUTS, state.outlierCut, 1);
  const next = { ...state, outlierCut };
  const cut = describeOutlierCut(next);
  return { ...next, notice: state.valueRange === undefined ? cut : `other maps: ${cut}` };
}

/** Why the axis of the active map has no outliers to cut; undefined where it has. */
function cutProblem({ layout, metric, valueRange }: ViewState): string | undefined {
  if (hasLanes(layout)) return 'lanes show every I/O: no outliers to cut';
  if (metric === 'utilization') return 'utilization ends at 100%: no outliers to cut';
  if (isPlace(metric)) return 'the axis has every offset: no outliers to cut';
  return valueRange === undefined ? undefined : 'the y axis is zoomed; Z resets it first';
}

/** Whether a stack has, next to the active map, one whose axis fits itself and may be logarithmic. */
function hasOtherAxis(state: ViewState, facts: Facts): boolean {
  const maps = stackedMaps(state, facts) ?? [];
  const active = activeMap(maps, state);
  return maps.some(({ metric }, index) => index !== active && !isPlace(metric));
}

function toggleScale(state: ViewState, _: unknown, facts: Facts): ViewState {
  if (hasLanes(state.layout))
    return { ...state, notice: 'lanes have no axis; their colours are logarithmic' };
  const isLinear = isPlace(state.metric) || state.metric === 'utilization';
  if (isLinear && !hasOtherAxis(state, facts))
    return { ...state, notice: `${metricTitle(state.metric)} is always linear` };
  return withNotice(state, describeScale, { scale: state.scale === 'log' ? 'linear' : 'log' });
}

/** The next latency. From any other metric, the latency that was shown last. */
function nextLatency({ metric, latency, layer, traceLatency }: ViewState): Latency {
  if (!hasQueue(layer, traceLatency)) return 'total';
  return isLatency(metric) ? neighbour(LATENCIES, metric, 1) : latency;
}
