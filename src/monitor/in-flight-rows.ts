import type { Filter } from '../filter/filter.ts';
import { compileFilter } from '../filter/match/match.ts';
import { Verdict } from '../filter/verdict.ts';
import { deviceName } from '../model/device.ts';
import { IdentityMark, IdentityTable, ownerIsKnown } from '../model/identity-table.ts';
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
  const identities = new IdentityTable();
  const compiled = compileFilter(filter, identities, info);
  return all
    .filter(({ identity }) => compiled.judge(identities.intern(identity)) !== Verdict.no)
    .map((io) => rowOf(io, info));
}

function rowOf({ identity, ...io }: InFlightIo, info: SourceInfo): InFlightRow {
  return {
    ...io,
    disk: deviceName(info, identity.dev),
    tgid: ownerIsKnown(identity) ? identity.tgid : undefined,
    comm: ownerName(identity),
    indirect: (identity.marks & IdentityMark.indirect) !== 0,
    hasSeveralWriters: (identity.marks & IdentityMark.severalWriters) !== 0,
    opClass: opClass(identity.cmdFlags),
  };
}
