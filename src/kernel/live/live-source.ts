import { hostname, release } from 'node:os';
import { closeSync } from 'node:fs';
import { err, ExitCode, ok, type IoheatError, type Result } from '../../base/result.ts';
import type { CardReader } from '../../model/card.ts';
import { createColumns, type CompletionColumns } from '../../model/completion-columns.ts';
import { HANGING_AFTER_NS, inOneLayer, OLD_IN_FLIGHT_NS } from '../../model/in-flight.ts';
import { layerOf } from '../../model/layer.ts';
import type { InFlightIo } from '../../model/in-flight.ts';
import { InFlightBook } from '../../model/in-flight-book.ts';
import { cgroupOf } from '../../model/identity.ts';
import { type IdentityTable } from '../../model/identity-table.ts';
import { deviceName } from '../../model/device.ts';
import type { DiskBusy } from '../../model/disk-busy.ts';
import { MachinePressure } from '../../model/machine-pressure.ts';
import type { StallCause } from '../../model/stall.ts';
import type { EventSource, HangingRequests, SourceInfo } from '../../trace/event-source.ts';
import type { CompletionSummary, SourceCounters } from '../../trace/completion-summary.ts';
import { findBlkioRoot, findCgroupRoot, MachineCgroups } from '../machine/cgroups.ts';
import type { ContainerNames } from '../machine/container-names.ts';
import { kernelNowNs } from '../machine/clock-base.ts';
import { CounterReader, readProgramStats, type KernelCounters } from '../counts/counter-reader.ts';
import { readDiskCard } from '../machine/disk-card.ts';
import { fileSystemFact } from '../machine/file-system-fact.ts';
import { CgroupStalls } from '../machine/cgroup-stalls.ts';
import { readIoPressure } from '../machine/io-pressure.ts';
import { StallCauses } from '../machine/stall-causes.ts';
import { MachineProcesses } from '../machine/machine-processes.ts';
import { readProcessCard } from '../machine/process-card.ts';
import { DiskTable } from '../machine/disk-table.ts';
import { diskFolder, hasStatistics } from '../machine/disks.ts';
import { DetailBudget } from './detail-budget.ts';
import { StaleRequests } from './stale-requests.ts';
import { InflightReader, inFlightIo, type InFlightRequest } from './inflight-reader.ts';
import { BusyReader } from '../counts/busy-reader.ts';
import { readKernelStats } from '../machine/diskstats.ts';
import { KernelAudit, type TracePosition } from '../counts/kernel-audit.ts';
import { DetailControl } from '../attach/detail-control.ts';
import { FilterWriter, type KernelFilter } from '../attach/kernel-filter.ts';
import { Control } from '../abi/layout.ts';
import { formatSyscallError, type SyscallError } from '../native/syscalls.ts';
import { lossesOf } from './losses.ts';
import { remarksOf } from './remarks.ts';
import { RingReader } from './ring-reader.ts';
import { SummaryDevices } from '../attach/summary-devices.ts';
import { SummaryDivider } from '../counts/summary-divider.ts';
import { SummaryReader } from '../counts/summary-reader.ts';
import {
  completionProgram,
  handoverFds,
  heldFds,
  type MissingTracepoint,
  type TraceHandover,
} from '../attach/trace-handover.ts';
import { mapTrace, type TraceMappings } from './trace-mappings.ts';

/** Rows per `read()`; four reads empty a full ring of the default size. */
const ROWS = 1 << 15;

/** The running kernel as an `EventSource`. Needs no privilege, only the descriptors of a handover. */
export interface LiveSource extends EventSource {
  /** Tracepoints that this kernel lacks. */
  readonly missing: readonly MissingTracepoint[];
  /** See `FilterWriter.write`. */
  setFilter(filter: KernelFilter): KernelFilter;
  hanging(): HangingRequests | undefined;
  remarks(): Readonly<Record<string, number>>;
  inFlight(minAgeNs?: number): readonly InFlightIo[];
  stallCause(): StallCause | undefined;
  /** Requests in flight for at least `minAgeNs`, the oldest first. */
  requestsInFlight(minAgeNs?: number): InFlightRequest[];
  /** Bytes in the ring that `read()` has not read yet. */
  backlogBytes(): number;
  /** Everything the kernel programs counted, for `--verbose`. */
  kernelCounters(): KernelCounters;
  audit(): void;
  /** Finds disks that appeared or changed size. It takes a few system calls per disk, so once a second is enough. */
  refreshDevices(): void;
}

