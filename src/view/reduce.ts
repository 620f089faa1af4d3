import { assertUnreachable } from '../base/assert.ts';
import { INTERVALS_NS, METRICS, OUTLIER_CUTS, PALETTES } from '../model/metric.ts';
import type { Metric } from '../model/metric.ts';
import type { Action, ActionContext, ScrollBy } from './action.ts';
import {
  describeInterval,
  describeMetric,
  describeOutlierCut,
  describePalette,
  describeScale,
  describeSort,
} from './describe.ts';
import { DISK_SORTS, PROCESS_SORTS } from './view-state.ts';
import type { ViewState } from './view-state.ts';

const LATENCIES: readonly Metric[] = ['device', 'queue', 'total'];

/** The whole of what keys do to the view. Pure: no clock, no input or output. */
export function reduce(state: ViewState, action: Action, context: ActionContext): ViewState {
  switch (action.type) {
    case 'setMetric':
      return withMetric(state, action.metric);
    case 'cycleMetric':
      return withMetric(state, neighbour(METRICS, state.metric, action.step));
    case 'cycleLatency':
      return withMetric(state, neighbour(LATENCIES, state.metric, 1));
    case 'toggleScale':
      return toggleScale(state);
    case 'cycleOutlierCut':
      return noticing(state, describeOutlierCut, {
        outlierCut: neighbour(OUTLIER_CUTS, state.outlierCut, 1),
      });
    case 'cyclePalette':
      return noticing(state, describePalette, { palette: neighbour(PALETTES, state.palette, 1) });
    case 'stepInterval':
      return stepInterval(state, action.step);
    case 'togglePause':
      return togglePause(state, context.nowNs);
    case 'cycleSort':
      return cycleSort(state, action.step);
    case 'switchFocus':
      return {
        ...state,
        focus: state.focus === 'processes' ? 'disks' : 'processes',
        notice: undefined,
      };
    case 'scroll':
      return scroll(state, action.by, context);
    case 'openHelp':
      return { ...state, mode: 'help', helpTop: 0, notice: undefined };
    case 'closeHelp':
      return { ...state, mode: 'main', notice: undefined };
    default:
      return assertUnreachable(action);
  }
}

function noticing(
  state: ViewState,
  describe: (next: ViewState) => string,
  change: Partial<ViewState>,
): ViewState {
  const next = { ...state, ...change };
  return { ...next, notice: describe(next) };
}

/** The next or previous member of a cycle; the first when `current` is not in it. */
function neighbour<T>(cycle: readonly T[], current: T, step: 1 | -1): T {
  const at = cycle.indexOf(current);
  if (at < 0) return cycle[0]!;
  return cycle[(at + step + cycle.length) % cycle.length]!;
}

function withMetric(state: ViewState, metric: Metric): ViewState {
  return noticing(state, describeMetric, { metric });
}

function toggleScale(state: ViewState): ViewState {
  if (state.metric === 'offset' || state.metric === 'utilization')
    return { ...state, notice: `${state.metric} is always linear` };
  return noticing(state, describeScale, { scale: state.scale === 'log' ? 'linear' : 'log' });
}

function stepInterval(state: ViewState, step: 1 | -1): ViewState {
  const intervals: readonly number[] = INTERVALS_NS;
  const intervalNs =
    step > 0
      ? intervals.find((ns) => ns > state.intervalNs)
      : intervals.findLast((ns) => ns < state.intervalNs);
  if (intervalNs === undefined)
    return { ...state, notice: `${describeInterval(state)}, the limit` };
  return noticing(state, describeInterval, { intervalNs });
}

function togglePause(state: ViewState, nowNs: number): ViewState {
  return state.frozenAtNs === undefined
    ? { ...state, frozenAtNs: nowNs, notice: 'frozen; tracing goes on; Space resumes' }
    : { ...state, frozenAtNs: undefined, notice: 'following' };
}

function cycleSort(state: ViewState, step: 1 | -1): ViewState {
  return state.focus === 'processes'
    ? noticing(state, describeSort, {
        processSort: neighbour(PROCESS_SORTS, state.processSort, step),
        processTop: 0,
      })
    : noticing(state, describeSort, {
        diskSort: neighbour(DISK_SORTS, state.diskSort, step),
        diskTop: 0,
      });
}

function scroll(state: ViewState, by: ScrollBy, context: ActionContext): ViewState {
  const field = scrollField(state);
  const last = Math.max(0, context.listRows - context.listHeight);
  const wanted = scrollTarget(by, state[field], context.listHeight, last);
  return { ...state, [field]: Math.min(last, Math.max(0, wanted)), notice: undefined };
}

function scrollField(state: ViewState): 'helpTop' | 'processTop' | 'diskTop' {
  if (state.mode === 'help') return 'helpTop';
  return state.focus === 'processes' ? 'processTop' : 'diskTop';
}

function scrollTarget(by: ScrollBy, top: number, height: number, last: number): number {
  switch (by) {
    case 'row':
      return top + 1;
    case 'rowBack':
      return top - 1;
    case 'page':
      return top + Math.max(1, height - 1);
    case 'pageBack':
      return top - Math.max(1, height - 1);
    case 'start':
      return 0;
    case 'end':
      return last;
    default:
      return assertUnreachable(by);
  }
}
