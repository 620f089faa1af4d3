/**
 * Differences between kernels since 5.8 that matter to the loader, each with the commit that made it. They are
 * detected from BTF, not from the version, because distributions backport changes. Differences that matter inside
 * the programs are in bpf/drift.bpf.h.
 */

/** The programs for one tracepoint, by the number of its arguments. */
export interface Tracepoint {
  readonly name: string;
  readonly programByArguments: Readonly<Record<number, string>>;
  /** What is unknown without it. */
  readonly lost: string;
}

/**
 * (q, bio) before Linux 5.11: e8a676d61c07 "block: simplify and extend the block_bio_merge tracepoint
 * class".
 */
export const BIO_QUEUE: Tracepoint = {
  name: 'block_bio_queue',
  programByArguments: { 1: 'bio_queue', 2: 'bio_queue_old' },
  lost: 'how long an I/O waits for a free request: its queue latency starts when it has one',
};

/**
 * Twice, because the kernel does not run a program that it has interrupted on the same CPU, and bios of volumes end in
 * tasks as well as in interrupts.
 */
export const BIO_COMPLETE: readonly Tracepoint[] = ['bio_complete', 'bio_complete_again'].map(
  (program) => ({
    name: 'block_bio_complete',
    programByArguments: { 2: program },
    lost: 'I/O of volumes: dm, LVM, LUKS, md, zram; that of the disks below is seen',
  }),
);

/** Since Linux 6.5: 5a80bd075f3b "block: introduce block_io_start/block_io_done tracepoints". */
export const IO_START: Tracepoint = {
  name: 'block_io_start',
  programByArguments: { 1: 'io_start' },
  lost: 'the owner of a flush, and of an I/O whose bio was merged into another',
};

/** Replaces `IO_START` on older kernels. (q, bio, rw) before Linux 5.11, by the commit named at `BIO_QUEUE`. */
export const GETRQ: Tracepoint = {
  name: 'block_getrq',
  programByArguments: { 1: 'getrq', 3: 'getrq_old' },
  lost: 'the owner of an I/O and its queue latency',
};

/**
 * (q, rq) before Linux 5.11 and 5.10.137: a54895fa057c "block: remove the request_queue to argument request based
 * tracepoints". `block_rq_complete` never had the queue; its error was an errno before Linux 5.16 and is a
 * blk_status_t since 8a7d267b4a2c "block: don't call blk_status_to_errno in blk_update_request"; the sign
 * distinguishes the two.
 */
export const REQUEST_TRACEPOINTS: readonly Tracepoint[] = [
  {
    name: 'block_rq_issue',
    programByArguments: { 1: 'issue', 2: 'issue_old' },
    lost: 'device latency',
  },
  {
    name: 'block_rq_complete',
    programByArguments: { 3: 'complete' },
    lost: 'every I/O',
  },
  {
    name: 'block_rq_merge',
    programByArguments: { 1: 'merge', 2: 'merge_old' },
    lost: 'merges of a request into another: it looks stuck',
  },
  {
    name: 'block_rq_requeue',
    programByArguments: { 1: 'requeue', 2: 'requeue_old' },
    lost: 'requeues of a request: its device time starts again',
  },
];

/**
 * Where a page becomes dirty: (page, mapping). Linux 5.18 replaced it by `DIRTY_FOLIO`, whose first argument is a
 * folio; the mapping is all that is read.
 */
export const DIRTY_PAGE: Tracepoint = {
  name: 'writeback_dirty_page',
  programByArguments: { 2: 'dirty_old' },
  lost: 'the process that wrote what a kernel thread writes back',
};

export const DIRTY_FOLIO: Tracepoint = {
  ...DIRTY_PAGE,
  name: 'writeback_dirty_folio',
  programByArguments: { 2: 'dirty' },
};

/** Programs that are of no use where files are not seen. */
export const WRITER_PROGRAMS: readonly string[] = [DIRTY_PAGE, DIRTY_FOLIO].flatMap(
  ({ programByArguments }) => Object.values(programByArguments),
);

const JOURNAL_LOST = 'who filled the journal of ext4 that its thread writes';

/** With the same arguments since Linux 3.8. Their module, and its types, may be missing. */
export const JOURNAL: readonly Tracepoint[] = [
  {
    name: 'jbd2_handle_stats',
    programByArguments: { 8: 'journal_fill' },
    lost: JOURNAL_LOST,
  },
  {
    name: 'jbd2_commit_flushing',
    programByArguments: { 2: 'journal_commit' },
    lost: JOURNAL_LOST,
  },
];

