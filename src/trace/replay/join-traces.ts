import type { ClockBase } from '../../base/time.ts';
import { UNKNOWN_HOST } from '../../model/device.ts';
import type { DeviceInfo } from '../../model/device.ts';
import { FIRST_FILE, fileNumber, isMergedFiles, MERGED_FILES } from '../../model/file.ts';
import type { CgroupNames } from '../../model/cgroup-names.ts';
import type { IdentityTable } from '../../model/identity-table.ts';
import type { SourceInfo, TraceOrigin } from '../event-source.ts';
import type { Stretch, TraceField, TraceHeader, TraceReader } from '../trace-reader.ts';
import { joinedCgroups, JoinedHosts, TraceHost } from './joined-hosts.ts';
import { joinedInFlight } from './joined-in-flight.ts';
import { joinedNotes } from './joined-notes.ts';
import { joinedPressure } from './joined-pressure.ts';
import { joinedProcesses } from './joined-processes.ts';
import { breaksBetween, silencesOf } from './silences.ts';
import type { HostRecorded } from './silences.ts';
import { TraceFeed } from './trace-feed.ts';
import type { Gap } from './trace-feed.ts';

/** A trace and what to call it. */
export interface NamedTrace {
  /** Name of its file; used as host when that is unknown. */
  readonly name: string;
  readonly reader: TraceReader;
  /** The table with which it was opened: its own, unless there is only one trace. */
  readonly identities: IdentityTable;
}

export interface JoinOptions {
  /** The identity table of the session. */
  readonly identities: IdentityTable;
  /** Treat disks with the same name as one disk, whatever the host. */
  readonly oneHost: boolean;
}

export interface JoinedTraces {
  readonly info: SourceInfo;
  readonly feeds: readonly TraceFeed[];
  /** Gaps between the traces of one host; exact when their readers know when they recorded. */
  readonly gaps: () => readonly Gap[];
  /** Stretches in which no host was recorded; otherwise as `gaps`. */
  readonly silences: () => readonly Gap[];
}

/** Traces of one host that are this close together were recorded without a break. */
const LEAST_GAP_NS = 1e9;

/** Puts traces on one wall-clock axis, and tells disks, processes and cgroups of different hosts apart. */
export function joinTraces(traces: readonly NamedTrace[], options: JoinOptions): JoinedTraces {
  const clockBase = commonBase(traces.map(({ reader }) => reader.header));
  const hosts = new JoinedHosts();
  const areSeveral = !options.oneHost && hostNames(traces).length > 1;
  const placed = traces.map((trace): PlacedTrace => {
    const host = areSeveral ? new TraceHost(hostOf(trace), trace.reader, hosts) : undefined;
    return { ...trace, host };
  });
  const feeds = placed.map((trace) => feedOf(trace, clockBase, options.identities));
  const feedsByHost = byHost(placed, feeds);
  return {
    info: describe(placed, new JoinedDisks(placed, hosts), clockBase, options.identities),
    feeds,
    gaps: () => gapsBetween(feedsByHost),
    silences: () => silencesOf(feedsByHost.map(recordedOf)),
  };
}

interface PlacedTrace extends NamedTrace {
  /** Undefined when there is only one host. */
  readonly host: TraceHost | undefined;
}

/**
 * The earliest start. Without a wall clock, times count from local midnight, so that they read as time since the
 * start.
 */
function commonBase(headers: readonly TraceHeader[]): ClockBase {
  const known = headers.filter(({ hasWallClock }) => hasWallClock).map((one) => one.clockBase);
  const [first, ...others] = known;
  if (first === undefined) {
    const midnightMs = new Date(1970, 0, 1).getTime();
    return { monotonicNs: 0n, wallNs: BigInt(midnightMs) * 1_000_000n };
  }
  return others.reduce((a, b) => (b.wallNs < a.wallNs ? b : a), first);
}

function hostNames(traces: readonly NamedTrace[]): string[] {
  const isAnyNamed = traces.some(({ reader }) => reader.header.host !== '');
  return isAnyNamed ? [...new Set(traces.map(hostOf))] : [];
}

