import { MOST_IN_FLIGHT, OLD_IN_FLIGHT_NS, stageOf } from './in-flight.ts';
import type { InFlightFacts, InFlightIo, InFlightSpan, KnownInFlight } from './in-flight.ts';

const CAPACITY = 2 * MOST_IN_FLIGHT;

/** Spans as they become known. The earliest of those that have ended are forgotten first. */
export class InFlightBook implements KnownInFlight {
  version = 0;
  private readonly known = new Map<number, InFlightSpan>();
  /** Numbers, in the order in which they ended. */
  private readonly ended = new Set<number>();
  /** Of what was in flight at the last look: number by what tells one I/O from another. */
  private seen = new Map<string, number>();
  private lookedAtNs = -Infinity;
  private next = 0;

  spans(): readonly InFlightSpan[] {
    return [...this.known.values()];
  }

  /** Notes what is in flight now, the oldest first; what was and is not any more ended at the last look. */
  look(found: readonly InFlightIo[], nowNs: number): void {
    const seen = new Map<string, number>();
    for (const io of found.slice(0, MOST_IN_FLIGHT)) {
      const id = `${io.identity.dev} ${io.slot} ${io.sinceNs}`;
      const number = this.seen.get(id) ?? this.next++;
      this.seen.delete(id);
      seen.set(id, number);
      if (this.known.get(number)?.issueNs === io.issueNs && this.known.has(number)) continue;
      this.put({ ...factsOf(io), number, untilNs: Infinity });
    }
    for (const number of this.seen.values()) this.end(number, this.lookedAtNs);
    this.seen = seen;
    this.lookedAtNs = nowNs;
  }

  /** A new span, or more of one. */
  put(span: InFlightSpan): void {
    if (!this.hasRoom(span)) return;
    this.set(span);
  }

  private set(span: InFlightSpan): void {
    this.known.set(span.number, span);
    if (span.untilNs !== Infinity) this.ended.add(span.number);
    this.version++;
  }

  /** `atNs`: when it was last seen in flight. */
  end(number: number, atNs: number): void {
    const span = this.known.get(number);
    if (span?.untilNs !== Infinity) return;
    this.set({ ...span, untilNs: atNs });
  }

  /** Ends, as of a time, what is not among these. */
  endOthers(still: ReadonlySet<number>, atNs: number): void {
    for (const number of this.known.keys()) if (!still.has(number)) this.end(number, atNs);
  }

  private hasRoom({ number }: InFlightSpan): boolean {
    if (this.known.size < CAPACITY || this.known.has(number)) return true;
    if (this.ended.size === 0) return false;
    const surplus = [...this.ended].slice(0, this.known.size - MOST_IN_FLIGHT);
    for (const ended of surplus) {
      this.ended.delete(ended);
      this.known.delete(ended);
    }
    return this.known.size < CAPACITY;
  }
}

function factsOf(io: InFlightFacts): InFlightFacts {
  const { sinceNs, issueNs, identity, bytes, sector, file, fileOffset } = io;
  return { sinceNs, issueNs, identity, bytes, sector, file, fileOffset };
}

/** What had been in flight for at least `minAgeNs` at a time, the oldest first; younger I/O was not noted. */
export function inFlightAt(
  known: Pick<KnownInFlight, 'spans'>,
  atNs: number,
  minAgeNs = OLD_IN_FLIGHT_NS,
): readonly InFlightIo[] {
  return known
    .spans()
    .filter(({ sinceNs, untilNs }) => atNs - sinceNs >= minAgeNs && atNs <= untilNs)
    .map((span) => asOf(span, atNs))
    .sort((a, b) => b.ageNs - a.ageNs);
}

/** Size, place and file are known from the issue on. */
function asOf(span: InFlightSpan, atNs: number): InFlightIo {
  const { number: slot, sinceNs, identity, issueNs } = span;
  const ageNs = atNs - sinceNs;
  if (issueNs === undefined || issueNs > atNs)
    return { slot, ageNs, stage: stageOf(false, identity.layer), sinceNs, identity, ...UNPLACED };
  return { slot, ageNs, stage: stageOf(true, identity.layer), ...factsOf(span) };
}

const UNPLACED = {
  issueNs: undefined,
  bytes: undefined,
  sector: undefined,
  file: undefined,
  fileOffset: undefined,
} as const;
