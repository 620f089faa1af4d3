import type { ActivityReport } from '../model/activity.ts';
import { NO_CGROUP_NAMES } from '../model/cgroup-names.ts';
import type { CgroupNames } from '../model/cgroup-names.ts';
import { deviceName } from '../model/device.ts';
import type { DeviceNames } from '../model/device.ts';
import type { CompiledFilter } from '../model/filter-compile.ts';
import type { KeyTable } from '../model/key-table.ts';
import type { Grouping } from '../model/metric.ts';
import { DiskRow, ProcessRow, TotalsRow } from './activity-rows.ts';
import type { DiskGroup } from './activity-rows.ts';
import { ActivityTables } from './activity-tables.ts';
import type { History } from './history.ts';
import type { Slice } from './slice.ts';

export interface ActivityInfo extends DeviceNames {
  readonly keys: KeyTable;
}

export interface ActivityOptions {
  /** What makes one row of the process table; a process on one disk, by default. */
  readonly grouping?: Grouping;
  readonly cgroups?: CgroupNames;
}

/**
 * The tables beside the picture, from slices, open ones included. Slices are not divided, so the
 * span grows to their edges, and ends at the present when the last one is still being filled;
 * `spanNs` is the span that was used. Latency is queue and device time together, or device time
 * alone where queue time was not recorded. Shares of waiting relate to all I/O, filtered out or not.
 *
 * A filter that asks for values is put to single I/Os, as far back as they reach.
 */
export function reportActivity(
  history: History,
  startNs: number,
  endNs: number,
  filter: CompiledFilter,
  info: ActivityInfo,
  options: ActivityOptions = {},
): ActivityReport {
  const { grouping = 'process-disk', cgroups = NO_CGROUP_NAMES } = options;
  const slices = [...history.slices(startNs, endNs)];
  const span = alignedSpan(history, slices, startNs, endNs);
  const tables = new ActivityTables(filter, info.keys, grouping);
  for (const slice of slices) tables.addWait(slice);
  if (filter.quantities.length === 0) for (const slice of slices) tables.addSlice(slice);
  else tables.addQuery(history.query(span.startNs, span.edgeNs), span.edgeNs);
  const spanNs = span.endNs - span.startNs;
  const { processes, disks, waitNs, undecidedCount } = tables;
  const names = { disks: info, cgroups, grouping };
  return {
    spanNs,
    undecidedCount,
    totals: new TotalsRow(tables.total, spanNs),
    processes: processes.map((process) => new ProcessRow(process, names, spanNs, waitNs)),
    disks: disks.map((disk) => diskRow(disk, history, span, deviceName(info, disk.dev))),
  };
}

interface Span {
  readonly startNs: number;
  readonly endNs: number;
  /** Where the last slice ends, perhaps in the future. */
  readonly edgeNs: number;
}

function alignedSpan(
  history: History,
  slices: readonly Slice[],
  startNs: number,
  endNs: number,
): Span {
  const { sliceNs } = history;
  const presentNs = Math.max(endNs, history.endNs);
  const traceStartNs = Math.min(0, Math.floor(history.startNs / sliceNs) * sliceNs);
  let first = Math.max(traceStartNs, Math.floor(startNs / sliceNs) * sliceNs);
  let last = Math.ceil(endNs / sliceNs) * sliceNs;
  for (const slice of slices) {
    first = Math.min(first, slice.startNs);
    last = Math.max(last, slice.endNs);
  }
  return { startNs: first, endNs: Math.max(first, Math.min(last, presentNs)), edgeNs: last };
}

function diskRow(group: DiskGroup, history: History, span: Span, disk: string): DiskRow {
  const { startNs, endNs } = span;
  const { dev } = group;
  const utilization = history.utilization(dev, startNs, endNs);
  const isUtilizationPartial = history.isUtilizationPartial(dev, startNs, endNs);
  return new DiskRow(group, { disk, utilization, isUtilizationPartial }, endNs - startNs);
}