function hostOf({ reader, name }: NamedTrace): string {
  return reader.header.host === '' ? name : reader.header.host;
}

function feedOf(trace: PlacedTrace, base: ClockBase, identities: IdentityTable): TraceFeed {
  const offsetNs = offsetOf(trace, base);
  const isOwn = trace.identities === identities;
  const { host } = trace;
  return new TraceFeed(trace.reader, {
    offsetNs,
    ...(host && { devOf: (dev: number) => host.devOf(dev) }),
    ...(!isOwn && {
      identityOf: translator(trace, identities),
      fileOf: fileTranslator(trace, identities, offsetNs),
    }),
  });
}

function offsetOf({ reader: { header } }: NamedTrace, base: ClockBase): number {
  return header.hasWallClock ? Number(header.clockBase.wallNs - base.wallNs) : 0;
}

/** Maps an identity of the trace to one of the session. */
function translator(
  { identities: own, host }: PlacedTrace,
  identities: IdentityTable,
): (identity: number) => number {
  const known: number[] = [];
  return (index) => {
    const found = known[index];
    if (found !== undefined) return found;
    const identity = own.get(index);
    return (known[index] = identities.intern(host?.identityOf(identity) ?? identity));
  };
}

/** As `translator`, for files; a path may become known later. */
function fileTranslator(
  { identities: { files: own }, host }: PlacedTrace,
  { files }: IdentityTable,
  offsetNs: number,
): (value: number) => number {
  let renames = own.renames;
  const known: number[] = [];
  const numberOf = (number: number): number => {
    const facts = own.get(number);
    const joined = files.intern(
      host === undefined ? facts : { ...facts, dev: host.devOf(facts.dev) },
    );
    const firstSeenNs = own.firstSeenNs(number);
    if (firstSeenNs !== undefined) files.seeAt(joined, firstSeenNs + offsetNs);
    return joined;
  };
  return (value) => {
    if (renames !== own.renames) known.length = 0;
    renames = own.renames;
    const number = fileNumber(value);
    if (number < FIRST_FILE) return value;
    const found = (known[number] ??= numberOf(number));
    return isMergedFiles(value) ? found + MERGED_FILES : found;
  };
}

function describe(
  traces: readonly PlacedTrace[],
  disks: JoinedDisks,
  clockBase: ClockBase,
  identities: IdentityTable,
): SourceInfo {
  const headers = traces.map(({ reader }) => reader.header);
  const names = namedHosts(headers);
  const cgroups = cgroupsOf(traces);
  const processes = joinedProcesses(traces);
  const notes = joinedNotes(
    traces.map((trace) => ({ reader: trace.reader, offsetNs: offsetOf(trace, clockBase) })),
  );
  const inFlightParts = traces.map((trace) => ({
    reader: trace.reader,
    offsetNs: offsetOf(trace, clockBase),
    endNs: traces.length === 1 ? Infinity : (trace.reader.header.extent?.endNs ?? Infinity),
    host: trace.host,
    fileOf:
      trace.identities === identities
        ? undefined
        : fileTranslator(trace, identities, offsetOf(trace, clockBase)),
  }));
  return {
    kind: headers.some(({ kind }) => kind === 'recording') ? 'recording' : 'import',
    host: names.join(', ') || UNKNOWN_HOST,
    title: traces.map(({ name }) => name).join(', '),
    clockBase,
    origin: originOf(headers),
    identities,
    device: (dev) => disks.find(dev),
    devices: () => disks.all(),
    ...(cgroups !== undefined && { cgroups }),
    ...(processes !== undefined && { processes }),
    ...(notes !== undefined && { notes }),
    // Which traces have these facts is known only after they have been read.
    get inFlight() {
      return joinedInFlight(inFlightParts);
    },
    get pressure() {
      return names.length > 1 ? undefined : joinedPressure(inFlightParts);
    },
  };
}

