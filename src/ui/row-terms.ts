import type { DiskActivity, ProcessActivity } from '../model/activity.ts';
import { term } from '../filter/filter.ts';
import type { Term } from '../filter/filter.ts';

/** What to filter by to see one row alone; undefined when nothing identifies it. */
export function rowTerms(row: ProcessActivity | DiskActivity | undefined): Term[] | undefined {
  if (row === undefined) return undefined;
  if (!('comm' in row)) return [term('disk', '=', row.disk)];
  const owner = ownerTerm(row);
  if (owner === undefined) return undefined;
  return row.dev === undefined ? [owner] : [owner, term('disk', '=', row.disk)];
}

function ownerTerm({ tgid, cgroup }: ProcessActivity): Term | undefined {
  if (tgid !== undefined) return term('pid', '=', tgid);
  return cgroup === undefined ? undefined : term('cgroup', '=', cgroup);
}
