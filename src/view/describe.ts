import { termsOf } from '../filter/filter.ts';
import type { Filter } from '../filter/filter.ts';
import { hasQueue, nounOf } from '../model/layer.ts';
import type { Layer } from '../model/layer.ts';
import { LANE_KINDS } from '../model/metric.ts';
import type { Grouping, Layout, Metric, PaletteName, Weight } from '../model/metric.ts';
import { matrixSort, REPLACED_COLUMNS } from './table-columns.ts';
import type { DiskSort, ProcessSort } from './table-columns.ts';
import type { ViewState } from './state.ts';

const METRIC_TITLES: Record<Metric, string> = {
  device: 'device latency',
  queue: 'queue latency',
  total: 'total latency',
  offset: 'offset',
  'file-offset': 'offset in file',
  size: 'size',
  utilization: 'utilization',
};

const METRIC_SPANS: Record<Exclude<Metric, 'size'>, string> = {
  device: 'issue to completion',
  queue: 'queued to issue',
  total: 'queued to completion',
  offset: 'position on the disk',
  'file-offset': 'position in the file',
  utilization: '% busy, colour = disks',
};

/** For a sentence, and for a header without room for it. */
const TOTAL_SPANS: Partial<Record<Layer, readonly [string, string]>> = {
  waits: ['from sleep to running again', 'sleep to running'],
  calls: ['from entry to return of the call', 'entry to return'],
};

const SORT_TITLES: Record<ProcessSort | DiskSort, string> = {
  queue: 'time in the queue',
  wait: 'share of waiting time',
  comm: 'name of the process',
  cgroup: 'cgroup or container',
  disk: 'disk',
  user: 'user',
  via: 'kernel thread',
  command: 'command line',
  mount: 'mount point',
  stack: 'volume',
  reads: 'reads per second',
  writes: 'writes per second',
  iops: 'I/Os per second',
  margin: 'uncertainty',
  bytes: 'bytes per second',
  rbytes: 'bytes read per second',
  wbytes: 'bytes written per second',
  errors: 'errors',
  p50: 'median',
  qd: 'queue depth',
  inflight: 'oldest request in flight',
  p99: '99th percentile',
  max: 'slowest I/O',
  pid: 'PID',
  util: 'utilization',
  name: 'name',
};

export function metricTitle(metric: Metric): string {
  return METRIC_TITLES[metric];
}

/** The span of time that a metric measures. */
export function metricSpan(view: Pick<ViewState, 'metric' | 'layer'>): string {
  return metricSpanForms(view)[0]!;
}

/** The same, ever shorter. */
export function metricSpanForms({
  metric,
  layer,
}: Pick<ViewState, 'metric' | 'layer'>): readonly string[] {
  if (metric === 'size') return [`bytes per ${nounOf(layer)}`];
  return (metric === 'total' ? TOTAL_SPANS[layer] : undefined) ?? [METRIC_SPANS[metric]];
}

const LAYER_TITLES: Record<Layer, string> = {
  disks: 'disks: requests to disks',
  volumes: 'volumes: I/O of dm, LVM, LUKS, md and zram, above the disks',
  waits: 'waits: what programs wait for, in calls and page faults',
  calls: 'calls: system calls on files, from memory or from disk',
};

export function describeLayer(view: Pick<ViewState, 'layer'>): string {
  return LAYER_TITLES[view.layer];
}

export function describeMetric(view: ViewState): string {
  // Short enough for 80 columns, where the status line has figures too: it drops what is after the semicolon.
  if (view.metric === 'file-offset' && !namesOneFile(view.filter))
    return 'offset in each file; file=PATH shows one';
  return `${metricTitle(view.metric)}: ${metricSpan(view)}`;
}

function namesOneFile(filter: Filter): boolean {
  if (filter.kind === 'everything') return false;
  return termsOf(filter).some(
    ({ field, operator, values }) => field === 'file' && operator === '=' && values.length === 1,
  );
}

export function describeScale(view: ViewState): string {
  return view.scale === 'log' ? 'logarithmic y axis' : 'linear y axis';
}

export function describeOutlierCut(view: ViewState): string {
  if (view.outlierCut === 0) return `the axis fits every ${nounOf(view.layer)}`;
  const farthest = view.metric === 'size' ? 'largest' : 'slowest';
  return `axis without the ${farthest} ${percentText(view.outlierCut)}; see the outlier row`;
}

const PALETTE_TITLES: Record<PaletteName, string> = {
  spectrum: 'spectrum: false colour, one I/O stays visible',
  heat: 'heat: further from the background is more',
  colorblind: 'colorblind: blue to yellow, colour-blind safe',
  grey: 'grey: linear in count',
  mono: 'mono: no colour, denser is more',
};

export function describePalette(view: ViewState): string {
  return PALETTE_TITLES[view.palette];
}

