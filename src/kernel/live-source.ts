import { hostname, release } from 'node:os';
import { closeSync } from 'node:fs';
import { err, ExitCode, ok, type IoheatError, type Result } from '../base/result.ts';
import { createColumns, type CompletionColumns } from '../model/completion-columns.ts';
import type { IdentityTable } from '../model/identity-table.ts';
import type { EventSource, HangingRequests, SourceInfo } from '../source/event-source.ts';
import type { CompletionSummary, DiskLoss, SourceCounters } from '../source/completion-summary.ts';
import { kernelNowNs } from './clock-base.ts';
import { CounterReader, readProgramStats, type KernelCounters } from './counter-reader.ts';
import { DiskTable } from './disk-table.ts';
import { findGhosts } from './ghosts.ts';
import { InflightReader, type InFlightRequest } from './inflight-reader.ts';
import { KernelAudit, type TracePosition } from './kernel-audit.ts';
import { FilterWriter, type KernelFilter } from './kernel-filter.ts';
import { Control, COUNTER_NAMES } from './layout.ts';
import { formatSyscallError, type SyscallError } from './privilege/syscalls.ts';
import { RingReader } from './ring-reader.ts';
import { SummaryDevices } from './summary-devices.ts';
import { SummaryReader } from './summary-reader.ts';
import {
  completionProgram,
  handoverFds,
  heldFds,
  type MissingTracepoint,
  type TraceHandover,
} from './trace-handover.ts';
import { mapTrace, type TraceMappings } from './trace-mappings.ts';

/** Rows per `read()`; a full default ring takes six. */
const ROWS = 1 << 15;

/** The running kernel as an `EventSource`. Needs no privilege, only the descriptors of a handover. */
export interface LiveSource extends EventSource {
  /** Tracepoints that this kernel lacks. */
  readonly missing: readonly MissingTracepoint[];
  /** See `FilterWriter.write`: false when the kernel lets more pass than was asked for. */
  setFilter(filter: KernelFilter): boolean;
  hanging(): HangingRequests | undefined;
  remarks(): Readonly<Record<string, number>>;
  /** Requests in flight for at least `minAgeNs`, the oldest first. */
  inFlight(minAgeNs?: number): InFlightRequest[];
  /** Bytes in the ring that wait for `read()`. */
  backlogBytes(): number;
  /** Everything the kernel programs counted, for `--verbose`. */
  kernelCounters(): KernelCounters;
  audit(): void;
  /** Looks for disks that came or changed size; a few system calls per disk, so once a second is enough. */
  refreshDevices(): void;
}

/**
 * The source takes over the handover's descriptors: it closes at once what it has mapped and what it does
 * not read, the rest when it is disposed.
 */
export function openLiveSource(handover: TraceHandover, keys: IdentityTable): Result<LiveSource> {
  const mappings = mapTrace(handover);
  if (!mappings.ok) return err(cannotMap(mappings.error));
  const ring = RingReader.open(handover.ring, keys, BigInt(handover.monotonicNs));
  if (ring.ok) {
    const held = heldFds(handover);
    closeAll(handoverFds(handover).filter((fd) => !held.includes(fd)));
    return ok(new MappedSource(handover, keys, mappings.value, ring.value));
  }
  mappings.value.dispose();
  return err(cannotMap(ring.error));
}

function cannotMap(failure: SyscallError): IoheatError {
  return {
    exitCode: ExitCode.failed,
    what: 'the trace could not be mapped',
    why: formatSyscallError(failure),
  };
}

/** Longer than any disk takes that works, shorter than the 30 s after which drivers give up. */
const HANGING_AFTER_NS = 3e9;

const SUMMARISED = COUNTER_NAMES.indexOf('summarised');

class MappedSource implements LiveSource {
  readonly info: SourceInfo;
  readonly missing: readonly MissingTracepoint[];
  private readonly rows = createColumns(ROWS);
  private readonly disks = new DiskTable();
  private readonly summaryDevices: SummaryDevices;
  private readonly summaries: SummaryReader;
  private readonly counterReader: CounterReader;
  private readonly filter: FilterWriter;
  private readonly inflight: InflightReader;
  private readonly audited: KernelAudit;
  private readonly baseNs: bigint;
  private delivered = 0;
  private summarised = 0;
  private closed = false;
  private lastCounters: KernelCounters;
  private lastVanished: ReadonlyMap<number, number> = new Map();

  constructor(
    private readonly handover: TraceHandover,
    keys: IdentityTable,
    private readonly mappings: TraceMappings,
    private readonly ring: RingReader,
  ) {
    const { inflight, summaries, counters } = handover;
    this.baseNs = BigInt(handover.monotonicNs);
    this.missing = handover.missing;
    const control = new Uint32Array(mappings.control, 0, Control.bytes / 4);
    this.filter = new FilterWriter(control);
    this.counterReader = new CounterReader(mappings.counters, counters.cpus);
    this.inflight = new InflightReader(mappings.inflight, inflight.slots, this.baseNs);
    this.summaryDevices = new SummaryDevices(control, summaries.devices);
    this.summaries = new SummaryReader(mappings.summaries, {
      shape: summaries,
      devices: this.summaryDevices,
      counters: this.counterReader,
      keys,
      baseNs: Number(this.baseNs),
    });
    this.audited = new KernelAudit({ keys, cpus: counters.cpus, position: () => this.position() });
    this.lastCounters = this.counterReader.read();
    this.info = this.describe(keys);
    this.refreshDevices();
    this.audit();
  }

  private position(): TracePosition {
    // Counted first, told later: by then the sums are there to be read.
    return { summarised: this.counterReader.sum(SUMMARISED), ring: this.ring.produced() };
  }

