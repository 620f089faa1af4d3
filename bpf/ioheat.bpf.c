/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * One record for every block I/O: who submitted it, where, how long it waited, how long the device
 * took, and which file it was of; on request also for waits of threads and for system calls. Typed tracepoints only,
 * no tracefs, no kprobes. Memory is read by direct loads where the verifier knows the type of the pointer, else,
 * as on the way to a file, by bpf_probe_read_kernel().
 */
#include "complete.bpf.h"
#include "drift.bpf.h"
#include "issue.bpf.h"
#include "journal.bpf.h"
#include "queued.bpf.h"
#include "submit.bpf.h"
#include "syscall.bpf.h"
#include "throttle.bpf.h"
#include "uring.bpf.h"
#include "volume.bpf.h"
#include "wait.bpf.h"
#include "writer.bpf.h"

char LICENSE[] SEC("license") = "Dual MIT/GPL";

/* The loader loads one program of each pair, by the arguments that the tracepoint has: see drift.bpf.h. */

SEC("tp_btf/block_bio_queue")
int bio_queue(u64 *ctx)
{
	return on_bio_queue(subject(ctx));
}

SEC("tp_btf/block_bio_queue")
int bio_queue_old(u64 *ctx)
{
	return on_bio_queue(subject_after_queue(ctx));
}

SEC("tp_btf/block_io_start")
int io_start(u64 *ctx)
{
	return on_io_start(subject(ctx));
}

SEC("tp_btf/block_getrq")
int getrq(u64 *ctx)
{
	return on_getrq(subject(ctx));
}

SEC("tp_btf/block_getrq")
int getrq_old(u64 *ctx)
{
	return on_getrq(subject_after_queue(ctx));
}

SEC("tp_btf/writeback_dirty_folio")
int dirty(u64 *ctx)
{
	return on_dirty((void *)ctx[1]);
}

SEC("tp_btf/writeback_dirty_page")
int dirty_old(u64 *ctx)
{
	return on_dirty((void *)ctx[1]);
}

SEC("tp_btf/jbd2_handle_stats")
int journal_fill(u64 *ctx)
{
	return on_handle_stop((u32)ctx[0], (u32)ctx[1], (s32)ctx[7]);
}

SEC("tp_btf/jbd2_commit_flushing")
int journal_commit(u64 *ctx)
{
	return on_commit((void *)ctx[0], (void *)ctx[1]);
}

SEC("tp_btf/block_rq_issue")
int issue(u64 *ctx)
{
	return on_issue(subject(ctx));
}

SEC("tp_btf/block_rq_issue")
int issue_old(u64 *ctx)
{
	return on_issue(subject_after_queue(ctx));
}

SEC("tp_btf/block_rq_requeue")
int requeue(u64 *ctx)
{
	return on_requeue(subject(ctx));
}

SEC("tp_btf/block_rq_requeue")
int requeue_old(u64 *ctx)
{
	return on_requeue(subject_after_queue(ctx));
}

SEC("tp_btf/block_rq_merge")
int merge(u64 *ctx)
{
	return on_merge(subject(ctx));
}

SEC("tp_btf/block_rq_merge")
int merge_old(u64 *ctx)
{
	return on_merge(subject_after_queue(ctx));
}

SEC("tp_btf/block_rq_complete")
int complete(u64 *ctx)
{
	return on_complete(subject(ctx), (int)ctx[1], (u32)ctx[2]);
}

SEC("tp_btf/block_bio_complete")
int bio_complete(u64 *ctx)
{
	return on_bio_complete((void *)ctx[1], SCRATCH_VOLUME_COMPLETE, false);
}

/* The kernel skips a program that it has interrupted on the same CPU: this one gets what bio_complete missed. */
SEC("tp_btf/block_bio_complete")
int bio_complete_again(u64 *ctx)
{
	return on_bio_complete((void *)ctx[1], SCRATCH_VOLUME_AGAIN, true);
}

SEC("tp_btf/sched_switch")
int wait(u64 *ctx)
{
	return on_switch(ctx[0], (void *)ctx[1], (void *)ctx[2], (u32)ctx[3]);
}

SEC("tp_btf/sched_switch")
int wait_old(u64 *ctx)
{
	struct task_struct *stopped = (void *)ctx[1];

	return on_switch(ctx[0], stopped, (void *)ctx[2], task__state(stopped));
}

SEC("tp_btf/balance_dirty_pages")
int pause(u64 *ctx)
{
	return on_pause((s64)ctx[6]);
}

SEC("tp_btf/balance_dirty_pages")
int pause_old(u64 *ctx)
{
	return on_pause((s64)ctx[10]);
}

SEC("tp_btf/sys_enter")
int call_enter(u64 *ctx)
{
	return on_call_enter((void *)ctx[0], ctx[1]);
}

SEC("tp_btf/sys_exit")
int call_exit(u64 *ctx)
{
	return on_call_exit((void *)ctx[0], (s64)ctx[1]);
}

SEC("tp_btf/io_uring_submit_req")
int uring_submit(u64 *ctx)
{
	return on_uring_submit(request__address(subject(ctx)));
}

SEC("tp_btf/io_uring_submit_sqe")
int uring_submit_sqe(u64 *ctx)
{
	return on_uring_submit(request__address(subject(ctx)));
}

SEC("tp_btf/io_uring_submit_sqe")
int uring_submit_old(u64 *ctx)
{
	return on_uring_submit(ctx[1]);
}

SEC("tp_btf/io_uring_complete")
int uring_complete(u64 *ctx)
{
	return on_uring_complete(ctx[1], ((struct io_uring_cqe *)ctx[2])->res);
}

SEC("tp_btf/io_uring_complete")
int uring_complete_old(u64 *ctx)
{
	return on_uring_complete(ctx[1], (s32)ctx[3]);
}
