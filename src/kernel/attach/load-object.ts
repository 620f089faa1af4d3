import { randomInt } from 'node:crypto';
import { closeSync, existsSync } from 'node:fs';
import { explainFileLimit } from '../../base/file-limit.ts';
import { err, ExitCode, ok, type IoheatError, type Result } from '../../base/result.ts';
import { ALL_PROGRAMS, missingOf, type AttachPlan } from './attach-plan.ts';
import { readClockBase } from '../machine/clock-base.ts';
import { FilterWriter, type KernelFilter } from './kernel-filter.ts';
import { DetailControl } from './detail-control.ts';
import type { Disk } from '../machine/disks.ts';
import type { StartDetail } from './start-detail.ts';
import { SummaryDevices } from './summary-devices.ts';
import { isInitialNamespace } from '../machine/pid-namespace.ts';
import { inWords } from '../abi/in-words.ts';
import { Control, Dimension, Target } from '../abi/layout.ts';
import type { Libbpf, Pointer } from '../native/libbpf.ts';
import { duplicateFd, mapMemory, PAGE_BYTES, wholePages } from '../native/mapping.ts';
import {
  CALL_PROGRAMS,
  JOURNAL,
  JOURNAL_PROGRAMS,
  SWITCH,
  SYS_ENTER,
  URING_COMPLETE,
  URING_PROGRAMS,
  WAIT_PROGRAMS,
  PAUSE_PROGRAMS,
  WRITER_PROGRAMS,
} from './drift.ts';
import { isShortOfFiles } from './open-files.ts';
import { creatFlags, openFlagTable } from './open-flags.ts';
import { canTrace } from '../privilege/capabilities.ts';
import { explainRights } from '../privilege/explain.ts';
import { formatSyscallError, type SyscallError } from '../native/syscalls.ts';
import { HANDOVER_VERSION, type TraceHandover } from './trace-handover.ts';
import { callTable, wantedCalls } from './storage-calls.ts';
import { uringTable } from './uring-calls.ts';
import { summaryCount, type TraceSizes } from './trace-sizes.ts';

export interface LoadRequest {
  readonly image: Buffer;
  readonly plan: AttachPlan;
  readonly sizes: TraceSizes;
  /** The highest CPU number plus one. */
  readonly cpus: number;
  /** Without a filter, everything is recorded. */
  readonly filter: KernelFilter | undefined;
  readonly disks: readonly Disk[];
  /** Called when the programs are loaded. Without it, all I/Os are delivered individually. */
  readonly startDetail: (() => StartDetail) | undefined;
}

/** The parts of the programs that do not work on every kernel. */
interface Sees {
  readonly seesFiles: boolean;
  readonly seesWriters: boolean;
  readonly seesJournals: boolean;
  readonly seesWaits: boolean;
  readonly seesCalls: boolean;
  readonly seesUring: boolean;
}

/** What one attempt to load includes. If the kernel refuses it, the next attempt includes less. */
interface Attempt {
  readonly seesFiles: boolean;
  readonly seesWaits: boolean;
  readonly seesCalls: boolean;
  readonly seesUring: boolean;
  /** Whether libbpf also searches modules, for types such as those of btrfs and for tracepoints. */
  readonly searchesModules: boolean;
}

/** From everything to what every kernel allows. Calls and waits need the newest kernels, so they are left out first. */
const PARTS: readonly Omit<Attempt, 'searchesModules'>[] = [
  { seesFiles: true, seesWaits: true, seesCalls: true, seesUring: true },
  { seesFiles: true, seesWaits: true, seesCalls: true, seesUring: false },
  { seesFiles: true, seesWaits: true, seesCalls: false, seesUring: false },
  { seesFiles: true, seesWaits: false, seesCalls: false, seesUring: false },
];

/** A kernel that is locked down for confidentiality refuses to read what names a file. */
const WITHOUT_FILES: Attempt = {
  ...{ seesFiles: false, seesWaits: false, seesCalls: false, seesUring: false },
  searchesModules: false,
};

