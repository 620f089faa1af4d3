import type { ProcessActivity } from '../../model/activity.ts';
import type { Grouping } from '../../model/metric.ts';
import { DEFAULT_LAYER } from '../../model/layer.ts';
import type { SelectedRow } from '../../view/state.ts';
import type { TreeDisk } from './disk-tree.ts';

type Row = ProcessActivity | TreeDisk;

/**
 * What identifies each row, in their order: equal for the same process, file, cgroup or disk in every table of the same
 * grouping. A disk below several volumes has several rows; they are told apart by their order.
 */
export function rowIds(rows: readonly Row[], grouping: Grouping): readonly string[] {
  const seen = new Map<string, number>();
  return rows.map((row) => {
    const id = idOf(row, grouping);
    const earlier = seen.get(id) ?? 0;
    seen.set(id, earlier + 1);
    return `${id} ${earlier}`;
  });
}

/** The place of the selected row in the table now; undefined if it is not in the table. */
export function placeOf(
  selected: SelectedRow | undefined,
  rows: readonly Row[],
  grouping: Grouping,
): number | undefined {
  if (selected === undefined) return undefined;
  const place = rowIds(rows, grouping).indexOf(selected.id);
  return place < 0 ? undefined : place;
}

function idOf(row: Row, grouping: Grouping): string {
  if (!('comm' in row)) return JSON.stringify([row.layer ?? DEFAULT_LAYER, row.dev]);
  // Rows over all disks get further disks while they are in the table.
  const disk = grouping === 'process-disk' ? [row.dev ?? ''] : [];
  return JSON.stringify([...ownerOf(row), row.host ?? '', ...disk]);
}

/** Only what stays the same while the row is in the table: a process may move to another cgroup. */
function ownerOf({
  tgid,
  tid,
  processes,
  comm,
  file,
  folder,
  cgroup,
}: ProcessActivity): readonly (string | number)[] {
  if (processes !== undefined) return ['processes', comm];
  if (tid !== undefined) return ['thread', tid, comm];
  if (tgid !== undefined) return ['process', tgid, comm];
  if (folder !== undefined) return ['folder', folder];
  if (file !== undefined) return ['file', file];
  return cgroup === undefined ? ['unknown', comm] : ['cgroup', cgroup];
}