export const JOURNAL_PROGRAMS: readonly string[] = JOURNAL.flatMap(({ programByArguments }) =>
  Object.values(programByArguments),
);

/**
 * Kernels with this function count I/Os that wait in the block layer as in flight in /sys/block/DISK/stat, not only
 * those at the driver. Linux 6.10 changed that, 7be835694dae "block: fix that util can be greater than 100%", and
 * Linux 6.16 gave the function a name that shows in BTF, f2987c5816bd "block: export API to get the number of bdev
 * inflight IO". From 6.10 to 6.15 the narrower count is assumed, which is safe with either.
 */
export const COUNTS_WAITING = 'bdev_count_inflight';

/**
 * (preempt, prev, next) before Linux 5.18, then also the state of `prev`: 9c2136be0878 "sched/tracing: Append
 * prev_state to tp args instead".
 */
export const SWITCH: Tracepoint = {
  name: 'sched_switch',
  programByArguments: { 3: 'wait_old', 4: 'wait' },
  lost: 'what programs wait for: the layer waits',
};

/**
 * What the programs of `SWITCH` call, since Linux 5.15: dd6e10fbd9fb "bpf: Add bpf_task_pt_regs() helper". It came
 * after `__state`: 2f064a59a11f "sched: Change task_struct::state", of Linux 5.14.
 */
export const TASK_REGISTERS = 'bpf_task_pt_regs';

/**
 * Where a thread has to pause because it wrote too much to the page cache; the pause is the last argument but one. Linux
 * 6.18 has eight arguments, older ones twelve.
 */
export const PAUSE: Tracepoint = {
  name: 'balance_dirty_pages',
  programByArguments: { 8: 'pause', 12: 'pause_old' },
  lost: 'which waits and calls were throttled because too much was written to the page cache',
};

export const PAUSE_PROGRAMS: readonly string[] = Object.values(PAUSE.programByArguments);

/** (regs, id) and (regs, ret), since Linux 2.6. */
export const SYS_ENTER: Tracepoint = {
  name: 'sys_enter',
  programByArguments: { 2: 'call_enter' },
  lost: 'system calls: the layer calls',
};

export const SYS_EXIT: Tracepoint = {
  ...SYS_ENTER,
  name: 'sys_exit',
  programByArguments: { 2: 'call_exit' },
};

/**
 * What the programs of `SYS_ENTER` and `SYS_EXIT` call, since Linux 5.11: 3ca1032ab7ab "bpf: Implement
 * get_current_task_btf and RET_PTR_TO_BTF_ID".
 */
export const TYPED_TASK = 'bpf_get_current_task_btf';

const URING_LOST = 'what programs do through io_uring, in the layer calls';

/**
 * Where a request is taken: (req) since Linux 6.5, 2ad57931db64 "io_uring: rename trace_io_uring_submit_sqe() tracepoint".
 */
export const URING_SUBMIT: Tracepoint = {
  name: 'io_uring_submit_req',
  programByArguments: { 1: 'uring_submit' },
  lost: URING_LOST,
};

/**
 * Before: (req, force_nonblock) since Linux 6.0, 48863ffd3e81 "io_uring: clean up tracing events", and seven arguments with
 * the request as the second one since Linux 5.14, 236daeae3616 "io_uring: Add to traces the req pointer when available".
 */
export const URING_SUBMIT_OLD: Tracepoint = {
  name: 'io_uring_submit_sqe',
  programByArguments: { 1: 'uring_submit_sqe', 2: 'uring_submit_sqe', 7: 'uring_submit_old' },
  lost: URING_LOST,
};

/**
 * Where the result is written: (ctx, req, cqe) since Linux 6.12. Before, the result is the fourth of five arguments, and
 * since Linux 5.19 of seven.
 */
export const URING_COMPLETE: Tracepoint = {
  name: 'io_uring_complete',
  programByArguments: { 3: 'uring_complete', 5: 'uring_complete_old', 7: 'uring_complete_old' },
  lost: URING_LOST,
};

export const URING_PROGRAMS: readonly string[] = [
  URING_SUBMIT,
  URING_SUBMIT_OLD,
  URING_COMPLETE,
].flatMap(({ programByArguments }) => [...new Set(Object.values(programByArguments))]);

export const CALL_PROGRAMS: readonly string[] = [SYS_ENTER, SYS_EXIT].flatMap(
  ({ programByArguments }) => Object.values(programByArguments),
);

export const WAIT_PROGRAMS: readonly string[] = Object.values(SWITCH.programByArguments);
