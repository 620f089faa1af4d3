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

char LICENSE[] SEC("license") = "Dual MIT/GPL";

static __always_inline bool slot__passes(const struct inflight *slot)
{
	return filter__passes(slot->dev, slot->tgid, slot->state);
}

/* Fields that say nothing of the owner, with neither submission nor issue seen. */
static __always_inline void slot__reset(struct inflight *slot, struct request *rq)
{
	slot->rq = (u64)rq;
	slot->start_ns = 0;
	slot->issue_ns = 0;
	slot->dev = request__dev(rq);
	slot->state = rq->cmd_flags & REQ_OP_MASK;
}

/* Submission ------------------------------------------------------------------------------------ */

/* A stale slot of the same request means that its last completion never reached us. */
static __always_inline int on_io_start(struct request *rq)
{
	u32 cmd_flags = rq->cmd_flags;
	struct place place = request__place(rq, is_flush(cmd_flags));
	struct inflight *slot = inflight__claim(rq, &place);

	if (!slot) {
		COUNT(no_slot_at_start);
		return 0;
	}
	if (slot->rq && slot__passes(slot))
		COUNT(overwritten_at_start);
	slot__reset(slot, rq);
	/* FUA and PREFLUSH are visible only now: blk_insert_flush() strips them. */
	slot->state |= cmd_flags & (REQ_FUA | REQ_PREFLUSH);
	slot->state |= owner__fill(slot, rq->bio);
	slot->start_ns = bpf_ktime_get_ns();
	return 0;
}

SEC("tp_btf/block_io_start")
int io_start(u64 *ctx)
{
	return on_io_start((void *)ctx[0]);
}

/* Submission where block_io_start is absent (before Linux 6.5): only the bio is known. */

static __always_inline struct inflight *bio_owner(u64 *scratch, struct bio *bio)
{
	u64 address;
	u32 index;

	/* The verifier refuses to calculate with a pointer; what comes back from a map is a number. */
	*(volatile u64 *)scratch = (u64)bio;
	address = *(volatile u64 *)scratch;
	index = (u32)(address >> 6) * 0x9e3779b1u >> 20;
	return bpf_map_lookup_elem(&bio_owners, &index);
}

