import { closeSync } from 'node:fs';
import { err, ok, type Result } from '../../base/result.ts';
import { Control, Dimension } from '../abi/layout.ts';
import { kernelNowNs, readClockBase } from '../machine/clock-base.ts';
import type { Disk } from '../machine/disks.ts';
import type { Libbpf, Pointer } from '../native/libbpf.ts';
import { duplicateFd, mapMemory, wholePages } from '../native/mapping.ts';
import { formatSyscallError, type SyscallError } from '../native/syscalls.ts';
import { ALL_PROGRAMS } from './attach-plan.ts';
import { DetailControl } from './detail-control.ts';
import { explainLoadFailure } from './explain-load-failure.ts';
import { FilterWriter, type KernelFilter } from './kernel-filter.ts';
import { attemptsFor, programsIn, refusedIn, seenIn } from './load-attempts.ts';
import type { Attempt, Sees } from './load-attempts.ts';
import { isShortOfFiles } from './open-files.ts';
import type { StartDetail } from './start-detail.ts';
import { SummaryDevices } from './summary-devices.ts';
import { targetData } from './target-data.ts';
import type { TargetRequest } from './target-data.ts';
import { HANDOVER_VERSION, type TraceHandover } from './trace-handover.ts';
import { summaryCount } from './trace-sizes.ts';

export interface LoadRequest extends TargetRequest {
  readonly image: Buffer;
  /** Without a filter, everything is recorded. */
  readonly filter: KernelFilter | undefined;
  readonly disks: readonly Disk[];
  /** Called when the programs are loaded. Without it, all I/Os are delivered individually. */
  readonly startDetail: (() => StartDetail) | undefined;
}

/** Loads and attaches the programs. Keeps only descriptors: what libbpf allocated is freed. */
export function loadObject(libbpf: Libbpf, request: LoadRequest): Result<TraceHandover> {
  let loaded: Result<TraceHandover> | undefined;
  let refusal: string | undefined;
  for (const attempt of attemptsFor(request.plan)) {
    loaded = tryLoad(libbpf, request, attempt);
    // An attempt with fewer maps might need few enough open files, but the user would be told that the kernel refuses
    // the rest.
    if (!loaded.ok && isShortOfFiles()) return loaded;
    if (!loaded.ok) {
      refusal ??= loaded.error.why;
      continue;
    }
    const because = refusal === undefined ? {} : { refusal };
    const refused = refusedIn(attempt, request.plan).map((one) => ({ ...one, ...because }));
    return ok({ ...loaded.value, missing: [...loaded.value.missing, ...refused] });
  }
  return loaded!;
}

function tryLoad(libbpf: Libbpf, request: LoadRequest, attempt: Attempt): Result<TraceHandover> {
  const object = libbpf.open(request.image, attempt.searchesModules);
  if (!object.ok) return err(explainLoadFailure(object.error, libbpf.log()));
  const loader = new Loader(libbpf, object.value, request, attempt);
  try {
    return ok(loader.run());
  } catch (cause) {
    loader.closeDescriptors();
    if (!(cause instanceof LoadFailure)) throw cause;
    return err(explainLoadFailure(cause.failure, libbpf.log()));
  } finally {
    libbpf.close(object.value);
  }
}

/** A failed call in a step of `Loader`; `loadObject` returns it as a value. */
class LoadFailure extends Error {
  constructor(readonly failure: SyscallError) {
    super(formatSyscallError(failure));
  }
}

function must<T>(result: Result<T, SyscallError>): T {
  if (!result.ok) throw new LoadFailure(result.error);
  return result.value;
}

class Loader {
  private readonly descriptors: number[] = [];
  private readonly programs: readonly string[];
  private readonly sees: Sees;

  constructor(
    private readonly libbpf: Libbpf,
    private readonly object: Pointer,
    private readonly request: LoadRequest,
    attempt: Attempt,
  ) {
    this.sees = seenIn(attempt, request.plan);
    this.programs = programsIn(attempt, request.plan);
  }

  run(): TraceHandover {
    this.choosePrograms();
    this.size();
    must(this.libbpf.load(this.object));
    return this.attach();
  }

  closeDescriptors(): void {
    this.descriptors.splice(0).forEach((fd) => {
      closeSync(fd);
    });
  }

  private choosePrograms(): void {
    for (const name of ALL_PROGRAMS) {
      must(this.libbpf.setAutoload(this.program(name), this.programs.includes(name)));
    }
  }

