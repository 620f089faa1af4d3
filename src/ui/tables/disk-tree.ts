import type { DiskActivity } from '../../model/activity.ts';

/** A row of the table of disks, at its place in the tree of volumes above their disks. */
export interface TreeDisk extends DiskActivity {
  /** What leads from the row above to its name: `├`, `│└`; empty at the top. */
  readonly branch?: string;
  /** Not in the totals: of another layer, or already shown above, because several volumes lie on it. */
  readonly isBeside?: boolean;
}

/** Volumes on volumes: LVM on LUKS on RAID is three. A file system in a file may lie on itself. */
const MOST_LEVELS = 8;

type Sort = (rows: readonly DiskActivity[]) => readonly DiskActivity[];

/**
 * Volumes above what they lie on, sorted among those with the same volume above them; `beside` is of another layer.
 * Without any volume these are the disks, sorted.
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
