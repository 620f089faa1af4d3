/** Metrics of the y axis. */
export const METRICS = [
  'device',
  'queue',
  'total',
  'offset',
  'size',
  'utilization',
  'file-offset',
] as const;
export type Metric = (typeof METRICS)[number];

/** Metrics that are places; their axes are linear. */
export function isPlace(metric: Metric): metric is 'offset' | 'file-offset' {
  return metric === 'offset' || metric === 'file-offset';
}

/** The kind of values on an axis: those of a metric, or offsets as shares of the disk that they are on. */
export type AxisValues = Metric | 'diskShare';

export const SCALE_KINDS = ['log', 'linear'] as const;
export type ScaleKind = (typeof SCALE_KINDS)[number];

/** Metrics that are durations of an I/O. */
export const LATENCIES = ['device', 'queue', 'total'] as const satisfies readonly Metric[];
export type Latency = (typeof LATENCIES)[number];

/**
 * The layouts of the picture: one heat map; several above each other, of three metrics or of all layers; a map of two
 * values; or lanes.
 */
export const LAYOUTS = [
  'single',
  'stacked',
  'layers',
  'size-latency',
  'offset-latency',
  'disks',
  'files',
  'processes',
  'cgroups',
] as const;
export type Layout = (typeof LAYOUTS)[number];

/** The subject of a lane, by layout. */
export const LANE_KINDS = {
  disks: 'disk',
  files: 'file',
  processes: 'process',
  cgroups: 'cgroup',
} as const satisfies Partial<Record<Layout, string>>;
export type LaneLayout = keyof typeof LANE_KINDS;
export type LaneKind = (typeof LANE_KINDS)[LaneLayout];

/** The figure that the colour of a lane shows. */
export const LANE_FIGURES = ['mean', 'p99'] as const;
export type LaneFigure = (typeof LANE_FIGURES)[number];

/** What an I/O adds to its pixel: one, its total latency in ns, or its bytes. */
export const WEIGHTS = ['count', 'time', 'bytes'] as const;
export type Weight = (typeof WEIGHTS)[number];

/**
 * What a row of the process table stands for. A row of a file or folder counts only I/Os that are known individually; the
 * matrix has a column per disk.
 */
export const GROUPINGS = [
  'process-disk',
  'process',
  'thread',
  'name',
  'cgroup',
  'file',
  'folder',
  'matrix',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Whether each row is of one process, or of a part of it. */
export function isOfOneProcess(grouping: Grouping): boolean {
  return grouping !== 'name' && grouping !== 'cgroup' && !isOfFiles(grouping);
}

/** Whether rows depend on the file of each I/O, which only I/Os that are known individually have. */
export function isOfFiles(grouping: Grouping): boolean {
  return grouping === 'file' || grouping === 'folder';
}

/** Shares of the largest values that the axis may exclude; they are drawn in the outlier row. */
export const OUTLIER_CUTS = [0, 0.0001, 0.001, 0.01, 0.05] as const;
export type OutlierCut = (typeof OUTLIER_CUTS)[number];

/** Column widths to step through, in ns. */
export const INTERVALS_NS = [
  100e6, 200e6, 500e6, 1e9, 2e9, 5e9, 10e9, 30e9, 60e9, 120e9, 300e9, 600e9,
] as const;

/** `spectrum` is a false colour scale. */
export const PALETTES = ['spectrum', 'heat', 'colorblind', 'grey', 'mono'] as const;
export type PaletteName = (typeof PALETTES)[number];

/** Former names, which command lines and settings files may still contain. */
export const OLD_PALETTE_NAMES: Readonly<Record<string, PaletteName>> = {
  false: 'spectrum',
  blind: 'colorblind',
};

export function isLatency(metric: Metric): metric is Latency {
  return LATENCIES.some((latency) => latency === metric);
}

/** Whether several heat maps are above each other, on one time axis. */
export function hasStack(layout: Layout): layout is 'stacked' | 'layers' {
  return layout === 'stacked' || layout === 'layers';
}

/** Whether it has lanes, whose colours are latencies. */
export function hasLanes(layout: Layout): layout is LaneLayout {
  return layout in LANE_KINDS;
}
