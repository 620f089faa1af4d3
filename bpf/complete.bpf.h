/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* Completion: makes a record of the slot; counts it in a summary if detail.bpf.h leaves it out or the ring is full. */
#ifndef COMPLETE_BPF_H
#define COMPLETE_BPF_H

#include "detail.bpf.h"
#include "inflight.bpf.h"
#include "record.bpf.h"
#include "submit.bpf.h"
#include "summary.bpf.h"

/* Saves place and size of the request, which the block layer is about to advance. */
static __always_inline void remember(struct inflight *slot, u32 index, struct request *rq,
				     int error)
{
	struct progress *p = bpf_map_lookup_elem(&progress, &index);

	if (!p)
		return;
	if (!(slot->state & STATE_PROGRESS)) {
		p->sector = rq->__sector;
		p->bytes = rq->__data_len;
		p->error = error;
		slot->state |= STATE_PROGRESS;
	} else if (error) {
		p->error = error;
	}
}

/*
 * The flush machinery completes a request with data twice: once for the data and, with no bytes left,
 * once after the sequence. By then it has cleared the flags that slot.state still has.
 */
static __always_inline bool in_flush_sequence(const struct inflight *slot, struct request *rq,
					      u32 nr_bytes)
{
	u32 stripped = slot->state & ~rq->cmd_flags & (REQ_FUA | REQ_PREFLUSH);

	return stripped && nr_bytes && slot->issue_ns;
}

static __always_inline void fill_times(struct io_completion *io, const struct inflight *slot)
{
	u64 waited_until = io->complete_ns;

	io->device_ns = 0;
	io->queue_ns = 0;
	if (slot->issue_ns) {
		io->device_ns = io->complete_ns - slot->issue_ns;
		waited_until = slot->issue_ns;
	} else {
		io->flags |= IO_NO_ISSUE;
	}
	if (slot->start_ns)
		io->queue_ns = waited_until - slot->start_ns;
	else
		io->flags |= IO_NO_START;
}

static __always_inline void fill_request(struct io_completion *io, const struct inflight *slot,
					 u32 index, struct request *rq, int error)
{
	io->sector = rq->__sector;
	io->bytes = rq->__data_len;
	io->error = error;
	if (slot->state & STATE_PROGRESS) {
		struct progress *p = bpf_map_lookup_elem(&progress, &index);

		if (p) {
			io->sector = p->sector;
			io->bytes = p->bytes;
			io->error = error ? error : p->error;
		}
	}
	if (!io->bytes || io->sector == ~0ULL)
		io->flags |= IO_NO_SECTOR;
}

static __always_inline void fill(struct io_completion *io, const struct inflight *slot, u32 index,
				 struct request *rq, int error, u64 now)
{
	io->complete_ns = now;
	io->dev = slot->dev;
	io->cmd_flags = rq->cmd_flags & ~REQ_THROTTLED;
	io->cmd_flags |= slot->state & (REQ_FUA | REQ_PREFLUSH | REQ_THROTTLED);
	record__owner(io, slot);
	fill_times(io, slot);
	fill_request(io, slot, index, rq, error);
	record__file(io, slot, index);
	record__via(io, slot, index);
}

static __noinline bool summarise(const struct inflight *slot, u32 index, struct request *rq,
				 int error, u64 now)
{
	struct io_completion io;

	fill(&io, slot, index, rq, error, now);
	return summary__add(&io);
}

static __always_inline void finish(const struct inflight *slot, u32 index, struct request *rq,
				   int error, u64 now)
{
	struct counters *c = counters();
	struct io_completion *io = NULL;
	enum detail_verdict detail;

	if (!c)
		return;
	c->completed++;
	if (!slot__passes(slot)) {
		c->filtered++;
		return;
	}
	detail = detail__judge(slot, index, error, now);
	if (detail == DETAIL_LEFT_OUT)
		c->left_out++;
	else
		io = bpf_ringbuf_reserve(&events, sizeof(*io), 0);
	if (!io) {
		if (summarise(slot, index, rq, error, now))
			c->summarised++;
		else
			c->unsummarised++;
		return;
	}
	fill(io, slot, index, rq, error, now);
	if (detail == DETAIL_SAMPLED)
		io->flags |= IO_SAMPLED;
	bpf_ringbuf_submit(io, BPF_RB_NO_WAKEUP);
	c->delivered++;
}

/* In flight before tracing started, or its submission was not seen. */
static __always_inline void finish_unmatched(struct request *rq, struct queues queues, int error,
					     u32 nr_bytes, u64 now)
{
	struct place place = request__place(rq, queues, is_flush(rq->cmd_flags));
	struct bio *bio = rq->bio;
	u32 op = rq->cmd_flags & REQ_OP_MASK;
	struct inflight nobody = {};
	struct counters *c = counters();

	if (!c)
		return;
	if (!nr_bytes && !bio && op != REQ_OP_FLUSH && op < REQ_OP_DRV_IN) {
		c->repeated++;
		return;
	}
	slot__reset(&nobody, rq, queues, place.name);
	if (!slot__adopt(&nobody, bio, SCRATCH_COMPLETE)) {
		nobody.state |= STATE_OWNER_UNKNOWN;
		c->unmatched++;
	}
	finish(&nobody, place.first, rq, error, now);
}

/* Reads everything now: at block_io_done, length and bio are already cleared. */
static __always_inline int on_complete(struct request *rq, int error, u32 nr_bytes)
{
	u64 now = bpf_ktime_get_ns();
	struct queues queues = request__queues(rq);
	struct place place = request__place(rq, queues, is_flush(rq->cmd_flags));
	struct inflight *slot = inflight__find(&place);

	if (nr_bytes < rq->__data_len) {
		if (slot)
			remember(slot, place.first, rq, error);
		COUNT(partial);
		return 0;
	}
	if (!slot) {
		finish_unmatched(rq, queues, error, nr_bytes, now);
		return 0;
	}
	if (in_flush_sequence(slot, rq, nr_bytes)) {
		remember(slot, place.first, rq, error);
		COUNT(held);
		return 0;
	}
	finish(slot, place.first, rq, error, now);
	slot->name = 0;
	return 0;
}

#endif
