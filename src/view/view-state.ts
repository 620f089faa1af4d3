import type { Metric, OutlierCut, PaletteName, ScaleKind } from '../model/metric.ts';

export const PROCESS_SORTS = ['wait', 'iops', 'bytes', 'p99', 'max', 'pid'] as const;
export type ProcessSort = (typeof PROCESS_SORTS)[number];

export const DISK_SORTS = ['util', 'iops', 'bytes', 'p99', 'max', 'name'] as const;
export type DiskSort = (typeof DISK_SORTS)[number];

export type Pane = 'processes' | 'disks';

/** Which keys are live: the main screen, or something that lies over it. */
export type Mode = 'main' | 'help';

/** What a person can choose. Small and immutable; changed only by `reduce`. */
export interface ViewState {
  readonly mode: Mode;
  readonly metric: Metric;
  /** Chosen for latencies and sizes; offset and utilization are always linear. */
  readonly scale: ScaleKind;
  readonly outlierCut: OutlierCut;
  readonly palette: PaletteName;
  /** Width of one heat map column, in ns. */
  readonly intervalNs: number;
  /** Trace time, in ns, at which the picture was frozen; undefined while following. */
  readonly frozenAtNs: number | undefined;
  readonly focus: Pane;
  readonly processSort: ProcessSort;
  readonly diskSort: DiskSort;
  /** First visible row of each table and of the help. */
  readonly processTop: number;
  readonly diskTop: number;
  readonly helpTop: number;
  /** What the last key did; shown in the status line until the next key. */
  readonly notice: string | undefined;
}

export const DEFAULT_VIEW: ViewState = {
  mode: 'main',
  metric: 'device',
  scale: 'log',
  outlierCut: 0.001,
  palette: 'false',
  intervalNs: 1e9,
  frozenAtNs: undefined,
  focus: 'processes',
  processSort: 'wait',
  diskSort: 'util',
  processTop: 0,
  diskTop: 0,
  helpTop: 0,
  notice: undefined,
};

/** Offsets and shares have no sensible logarithm. */
export function effectiveScale(view: Pick<ViewState, 'metric' | 'scale'>): ScaleKind {
  return view.metric === 'offset' || view.metric === 'utilization' ? 'linear' : view.scale;
}
