import type { DiskActivity, ProcessActivity } from '../../model/activity.ts';
import { term } from '../../filter/filter.ts';
import type { Term } from '../../filter/filter.ts';

/** The filter terms that show one row only; undefined when nothing identifies it. */
export function rowTerms(row: ProcessActivity | DiskActivity | undefined): Term[] | undefined {
  if (row === undefined) return undefined;
  if (!('comm' in row)) return [term('disk', '=', row.disk)];
  if (row.file !== undefined) return [term('file', '=', row.comm)];
  const owner = ownerTerm(row);
  if (owner === undefined) return undefined;
  return row.dev === undefined ? [owner] : [owner, term('disk', '=', row.disk)];
}

function ownerTerm({
  tgid,
  tid,
  processes,
  comm,
  cgroup,
  cgroupName,
}: ProcessActivity): Term | undefined {
  if (processes !== undefined) return term('comm', '=', comm);
  if (tid !== undefined) return term('tid', '=', tid);
  if (tgid !== undefined) return term('pid', '=', tgid);
  return cgroup === undefined ? undefined : term('cgroup', '=', cgroupName ?? String(cgroup));
}
