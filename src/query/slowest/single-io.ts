import type { CgroupNames } from '../../model/cgroup-names.ts';
import type { SingleIo } from '../box/drill-down.ts';
import { deviceName } from '../../model/device.ts';
import { cgroupOf, IdentityMark, ownerIsKnown } from '../../model/identity-table.ts';
import { opClass } from '../../model/operation.ts';
import { errorText, flagsText } from '../../model/request-text.ts';
import type { ActivityInfo } from '../activity/activity-report.ts';
import { ownerName } from '../activity/activity-rows.ts';
import type { RowPlace } from './slowest.ts';

/** All that is known of one I/O of the history. */
export function singleIo(
  { rows, row }: RowPlace,
  info: ActivityInfo,
  cgroups: CgroupNames,
): SingleIo {
  const key = info.keys.get(rows.key[row]!);
  const isOwned = ownerIsKnown(key);
  const cgroup = cgroupOf(key);
  const deviceNs = rows.deviceNs[row]!;
  const queueNs = rows.queueNs[row]!;
  return {
    completeNs: rows.completeNs[row]!,
    tgid: isOwned ? key.tgid : undefined,
    tid: isOwned ? key.tid : undefined,
    comm: ownerName(key),
    cgroup,
    cgroupName: cgroup === undefined ? undefined : cgroups.name(cgroup),
    indirect: (key.marks & IdentityMark.indirect) !== 0,
    dev: key.dev,
    disk: deviceName(info, key.dev),
    opClass: opClass(key.cmdFlags),
    flags: flagsText(key.cmdFlags),
    sector: ifKnown(rows.sector[row]!),
    bytes: rows.bytes[row]!,
    queueNs: ifKnown(queueNs),
    deviceNs: ifKnown(deviceNs),
    totalNs: ifKnown(deviceNs + queueNs),
    error: errorText(key.error),
  };
}

/** Negative and NaN both mean that there is none. */
function ifKnown(value: number): number | undefined {
  return value >= 0 ? value : undefined;
}