export interface LiveOptions {
  /** Processor time that the program may take, as a share of one core; undefined: all I/Os are delivered. */
  readonly budget?: number | undefined;
  /** Of the containers that ran when it started. */
  readonly containers?: ContainerNames | undefined;
}

/**
 * The source owns the descriptors of the handover: it closes those that it has mapped or does not need at once, and
 * the others in `dispose`.
 */
export function openLiveSource(
  handover: TraceHandover,
  identities: IdentityTable,
  options: LiveOptions = {},
): Result<LiveSource> {
  const mappings = mapTrace(handover);
  if (!mappings.ok) return err(cannotMap(mappings.error));
  const ring = RingReader.open(handover.ring, identities, BigInt(handover.monotonicNs));
  if (ring.ok) {
    const held = heldFds(handover);
    closeAll(handoverFds(handover).filter((fd) => !held.includes(fd)));
    return ok(new MappedSource(handover, identities, mappings.value, ring.value, options));
  }
  mappings.value.dispose();
  return err(cannotMap(ring.error));
}

function cannotMap(failure: SyscallError): IoheatError {
  return {
    exitCode: ExitCode.failed,
    what: 'cannot map the trace',
    why: formatSyscallError(failure),
  };
}

/** How often to look for what has been in flight for long: a look takes less than 50 µs. */
const LOOK_EVERY_MS = 250;
/** Of these looks, each so many-th reads how long tasks waited and disks were busy. */
const PRESSURE_EVERY = 4;

class MappedSource implements LiveSource {
  readonly info: SourceInfo;
  readonly missing: readonly MissingTracepoint[];
  readonly cards: CardReader;
  private readonly rows = createColumns(ROWS);
  private readonly disks = new DiskTable();
  private readonly processes: MachineProcesses;
  private readonly summaryDevices: SummaryDevices;
  private readonly summaries: SummaryReader;
  private readonly divider: SummaryDivider;
  private readonly counterReader: CounterReader;
  private readonly filter: FilterWriter;
  private readonly inflight: InflightReader;
  private readonly stale: StaleRequests;
  private readonly audited: KernelAudit;
  private readonly busy: BusyReader;
  private readonly budget: DetailBudget | undefined;
  private readonly baseNs: bigint;
  private readonly inFlightBook = new InFlightBook();
  private readonly pressure = new MachinePressure();
  private readonly cgroups: MachineCgroups;
  private readonly cgroupStalls: CgroupStalls;
  private readonly stallCauses: StallCauses;
  private nextLookMs = -Infinity;
  private looks = 0;
  private delivered = 0;
  private summarised = 0;
  private closed = false;
  private lastCounters: KernelCounters;
  private lastVanished: ReadonlyMap<number, number> = new Map();
  private lastSkipped = 0;

  constructor(
    private readonly handover: TraceHandover,
    identities: IdentityTable,
    private readonly mappings: TraceMappings,
    private readonly ring: RingReader,
    { budget, containers }: LiveOptions,
  ) {
    const { inflight, summaries, counters } = handover;
    this.baseNs = BigInt(handover.monotonicNs);
    this.missing = handover.missing;
    const control = new Uint32Array(mappings.control, 0, Control.bytes / 4);
    this.filter = new FilterWriter(control);
    if (budget !== undefined)
      this.budget = new DetailBudget(budget, {
        devices: new DetailControl(mappings.control),
        calls: new DetailControl(mappings.control, 'calls'),
      });
    this.counterReader = new CounterReader(mappings.counters, counters.cpus);
    this.inflight = new InflightReader(mappings, inflight.slots, this.baseNs);
    this.stale = new StaleRequests({
      list: () => this.inflight.list(this.nowNs()),
      diskFolder: (dev) => this.folderOf(dev),
      countsWaiting: handover.countsWaiting,
    });
    this.summaryDevices = new SummaryDevices(control, summaries.devices);
    this.divider = new SummaryDivider(identities, (dev) => this.summaryDevices.shiftOf(dev));
    this.summaries = new SummaryReader(mappings.summaries, {
      shape: summaries,
      devices: this.summaryDevices,
      isVolume: (dev) => this.disks.isVolume(dev),
      counters: this.counterReader,
      identities,
      baseNs: Number(this.baseNs),
    });
    this.audited = new KernelAudit({
      identities,
      cpus: counters.cpus,
      position: () => this.position(),
    });
    this.busy = new BusyReader({
      readStats: readKernelStats,
      nowNs: () => this.nowNs(),
      isComparable: (dev) => this.filter.passesAllOf(dev) && this.countsIo(dev),
    });
    this.lastCounters = this.counterReader.read();
    this.stallCauses = new StallCauses(
      { unified: findCgroupRoot(), blkio: findBlkioRoot() },
      (dev) => deviceName({ device: (number) => this.disks.find(number) }, dev),
      () => performance.now(),
    );
    this.processes = new MachineProcesses(identities, { nowMs: () => performance.now() });
    this.cards = {
      process: (tgid, comm) => readProcessCard(tgid, comm, { containers }),
      disk: (dev) => readDiskCard(dev),
      fileSystem: (dev) => fileSystemFact(dev),
    };
    this.cgroups = new MachineCgroups(findCgroupRoot(), () => performance.now(), containers);
    this.cgroupStalls = new CgroupStalls(this.cgroups, this.pressure);
    this.info = this.describe(identities);
    this.refreshDevices();
    this.audit();
  }

