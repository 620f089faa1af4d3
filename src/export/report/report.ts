import type { TimeRange } from '../../base/time.ts';
import { singleIo } from '../../query/slowest/single-io.ts';
import { cgroupName } from '../../model/cgroup-names.ts';
import { deviceName } from '../../model/device.ts';
import type { DeviceInfo } from '../../model/device.ts';
import type { Filter } from '../../filter/filter.ts';
import { formatFilter } from '../../filter/language/format.ts';
import { IdentityMark, OTHER_COMM } from '../../model/identity.ts';
import type { InFlightRow } from '../../model/in-flight.ts';
import type { SingleIo } from '../../query/slowest/single-io.ts';
import { DEFAULT_LAYER, hasQueue, LAYERS } from '../../model/layer.ts';
import type { Layer } from '../../model/layer.ts';
import type { Note } from '../../model/notes.ts';
import type { OpClass } from '../../model/operation.ts';
import { stalledShares } from '../../model/pressure.ts';
import type { Stalled } from '../../model/pressure.ts';
import { OP_CLASSES } from '../../model/operation.ts';
import type { SourceCounters } from '../../trace/completion-summary.ts';
import type { Stretch, TraceField, TraceHeader, TraceProblem } from '../../trace/trace-reader.ts';
import { gapsWithin } from '../trace/read-trace.ts';
import type { TraceEnd } from '../trace/read-trace.ts';
import { recordedWithin, withoutSilences } from '../trace/rated-time.ts';
import { EventRows } from '../rows/event-row.ts';
import type { EventRow } from '../rows/event-row.ts';
import { aggregatedLayers, isPartOfTrace, rowContextOf } from '../trace/trace-info.ts';
import type { Counted, TraceInfo } from '../trace/trace-info.ts';
import { inFlightAtEnd } from './in-flight-texts.ts';
import type { GroupLatencies, GroupTally, Lack } from './group-tally.ts';
import { OTHER_CGROUPS } from './trace-tally.ts';
import type { TraceTally } from './trace-tally.ts';

/** The contents of a trace in figures. Times in ns, sizes in bytes; undefined if unknown. */
export interface Report {
  /** At least one. */
  readonly files: readonly string[];
  readonly header: TraceHeader;
  /** The filter as text; empty for everything. */
  readonly filter: string;
  readonly layer: Layer | undefined;
  /** Further layers with I/O in the range, in the order of the stack. */
  readonly otherLayers: readonly Layer[];
  /** Trace time of the first and the last matching completion; undefined if there is none. */
  readonly startNs: number | undefined;
  readonly endNs: number | undefined;
  readonly devices: readonly DeviceInfo[];
  readonly total: GroupFigures;
  readonly disks: readonly (GroupFigures & { readonly disk: string })[];
  readonly processes: readonly (GroupFigures & Owner)[];
  /** The known cgroups; some I/O belongs to none. */
  readonly cgroups: readonly (GroupFigures & StalledCgroup)[];
  readonly slowest: readonly SlowestIo[];
  readonly errors: readonly {
    readonly disk: string;
    readonly op: OpClass | undefined;
    readonly text: string;
    readonly count: number;
  }[];
  /** The time that rates relate to. */
  readonly rates: RateSpan;
  readonly undecided: number;
  readonly counters: SourceCounters | undefined;
  readonly counted: Counted;
  /** Lost I/Os whose disk is known. */
  readonly lostOn: readonly {
    readonly disk: string;
    readonly way: string;
    readonly count: number;
  }[];
  /** I/O that had not completed at the end, the oldest first; undefined if the trace does not have it. */
  readonly inFlight: readonly InFlightRow[] | undefined;
  /** How long tasks of the whole machine waited for storage; undefined if the trace does not have it. */
  readonly stalled: Stalled | undefined;
  readonly gaps: TraceEnd['gaps'];
  /** The notes, in order of time. */
  readonly notes: readonly Note[];
  readonly problems: readonly TraceProblem[];
}

/** The recorded time; if the trace does not have it, from the first completion to the last. */
export interface RateSpan {
  /** Without the gaps. */
  readonly spanNs: number;
  readonly isRecorded: boolean;
  /** Whether aggregates that are counted whole reach beyond the part of the trace that was asked for. */
  readonly isWidened: boolean;
}

/** The owner of the I/O of a group of processes. */
export interface Owner {
  readonly pid: number | undefined;
  /** For people; a word in parentheses if unknown. */
  readonly title: string;
  /** Undefined if unknown, or if there are several. */
  readonly comm: string | undefined;
}

export interface StalledCgroup {
  /** Its path, or its number. */
  readonly cgroup: string;
  /** How long its tasks waited for storage; undefined if the trace does not have it. */
  readonly stalled: Stalled | undefined;
}

/** One of the slowest I/Os, for people and in the words of the exports. */
export interface SlowestIo {
  readonly io: SingleIo;
  readonly event: EventRow;
}

