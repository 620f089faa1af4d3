import { missingOf, type AttachPlan } from './attach-plan.ts';
import {
  CALL_PROGRAMS,
  JOURNAL,
  JOURNAL_PROGRAMS,
  PAUSE_PROGRAMS,
  SWITCH,
  SYS_ENTER,
  URING_COMPLETE,
  URING_PROGRAMS,
  WAIT_PROGRAMS,
  WRITER_PROGRAMS,
} from './drift.ts';
import type { MissingTracepoint } from './trace-handover.ts';

/** The parts of the programs that do not work on every kernel. */
export interface Sees {
  readonly seesFiles: boolean;
  readonly seesWriters: boolean;
  readonly seesJournals: boolean;
  readonly seesWaits: boolean;
  readonly seesCalls: boolean;
  readonly seesUring: boolean;
}

/** What one attempt to load includes. If the kernel refuses it, the next attempt includes less. */
export interface Attempt {
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
export function attemptsFor({ seesWaits, seesCalls, seesUring }: AttachPlan): readonly Attempt[] {
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

/** What the programs see if this attempt succeeds. */
export function seenIn(attempt: Attempt, plan: AttachPlan): Sees {
  const { seesFiles, seesWaits, seesCalls, seesUring } = attempt;
  return {
    seesFiles,
    seesWriters: seesFiles && plan.seesWriters,
    seesJournals: mayJournal(attempt, plan),
    seesWaits: seesWaits && plan.seesWaits,
    seesCalls: seesCalls && plan.seesCalls,
    seesUring: seesUring && plan.seesUring,
  };
}

/** The programs of the plan that this attempt loads, by name. */
export function programsIn(attempt: Attempt, plan: AttachPlan): readonly string[] {
  const { seesFiles, seesWaits, seesCalls, seesUring } = attempt;
  const left = [
    ...(seesFiles ? [] : WRITER_PROGRAMS),
    ...(mayJournal(attempt, plan) ? [] : JOURNAL_PROGRAMS),
    ...(seesWaits ? [] : WAIT_PROGRAMS),
    ...(seesCalls ? [] : CALL_PROGRAMS),
    ...(seesWaits || seesCalls ? [] : PAUSE_PROGRAMS),
    ...(seesUring ? [] : URING_PROGRAMS),
  ];
  return plan.programs.filter((name) => !left.includes(name));
}

const NO_PROBE_READ = {
  tracepoint: 'bpf_probe_read_kernel',
  lost: 'the file of an I/O, and who wrote what is written back; a kernel in lockdown mode "confidentiality" refuses to read it',
};

/** What the plan has and this attempt leaves out, because the kernel refused it. */
export function refusedIn(attempt: Attempt, plan: AttachPlan): readonly MissingTracepoint[] {
  return [
    ...(attempt.seesFiles ? [] : [NO_PROBE_READ]),
    ...(plan.seesJournals && !mayJournal(attempt, plan) ? [missingOf(JOURNAL[0]!)] : []),
    ...(plan.seesWaits && !attempt.seesWaits ? [missingOf(SWITCH)] : []),
    ...(plan.seesCalls && !attempt.seesCalls ? [missingOf(SYS_ENTER)] : []),
    ...(plan.seesUring && !attempt.seesUring ? [missingOf(URING_COMPLETE)] : []),
  ];
}
