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
 * The row whose card is opened: the selected row. Without one, a row of the table with the focus: that of the I/O under
 * the cross-hair, or without a cross-hair the first, which others wait for most.
 */
export function cardRow(scene: Scene, view: ViewState, nowNs: number): Row | undefined {
  const report = scene.report(view, nowNs);
  return (
    selectedRow(view, report) ??
    rowUnderCursor(scene, view, nowNs, report) ??
    shownRows(view, report)[0]
  );
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
  const ofLane = rowOfLane(box, (grouping) =>
    scene.monitor.report({ ...shown, scope: 'picture' }, grouping),
  );
  if (ofLane !== undefined) return ofLane;
  const [most] = scene.monitor.inspect(box).groups;
  return most && shownRows(view, report).find((row) => isOf(row, most));
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

/** Rows of several processes, or of all disks, have no number. */
function isOf(row: Row, group: BoxGroup): boolean {
  if (!('comm' in row)) return row.dev === group.dev;
  return (
    (row.tgid ?? group.tgid) === group.tgid &&
    row.comm === group.comm &&
    (row.dev ?? group.dev) === group.dev
  );
}
