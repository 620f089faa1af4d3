import type { Btf } from './btf.ts';
import type { MissingTracepoint } from './trace-handover.ts';

/** Which of the object's programs to load, and what this kernel withholds. */
export interface AttachPlan {
  readonly programs: readonly string[];
  readonly ownerByBio: boolean;
  /** Whether times begin when the bio is queued, not when it has a request. */
  readonly seesQueue: boolean;
  readonly missing: readonly MissingTracepoint[];
  /** See `TraceHandover`. */
  readonly countsWaiting: boolean;
}

/** Programs of one tracepoint by the number of its arguments: kernels differ. */
interface Variants {
  readonly tracepoint: string;
  readonly byArguments: Readonly<Record<number, string>>;
  /** What is not known without it. */
  readonly lost: string;
}

/** (q, bio) before Linux 5.11. */
const BIO_QUEUE: Variants = {
  tracepoint: 'block_bio_queue',
  byArguments: { 1: 'bio_queue', 2: 'bio_queue_old' },
  lost: 'how long an I/O waits for a free request: its queue latency starts when it has one',
};

const IO_START: Variants = {
  tracepoint: 'block_io_start',
  byArguments: { 1: 'io_start' },
  lost: 'the owner of a flush, and of an I/O whose bio was merged into another',
};

/** (q, bio, rw) before Linux 5.11. */
const GETRQ: Variants = {
  tracepoint: 'block_getrq',
  byArguments: { 1: 'getrq', 3: 'getrq_old' },
  lost: 'who submitted an I/O and how long it was queued',
};

/** (q, rq) before Linux 5.11 and its backport to 5.10.137: the number of arguments tells, not the version. */
const OTHERS: readonly Variants[] = [
  {
    tracepoint: 'block_rq_issue',
    byArguments: { 1: 'issue', 2: 'issue_old' },
    lost: 'how long the device took',
  },
  {
    tracepoint: 'block_rq_complete',
    byArguments: { 3: 'complete' },
    lost: 'every I/O',
  },
  {
    tracepoint: 'block_rq_merge',
    byArguments: { 1: 'merge', 2: 'merge_old' },
    lost: 'that a request was merged into another: it looks stuck',
  },
  {
    tracepoint: 'block_rq_requeue',
    byArguments: { 1: 'requeue', 2: 'requeue_old' },
    lost: 'that a request was requeued: its device time begins anew',
  },
];

export const ALL_PROGRAMS: readonly string[] = [BIO_QUEUE, IO_START, GETRQ, ...OTHERS].flatMap(
  (variants) => Object.values(variants.byArguments),
);

/** Where it is there, the kernel's count is of all that were submitted, not of those at the driver. */
const COUNTS_WAITING = 'bdev_count_inflight';

/** Asks the kernel's types which tracepoints there are, but for those `without` which it is to do. */
export function planAttach(
  btf: Pick<Btf, 'tracepointArguments' | 'hasFunction'>,
  without: readonly string[] = [],
): AttachPlan {
  const missing: MissingTracepoint[] = [];
  const choose = (variants: Variants): string | undefined => {
    const { tracepoint, byArguments } = variants;
    const count = without.includes(tracepoint) ? undefined : btf.tracepointArguments(tracepoint);
    const program = byArguments[count ?? -1];
    if (program === undefined) {
      missing.push({ tracepoint, lost: variants.lost });
    }
    return program;
  };
  const queue = choose(BIO_QUEUE);
  const start = choose(IO_START);
  const programs = [queue, start ?? choose(GETRQ), ...OTHERS.map(choose)];
  return {
    programs: programs.filter((program) => program !== undefined),
    ownerByBio: start === undefined,
    seesQueue: queue !== undefined,
    missing,
    countsWaiting: btf.hasFunction(COUNTS_WAITING),
  };
}
