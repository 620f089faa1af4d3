import { NO_FILTER } from '../../filter/filter.ts';
import type { Filter } from '../../filter/filter.ts';
import { compileFilter } from '../../filter/match/match.ts';
import type { CompiledFilter } from '../../filter/match/match.ts';
import { Verdict } from '../../filter/verdict.ts';
import type { HeldRows } from '../../history/event-ring.ts';
import type { History } from '../../history/history.ts';
import { addKnown } from '../../model/add-known.ts';
import { IdentityMark } from '../../model/identity.ts';
import { asOf } from '../../model/in-flight-book.ts';
import { OLD_IN_FLIGHT_NS, stageOf } from '../../model/in-flight.ts';
import type { InFlightIo, InFlightRow, InFlightSpan } from '../../model/in-flight.ts';
import { hasQueue, isOfPrograms, layerOf } from '../../model/layer.ts';
import type { EventSource } from '../../trace/event-source.ts';
import { findSlowest } from '../box/slowest-search.ts';
import { inFlightRows } from './in-flight-rows.ts';

/** Rows per block that is skipped if none of its I/O is long enough. */
const SKIPPED_ROWS = 1024;

/** Two records of one I/O start this close to each other: a row has its latency, of up to a minute or so, as a float. */
const SAME_START_NS = 10e3;

/** I/O in flight has not completed: this long before the end of one, in ns, it is still there. */
const BEFORE_END_NS = 1;

/** A time in which to look; both ends are the same for a moment. Trace times in ns. */
export interface Within {
  readonly startNs: number;
  readonly endNs: number;
}

/** What was in flight at an earlier time. */
export interface InFlightBefore {
  /** That time: when the slowest I/O of the time to look in was about to complete, or where that starts. */
  readonly atNs: number;
  /** The oldest first. */
  readonly rows: readonly InFlightRow[];
  /** Whether I/O that has completed since is known individually; otherwise only I/O that was in flight for long. */
  readonly hasCompleted: boolean;
}

export type InFlightBeforeQuery = typeof inFlightBefore;

/** Undefined if it is unknown. */
export function inFlightBefore(
  { source, history }: { readonly source: EventSource; readonly history: History },
  within: Within,
  filter: Filter,
): InFlightBefore | undefined {
  const { info } = source;
  const compiled = compileFilter(filter, info.identities, info);
  const atNs = momentIn(history, within, compiled);
  const completed = completedAfter(history, atNs, compiled, info);
  const spans = info.inFlight?.spans();
  if (completed === undefined && spans === undefined) return undefined;
  const found = completed ?? [];
  const old = (spans ?? []).filter(
    ({ sinceNs, untilNs }) => atNs - sinceNs >= OLD_IN_FLIGHT_NS && atNs <= untilNs,
  );
  // I/O that is still in flight has no row, and may have been too young then to be noted.
  const present = (source.inFlight?.() ?? [])
    .filter(({ sinceNs }) => sinceNs <= atNs)
    .map((io) => ({ ...io, number: io.slot, untilNs: Infinity }));
  const others = withoutDoubles(found, [...present, ...old]).map((span) => asOf(span, atNs));
  const rows = [...inFlightRows(found, NO_FILTER, info), ...inFlightRows(others, filter, info)];
  rows.sort((a, b) => b.ageNs - a.ageNs);
  return { atNs, rows, hasCompleted: completed !== undefined };
}

/** Most I/O is much shorter than a column: at its start, there is often none. */
function momentIn(history: History, { startNs, endNs }: Within, filter: CompiledFilter): number {
  const slowest = endNs > startNs ? findSlowest(history, startNs, endNs, filter) : undefined;
  return slowest?.withinNs === 0 ? slowest.atNs - BEFORE_END_NS : startNs;
}

/** I/O of devices in flight at a time, among rows that completed later; undefined if there are none with a latency. */
function completedAfter(
  history: History,
  atNs: number,
  filter: CompiledFilter,
  info: EventSource['info'],
): InFlightIo[] | undefined {
  // Before the first completion, all that has completed since still has its rows.
  if (atNs < history.detailStartNs && history.startNs < history.detailStartNs) return undefined;
  let hasTimes = false;
  const found: InFlightIo[] = [];
  for (const held of history.query(atNs, Infinity).chunks)
    for (let from = held.from; from < held.to; from += SKIPPED_ROWS) {
      const to = Math.min(held.to, from + SKIPPED_ROWS);
      const longestNs = held.longestNs(from, to);
      const { firstNs, lastNs } = held.timesOf(from, to);
      hasTimes ||= longestNs >= 0 && lastNs > atNs;
      if (longestNs < firstNs - atNs) continue;
      for (const row of rowsInFlight(held, from, to, atNs))
        if (filter.judgeRows(held.rows, row, row + 1)[0] !== Verdict.no) {
          const io = asInFlight(held, row, atNs, info);
          if (!isOfPrograms(layerOf(io.identity))) found.push(io);
        }
    }
  return hasTimes ? found : undefined;
}

function rowsInFlight({ rows }: HeldRows, from: number, to: number, atNs: number): number[] {
  const found: number[] = [];
  for (let row = from; row < to; row++) {
    const afterNs = rows.completeNs[row]! - atNs;
    if (afterNs > 0 && addKnown(rows.deviceNs[row]!, rows.queueNs[row]!) >= afterNs)
      found.push(row);
  }
  return found;
}

function asInFlight(
  { rows }: HeldRows,
  row: number,
  atNs: number,
  { identities, origin }: EventSource['info'],
): InFlightIo {
  const identity = identities.get(rows.identity[row]!);
  const layer = layerOf(identity);
  const completeNs = rows.completeNs[row]!;
  const deviceNs = rows.deviceNs[row]!;
  const sinceNs = completeNs - addKnown(deviceNs, rows.queueNs[row]!);
  const issueNs = deviceNs >= 0 ? completeNs - deviceNs : undefined;
  const isStaged = hasQueue(layer, origin?.latency) || layer === 'volumes';
  return {
    slot: completeNs,
    ...{ sinceNs, issueNs, identity },
    ageNs: atNs - sinceNs,
    stage: isStaged ? stageOf(issueNs !== undefined && issueNs <= atNs, layer) : undefined,
    bytes: (identity.marks & IdentityMark.sizeUnknown) === 0 ? rows.bytes[row]! : undefined,
    sector: rows.sector[row]! >= 0 ? rows.sector[row]! : undefined,
    file: rows.file[row]!,
    fileOffset: rows.fileOffset[row]! >= 0 ? rows.fileOffset[row]! : undefined,
  };
}

/** The spans of other I/O than this, each once. */
function withoutDoubles(
  known: readonly InFlightIo[],
  spans: readonly InFlightSpan[],
): readonly InFlightSpan[] {
  const left = new Set<Started>(known);
  return spans.filter((span) => {
    const double = [...left].find((io) => isSame(io, span));
    if (double === undefined) left.add(span);
    else left.delete(double);
    return double === undefined;
  });
}

type Started = Pick<InFlightIo, 'identity' | 'sinceNs' | 'sector'>;

function isSame(a: Started, b: Started): boolean {
  if (a.identity.dev !== b.identity.dev) return false;
  if (Math.abs(a.sinceNs - b.sinceNs) > SAME_START_NS) return false;
  return a.sector === b.sector || a.sector === undefined || b.sector === undefined;
}
