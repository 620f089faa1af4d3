/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * What is done with a call that has ended, of a thread or of io_uring: it becomes a record, or is counted in a summary
 * where the reader cannot afford all of them or the ring is full.
 */
#ifndef CALL_END_BPF_H
#define CALL_END_BPF_H

#include "call.bpf.h"
#include "detail.bpf.h"
#include "first.bpf.h"
#include "maps.bpf.h"
#include "summary.bpf.h"

/* cmd_flags of a call never have this bit, so the first I/O of an owner does not count as its first call. */
#define FIRST_OF_CALLS (1U << 31)

static __always_inline s16 ended_call__error(const struct ended_call *call)
{
	return call->result < 0 && call->result >= -MAX_ERRNO ? call->result : 0;
}

/*
 * Failed calls come as long as there is room for first ones: a few are what somebody looks for, while some programs try
 * thousands of names of files that are not there.
 */
static __always_inline bool ended_call__is_first(const struct ended_call *call)
{
	u64 device_and_call = (u64)call->dev << 32 | call->cmd_flags | FIRST_OF_CALLS;
	struct first_of of = { .owner_mark = first__owner_mark(call->now, call->tgid, device_and_call) };

	/* A file that is known by the name that a program gave has no number. */
	if (call->id.flags >> FILE_KIND_SHIFT == FILE_REGULAR)
		of.file_mark = ~first__file_mark(&call->id);
	return first__is_any(call->now, of, ended_call__error(call));
}

static __always_inline enum detail_verdict ended_call__judge(const struct ended_call *call)
{
	struct control *c = control();

	if (!c || detail__is_certain(&c->call_detail, call->since_ns, call->now) ||
	    ended_call__is_first(call))
		return DETAIL_CERTAIN;
	return detail__draw(&c->call_detail);
}

static __always_inline void ended_call__fill(struct io_completion *io, const struct ended_call *call)
{
	io->complete_ns = call->now;
	io->device_ns = call->now - call->since_ns;
	io->queue_ns = 0;
	io->sector = call->result;
	io->bytes = call->bytes;
	io->dev = call->dev;
	io->cmd_flags = call->cmd_flags;
	io->error = ended_call__error(call);
	io->flags = IO_NO_SECTOR | LAYER_CALLS << IO_LAYER_SHIFT;
}

static __noinline int ended_call__summarise(const struct ended_call *call, enum detail_verdict detail)
{
	struct io_completion io;

	ended_call__fill(&io, call);
	if (detail == DETAIL_LEFT_OUT)
		COUNT_ATOMICALLY(calls_left_out);
	if (summary__add(&io))
		COUNT_ATOMICALLY(calls_summarised);
	else
		COUNT_ATOMICALLY(calls_unsummarised);
	return 0;
}

/* NULL where the call was counted instead. Else its owner has to be filled in, and the record to be submitted. */
static __always_inline struct io_completion *ended_call__record(const struct ended_call *call,
								enum detail_verdict detail)
{
	struct io_completion *io = NULL;

	if (detail != DETAIL_LEFT_OUT)
		io = bpf_ringbuf_reserve(&events, sizeof(*io), 0);
	if (!io) {
		ended_call__summarise(call, detail);
		return NULL;
	}
	ended_call__fill(io, call);
	put_file(io, &call->id);
	if (detail == DETAIL_SAMPLED)
		io->flags |= IO_SAMPLED;
	COUNT_ATOMICALLY(calls_delivered);
	return io;
}

#endif
