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
  /** Chosen per kind of value: offset and utilization are always linear. */
  readonly scale: ScaleKind;
  readonly outlierCut: OutlierCut;
  readonly palette: PaletteName;
  readonly intervalNs: number;
  /** Undefined while following; else the trace time, in ns, at which the picture was frozen. */
  readonly frozenAtNs: number | undefined;
  readonly focus: Pane;
  readonly processSort: ProcessSort;
  readonly diskSort: DiskSort;
  /** First visible row per table. */
  readonly processTop: number;
  readonly diskTop: number;
  /** What the last key did, shown in the status line until the next key. */
  readonly notice: string | undefined;
}
