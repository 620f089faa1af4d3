import { sanitizeText } from '../../base/sanitize.ts';
import type { ActivityReport, DiskActivity, ProcessActivity } from '../../model/activity.ts';
import { matrixSort } from '../../view/table-columns.ts';
import { tableSelection } from '../../view/state.ts';
import type { SelectedRow, ViewState } from '../../view/state.ts';
import { diskTree } from './disk-tree.ts';
import type { TreeDisk } from './disk-tree.ts';
import { matrixRows } from './matrix.ts';
import { sortDisks, sortProcesses } from './sort-rows.ts';
import { placeOf, rowIds } from './row-ids.ts';
import { stackText } from './stack-text.ts';

type Ordering = Pick<ViewState, 'focus' | 'processSort' | 'diskSort' | 'grouping'>;
type Selection = Ordering & Pick<ViewState, 'processRow' | 'diskRow'>;

/** The rows of the process table in the order shown. */
export function shownProcesses(
  { grouping, processSort }: Pick<Ordering, 'grouping' | 'processSort'>,
  { processes }: ActivityReport,
): readonly ProcessActivity[] {
  return grouping === 'matrix'
    ? sortProcesses(matrixRows(processes), matrixSort(processSort))
    : sortProcesses(processes, processSort);
}

/** The rows of the disk table in the order shown. */
export function shownDisks(
  { diskSort }: Pick<Ordering, 'diskSort'>,
  { disks, disksBeside = [] }: ActivityReport,
): readonly TreeDisk[] {
  return diskTree(disks, disksBeside, (rows) => sortDisks(rows, diskSort));
}

/** The rows of the table that has the focus, in the order shown. */
export function shownRows(
  view: Ordering,
  report: ActivityReport,
): readonly (ProcessActivity | TreeDisk)[] {
  return view.focus === 'processes' ? shownProcesses(view, report) : shownDisks(view, report);
}

/** The selected row of the table that has the focus; undefined if none is selected, or it is not in the table now. */
export function selectedRow(
  view: Selection,
  report: ActivityReport,
): ProcessActivity | TreeDisk | undefined {
  const rows = shownRows(view, report);
  return rows[placeOf(tableSelection(view), rows, view.grouping) ?? -1];
}

/** The rows of the focused table whose PID, name or other searchable text contains the text, in any case. */
export function findRows(view: Ordering, report: ActivityReport, text: string): SelectedRow[] {
  const part = text.trim().toLowerCase();
  if (part === '') return [];
  const rows = shownRows(view, report);
  const ids = rowIds(rows, view.grouping);
  return rows.flatMap((row, place) =>
    wordsOf(row).some((word) => sanitizeText(word).toLowerCase().includes(part))
      ? [{ id: ids[place]!, place }]
      : [],
  );
}

function wordsOf(row: ProcessActivity | DiskActivity): string[] {
  if (!('comm' in row)) return [row.disk, ...(row.mounts ?? []), stackText(row)];
  const { tgid, tid, comm, disk, cgroupName = '', user = '', via = '', command = '' } = row;
  const numbers = [tgid, tid].flatMap((number) => (number === undefined ? [] : [String(number)]));
  return [...numbers, comm, disk, cgroupName, user, via, command];
}
