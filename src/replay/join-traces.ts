import type { ClockBase } from '../base/time.ts';
import { DEVS_PER_HOST, UNKNOWN_HOST, unknownDeviceName } from '../model/device.ts';
import type { DeviceInfo } from '../model/device.ts';
import type { IdentityTable } from '../model/identity-table.ts';
import type { SourceInfo, TraceOrigin } from '../source/event-source.ts';
import type { TraceHeader, TraceReader } from '../source/trace-reader.ts';
import { TraceFeed } from './trace-feed.ts';
import type { Gap } from './trace-feed.ts';

/** A trace and what to call it. */
export interface NamedTrace {
  /** Of its file; stands for a host that is not known. */
  readonly name: string;
  readonly reader: TraceReader;
  /** The table that it was opened with: one of its own unless it is the only one. */
  readonly keys: IdentityTable;
}

export interface JoinOptions {
  /** The table of the session. */
  readonly keys: IdentityTable;
  /** Disks of one name are one disk, whatever host they were traced on. */
  readonly oneHost: boolean;
}

export interface JoinedTraces {
  readonly info: SourceInfo;
  readonly feeds: readonly TraceFeed[];
  /** Between the traces of one host. */
  readonly gaps: readonly Gap[];
}

/** Traces of one host this close together have been recorded without a break. */
const LEAST_GAP_NS = 1e9;

/** Puts traces on one time axis, that of the wall clock, and keeps disks of several hosts apart. */
export function joinTraces(traces: readonly NamedTrace[], options: JoinOptions): JoinedTraces {
  const clockBase = commonBase(traces.map(({ reader }) => reader.header));
  const hosts = options.oneHost ? [] : hostNames(traces);
  const placed = traces.map((trace): PlacedTrace => {
    const host = hosts.length < 2 ? -1 : hosts.indexOf(hostOf(trace));
    return { ...trace, host: host < 0 ? undefined : { index: host, name: hosts[host]! } };
  });
  const feeds = placed.map((trace) => feedOf(trace, clockBase, options.keys));
  return {
    info: describe(placed, clockBase, options.keys),
    feeds,
    gaps: gapsBetween(placed, feeds),
  };
}

interface PlacedTrace extends NamedTrace {
  /** Undefined where there is but one. */
  readonly host: { readonly index: number; readonly name: string } | undefined;
}

/**
 * The earliest. Without a wall clock times count from midnight where the program runs, so that they
 * read as time since the start.
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

function feedOf(trace: PlacedTrace, base: ClockBase, keys: IdentityTable): TraceFeed {
  const { header } = trace.reader;
  const offsetNs = header.hasWallClock ? Number(header.clockBase.wallNs - base.wallNs) : 0;
  const isOwn = trace.keys === keys;
  return new TraceFeed(trace.reader, {
    offsetNs,
    ...(!isOwn && { keyOf: translator(trace, keys) }),
  });
}

/** A key of the trace among those of the session, on the disk of its host. */
function translator(
  { keys: own, host }: PlacedTrace,
  keys: IdentityTable,
): (key: number) => number {
  const known: number[] = [];
  return (index) => {
    const found = known[index];
    if (found !== undefined) return found;
    const key = own.get(index);
    const dev = host === undefined ? key.dev : key.dev + (host.index + 1) * DEVS_PER_HOST;
    const comm = host === undefined ? key.comm : `${key.comm}@${host.name}`;
    return (known[index] = keys.intern({ ...key, dev, comm }));
  };
}

function describe(
  traces: readonly PlacedTrace[],
  clockBase: ClockBase,
  keys: IdentityTable,
): SourceInfo {
  const headers = traces.map(({ reader }) => reader.header);
  const names = [...new Set(headers.map(({ host }) => host).filter((host) => host !== ''))];
  const disks = new JoinedDisks(traces);
  return {
    kind: headers.some(({ kind }) => kind === 'recording') ? 'recording' : 'import',
    host: names.join(', ') || UNKNOWN_HOST,
    title: traces.map(({ name }) => name).join(', '),
    clockBase,
    origin: originOf(headers),
    keys,
    device: (dev) => disks.find(dev),
    devices: () => disks.all(),
  };
}

function originOf(headers: readonly TraceHeader[]): TraceOrigin {
  const [first, ...others] = headers;
  const kernels = new Set(headers.map(({ kernel }) => kernel));
  const hosts = [...new Set(headers.map(({ host }) => host).filter((host) => host !== ''))];
  const recorderTgid = others.length === 0 ? first?.recorderTgid : undefined;
  return {
    host: hosts.join(', '),
    kernel: kernels.size === 1 ? first!.kernel : '',
    hasWallClock: headers.some(({ hasWallClock }) => hasWallClock),
    // Asked when it is needed: of a log it becomes known while it is read.
    get unknown() {
      return [...new Set(headers.flatMap(({ unknown }) => unknown))];
    },
    ...(headers.every(({ latency }) => latency === 'total') && { latency: 'total' as const }),
    ...(recorderTgid !== undefined && { recorderTgid }),
  };
}

/** The disks of all hosts; those of several are called `disk@host`, so that what is cut is the host. */
class JoinedDisks {
  private known = new Map<number, DeviceInfo>();
  private counted = -1;

  constructor(private readonly traces: readonly PlacedTrace[]) {}

  all(): DeviceInfo[] {
    this.refresh();
    return [...this.known.values()];
  }

  find(dev: number): DeviceInfo | undefined {
    this.refresh();
    const known = this.known.get(dev);
    if (known !== undefined || dev < DEVS_PER_HOST) return known;
    const index = Math.floor(dev / DEVS_PER_HOST) - 1;
    const host = this.traces.find((trace) => trace.host?.index === index)?.host;
    const name = unknownDeviceName(dev % DEVS_PER_HOST);
    return host && { dev, name: `${name}@${host.name}`, host: host.name };
  }

  private refresh(): void {
    const lists = this.traces.map(({ reader }) => reader.devices());
    const count = lists.reduce((sum, { length }) => sum + length, 0);
    if (count === this.counted) return;
    this.counted = count;
    lists.forEach((disks, i) => {
      this.add(disks, this.traces[i]!.host);
    });
  }

  private add(disks: readonly DeviceInfo[], host: PlacedTrace['host']): void {
    for (const disk of disks) {
      if (host === undefined) this.known.set(disk.dev, disk);
      else {
        const dev = disk.dev + (host.index + 1) * DEVS_PER_HOST;
        const name = `${disk.name}@${host.name}`;
        this.known.set(dev, { ...disk, dev, name, host: host.name });
      }
    }
  }
}

/** Times between the traces of one host in which none was recorded, as far as their ends are known. */
function gapsBetween(traces: readonly PlacedTrace[], feeds: readonly TraceFeed[]): Gap[] {
  const hosts = new Set(traces.map(({ host }) => host?.index));
  return [...hosts].flatMap((host) =>
    gapsOf(feeds.filter((_, i) => traces[i]!.host?.index === host)),
  );
}

function gapsOf(feeds: readonly TraceFeed[]): Gap[] {
  const gaps: Gap[] = [];
  let endNs = Infinity;
  for (const feed of feeds.toSorted((a, b) => a.nextNs - b.nextNs)) {
    if (feed.nextNs > endNs + LEAST_GAP_NS) gaps.push({ startNs: endNs, endNs: feed.nextNs });
    const ownEndNs = feed.claimedEndNs ?? Infinity;
    endNs = endNs === Infinity ? ownEndNs : Math.max(endNs, ownEndNs);
  }
  return gaps;
}