export interface GroupFigures {
  readonly count: number;
  /** How far the count may be off in 19 of 20 cases, as a share of it; undefined where it is exact. */
  readonly margin: number | undefined;
  /** By operation class. */
  readonly counts: Readonly<Record<OpClass, number>> | undefined;
  readonly readBytes: number | undefined;
  readonly writtenBytes: number | undefined;
  /** Both, known also where the operation of I/O is not. */
  readonly movedBytes: number | undefined;
  readonly perSecond: number | undefined;
  readonly bytesPerSecond: number | undefined;
  readonly errors: number | undefined;
  /** Figures that are lower bounds, because they are unknown of some of the I/O. */
  readonly least: { readonly bytes: boolean; readonly divided: boolean; readonly errors: boolean };
  /** Share of the waiting time of all I/O, 0 to 1; undefined if no time is known. */
  readonly waitShare: number | undefined;
  readonly queue: Latencies;
  readonly device: Latencies;
  readonly total: Latencies;
}

export interface Latencies {
  readonly p50Ns: number | undefined;
  readonly p90Ns: number | undefined;
  readonly p99Ns: number | undefined;
  readonly p999Ns: number | undefined;
  readonly maxNs: number | undefined;
}

export interface ReportParts {
  readonly files: readonly string[];
  readonly header: TraceHeader;
  readonly filter: Filter;
  /** Undefined if the filter decides which layers are counted. */
  readonly layer: Layer | undefined;
  readonly info: TraceInfo;
  readonly end: TraceEnd;
  readonly problems: readonly TraceProblem[];
  readonly recorded: Stretch | undefined;
  /** The part of the trace that the report covers, in ns of trace time. */
  readonly range: TimeRange;
}

export function reportOf(tally: TraceTally, parts: ReportParts): Report {
  const { files, header, filter, layer, info, end, problems, range } = parts;
  tally.finish();
  const rates = rateSpanOf(tally, parts);
  const allNs = tally.total.waitedNs;
  const isEmpty = tally.total.count === 0;
  const isTotal = !hasQueue(layer ?? DEFAULT_LAYER, header.latency);
  const figures = (group: GroupTally): GroupFigures =>
    knownFigures(figuresOf(group, rates.spanNs, allNs), group, header, isTotal);
  const events = new EventRows(rowContextOf(header, info));
  const disks = [...tally.disks].map(([dev, group]) => ({
    disk: deviceName(info, dev),
    ...figures(group),
  }));
  const processes = [...tally.processes.values()].map(({ tgid, title, comm, tally: group }) => ({
    pid: tgid,
    title,
    comm,
    ...figures(group),
  }));
  const cgroups = [...tally.cgroups].map(([id, group]) => ({
    cgroup: id === OTHER_CGROUPS ? OTHER_COMM : cgroupName(info.cgroups, id),
    stalled: stalledShares(info.pressure?.cgroups.get(id), ...edgesOf(parts, tally)),
    ...figures(group),
  }));
  return {
    files,
    header,
    filter: formatFilter(filter),
    layer,
    otherLayers: LAYERS.filter((one) => one !== layer && tally.layers.has(one)),
    startNs: isEmpty ? undefined : tally.picked.firstNs,
    endNs: isEmpty ? undefined : tally.picked.lastNs,
    devices: info.devices(),
    total: figures(tally.total),
    disks: disks.sort(byWait),
    processes: processes.sort(byWait),
    cgroups: cgroups.sort(byWait),
    slowest: tally.slowest.sorted().map((place) => ({
      io: singleIo(place, info),
      event: { ...events.at(place.rows, place.row) },
    })),
    errors: errorsOf(tally, info),
    rates,
    undecided: tally.undecidedCount,
    counters: end.counters,
    counted: {
      aggregated: aggregatedLayers(info.identities),
      isPart: isPartOfTrace(filter, range),
    },
    lostOn: (end.counters?.lostOn ?? []).map(({ dev, way, count }) => ({
      ...{ disk: deviceName(info, dev), way, count },
    })),
    inFlight: inFlightAtEnd(info, filter, endOf(parts, tally)),
    stalled: stalledShares(info.pressure, ...edgesOf(parts, tally)),
    gaps: gapsWithin(end.gaps, range),
    notes: info.notes.list().filter(({ atNs }) => atNs >= range.fromNs && atNs < range.toNs),
    problems,
  };
}

/** When the covered part of the trace ends. */
function endOf({ recorded, range }: ReportParts, { picked }: TraceTally): number {
  return Math.min(range.toNs, Math.max(recorded?.endNs ?? -Infinity, picked.lastNs));
}

function edgesOf(parts: ReportParts, tally: TraceTally): [startNs: number, endNs: number] {
  const { startNs, endNs } = rateStretchOf(tally, parts);
  return [startNs, endNs];
}

