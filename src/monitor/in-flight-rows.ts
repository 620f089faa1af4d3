import type { Filter } from '../filter/filter.ts';
import type { Quantity } from '../filter/fields.ts';
import { compileFilter } from '../filter/match/match.ts';
import type { KnownRange } from '../filter/match/match.ts';
import { nextAbove } from '../filter/match/value-set.ts';
import { Verdict } from '../filter/verdict.ts';
import { SECTOR_BYTES } from '../model/completion-columns.ts';
import { deviceName } from '../model/device.ts';
import { isMergedFiles, knownFileText } from '../model/file-table.ts';
import {
  IDENTITY_CAPACITY,
  IdentityMark,
  IdentityTable,
  ownerIsKnown,
} from '../model/identity-table.ts';
import type { InFlightIo, InFlightRow } from '../model/in-flight.ts';
import { opClass } from '../model/operation.ts';
import { ownerName } from '../query/activity/activity-rows.ts';
import type { SourceInfo } from '../trace/event-source.ts';

/** What the filter passes, or may pass once its latency and result are known. */
export function inFlightRows(
  all: readonly InFlightIo[],
  filter: Filter,
  info: SourceInfo,
): readonly InFlightRow[] {
  // Of its own: what hangs is no I/O of the history yet.
  const identities = new IdentityTable(IDENTITY_CAPACITY, info.identities.files);
  const compiled = compileFilter(filter, identities, info);
  const judge = (io: InFlightIo): Verdict =>
    compiled.judge(identities.intern(io.identity), (quantity) => valuesOf(io)[quantity], io.file);
  return all.filter((io) => judge(io) !== Verdict.no).map((io) => rowOf(io, info));
}

/** Its total latency will be more than its age. */
function valuesOf({
  ageNs,
  stage,
  bytes,
  sector,
}: InFlightIo): Partial<Record<Quantity, KnownRange>> {
  const isIssued = stage === 'at the device';
  return {
    total: { low: ageNs, high: Infinity, someLackIt: true },
    ...(isIssued && {
      size: exactly(bytes),
      offset: exactly(sector === undefined ? undefined : sector * SECTOR_BYTES),
    }),
  };
}

function exactly(value: number | undefined): KnownRange {
  if (value === undefined) return { low: 0, high: 0, someLackIt: true };
  return { low: value, high: nextAbove(value), someLackIt: false };
}

function rowOf({ identity, file, ...io }: InFlightIo, info: SourceInfo): InFlightRow {
  const { ageNs, stage, bytes, sector } = io;
  return {
    ...{ ageNs, stage, bytes, sector },
    disk: deviceName(info, identity.dev),
    tgid: ownerIsKnown(identity) ? identity.tgid : undefined,
    comm: ownerName(identity),
    via: identity.via,
    indirect: (identity.marks & IdentityMark.indirect) !== 0,
    hasSeveralWriters: (identity.marks & IdentityMark.severalWriters) !== 0,
    opClass: opClass(identity.cmdFlags),
    file: file === undefined ? undefined : knownFileText(info.identities.files.get(file)),
    hasOtherFiles: file !== undefined && isMergedFiles(file),
  };
}
