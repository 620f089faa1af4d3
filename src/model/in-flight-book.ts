import { MOST_IN_FLIGHT, OLD_IN_FLIGHT_NS, stageOf } from './in-flight.ts';
import type { InFlightFacts, InFlightIo, InFlightSpan, KnownInFlight } from './in-flight.ts';

const CAPACITY = 2 * MOST_IN_FLIGHT;

/**
 * Keeps the spans of I/O in flight as they become known. When it is full, spans that ended first are forgotten first.
 */
export class InFlightBook implements KnownInFlight {
  version = 0;
  private readonly known = new Map<number, InFlightSpan>();
  /** Numbers of spans that have ended, in that order. */
  private readonly ended = new Set<number>();
  /** The number of each I/O that was in flight at the last look, by its identification. */
  private seen = new Map<string, number>();
  private lookedAtNs = -Infinity;
  private next = 0;

  spans(): readonly InFlightSpan[] {
    return [...this.known.values()];
  }

  /**
   * Notes the I/O that is in flight now, the oldest first. I/O that was in flight at the last look and is not any more
   * ended at that look.
   */
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

  /** Adds a span, or replaces it. */
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

  /** Ends all spans but these, at a time. */
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

/** I/O that had been in flight for at least `minAgeNs` at a time, the oldest first. Younger I/O was not noted. */
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

/** The I/O as it was known at a time: size, place and file are known only after the issue. */
export function asOf(span: InFlightSpan, atNs: number): InFlightIo {
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