  private folderOf(dev: number): string | undefined {
    const disk = this.disks.find(dev);
    return disk && diskFolder(disk);
  }

  private countsIo(dev: number): boolean {
    const folder = this.folderOf(dev);
    return folder !== undefined && hasStatistics(folder);
  }

  private position(): TracePosition {
    // Incremented after the summary, so everything that it counts can be read by now.
    return { summarised: this.counterReader.summarised(), ring: this.ring.produced() };
  }

  private describe(identities: IdentityTable): SourceInfo {
    return {
      kind: 'live',
      host: hostname(),
      title: `Linux ${release()}`,
      clockBase: { monotonicNs: this.baseNs, wallNs: BigInt(this.handover.wallNs) },
      identities,
      device: (dev) => this.disks.find(dev),
      devices: () => this.disks.all(),
      cgroups: this.cgroups,
      processes: this.processes,
      inFlight: this.inFlightBook,
      ...(readIoPressure() !== undefined && { pressure: this.pressure }),
    };
  }

  read(): CompletionColumns {
    this.rows.length = 0;
    if (this.closed) return this.rows;
    // An empty pass costs less than to measure it.
    if (this.backlogBytes() > 0) this.budget?.beginPass();
    this.ring.drain(this.rows, this.audited.limit);
    this.audited.tookRows(this.rows, this.ring.consumed);
    this.delivered += this.rows.length;
    const { layers, counts, drawn } = this.ring;
    this.budget?.tookRows({ rows: this.rows, layers, counts, drawn });
    this.divider.tookRows(this.rows, drawn);
    this.processes.look();
    this.look();
    return this.rows;
  }

  private look(): void {
    const nowMs = performance.now();
    if (nowMs < this.nextLookMs) return;
    this.nextLookMs = nowMs + LOOK_EVERY_MS;
    this.inFlightBook.look(this.inFlight(OLD_IN_FLIGHT_NS), this.nowNs());
    if (this.looks++ % PRESSURE_EVERY !== 0) return;
    this.notePressure();
    this.busy.look();
  }

  private notePressure(): void {
    const pressure = readIoPressure();
    if (pressure === undefined) return;
    this.pressure.put({ atNs: this.nowNs(), ...pressure });
    this.cgroupStalls.look(this.cgroupsOfRows(), () => this.nowNs());
  }

  /** Of what was read last: who has I/O often is seen soon. */
  private cgroupsOfRows(): ReadonlySet<number> {
    const { identity, length } = this.rows;
    const identities = new Set(identity.subarray(0, length));
    const { identities: table } = this.info;
    return new Set([...identities].flatMap((index) => cgroupOf(table.get(index)) ?? []));
  }

  stallCause(): StallCause | undefined {
    return this.stallCauses.look();
  }

  readSummaries(isDue = true): readonly CompletionSummary[] {
    if (this.closed) return [];
    this.budget?.endPass();
    if (!isDue) return [];
    const found = this.summaries.read(monotonicNs);
    for (const { count } of found) this.summarised += count;
    this.audited.tookSummaries(found);
    this.budget?.tookSummaries(found, (summary) => this.isOfCalls(summary));
    this.busy.tookCounts(this.disksOf(found));
    return this.divider.divide(found, this.nowNs());
  }

