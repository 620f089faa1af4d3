import type { Filter } from '../../filter/filter.ts';
import { inFlightFilter } from '../../filter/match/in-flight-filter.ts';
import type { InFlightInfo } from '../../filter/match/in-flight-filter.ts';
import type { DiskInFlight, InFlightByDisk } from '../../model/activity.ts';
import { deviceName } from '../../model/device.ts';
import { isMergedFiles, knownFileText } from '../../model/file.ts';
import { IdentityMark, operationIsUnknown, ownerIsKnown } from '../../model/identity.ts';
import type { InFlightIo, InFlightRow } from '../../model/in-flight.ts';
import { layerOf } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import { opClass } from '../../model/operation.ts';
import { ownerName } from '../activity/activity-rows.ts';

/** I/O in flight that matches the filter, or may match once its latency and result are known. */
export function inFlightRows(
  all: readonly InFlightIo[],
  filter: Filter,
  info: InFlightInfo,
): readonly InFlightRow[] {
  const passes = inFlightFilter(filter, info);
  return all.filter((io) => passes(io, io.ageNs)).map((io) => rowOf(io, info));
}

/** By device number (disk or volume), how many are in flight, and how old the oldest is. */
export function inFlightByDisk(
  all: readonly InFlightIo[],
  filter: Filter,
  info: InFlightInfo,
): InFlightByDisk {
  const passes = inFlightFilter(filter, info);
  const disks = new Map<number, { layer: Layer; inFlight: DiskInFlight }>();
  for (const io of all) {
    if (!passes(io, io.ageNs)) continue;
    const { dev } = io.identity;
    const { count = 0, oldestNs = 0 } = disks.get(dev)?.inFlight ?? {};
    const inFlight = { count: count + 1, oldestNs: Math.max(oldestNs, io.ageNs) };
    disks.set(dev, { layer: layerOf(io.identity), inFlight });
  }
  return disks;
}

function rowOf({ identity, file, ...io }: InFlightIo, info: InFlightInfo): InFlightRow {
  const { slot, sinceNs, ageNs, stage, bytes, sector } = io;
  return {
    id: `${identity.dev} ${slot} ${sinceNs}`,
    ...{ ageNs, stage, bytes, sector },
    layer: layerOf(identity),
    disk: deviceName(info, identity.dev),
    host: info.device(identity.dev)?.host,
    tgid: ownerIsKnown(identity) ? identity.tgid : undefined,
    comm: ownerName(identity),
    via: identity.via,
    indirect: (identity.marks & IdentityMark.indirect) !== 0,
    hasSeveralWriters: (identity.marks & IdentityMark.severalWriters) !== 0,
    opClass: operationIsUnknown(identity) ? undefined : opClass(identity.cmdFlags),
    file: file === undefined ? undefined : knownFileText(info.identities.files.get(file)),
    hasOtherFiles: file !== undefined && isMergedFiles(file),
  };
}
