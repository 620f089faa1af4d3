import type { DiskActivity } from '../../model/activity.ts';

/** A row of the table of disks, at its place in the tree of volumes above their disks. */
export interface TreeDisk extends DiskActivity {
  /** The lines from the row above to its name: `├`, `│└`; empty at the top. */
  readonly branch?: string;
  /**
   * Whether the row is not in the totals: it is of another layer, or already shown above because several volumes lie on
   * it.
   */
  readonly isBeside?: boolean;
}

/** Maximum depth of volumes on volumes: LVM on LUKS on RAID is three. A file system in a file may lie on itself. */
const MOST_LEVELS = 8;

type Sort = (rows: readonly DiskActivity[]) => readonly DiskActivity[];

/**
 * The disks as a tree: volumes above the disks that they lie on, sorted among the children of the same row; `beside` is
 * of another layer. Without any volume, these are the disks, sorted.
 */
export function diskTree(
  disks: readonly DiskActivity[],
  beside: readonly DiskActivity[],
  sort: Sort,
): readonly TreeDisk[] {
  const all = [...disks, ...beside];
  const byName = new Map(all.map((row) => [row.disk, row]));
  const membersOf = ({ disk, liesOn = [] }: DiskActivity): readonly DiskActivity[] =>
    sort(liesOn.flatMap((name) => (name === disk ? [] : (byName.get(name) ?? []))));
  const members = new Set(all.flatMap(membersOf));
  if (members.size === 0 && beside.length === 0) return sort(disks);
  const aside = new Set<DiskActivity>(beside);
  const rows: TreeDisk[] = [];
  const add = (row: DiskActivity, before: string, branch: string, level: number): void => {
    rows.push({ ...row, branch: before + branch, isBeside: aside.has(row) });
    aside.add(row);
    if (level === MOST_LEVELS) return;
    const below = membersOf(row);
    const indent = branch === '' ? '' : branch === '├' ? '│' : ' ';
    for (const [i, member] of below.entries())
      add(member, before + indent, i === below.length - 1 ? '└' : '├', level + 1);
  };
  for (const top of sort(all.filter((row) => !members.has(row)))) add(top, '', '', 1);
  return rows;
}
