import type { ActivityReport, DiskActivity, ProcessActivity } from '../model/activity.ts';
import type { ViewState } from '../view/view-state.ts';
import { sortDisks, sortProcesses } from './sort-rows.ts';
import { selectedIndex } from './table-lines.ts';

type Selection = Pick<ViewState, 'focus' | 'processSort' | 'diskSort' | 'processRow' | 'diskRow'>;

/** The row under the cursor of the table that has the focus, in the order shown. */
export function rowAt(
  view: Selection,
  report: ActivityReport,
): ProcessActivity | DiskActivity | undefined {
  return view.focus === 'processes' ? selectedProcess(view, report) : selectedDisk(view, report);
}

export function selectedProcess(
  view: Selection,
  report: ActivityReport,
): ProcessActivity | undefined {
  const index = selectedIndex(view.processRow, report.processes.length);
  return index === undefined ? undefined : sortProcesses(report.processes, view.processSort)[index];
}

export function selectedDisk(view: Selection, report: ActivityReport): DiskActivity | undefined {
  const index = selectedIndex(view.diskRow, report.disks.length);
  return index === undefined ? undefined : sortDisks(report.disks, view.diskSort)[index];
}
