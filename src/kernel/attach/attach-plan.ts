import {
  BIO_COMPLETE,
  BIO_QUEUE,
  COUNTS_WAITING,
  DIRTY_FOLIO,
  DIRTY_PAGE,
  GETRQ,
  IO_START,
  JOURNAL,
  PAUSE,
  REQUEST_TRACEPOINTS,
  SWITCH,
  SYS_ENTER,
  SYS_EXIT,
  TASK_REGISTERS,
  type Tracepoint,
  TYPED_TASK,
  URING_COMPLETE,
  URING_PROGRAMS,
  URING_SUBMIT,
  URING_SUBMIT_OLD,
} from './drift.ts';
import type { Btf } from '../abi/btf.ts';
import type { JournalTypes } from './journal-types.ts';
import type { MissingTracepoint } from './trace-handover.ts';

/** The programs of the object to load, and what this kernel does not report. */
export interface AttachPlan {
  readonly programs: readonly string[];
  readonly ownerByBio: boolean;
  /** Whether times start when the bio is queued; if not, they start when it gets a request. */
  readonly seesQueue: boolean;
  /** Whether I/O of devices without requests is traced. */
  readonly seesVolumes: boolean;
  /** Whether the programs note who dirties a page. */
  readonly seesWriters: boolean;
  /** Whether the programs note who fills a journal. */
  readonly seesJournals: boolean;
  /** Whether the journal is a module, whose types are needed to load its programs. */
  readonly hasJournalModule: boolean;
  /** Whether waits are traced. */
  readonly seesWaits: boolean;
  /** Whether system calls are traced. */
  readonly seesCalls: boolean;
  /** Whether requests of io_uring are traced as calls, too. */
  readonly seesUring: boolean;
  readonly missing: readonly MissingTracepoint[];
  /** See `TraceHandover`. */
  readonly countsWaiting: boolean;
}

export interface PlanOptions {
  /** Tracepoints to treat as missing. */
  readonly without?: readonly string[];
  /** Whether to trace waits, which costs time at every context switch. */
  readonly waits?: boolean;
  /** Whether to trace system calls, which costs time at each of them. */
  readonly calls?: boolean;
  readonly journals?: JournalTypes;
}

const PROGRAMS_OF_OTHERS: readonly string[] = [
  BIO_QUEUE,
  IO_START,
  GETRQ,
  DIRTY_PAGE,
  DIRTY_FOLIO,
  SWITCH,
  PAUSE,
  SYS_ENTER,
  SYS_EXIT,
  ...JOURNAL,
  ...REQUEST_TRACEPOINTS,
  ...BIO_COMPLETE,
].flatMap(({ programByArguments }) => Object.values(programByArguments));

export const ALL_PROGRAMS: readonly string[] = [...PROGRAMS_OF_OTHERS, ...URING_PROGRAMS];

/** Looks up in the kernel's types which tracepoints exist. Those in `without` are treated as missing. */
export function planAttach(
  btf: Pick<Btf, 'tracepointArguments' | 'hasFunction'>,
  { without = [], waits = false, calls = false, journals }: PlanOptions = {},
): AttachPlan {
  const missing: MissingTracepoint[] = [];
  const argumentsOf = (name: string): number | undefined =>
    without.includes(name)
      ? undefined
      : (btf.tracepointArguments(name) ?? journals?.types?.tracepointArguments(name));
  const isPresent = ({ name }: Tracepoint): boolean => argumentsOf(name) !== undefined;
  const choose = (tracepoint: Tracepoint): string | undefined => {
    const { name, programByArguments } = tracepoint;
    const program = programByArguments[argumentsOf(name) ?? -1];
    const isKnown = missing.some((one) => one.tracepoint === name);
    if (program === undefined && !isKnown) missing.push(missingOf(tracepoint));
    return program;
  };
  const queue = choose(BIO_QUEUE);
  const start = choose(IO_START);
  const owner = start ?? choose(GETRQ);
  const dirty = choose(isPresent(DIRTY_PAGE) ? DIRTY_PAGE : DIRTY_FOLIO);
  const journal = journals?.isAbsent === true ? [undefined] : JOURNAL.map(choose);
  const seesJournals = dirty !== undefined && journal.every((program) => program !== undefined);
  const hasRegisters = btf.hasFunction(TASK_REGISTERS);
  const wait = waits && hasRegisters ? choose(SWITCH) : undefined;
  if (waits && !hasRegisters) missing.push({ ...missingOf(SWITCH), lacks: TASK_REGISTERS });
  const hasTask = btf.hasFunction(TYPED_TASK);
  const [enter, exit] = calls && hasTask ? [SYS_ENTER, SYS_EXIT].map(choose) : [];
  if (calls && !hasTask) missing.push({ ...missingOf(SYS_ENTER), lacks: TYPED_TASK });
  const seesCalls = enter !== undefined && exit !== undefined;
  const [submit, result] = seesCalls
    ? [isPresent(URING_SUBMIT) ? URING_SUBMIT : URING_SUBMIT_OLD, URING_COMPLETE].map(choose)
    : [];
  const pause = wait !== undefined || seesCalls ? choose(PAUSE) : undefined;
  const seesUring = submit !== undefined && result !== undefined;
  const ends = BIO_COMPLETE.map(choose);
  const seesVolumes = queue !== undefined && ends.every((program) => program !== undefined);
  const programs = [
    ...[queue, owner, dirty, wait, pause],
    ...(seesCalls ? [enter, exit] : []),
    ...(seesUring ? [submit, result] : []),
    ...(seesJournals ? journal : []),
    ...REQUEST_TRACEPOINTS.map(choose),
    // The loader attaches in reverse order, and the kernel runs programs in the order in which they were attached.
    ...(seesVolumes ? ends.toReversed() : []),
  ];
  return {
    programs: programs.filter((program) => program !== undefined),
    ownerByBio: start === undefined,
    seesQueue: queue !== undefined,
    seesVolumes,
    seesWriters: dirty !== undefined,
    seesJournals,
    hasJournalModule: journals?.types !== undefined,
    seesWaits: wait !== undefined,
    seesCalls,
    seesUring,
    missing,
    countsWaiting: btf.hasFunction(COUNTS_WAITING),
  };
}

export function missingOf({ name, lost }: Tracepoint): MissingTracepoint {
  return { tracepoint: name, lost };
}