/** The attempts for a plan, without those that would repeat another one. */
function attemptsFor({ seesWaits, seesCalls, seesUring }: AttachPlan): readonly Attempt[] {
  const parts = PARTS.filter(
    (one) =>
      (seesWaits || one.seesWaits === one.seesCalls) &&
      (seesCalls || !one.seesCalls) &&
      (seesUring || !one.seesUring),
  );
  return [
    // Only CAP_SYS_ADMIN may list the types of modules (BPF_BTF_GET_NEXT_ID).
    ...parts.flatMap((one) => [
      { ...one, searchesModules: true },
      { ...one, searchesModules: false },
    ]),
    WITHOUT_FILES,
  ];
}

function mayJournal({ seesFiles, searchesModules }: Attempt, plan: AttachPlan): boolean {
  return seesFiles && plan.seesJournals && (searchesModules || !plan.hasJournalModule);
}

/** Loads and attaches the programs. Keeps only descriptors: what libbpf allocated is freed. */
export function loadObject(libbpf: Libbpf, request: LoadRequest): Result<TraceHandover> {
  let loaded: Result<TraceHandover> | undefined;
  let refusal: string | undefined;
  const { seesWaits, seesCalls, seesUring } = request.plan;
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
    const refused = [
      ...(attempt.seesFiles ? [] : [{ ...NO_PROBE_READ, ...because }]),
      ...(mayJournal(attempt, request.plan) || !request.plan.seesJournals
        ? []
        : [{ ...missingOf(JOURNAL[0]!), ...because }]),
      ...(attempt.seesWaits || !seesWaits ? [] : [{ ...missingOf(SWITCH), ...because }]),
      ...(attempt.seesCalls || !seesCalls ? [] : [{ ...missingOf(SYS_ENTER), ...because }]),
      ...(attempt.seesUring || !seesUring ? [] : [{ ...missingOf(URING_COMPLETE), ...because }]),
    ];
    return ok({ ...loaded.value, missing: [...loaded.value.missing, ...refused] });
  }
  return loaded!;
}

const NO_PROBE_READ = {
  tracepoint: 'bpf_probe_read_kernel',
  lost: 'the file of an I/O, and who wrote what is written back; a kernel in lockdown mode "confidentiality" refuses to read it',
};

