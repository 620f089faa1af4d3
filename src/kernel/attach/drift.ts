/**
 * Differences between kernels since 5.8 that matter to the loader, each with the commit that made it. They are
 * detected from BTF, not from the version, because distributions backport changes. Differences that matter inside
 * the programs are in bpf/drift.bpf.h.
 */

/** The programs for one tracepoint, by the number of its arguments. */
export interface Tracepoint {
  readonly name: string;
  readonly programByArguments: Readonly<Record<number, string>>;
  /** What is unknown without this tracepoint, in words for the user. */
  readonly lost: string;
}

/**
 * Its arguments were (q, bio) before Linux 5.11: e8a676d61c07 "block: simplify and extend the block_bio_merge
 * tracepoint class".
 */
export const BIO_QUEUE: Tracepoint = {
  name: 'block_bio_queue',
  programByArguments: { 1: 'bio_queue', 2: 'bio_queue_old' },
  lost: 'how long an I/O waits for a free request: its queue latency starts when it has one',
};

/**
 * There are two programs for this tracepoint, because since Linux 6.1 the kernel skips a program while the same one is
 * interrupted on that CPU, and bios of volumes end in tasks as well as in interrupts.
 */
export const BIO_COMPLETE: readonly Tracepoint[] = ['bio_complete', 'bio_complete_again'].map(
  (program) => ({
    name: 'block_bio_complete',
    programByArguments: { 2: program },
    lost: 'I/O of volumes: dm, LVM, LUKS, md, zram; that of the disks below is seen',
  }),
);

/** It exists since Linux 6.5: 5a80bd075f3b "block: introduce block_io_start/block_io_done tracepoints". */
export const IO_START: Tracepoint = {
  name: 'block_io_start',
  programByArguments: { 1: 'io_start' },
  lost: 'the owner of a flush, and of an I/O whose bio was merged into another',
};

/**
 * Replaces `IO_START` on older kernels. Its arguments were (q, bio, rw) before the commit of Linux 5.11 that is named
 * at `BIO_QUEUE`.
 */
export const GETRQ: Tracepoint = {
  name: 'block_getrq',
  programByArguments: { 1: 'getrq', 3: 'getrq_old' },
  lost: 'the owner of an I/O and its queue latency',
};

/**
 * Their arguments were (q, rq) before Linux 5.11 and 5.10.137: a54895fa057c "block: remove the request_queue to
 * argument request based tracepoints". `block_rq_complete` never had the queue. Its error was an errno before Linux
 * 5.16 and is a blk_status_t since 8a7d267b4a2c "block: don't call blk_status_to_errno in blk_update_request"; the sign
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
 * A page becomes dirty here; the arguments are (page, mapping). Linux 5.18 replaced it by `DIRTY_FOLIO`, whose first
 * argument is a folio. The programs read only the mapping.
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

/** These programs note the writers of files, so they are useless where the programs cannot read files. */
export const WRITER_PROGRAMS: readonly string[] = [DIRTY_PAGE, DIRTY_FOLIO].flatMap(
  ({ programByArguments }) => Object.values(programByArguments),
);

const JOURNAL_LOST = 'who filled the journal of ext4 that its thread writes';

/** Their arguments are the same since Linux 3.8. Their module, and its types, may be missing. */
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
 * Its arguments were (preempt, prev, next) before Linux 5.18, which added the state of `prev`: 9c2136be0878
 * "sched/tracing: Append prev_state to tp args instead".
 */
export const SWITCH: Tracepoint = {
  name: 'sched_switch',
  programByArguments: { 3: 'wait_old', 4: 'wait' },
  lost: 'what programs wait for: the layer waits',
};

/**
 * The programs of `SWITCH` call this helper, which exists since Linux 5.15: dd6e10fbd9fb "bpf: Add bpf_task_pt_regs()
 * helper". A kernel that has it also has the field `__state`, which the programs read: 2f064a59a11f "sched: Change
 * task_struct::state", of Linux 5.14.
 */
export const TASK_REGISTERS = 'bpf_task_pt_regs';

/**
 * A thread pauses here because it wrote too much to the page cache. The pause is the last argument but one, of eight
 * since Linux 6.18 and of twelve before.
 */
export const PAUSE: Tracepoint = {
  name: 'balance_dirty_pages',
  programByArguments: { 8: 'pause', 12: 'pause_old' },
  lost: 'which waits and calls were throttled because too much was written to the page cache',
};

export const PAUSE_PROGRAMS: readonly string[] = Object.values(PAUSE.programByArguments);

/** The arguments of `SYS_ENTER` are (regs, id), those of `SYS_EXIT` (regs, ret), since Linux 2.6. */
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
 * The programs of `SYS_ENTER` and `SYS_EXIT` call this helper, which exists since Linux 5.11: 3ca1032ab7ab "bpf:
 * Implement get_current_task_btf and RET_PTR_TO_BTF_ID".
 */
export const TYPED_TASK = 'bpf_get_current_task_btf';

const URING_LOST = 'what programs do through io_uring, in the layer calls';

/**
 * The kernel takes a request here; the argument is (req). It exists since Linux 6.5: 2ad57931db64 "io_uring: rename
 * trace_io_uring_submit_sqe() tracepoint".
 */
export const URING_SUBMIT: Tracepoint = {
  name: 'io_uring_submit_req',
  programByArguments: { 1: 'uring_submit' },
  lost: URING_LOST,
};

/**
 * Replaces `URING_SUBMIT` before Linux 6.5. Its arguments are (req, force_nonblock) since Linux 6.0, 48863ffd3e81
 * "io_uring: clean up tracing events". Since Linux 5.14 there were seven, the second of them the request, 236daeae3616
 * "io_uring: Add to traces the req pointer when available".
 */
export const URING_SUBMIT_OLD: Tracepoint = {
  name: 'io_uring_submit_sqe',
  programByArguments: { 1: 'uring_submit_sqe', 2: 'uring_submit_sqe', 7: 'uring_submit_old' },
  lost: URING_LOST,
};

/**
 * The kernel writes the result here; the arguments are (ctx, req, cqe) since Linux 6.12. Before, the result was the
 * fourth argument, of seven since Linux 5.19 and of five before that.
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
