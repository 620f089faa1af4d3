import type { ProcessActivity } from '../../model/activity.ts';
import { term } from '../../filter/filter.ts';
import type { Term } from '../../filter/filter.ts';
import { cgroupNumber } from '../../model/cgroup-names.ts';
import { numberAtHost } from '../../model/identity-names.ts';
import { DEFAULT_LAYER } from '../../model/layer.ts';
import type { InFlightRow } from '../../model/in-flight.ts';
import type { TreeDisk } from './disk-tree.ts';

/** The filter terms that show one row only; undefined when nothing identifies it. */
export function rowTerms(row: ProcessActivity | TreeDisk | undefined): Term[] | undefined {
  if (row === undefined) return undefined;
  if (!('comm' in row)) return diskTerms(row);
  if (row.folder !== undefined) return fileTerms('folder', row.folder, row);
  if (row.file !== undefined) return fileTerms('file', row.comm, row);
  const owner = ownerTerm(row);
  if (owner === undefined) return undefined;
  return row.dev === undefined ? [owner] : [owner, term('disk', '=', row.disk)];
}

/** The filter terms that show only the process of an I/O in flight; undefined if it is unknown. */
export function processTerms(row: InFlightRow | undefined): Term[] | undefined {
  if (row?.tgid === undefined) return undefined;
  return [term('pid', '=', numberAtHost(row.tgid, row.host))];
}

/**
 * The terms of a row of the disk table. A volume is shown with the disks below it, in either layer; a disk below a
 * volume is shown in its own layer.
 */
function diskTerms({ disk, layer = DEFAULT_LAYER, liesOn = [], isBeside }: TreeDisk): Term[] {
  if (layer === 'volumes' && liesOn.length > 0) return [term('volume', '=', disk)];
  const ofDisk = term('disk', '=', disk);
  return isBeside === true ? [ofDisk, term('layer', '=', layer)] : [ofDisk];
}

/** Hosts may have files with the same path. */
function fileTerms(field: 'file' | 'folder', path: string, { host }: ProcessActivity): Term[] {
  const ofFile = term(field, '=', path);
  return host === undefined ? [ofFile] : [ofFile, term('host', '=', host)];
}

function ownerTerm({
  tgid,
  tid,
  processes,
  comm,
  host,
  cgroup,
  cgroupName,
}: ProcessActivity): Term | undefined {
  if (processes !== undefined) return term('comm', '=', comm);
  if (tid !== undefined) return term('tid', '=', numberAtHost(tid, host));
  if (tgid !== undefined) return term('pid', '=', numberAtHost(tgid, host));
  if (cgroup === undefined) return undefined;
  return term('cgroup', '=', cgroupName ?? String(numberAtHost(cgroupNumber(cgroup), host)));
}
