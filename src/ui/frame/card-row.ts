import type { ActivityReport, ProcessActivity } from '../../model/activity.ts';
import type { Grouping } from '../../model/metric.ts';
import type { FieldName } from '../../filter/fields.ts';
import type { Box } from '../../filter/box.ts';
import type { BoxGroup } from '../../query/box/drill-down.ts';
import type { ViewState } from '../../view/state.ts';
import type { TreeDisk } from '../tables/disk-tree.ts';
import { rowTerms } from '../tables/row-terms.ts';
import { selectedRow, shownRows } from '../tables/selected-row.ts';
import { edgeOf } from './scene.ts';
import type { Scene } from './scene.ts';

type Row = ProcessActivity | TreeDisk;

/**
 * The row whose card is opened: that of the I/O under the cross-hair, whatever was selected before. Without a
 * cross-hair, the selected row of the table with the focus, or else its first, which others wait for most.
 */
export function cardRow(scene: Scene, view: ViewState, nowNs: number): Row | undefined {
  const report = scene.report(view, nowNs);
  if (view.cursor !== undefined) return rowUnderCursor(scene, view, nowNs, report);
  return selectedRow(view, report) ?? shownRows(view, report)[0];
}

function rowUnderCursor(
  scene: Scene,
  view: ViewState,
  nowNs: number,
  report: ActivityReport,
): Row | undefined {
  const { cursor, anchor } = view;
  if (cursor === undefined) return undefined;
  const picture = scene.picture(view, nowNs);
  const box = picture.boxOf(anchor ?? cursor, cursor);
  const shown = { startNs: picture.startNs(), endNs: edgeOf(view, nowNs) };
  const reportBy = (grouping: Grouping): ActivityReport =>
    scene.monitor.report({ ...shown, scope: 'picture' }, grouping);
  const ofLane = rowOfLane(box, reportBy);
  if (ofLane !== undefined) return ofLane;
  const [most] = scene.monitor.inspect(box).groups;
  if (most === undefined) return undefined;
  const isMost = (row: Row): boolean => isOf(row, most);
  // Rows of files, cgroups and several processes are not the owner.
  return shownRows(view, report).find(isMost) ?? reportBy('process').processes.find(isMost);
}

/** The grouping of the rows that lanes stand for, whatever that of the table. */
const GROUPINGS: Partial<Record<FieldName, Grouping>> = {
  disk: 'process-disk',
  file: 'file',
  pid: 'process',
  cgroup: 'cgroup',
};

/** In lanes, the row of the lane under the cursor. */
function rowOfLane(
  { where = [] }: Box,
  reportBy: (grouping: Grouping) => ActivityReport,
): Row | undefined {
  const [lane, ...others] = where;
  if (lane === undefined || others.length > 0) return undefined;
  const { field, operator, values } = lane;
  if (operator !== '=' || values.length > 1) return undefined;
  const { disks, processes } = reportBy(GROUPINGS[field]!);
  return [...disks, ...processes].find((row) =>
    rowTerms(row)?.some((term) => term.field === field && term.values[0] === values[0]),
  );
}

/** Whether a row is that of the process. A row of several, which has no PID, is not; one of all disks has no number. */
function isOf(row: Row, group: BoxGroup): boolean {
  if (!('comm' in row)) return row.dev === group.dev;
  return row.tgid === group.tgid && row.comm === group.comm && (row.dev ?? group.dev) === group.dev;
}
