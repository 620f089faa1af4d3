import type { ActivityReport, ProcessActivity } from '../../model/activity.ts';
import type { Box } from '../../filter/box.ts';
import type { BoxGroup } from '../../query/box/drill-down.ts';
import type { ViewState } from '../../view/state.ts';
import type { TreeDisk } from '../tables/disk-tree.ts';
import { rowTerms } from '../tables/row-terms.ts';
import { rowAt, shownRows } from '../tables/selected-row.ts';
import type { Scene } from './scene.ts';

type Row = ProcessActivity | TreeDisk;

/**
 * The row whose card is opened: the selected one; else, of the table with the focus, that of what is under the cross-hair,
 * and without one the first, which others wait for most.
 */
export function cardRow(scene: Scene, view: ViewState, nowNs: number): Row | undefined {
  const report = scene.report(view, nowNs);
  return (
    rowAt(view, report) ?? rowUnderCursor(scene, view, nowNs, report) ?? shownRows(view, report)[0]
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
  const box = scene.picture(view, nowNs).boxOf(anchor ?? cursor, cursor);
  const ofLane = rowOfLane(box, report);
  if (ofLane !== undefined) return ofLane;
  const [most] = scene.monitor.inspect(box).groups;
  return most && shownRows(view, report).find((row) => isOf(row, most));
}

/** In lanes: what the one lane is of. */
function rowOfLane({ where = [] }: Box, { disks, processes }: ActivityReport): Row | undefined {
  const [lane, ...others] = where;
  if (lane === undefined || others.length > 0 || lane.values.length > 1) return undefined;
  return [...disks, ...processes].find((row) =>
    rowTerms(row)?.some(
      ({ field, values }) => field === lane.field && values[0] === lane.values[0],
    ),
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