  private describe(keys: IdentityTable): SourceInfo {
    return {
      kind: 'live',
      host: hostname(),
      title: `Linux ${release()}`,
      clockBase: { monotonicNs: this.baseNs, wallNs: BigInt(this.handover.wallNs) },
      keys,
      device: (dev) => this.disks.find(dev),
      devices: () => this.disks.all(),
    };
  }

  read(): CompletionColumns {
    this.rows.length = 0;
    if (this.closed) return this.rows;
    this.ring.drain(this.rows, this.audited.limit);
    this.audited.tookRows(this.rows, this.ring.consumed);
    this.delivered += this.rows.length;
    return this.rows;
  }

  readSummaries(): readonly CompletionSummary[] {
    if (this.closed) return [];
    const found = this.summaries.read(monotonicNs);
    for (const { count } of found) this.summarised += count;
    this.audited.tookSummaries(found);
    return found;
  }

  hanging(): HangingRequests | undefined {
    const requests = this.inFlight(HANGING_AFTER_NS);
    const [oldest] = requests;
    return oldest && { count: requests.length, ageNs: oldest.ageNs, dev: oldest.dev };
  }

  counters(): SourceCounters {
    const { losses, lostOn } = this.losses();
    const lost = Object.values(losses).reduce((sum, count) => sum + count, 0);
    return { delivered: this.delivered, summarised: this.summarised, lost, losses, lostOn };
  }

  /**
   * A completion that never reached us shows when its request is used again, or when the disk has
   * nothing to do any more. What the kernel says it skipped is among these sooner or later, and so is
   * what is missing beside its own count, unless it ran none of our programs at all: the largest counts.
   */
  private losses(): Pick<SourceCounters, 'losses' | 'lostOn'> {
    const kernel = this.kernelCounters();
    const overwritten = kernel.overwrittenAtStart + kernel.overwrittenAtIssue;
    const vanishedOn = this.vanishedOn();
    const vanished = sumOf(vanishedOn);
    const { unsummarised } = kernel;
    const skipped = Math.max(0, this.skippedCompletions() - overwritten - vanished);
    const known = overwritten + vanished + skipped + unsummarised;
    // Second ends of requests whose first was before the trace: the kernel counts those.
    const unseen = Math.max(0, this.audited.missing - kernel.repeated - known);
    const unseenOn = this.audited.missingOn(kernel.repeated + known);
    return {
      losses: { overwritten, vanished, skipped, unsummarised, unseen },
      lostOn: [...lossesOn('vanished', vanishedOn), ...lossesOn('unseen', unseenOn)],
    };
  }

  /** Ended without our knowledge, and not used again so far. */
  private vanishedOn(): ReadonlyMap<number, number> {
    if (this.closed) return this.lastVanished;
    const requests = this.inflight.list(this.nowNs());
    const found = new Map<number, number>();
    for (const request of this.ghostsAmong(requests))
      if (this.filter.passes(request)) found.set(request.dev, (found.get(request.dev) ?? 0) + 1);
    return found;
  }

  private skippedCompletions(): number {
    const program = completionProgram(this.handover);
    if (program === undefined || this.closed) return 0;
    return readProgramStats(program.fd).recursionMisses;
  }

  remarks(): Readonly<Record<string, number>> {
    const kernel = this.kernelCounters();
    return {
      'kept out by the filter': kernel.filtered,
      'with unknown owner': kernel.unmatched,
      'without a place at submission': kernel.noSlotAtStart,
      'without a place at issue': kernel.noSlotAtIssue,
      'first seen after their wait for a free request': kernel.queueUnseen,
      'completed in parts': kernel.partial,
      'completed twice by a flush sequence': kernel.held + kernel.repeated,
      'merged into others': kernel.merged,
      requeued: kernel.requeued,
      'skipped by the kernel': this.skippedCompletions(),
    };
  }

  kernelCounters(): KernelCounters {
    return this.closed ? this.lastCounters : this.counterReader.read();
  }

  setFilter(filter: KernelFilter): boolean {
    if (this.closed) return true;
    const isExact = this.filter.write(filter);
    this.audited.restart();
    this.audit();
    return isExact;
  }

  inFlight(minAgeNs = 0): InFlightRequest[] {
    if (this.closed) return [];
    const requests = this.inflight.list(this.nowNs(), minAgeNs);
    const ghosts = new Set(this.ghostsAmong(requests));
    return requests.filter((request) => !ghosts.has(request));
  }

  private ghostsAmong(requests: readonly InFlightRequest[]): InFlightRequest[] {
    const { inflight, disks } = this;
    const { countsWaiting } = this.handover;
    return findGhosts(
      requests,
      (dev) => disks.find(dev)?.name,
      inflight.isStillThere.bind(inflight),
      { countsWaiting },
    );
  }

  private nowNs(): number {
    return Number(kernelNowNs() - this.baseNs);
  }

  backlogBytes(): number {
    return this.closed ? 0 : this.ring.produced() - this.ring.consumed;
  }

  refreshDevices(): void {
    if (!this.closed) this.summaryDevices.track(this.disks.refresh());
  }

  audit(): void {
    if (this.closed) return;
    const { disks, filter } = this;
    this.audited.start(disks.requestBased().filter((dev) => filter.passesAllOf(dev)));
  }

  /** Memory that is unmapped must not be read: from here on the source answers from what it knows. */
  dispose(): void {
    if (this.closed) return;
    this.lastCounters = this.counterReader.read();
    this.lastVanished = this.vanishedOn();
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

function sumOf(counts: ReadonlyMap<number, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

function lossesOn(way: string, counts: ReadonlyMap<number, number>): DiskLoss[] {
  return [...counts].filter(([, count]) => count > 0).map(([dev, count]) => ({ dev, way, count }));
}