export function describeInterval(view: ViewState): string {
  return `one column is ${intervalText(view.intervalNs)}`;
}

export function sortTitle(sort: ProcessSort | DiskSort): string {
  return SORT_TITLES[sort];
}

export function describeSort(view: ViewState): string {
  const { focus, grouping } = view;
  const rows = rowsTitle(view);
  if (focus === 'disks') return `${rows} sorted by ${SORT_TITLES[view.diskSort]}`;
  const sort = grouping === 'matrix' ? matrixSort(view.processSort) : view.processSort;
  const isByName = sort === 'comm' && REPLACED_COLUMNS[grouping] !== undefined;
  return `${rows} sorted by ${SORT_TITLES[isByName ? 'name' : sort]}`;
}

const ROW_TITLES: Record<Grouping, string> = {
  'process-disk': 'processes',
  process: 'processes',
  thread: 'threads',
  name: 'names',
  cgroup: 'cgroups',
  file: 'files',
  folder: 'folders',
  matrix: 'processes',
};

/** What the rows of the table with the focus are. */
export function rowsTitle({ focus, grouping }: Pick<ViewState, 'focus' | 'grouping'>): string {
  return focus === 'disks' ? 'disks' : ROW_TITLES[grouping];
}

/** `0.5x`, `60x`, `max`: the form that `--speed` takes, plus the `x`. */
export function speedText(speed: number): string {
  return speed === Infinity ? 'max' : `${speed}x`;
}

/** `100ms`, `1s`, `1m`: the form that `--interval` takes. */
export function intervalText(intervalNs: number): string {
  if (intervalNs < 1e9) return `${intervalNs / 1e6}ms`;
  if (intervalNs < 60e9) return `${intervalNs / 1e9}s`;
  return intervalNs < 3600e9 ? `${intervalNs / 60e9}m` : `${intervalNs / 3600e9}h`;
}

function percentText(share: number): string {
  return `${Number((share * 100).toPrecision(3))}%`;
}

const WEIGHT_TITLES: Record<Weight, string> = {
  count: 'counts one',
  time: 'counts the time it took',
  bytes: 'counts its bytes',
};

export function describeWeight(view: ViewState): string {
  const isDivided = view.weight === 'time' && hasQueue(view.layer, view.traceLatency);
  const what = isDivided
    ? 'counts the time it waited, queue and device'
    : WEIGHT_TITLES[view.weight];
  return `each ${nounOf(view.layer)} ${what}`;
}

const GROUPING_TITLES: Record<Grouping, string> = {
  'process-disk': 'a row per process and disk',
  process: 'a row per process, over all disks',
  thread: 'a row per thread, over all disks',
  name: 'a row per process name, over all disks',
  cgroup: 'a row per cgroup',
  file: 'a row per file, or swap, metadata, journal',
  folder: 'a row per folder, without the folders in it',
  matrix: 'a row per process, a column per disk; s changes the figure',
};

export function describeGrouping(view: ViewState): string {
  return GROUPING_TITLES[view.grouping];
}

/** `p99 device latency`: the figure behind the colour of a lane. */
export function laneFigureTitle({
  laneFigure,
  metric,
}: Pick<ViewState, 'laneFigure' | 'metric'>): string {
  return `${laneFigure} ${metricTitle(metric)}`;
}

export function describeLaneFigure(view: ViewState): string {
  return `colour: ${laneFigureTitle(view)}`;
}

const LAYOUT_TITLES: Record<Layout, string> = {
  single: 'one heat map',
  stacked: 'stacked',
  layers: 'layers',
  'size-latency': 'size × latency',
  'offset-latency': 'offset × latency',
  disks: 'disks',
  files: 'files',
  processes: 'processes',
  cgroups: 'cgroups',
};

export function layoutTitle(layout: Layout): string {
  return LAYOUT_TITLES[layout];
}

/** A notice for a new layout: what it shows, and how to read it. */
export function describeLayout(view: ViewState): string {
  switch (view.layout) {
    case 'single':
      return describeMetric(view);
    case 'stacked':
      return 'latency, offset, size over time; 1 to 5: choose';
    case 'layers':
      return `layers; figures are of ${view.layer}, L changes them`;
    case 'size-latency':
      return 'size across, latency upwards; whole time shown';
    case 'offset-latency':
      return 'offset across, latency upwards; whole time shown';
    case 'disks':
    case 'files':
    case 'processes':
    case 'cgroups':
      return `a lane per ${LANE_KINDS[view.layout]}: ${laneFigureTitle(view)}; w changes it`;
  }
}

const WEIGHT_NAMES: Record<Weight, string> = {
  count: 'by count',
  time: 'by time waited',
  bytes: 'by bytes',
};

/** What the colour of a pixel stands for. */
export function weightTitle(weight: Weight): string {
  return WEIGHT_NAMES[weight];
}
