/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* Between submission and completion: issue, requeue, merge. */
#ifndef ISSUE_BPF_H
#define ISSUE_BPF_H

#include "file.bpf.h"
#include "inflight.bpf.h"
#include "on_behalf.bpf.h"
#include "owner.bpf.h"
#include "submit.bpf.h"
#include "throttle.bpf.h"
#include "wait.bpf.h"

static __always_inline void slot__adopt_via(struct inflight *slot, u32 index,
					    const struct inflight *parent, u32 parent_index)
{
	struct via *via = bpf_map_lookup_elem(&vias, &index);
	struct via *from = bpf_map_lookup_elem(&vias, &parent_index);

	if (!via || !from)
		return;
	*via = *from;
	slot->state |= parent->state & (STATE_HAS_VIA | STATE_SEVERAL_WRITERS);
}

/*
 * A flush request is not submitted. It has the tag of its parent, whose slot has the owner, and the time
 * since when the owner waits.
 */
static __always_inline bool slot__adopt_parent(struct inflight *slot, u32 index, struct request *rq,
					       struct queues queues)
{
	struct place place = request__place(rq, queues, false);
	struct inflight *parent = inflight__find(&place);

	if (!parent || !(parent->state & (REQ_FUA | REQ_PREFLUSH)) || parent->dev != slot->dev)
		return false;
	owner__copy(slot, parent);
	slot->start_ns = parent->start_ns;
	slot->state |= STATE_INDIRECT;
	if (target.sees_writers && parent->state & STATE_HAS_VIA)
		slot__adopt_via(slot, index, parent, place.first);
	return true;
}

static __always_inline bool is_own_read(const struct inflight *slot)
{
	return (slot->state & (REQ_OP_MASK | STATE_INDIRECT)) == REQ_OP_READ;
}

static __always_inline void note_read_of(const struct inflight *slot, u32 index)
{
	struct file_id *id = bpf_map_lookup_elem(&files, &index);

	if (id)
		note_read(slot->tid, slot->dev, id);
}

/*
 * Issue is the first time that a request no longer grows by merges. The file is found out before the clock is
 * read, so that it takes none of the device's time. Not inlined: the verifier goes through it once, not for each way to a
 * slot, which saves 8 to 20 ms of a start and costs 5 ns per I/O.
 */
static __noinline int slot__issued(struct inflight *slot, u32 index, struct request *rq,
				   struct bio *bio)
{
	struct extent *extent = bpf_map_lookup_elem(&extents, &index);

	if (extent) {
		extent->sector = rq->__sector;
		extent->bytes = rq->__data_len;
	}
	if (target.sees_files)
		note_file(rq, bio, index, slot->dev);
	note_on_behalf(slot, index, bio, SCRATCH_OF_REQUEST);
	if (target.sees_throttled && slot->state & REQ_THROTTLED && slot->state & STATE_HAS_VIA)
		note_throttled(slot->tid);
	if (target.sees_waits && is_own_read(slot))
		note_read_of(slot, index);
	slot->issue_ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline struct inflight *open_unsubmitted(struct request *rq, struct queues queues,
							 struct bio *bio, struct place *place)
{
	struct inflight *slot = inflight__claim(place);

	if (!slot)
		return NULL;
	slot__reset(slot, rq, queues, place->name);
	if (slot__adopt(slot, bio, SCRATCH_ISSUE))
		return slot;
	if (is_flush(slot->state) && slot__adopt_parent(slot, place->first, rq, queues))
		return slot;
	owner__clear(slot);
	slot->state |= STATE_OWNER_UNKNOWN;
	return slot;
}

/* A slot for a request that has none, or whose slot was left by one whose completion was not seen. */
static __always_inline struct inflight *reopen(struct inflight *stale, struct request *rq,
					       struct queues queues, struct bio *bio,
					       struct place *place)
{
	struct counters *c = counters();
	struct inflight *slot;

	if (!c)
		return NULL;
	if (stale && slot__passes(stale))
		c->overwritten_at_issue++;
	*place = request__place(rq, queues, is_flush(rq->cmd_flags));
	slot = open_unsubmitted(rq, queues, bio, place);
	if (!slot)
		c->no_slot_at_issue++;
	return slot;
}

static __always_inline int on_issue(struct request *rq)
{
	struct queues queues = request__queues(rq);
	struct bio *bio = rq->bio;
	struct place place = request__place(rq, queues, is_flush(rq->cmd_flags));
	struct inflight *slot = inflight__find(&place);

	if (slot && slot->state & STATE_REQUEUED) {
		slot->state &= ~STATE_REQUEUED;
		return 0;
	}
	if (!slot || slot->issue_ns)
		slot = reopen(slot, rq, queues, bio, &place);
	if (slot)
		slot__issued(slot, place.first, rq, bio);
	return 0;
}

/* The first issue counts: what was issued and is requeued will be issued again. */
static __always_inline int on_requeue(struct request *rq)
{
	struct place place = request__place(rq, request__queues(rq), is_flush(rq->cmd_flags));
	struct inflight *slot = inflight__find(&place);

	if (slot && slot->issue_ns)
		slot->state |= STATE_REQUEUED;
	COUNT(requeued);
	return 0;
}

/* A request merged into another is neither issued nor completed. */
static __always_inline int on_merge(struct request *rq)
{
	struct place place = request__place(rq, request__queues(rq), is_flush(rq->cmd_flags));
	struct inflight *slot = inflight__find(&place);

	if (slot)
		slot->name = 0;
	COUNT(merged);
	return 0;
}

#endif