function rateSpanOf(tally: TraceTally, parts: ReportParts): RateSpan {
  const spanNs = withoutSilences(rateStretchOf(tally, parts), parts.end.silences);
  const { fromNs, toNs } = countedRange(tally, parts);
  const isWidened = fromNs < parts.range.fromNs || toNs > parts.range.toNs;
  return { spanNs, isRecorded: parts.recorded !== undefined, isWidened };
}

function rateStretchOf(tally: TraceTally, parts: ReportParts): Stretch {
  const { picked, all } = tally;
  const { recorded } = parts;
  if (recorded === undefined) return { startNs: picked.firstNs, endNs: picked.lastNs };
  // This must not depend on the filter: rates of parts of a trace add up only if they are over the same time.
  return recordedWithin(recorded, all, countedRange(tally, parts));
}

/** The range that was asked for, with the whole of the aggregates that overlap it. */
function countedRange({ aggregates }: TraceTally, { range }: ReportParts): ReportParts['range'] {
  return {
    fromNs: Math.min(range.fromNs, aggregates.firstNs),
    toNs: Math.max(range.toNs, aggregates.lastNs),
  };
}

/**
 * Removes figures that are known of none of the I/O and that were counted as 0. What is known of some adds up, as on the
 * screen; without I/O, the trace decides.
 */
function knownFigures(
  figures: GroupFigures,
  group: GroupTally,
  { unknown }: TraceHeader,
  isTotal: boolean,
): GroupFigures {
  const isEmpty = figures.count === 0;
  const isKnown = (lack: Lack, field: TraceField): boolean =>
    isEmpty ? !unknown.includes(field) : lack !== 'all';
  const bytes = group.lacks(IdentityMark.sizeUnknown);
  const errors = group.lacks(IdentityMark.errorUnknown);
  const operations = group.lacksOperations;
  const hasBytes = isKnown(bytes, 'bytes');
  const hasOperations = isKnown(operations, 'op');
  const areBytesDivided = hasBytes && hasOperations;
  const { queue, device, total } = figures;
  return {
    ...figures,
    counts: hasOperations ? figures.counts : undefined,
    readBytes: areBytesDivided ? figures.readBytes : undefined,
    writtenBytes: areBytesDivided ? figures.writtenBytes : undefined,
    movedBytes: hasBytes ? figures.movedBytes : undefined,
    bytesPerSecond: hasBytes ? figures.bytesPerSecond : undefined,
    errors: isKnown(errors, 'error') ? figures.errors : undefined,
    least: {
      bytes: bytes === 'some',
      divided: bytes === 'some' || operations === 'some',
      errors: errors === 'some',
    },
    queue: isTotal ? NO_LATENCIES : queue,
    device: isTotal ? NO_LATENCIES : device,
    total: isTotal ? device : total,
  };
}

const NO_LATENCIES: Latencies = {
  p50Ns: undefined,
  p90Ns: undefined,
  p99Ns: undefined,
  p999Ns: undefined,
  maxNs: undefined,
};

function byWait(a: GroupFigures, b: GroupFigures): number {
  return (b.waitShare ?? 0) - (a.waitShare ?? 0) || b.count - a.count;
}

function errorsOf(tally: TraceTally, info: TraceInfo): Report['errors'] {
  return [...tally.errors.values()]
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
    .map(({ dev, opClass, text, count }) => ({
      disk: deviceName(info, dev),
      op: opClass,
      text,
      count,
    }));
}

function figuresOf(group: GroupTally, spanNs: number, allNs: number): GroupFigures {
  const { count } = group;
  const perSecond = spanNs > 0 ? 1e9 / spanNs : undefined;
  const counts = Object.fromEntries(OP_CLASSES.map((name, i) => [name, group.countOf(i)]));
  return {
    count,
    margin: group.margin,
    counts: counts as Record<OpClass, number>,
    readBytes: group.bytesOf(OP_CLASSES.indexOf('read')),
    writtenBytes: group.bytesOf(OP_CLASSES.indexOf('write')),
    perSecond: perSecond && count * perSecond,
    movedBytes: group.moved,
    bytesPerSecond: perSecond && group.moved * perSecond,
    errors: group.errors,
    least: { bytes: false, divided: false, errors: false },
    waitShare: waitShareOf(group, allNs),
    queue: latenciesOf(group.queue),
    device: latenciesOf(group.device),
    total: latenciesOf(group.total),
  };
}

function waitShareOf({ waitedNs, queue, device, count }: GroupTally, allNs: number) {
  if (allNs > 0) return waitedNs / allNs;
  return count > 0 && (queue.maxNs ?? device.maxNs) === undefined ? undefined : 0;
}

function latenciesOf(tally: GroupLatencies): Latencies {
  return {
    p50Ns: tally.quantileNs(0.5),
    p90Ns: tally.quantileNs(0.9),
    p99Ns: tally.quantileNs(0.99),
    p999Ns: tally.quantileNs(0.999),
    maxNs: tally.maxNs,
  };
}
