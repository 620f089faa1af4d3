/** What the y axis of the heat map means. */
export const METRICS = ['device', 'queue', 'total', 'offset', 'size', 'utilization'] as const;
export type Metric = (typeof METRICS)[number];

export const SCALE_KINDS = ['log', 'linear'] as const;
export type ScaleKind = (typeof SCALE_KINDS)[number];

/** Metrics that are times an I/O takes. */
export const LATENCIES = ['device', 'queue', 'total'] as const satisfies readonly Metric[];
export type Latency = (typeof LATENCIES)[number];

/** What the picture is made of: one heat map, three under each other, a map of two values, or disks. */
export const LAYOUTS = ['single', 'stacked', 'size-latency', 'offset-latency', 'disks'] as const;
export type Layout = (typeof LAYOUTS)[number];

/** What the colour of a disk's lane stands for. */
export const LANE_FIGURES = ['mean', 'p99'] as const;
export type LaneFigure = (typeof LANE_FIGURES)[number];

/** What an I/O adds to its pixel: one, the ns it waited in all (queue and device), or its bytes. */
export const WEIGHTS = ['count', 'time', 'bytes'] as const;
export type Weight = (typeof WEIGHTS)[number];

/** What makes one row of the process table; the matrix has the disks of a process in its columns. */
export const GROUPINGS = ['process-disk', 'process', 'cgroup', 'matrix'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** Share of the largest values that the axis leaves out; they go to the outlier lane. */
export const OUTLIER_CUTS = [0, 0.0001, 0.001, 0.01, 0.05] as const;
export type OutlierCut = (typeof OUTLIER_CUTS)[number];

/** Column widths a person can step through, in ns. */
export const INTERVALS_NS = [
  100e6, 200e6, 500e6, 1e9, 2e9, 5e9, 10e9, 30e9, 60e9, 120e9, 300e9, 600e9,
] as const;

export const PALETTES = ['false', 'heat', 'blind', 'grey', 'mono'] as const;
export type PaletteName = (typeof PALETTES)[number];

export function isLatency(metric: Metric): metric is Latency {
  return LATENCIES.some((latency) => latency === metric);
}
