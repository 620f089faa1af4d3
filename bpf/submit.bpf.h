/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* From the submitter to the slot: the only moment when the owner can be known. */
#ifndef SUBMIT_BPF_H
#define SUBMIT_BPF_H

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

#endif
