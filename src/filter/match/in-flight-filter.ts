import { SECTOR_BYTES } from '../../model/completion-columns.ts';
import type { IdentityNames } from '../../model/identity-names.ts';
import { IdentityMark } from '../../model/identity.ts';
import { IDENTITY_CAPACITY, IdentityTable } from '../../model/identity-table.ts';
import { OLD_IN_FLIGHT_NS } from '../../model/in-flight.ts';
import type { InFlightFacts, KnownInFlight } from '../../model/in-flight.ts';
import type { Quantity } from '../fields.ts';
import type { Filter } from '../filter.ts';
import { Verdict } from '../verdict.ts';
import { compileFilter } from './match.ts';
import { nextAbove } from './value-set.ts';
import type { KnownRange } from './value-set.ts';

/** The spans of I/O in flight that may match the filter. */
export function inFlightPassing(
  known: KnownInFlight | undefined,
  filter: Filter,
  info: InFlightInfo,
): KnownInFlight | undefined {
  if (known === undefined || filter.kind === 'everything') return known;
  const passes = inFlightFilter(filter, info);
  return {
    spans: () => known.spans().filter((span) => passes(span, OLD_IN_FLIGHT_NS)),
    get version() {
      return known.version;
    },
  };
}

/** Names, and the table with the files of I/O in flight. */
export type InFlightInfo = IdentityNames & { readonly identities: IdentityTable };

/** Returns a test for whether an I/O in flight, at its present age, may match the filter. */
export function inFlightFilter(
  filter: Filter,
  info: InFlightInfo,
): (io: InFlightFacts, ageNs: number) => boolean {
  // A table of its own for identities: what hangs is not in the history yet.
  const identities = new IdentityTable(IDENTITY_CAPACITY, info.identities.files);
  const compiled = compileFilter(filter, identities, info);
  return (io, ageNs) => {
    const values = valuesOf(io, ageNs);
    const marks = io.identity.marks | IdentityMark.inFlight;
    const identity = identities.intern({ ...io.identity, marks });
    return compiled.judge(identity, (quantity) => values[quantity], io.file) !== Verdict.no;
  };
}

/** Its total latency will be more than its age. */
function valuesOf(
  { issueNs, bytes, sector, fileOffset }: InFlightFacts,
  ageNs: number,
): Partial<Record<Quantity, KnownRange>> {
  return {
    total: { low: ageNs, high: Infinity, someLackIt: true },
    ...(issueNs !== undefined && {
      size: exactly(bytes),
      offset: exactly(sector === undefined ? undefined : sector * SECTOR_BYTES),
    }),
    ...(fileOffset !== undefined && { 'file-offset': exactly(fileOffset) }),
  };
}

function exactly(value: number | undefined): KnownRange {
  if (value === undefined) return { low: 0, high: 0, someLackIt: true };
  return { low: value, high: nextAbove(value), someLackIt: false };
}