function tryLoad(libbpf: Libbpf, request: LoadRequest, attempt: Attempt): Result<TraceHandover> {
  const object = libbpf.open(request.image, attempt.searchesModules);
  if (!object.ok) return err(explainFailure(object.error, libbpf.log()));
  const loader = new Loader(libbpf, object.value, request, attempt);
  try {
    return ok(loader.run());
  } catch (cause) {
    loader.closeDescriptors();
    if (!(cause instanceof LoadFailure)) throw cause;
    return err(explainFailure(cause.failure, libbpf.log()));
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
    const { plan } = request;
    const { seesFiles, seesWaits, seesCalls, seesUring } = attempt;
    this.sees = {
      seesFiles,
      seesWriters: seesFiles && plan.seesWriters,
      seesJournals: mayJournal(attempt, plan),
      seesWaits: seesWaits && plan.seesWaits,
      seesCalls: seesCalls && plan.seesCalls,
      seesUring: seesUring && plan.seesUring,
    };
    const left = [
      ...(seesFiles ? [] : WRITER_PROGRAMS),
      ...(this.sees.seesJournals ? [] : JOURNAL_PROGRAMS),
      ...(seesWaits ? [] : WAIT_PROGRAMS),
      ...(seesCalls ? [] : CALL_PROGRAMS),
      ...(seesWaits || seesCalls ? [] : PAUSE_PROGRAMS),
      ...(seesUring ? [] : URING_PROGRAMS),
    ];
    this.programs = plan.programs.filter((name) => !left.includes(name));
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
    must(this.libbpf.setInitialValue(this.map('.rodata'), targetOf(request, sees)));
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
    new SummaryDevices(words, sizes.devices).track(disks);
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

/**
 * Whatever the budget is, the first I/O of an owner or file is delivered: this many in about a second on the machine,
 * and at least `LEAST_FIRSTS` on each CPU.
 */
const MOST_FIRSTS = 2048;
const LEAST_FIRSTS = 16;

/** The slots of requests come first, then those of flushes, then those of I/O of volumes. */
function slotsOf({ plan, sizes }: LoadRequest): number {
  return sizes.slots + Dimension.flushSlots + (plan.seesVolumes ? 2 * Dimension.volumeSets : 0);
}

/** The read-only data of the programs, `struct target`. */
function targetOf({ plan, sizes, cpus }: LoadRequest, sees: Sees): Buffer {
  const field = inWords(Target.offsets);
  const words = new Uint32Array(Target.bytes / 4);
  words[field.slotMask] = sizes.slots - 1;
  words[field.summaryDevices] = sizes.devices;
  words[field.stripeMask] = sizes.stripes - 1;
  words[field.ownerByBio] = Number(plan.ownerByBio);
  words[field.seesQueue] = Number(plan.seesQueue);
  words[field.seesVolumes] = Number(plan.seesVolumes);
  words[field.seesFiles] = Number(sees.seesFiles);
  words[field.seesWriters] = Number(sees.seesWriters);
  words[field.seesJournals] = Number(sees.seesJournals);
  words[field.seesWaits] = Number(sees.seesWaits);
  words[field.seesThrottled] = Number(sees.seesWaits || sees.seesCalls);
  words[field.pageShift] = Math.log2(PAGE_BYTES);
  words[field.ownTgid] = isInitialNamespace('/proc') ? process.pid : 0;
  words[field.mostFirsts] = Math.max(LEAST_FIRSTS, Math.ceil(MOST_FIRSTS / cpus));
  words.set(callTable(process.arch), field.calls);
  words.set(uringTable(), field.uring);
  words.set(openFlagTable(process.arch), field.openFlags);
  words[field.creatFlags] = creatFlags(process.arch);
  new Uint16Array(words.buffer).set(shuffledSlots(), Target.offsets.volumeSlots / 2);
  new Uint8Array(words.buffer).set(wantedCalls(process.arch), Target.offsets.wanted);
  return Buffer.from(words.buffer);
}

/**
 * The order is random because user space sees slots: the set of a bio follows from its kernel address, which a slot
 * must not reveal.
 */
function shuffledSlots(): Uint16Array {
  const slots = Uint16Array.from({ length: Dimension.volumeSets }, (_, set) => set);
  for (let last = slots.length - 1; last > 0; last--) {
    const other = randomInt(last + 1);
    [slots[last], slots[other]] = [slots[other]!, slots[last]!];
  }
  return slots;
}

/** The object is part of ioheat, so a missing part is a bug. */
function present(pointer: Pointer, name: string): Pointer {
  if (pointer === 0n) throw new Error(`the kernel programs lack ${name}`);
  return pointer;
}

/** libbpf looks up there which kernel functions complete the I/O of files. */
const SYMBOLS = '/proc/kallsyms';

function explainFailure(failure: SyscallError, log: readonly string[]): IoheatError {
  if (failure.name === 'EPERM' && !canTrace()) return explainRights();
  const shortage = explainFileLimit(isShortOfFiles() ? 'EMFILE' : failure.name);
  if (shortage !== undefined)
    return {
      exitCode: ExitCode.cannotTrace,
      what: 'cannot load the tracing programs',
      ...shortage,
    };
  if (!existsSync(SYMBOLS))
    return {
      exitCode: ExitCode.cannotTrace,
      what: 'cannot load the tracing programs',
      why: `${SYMBOLS} is missing`,
      remedy: 'mount /proc whole, without subset=pid',
    };
  return {
    exitCode: ExitCode.cannotTrace,
    what: 'the kernel refused the tracing programs',
    why: `${formatSyscallError(failure)} ${verdict(log)}`.trim(),
    remedy: 'run `ioheat doctor`, which tries each requirement by itself',
  };
}

/** The line after the reason in the verifier's log. */
const AFTER_REASON = /^processed \d+ insns/;

/** The verifier's reason, or libbpf's last line where the verifier gave none. */
function verdict(log: readonly string[]): string {
  const lines = log.flatMap((entry) => entry.split('\n'));
  const end = lines.findLastIndex((line) => AFTER_REASON.test(line));
  return lines[end - 1] ?? lines.findLast((line) => line.startsWith('libbpf: ')) ?? '';
}