  private size(): void {
    const { request, sees } = this;
    const { seesFiles, seesWriters, seesJournals, seesWaits, seesCalls, seesUring } = sees;
    const { plan, sizes, cpus } = request;
    const requestSlots = sizes.slots + Dimension.flushSlots;
    const slots = slotsOf(request);
    const entries: Readonly<Record<string, number>> = {
      events: sizes.ringBytes,
      inflight: slots,
      extents: slots,
      progress: requestSlots,
      bio_owners: plan.ownerByBio ? Dimension.bioSlots : 1,
      scratches:
        plan.ownerByBio || plan.seesVolumes || seesFiles ? cpus * Dimension.scratchPlaces : 1,
      volume_ios: plan.seesVolumes ? Dimension.volumeSets : 1,
      files: seesFiles ? slots : 1,
      named_files: seesFiles ? Dimension.namedFiles : 1,
      file_names: seesFiles ? cpus * Dimension.namePlaces : 1,
      vias: seesWriters ? slots : 1,
      dirtied: seesWriters ? Dimension.dirtiedSets : 1,
      transactions: seesJournals ? Dimension.transactions : 1,
      commits: seesJournals ? Dimension.commits : 1,
      waits: seesWaits ? Dimension.waitSets : 1,
      calls: seesCalls ? Dimension.callSets : 1,
      uring_requests: seesUring ? Dimension.uringSets : 1,
      thread_reads: seesWaits ? Dimension.threadReads : 1,
      thread_throttles: seesWaits || seesCalls ? Dimension.threadThrottles : 1,
      summaries: summaryCount(sizes),
      cpu_counters: cpus,
    };
    for (const [name, count] of Object.entries(entries)) {
      must(this.libbpf.setMaxEntries(this.map(name), count));
    }
    must(this.libbpf.setInitialValue(this.map('.rodata'), targetData(request, sees)));
  }

  private attach(): TraceHandover {
    const { plan, sizes, cpus } = this.request;
    const map = (name: string): number => this.keep(this.libbpf.mapFd(this.map(name)));
    const handover = {
      version: HANDOVER_VERSION,
      ring: { fd: map('events'), bytes: sizes.ringBytes },
      inflight: { fd: map('inflight'), slots: slotsOf(this.request) },
      extents: { fd: map('extents') },
      ...(this.sees.seesFiles && { files: { fd: map('files') } }),
      ...(this.sees.seesWriters && { vias: { fd: map('vias') } }),
      summaries: { fd: map('summaries'), devices: sizes.devices, stripes: sizes.stripes },
      counters: { fd: map('cpu_counters'), cpus },
      control: { fd: map('controls') },
      missing: plan.missing,
      countsWaiting: plan.countsWaiting,
    } as const;
    const programs = this.programs.map((name) => ({
      name,
      fd: this.keep(this.libbpf.programFd(this.program(name))),
    }));
    this.writeControl(handover.control.fd);
    const clock = readClockBase();
    // The completion is attached first and the submission last, so that no recorded submission lacks its completion.
    const links = this.programs.toReversed().map((name) => this.link(this.program(name)));
    return {
      ...handover,
      programs,
      links,
      monotonicNs: String(clock.monotonicNs),
      wallNs: String(clock.wallNs),
    };
  }

  /** Writes the control before any program is attached, so that it applies from the first I/O. */
  private writeControl(fd: number): void {
    const { filter, disks, sizes, startDetail } = this.request;
    const mapping = must(mapMemory({ fd, bytes: wholePages(Control.bytes), writable: true }));
    const words = new Uint32Array(mapping.buffer, 0, Control.bytes / 4);
    if (filter !== undefined) new FilterWriter(words).write(filter);
    new SummaryDevices(words, sizes.devices).track(disks, Number(kernelNowNs()));
    if (startDetail !== undefined) {
      const detail = new DetailControl(mapping.buffer);
      const { oneIn, slowNs } = startDetail();
      detail.slowFrom(slowNs);
      detail.sample(oneIn);
    }
    mapping.dispose();
  }

  private link(program: Pointer): number {
    const link = must(this.libbpf.attach(program));
    try {
      return this.keep(this.libbpf.linkFd(link));
    } finally {
      this.libbpf.destroyLink(link);
    }
  }

  /** Duplicates the descriptor, because libbpf closes its own with the object. */
  private keep(fd: number): number {
    const copy = must(duplicateFd(fd));
    this.descriptors.push(copy);
    return copy;
  }

  private program(name: string): Pointer {
    return present(this.libbpf.findProgram(this.object, name), name);
  }

  private map(name: string): Pointer {
    return present(this.libbpf.findMap(this.object, name), name);
  }
}

/** The slots of requests come first, then those of flushes, then those of I/O of volumes. */
function slotsOf({ plan, sizes }: LoadRequest): number {
  return sizes.slots + Dimension.flushSlots + (plan.seesVolumes ? 2 * Dimension.volumeSets : 0);
}

/** The object is part of ioheat, so a missing part is a bug. */
function present(pointer: Pointer, name: string): Pointer {
  if (pointer === 0n) throw new Error(`the kernel programs lack ${name}`);
  return pointer;
}