static __always_inline int on_getrq(struct bio *bio)
{
	struct counters *c = counters();
	struct inflight *note = c ? bio_owner(&c->scratch[0], bio) : NULL;

	if (!note)
		return 0;
	note->state = bio->bi_opf & (REQ_FUA | REQ_PREFLUSH);
	note->state |= owner__fill(note, bio);
	note->start_ns = bpf_ktime_get_ns();
	note->rq = (u64)bio;
	return 0;
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

/* What getrq noted of the request's first bio. */
static __always_inline bool slot__adopt(struct inflight *slot, struct request *rq, u64 *scratch)
{
	struct bio *bio = rq->bio;
	struct inflight *note;

	if (!target.owner_by_bio || !bio)
		return false;
	note = bio_owner(scratch, bio);
	if (!note || note->rq != (u64)bio)
		return false;
	owner__copy(slot, note);
	slot->start_ns = note->start_ns;
	slot->state |= note->state;
	note->rq = 0;
	return true;
}

/* Issue ----------------------------------------------------------------------------------------- */

/*
 * A flush request has no submission; it holds its parent's tag, so the parent's slot tells on whose
 * behalf it flushes and since when that one waits.
 */
static __always_inline bool slot__adopt_parent(struct inflight *slot, struct request *rq)
{
	struct place place = request__place(rq, false);
	struct inflight *parent = inflight__at(place.first);

	if (!parent || !parent->rq || !(parent->state & (REQ_FUA | REQ_PREFLUSH)) ||
	    parent->dev != slot->dev)
		return false;
	owner__copy(slot, parent);
	slot->start_ns = parent->start_ns;
	slot->state |= STATE_INDIRECT;
	return true;
}

static __always_inline struct inflight *open_unsubmitted(struct request *rq, struct place *place,
							 u64 *scratch)
{
	struct inflight *slot = inflight__claim(rq, place);

	if (!slot)
		return NULL;
	slot__reset(slot, rq);
	if (slot__adopt(slot, rq, scratch))
		return slot;
	if (is_flush(slot->state) && slot__adopt_parent(slot, rq))
		return slot;
	owner__clear(slot);
	slot->state |= STATE_OWNER_UNKNOWN;
	return slot;
}

static __always_inline int on_issue(struct request *rq)
{
	struct place place = request__place(rq, is_flush(rq->cmd_flags));
	struct inflight *slot = inflight__find(rq, &place);
	struct counters *c;

	if (slot && !slot->issue_ns) {
		slot->issue_ns = bpf_ktime_get_ns();
		return 0;
	}
	if (slot && slot->state & STATE_REQUEUED) {
		slot->state &= ~STATE_REQUEUED;
		return 0;
	}
	c = counters();
	if (!c)
		return 0;
	if (slot && slot__passes(slot))
		c->overwritten_at_issue++;
	place = request__place(rq, is_flush(rq->cmd_flags));
	slot = open_unsubmitted(rq, &place, &c->scratch[1]);
	if (slot)
		slot->issue_ns = bpf_ktime_get_ns();
	else
		c->no_slot_at_issue++;
	return 0;
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

/* The first issue counts: a requeued request is issued again. */
static __always_inline int on_requeue(struct request *rq)
{
	struct place place = request__place(rq, is_flush(rq->cmd_flags));
	struct inflight *slot = inflight__find(rq, &place);

	if (slot)
		slot->state |= STATE_REQUEUED;
	COUNT(requeued);
	return 0;
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

/* A request merged into another is neither issued nor completed. */
static __always_inline int on_merge(struct request *rq)
{
	struct place place = request__place(rq, is_flush(rq->cmd_flags));
	struct inflight *slot = inflight__find(rq, &place);

	if (slot)
		slot->rq = 0;
	COUNT(merged);
	return 0;
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

/* Completion ------------------------------------------------------------------------------------ */

/* Keeps what the request was like at first, while the block layer advances it. */
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
 * once after the sequence. It took the flags away that slot.state remembers.
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

	io->flags = slot->state >> 8 & (IO_OWNER_UNKNOWN | IO_INDIRECT);
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
	if (!io->bytes)
		io->sector = NO_SECTOR;
}

static __always_inline void fill(struct io_completion *io, const struct inflight *slot, u32 index,
				 struct request *rq, int error, u64 now)
{
	io->complete_ns = now;
	io->dev = slot->dev;
	io->cmd_flags = rq->cmd_flags | (slot->state & (REQ_FUA | REQ_PREFLUSH));
	io->tgid = slot->tgid;
	io->tid = slot->tid;
	io->cgroup = slot->cgroup;
	((u64 *)io->comm)[0] = slot->comm[0];
	((u64 *)io->comm)[1] = slot->comm[1];
	fill_times(io, slot);
	fill_request(io, slot, index, rq, error);
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
	struct io_completion *io;

	if (!c)
		return;
	c->completed++;
	if (!slot__passes(slot)) {
		c->filtered++;
		return;
	}
	io = bpf_ringbuf_reserve(&events, sizeof(*io), 0);
	if (!io) {
		if (summarise(slot, index, rq, error, now))
			c->summarised++;
		else
			c->unsummarised++;
		return;
	}
	fill(io, slot, index, rq, error, now);
	bpf_ringbuf_submit(io, BPF_RB_NO_WAKEUP);
	c->delivered++;
}

/* In flight before we came, or its submission went by unseen. */
static __always_inline void finish_unmatched(struct request *rq, int error, u32 nr_bytes, u64 now)
{
	struct place place = request__place(rq, is_flush(rq->cmd_flags));
	u32 op = rq->cmd_flags & REQ_OP_MASK;
	struct inflight nobody = {};
	struct counters *c = counters();

	if (!c)
		return;
	if (!nr_bytes && !rq->bio && op != REQ_OP_FLUSH && op < REQ_OP_DRV_IN) {
		c->repeated++;
		return;
	}
	slot__reset(&nobody, rq);
	if (!slot__adopt(&nobody, rq, &c->scratch[2])) {
		nobody.state |= STATE_OWNER_UNKNOWN;
		c->unmatched++;
	}
	finish(&nobody, place.first, rq, error, now);
}

/* Everything is read now: when block_io_done comes, length and bio are gone. */
SEC("tp_btf/block_rq_complete")
int complete(u64 *ctx)
{
	struct request *rq = (void *)ctx[0];
	int error = (int)ctx[1];
	u32 nr_bytes = (u32)ctx[2];
	u64 now = bpf_ktime_get_ns();
	struct place place = request__place(rq, is_flush(rq->cmd_flags));
	struct inflight *slot = inflight__find(rq, &place);

	if (nr_bytes < rq->__data_len) {
		if (slot)
			remember(slot, place.first, rq, error);
		COUNT(partial);
		return 0;
	}
	if (!slot) {
		finish_unmatched(rq, error, nr_bytes, now);
		return 0;
	}
	if (in_flush_sequence(slot, rq, nr_bytes)) {
		remember(slot, place.first, rq, error);
		COUNT(held);
		return 0;
	}
	finish(slot, place.first, rq, error, now);
	slot->rq = 0;
	return 0;
}