/** Without names if several hosts are taken for one: they may use the same ids for different cgroups. */
function cgroupsOf(traces: readonly PlacedTrace[]): CgroupNames | undefined {
  const placed = traces.flatMap(({ reader, host }) => (host === undefined ? [] : { reader, host }));
  if (placed.length > 0) return joinedCgroups(placed);
  const named = traces.flatMap(({ reader }) => reader.cgroups ?? []);
  const hosts = new Set(traces.map(({ reader }) => reader.header.host));
  if (named.length === 0 || hosts.size > 1) return undefined;
  return { name: (id) => named.map((one) => one.name(id)).find((name) => name !== undefined) };
}

/** The hosts that the traces name; a trace may itself have been joined from those of several. */
function namedHosts(headers: readonly TraceHeader[]): string[] {
  const names = headers.flatMap(({ host }) => host.split(', '));
  return [...new Set(names)].filter((name) => name !== '');
}

/** The metadata of several traces as one. */
export function originOf(headers: readonly TraceHeader[]): TraceOrigin {
  const [first, ...others] = headers;
  // Replaced only when it gets shorter, so that a caller that reads it for each I/O can compare the arrays.
  let unknown: readonly TraceField[] | undefined;
  const kernels = new Set(headers.map(({ kernel }) => kernel));
  const recorderTgid = others.length === 0 ? first?.recorderTgid : undefined;
  return {
    host: namedHosts(headers).join(', '),
    kernel: kernels.size === 1 ? first!.kernel : '',
    hasWallClock: headers.some(({ hasWallClock }) => hasWallClock),
    // A getter, because the fields of a log become known while it is read.
    get unknown() {
      const fields = [...new Set(headers.flatMap((header) => header.unknown))];
      if (fields.length !== unknown?.length) unknown = fields;
      return unknown;
    },
    ...(headers.every(({ latency }) => latency === 'total') && { latency: 'total' as const }),
    ...(recorderTgid !== undefined && { recorderTgid }),
  };
}

/** The disks of all hosts; with several hosts, they are called `disk@host`. */
class JoinedDisks {
  private readonly known = new Map<number, DeviceInfo>();
  private list: readonly DeviceInfo[] = [];
  /** What the traces described when `known` was made. */
  private described: readonly (readonly DeviceInfo[])[] = [];

  constructor(
    private readonly traces: readonly PlacedTrace[],
    private readonly hosts: JoinedHosts,
  ) {}

  all(): readonly DeviceInfo[] {
    this.refresh();
    return this.list;
  }

  find(dev: number): DeviceInfo | undefined {
    this.refresh();
    return this.known.get(dev) ?? this.hosts.unknownDisk(dev);
  }

  private refresh(): void {
    const lists = this.traces.map(({ reader }) => reader.devices());
    if (lists.every((disks, i) => disks === this.described[i])) return;
    this.described = lists;
    lists.forEach((disks, i) => {
      this.add(disks, this.traces[i]!.host);
    });
    this.list = [...this.known.values()];
  }

  private add(disks: readonly DeviceInfo[], host: PlacedTrace['host']): void {
    for (const disk of disks) {
      const placed = host?.diskOf(disk) ?? disk;
      this.known.set(placed.dev, placed);
    }
  }
}

/** Stretches between the traces of one host without a recording, as far as the ends of the traces are known. */
function gapsBetween(hosts: readonly (readonly TraceFeed[])[]): Gap[] {
  return hosts.flatMap((feeds) => breaksBetween(stretchesOf(feeds), LEAST_GAP_NS));
}

function recordedOf(feeds: readonly TraceFeed[]): HostRecorded {
  const stretches = stretchesOf(feeds);
  const within = feeds.flatMap(({ gaps }) => gaps);
  return { stretches, gaps: [...breaksBetween(stretches, LEAST_GAP_NS), ...within] };
}

function stretchesOf(feeds: readonly TraceFeed[]): Stretch[] {
  return feeds.map(({ stretch }) => stretch);
}

function byHost(traces: readonly PlacedTrace[], feeds: readonly TraceFeed[]): TraceFeed[][] {
  const hosts = new Set(traces.map(({ host }) => host?.name));
  return [...hosts].map((host) => feeds.filter((_, i) => traces[i]!.host?.name === host));
}