  private isOfCalls({ identity }: CompletionSummary): boolean {
    return layerOf(this.info.identities.get(identity)) === 'calls';
  }

  private disksOf(summaries: readonly CompletionSummary[]): ReadonlySet<number> {
    const { identities } = this.info;
    return new Set(summaries.map(({ identity }) => identities.get(identity).dev));
  }

  readBusy(): readonly DiskBusy[] {
    return this.busy.take();
  }

  hanging(): HangingRequests | undefined {
    const held = this.requestsInFlight(HANGING_AFTER_NS);
    const requests = inOneLayer(held, layerOf);
    const [oldest] = requests;
    return oldest && { count: requests.length, ageNs: oldest.ageNs, dev: oldest.dev };
  }

  counters(): SourceCounters {
    const { losses, lostOn } = lossesOf({
      kernel: this.kernelCounters(),
      vanishedOn: this.vanishedOn(),
      skipped: this.skippedCompletions(),
      audit: this.audited,
    });
    const lost = Object.values(losses).reduce((sum, count) => sum + count, 0);
    const { delivered, summarised } = this;
    const { oneIn, callsOneIn } = this.budget ?? {};
    return { delivered, summarised, lost, losses, lostOn, oneIn, callsOneIn };
  }

  /** Requests whose completion was missed and that have not been used again. */
  private vanishedOn(): ReadonlyMap<number, number> {
    if (this.closed) return this.lastVanished;
    const requests = this.inflight
      .list(this.nowNs())
      .filter((request) => layerOf(request) === 'disks');
    const found = new Map<number, number>();
    for (const request of this.stale.among(requests))
      if (this.filter.passes(request)) found.set(request.dev, (found.get(request.dev) ?? 0) + 1);
    return found;
  }

  private skippedCompletions(): number {
    const program = completionProgram(this.handover);
    if (this.closed) return this.lastSkipped;
    if (program === undefined) return 0;
    return readProgramStats(program.fd).recursionMisses;
  }

  remarks(): Readonly<Record<string, number>> {
    return remarksOf(this.kernelCounters(), this.skippedCompletions());
  }

  kernelCounters(): KernelCounters {
    return this.closed ? this.lastCounters : this.counterReader.read();
  }

  setFilter(filter: KernelFilter): KernelFilter {
    if (this.closed) return {};
    const written = this.filter.write(filter);
    this.audited.restart();
    this.audit();
    return written;
  }

  inFlight(minAgeNs = 0): readonly InFlightIo[] {
    const requests = this.requestsInFlight(minAgeNs);
    const { files } = this.ring;
    files.begin();
    return requests
      .filter((request) => this.filter.passes(request))
      .map((request) => inFlightIo(request, (file) => files.numberOf(file)));
  }

  requestsInFlight(minAgeNs = 0): InFlightRequest[] {
    if (this.closed) return [];
    const requests = this.inflight.list(this.nowNs(), minAgeNs);
    const stale = this.stale.among(requests);
    return requests.filter((request) => !stale.has(request));
  }

  private nowNs(): number {
    return Number(kernelNowNs() - this.baseNs);
  }

  backlogBytes(): number {
    return this.closed ? 0 : this.ring.produced() - this.ring.consumed;
  }

  refreshDevices(): void {
    if (!this.closed) this.summaryDevices.track(this.disks.refresh(), monotonicNs());
  }

  audit(): void {
    if (this.closed) return;
    const { disks, filter } = this;
    this.audited.start(disks.requestBased().filter((dev) => filter.passesAllOf(dev)));
  }

  /** Reading unmapped memory would crash, so from here on the source answers with its last values. */
  dispose(): void {
    if (this.closed) return;
    this.lastCounters = this.counterReader.read();
    this.lastVanished = this.vanishedOn();
    this.lastSkipped = this.skippedCompletions();
    this.closed = true;
    this.ring.dispose();
    this.mappings.dispose();
    closeAll(heldFds(this.handover));
  }
}

function closeAll(fds: readonly number[]): void {
  for (const fd of fds) closeSync(fd);
}

function monotonicNs(): number {
  return Number(kernelNowNs());
}
