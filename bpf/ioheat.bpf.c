/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * One record for every block I/O: who submitted it, where, how long it waited, how long the device
 * took. Typed tracepoints only, with direct loads: no tracefs, no kprobes, no probe_read.
 */
#include "kernel_types.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include "core_fixes.bpf.h"
#include "ioheat.h"
#include "maps.bpf.h"
#include "inflight.bpf.h"
#include "owner.bpf.h"
#include "filter.bpf.h"
#include "summary.bpf.h"
#include "queued.bpf.h"
#include "submit.bpf.h"
#include "issue.bpf.h"
#include "complete.bpf.h"

char LICENSE[] SEC("license") = "Dual MIT/GPL";

/*
 * The programs named _old are for the tracepoints of kernels before 5.11, which have the queue as first
 * argument. The loader picks one of each pair; a choice in one program, `old ? ctx[1] : ctx[0]`, is
 * refused by the verifier of 5.10.
 */

SEC("tp_btf/block_bio_queue")
int bio_queue(u64 *ctx)
{
	return on_bio_queue((void *)ctx[0]);
}

SEC("tp_btf/block_bio_queue")
int bio_queue_old(u64 *ctx)
{
	return on_bio_queue((void *)ctx[1]);
}

SEC("tp_btf/block_io_start")
int io_start(u64 *ctx)
{
	return on_io_start((void *)ctx[0]);
}

SEC("tp_btf/block_getrq")
int getrq(u64 *ctx)
{
	return on_getrq((void *)ctx[0]);
}

SEC("tp_btf/block_getrq")
int getrq_old(u64 *ctx)
{
	return on_getrq((void *)ctx[1]);
}

SEC("tp_btf/block_rq_issue")
int issue(u64 *ctx)
{
	return on_issue((void *)ctx[0]);
}

SEC("tp_btf/block_rq_issue")
int issue_old(u64 *ctx)
{
	return on_issue((void *)ctx[1]);
}

SEC("tp_btf/block_rq_requeue")
int requeue(u64 *ctx)
{
	return on_requeue((void *)ctx[0]);
}

SEC("tp_btf/block_rq_requeue")
int requeue_old(u64 *ctx)
{
	return on_requeue((void *)ctx[1]);
}

SEC("tp_btf/block_rq_merge")
int merge(u64 *ctx)
{
	return on_merge((void *)ctx[0]);
}

SEC("tp_btf/block_rq_merge")
int merge_old(u64 *ctx)
{
	return on_merge((void *)ctx[1]);
}

SEC("tp_btf/block_rq_complete")
int complete(u64 *ctx)
{
	return on_complete((void *)ctx[0], (int)ctx[1], (u32)ctx[2]);
}
