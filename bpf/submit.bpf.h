/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* Submission: fills the slot of a request in the context of its owner. */
#ifndef SUBMIT_BPF_H
#define SUBMIT_BPF_H

#include "drift.bpf.h"
#include "filter.bpf.h"
#include "inflight.bpf.h"
#include "owner.bpf.h"
#include "queued.bpf.h"

static __always_inline bool slot__passes(const struct inflight *slot)
{
	return filter__passes(slot->dev, slot->tgid, slot->state);
}

/* Sets all fields but the owner's to a request of which neither submission nor issue was seen. */
static __always_inline void slot__reset(struct inflight *slot, struct request *rq,
					struct queues queues, u64 name)
{
	slot->name = name;
	slot->start_ns = 0;
	slot->issue_ns = 0;
	slot->dev = request__dev(rq, queues);
	slot->state = rq->cmd_flags & REQ_OP_MASK;
}

/* Passthrough is never queued: its time starts here. */
static __always_inline u64 request__submitted_ns(struct request *rq, u32 dev)
{
	if ((rq->cmd_flags & REQ_OP_MASK) >= REQ_OP_DRV_IN)
		return bpf_ktime_get_ns();
	return submitted_ns(dev, rq->__sector, rq->__data_len);
}

/* A slot that still has this request is stale: its last completion was not seen. */
static __always_inline int on_io_start(struct request *rq)
{
	u32 cmd_flags = rq->cmd_flags;
	struct queues queues = request__queues(rq);
	struct place place = request__place(rq, queues, is_flush(cmd_flags));
	struct inflight *slot = inflight__claim(&place);

	if (!slot) {
		COUNT(no_slot_at_start);
		return 0;
	}
	if (slot->name && slot__passes(slot))
		COUNT(overwritten_at_start);
	slot__reset(slot, rq, queues, place.name);
	/* FUA and PREFLUSH are visible only now: blk_insert_flush() strips them. */
	slot->state |= cmd_flags & (REQ_FUA | REQ_PREFLUSH);
	slot->state |= owner__fill(slot, rq->bio);
	slot->start_ns = request__submitted_ns(rq, slot->dev);
	return 0;
}

/* Submission where there is no block_io_start: only the bio is known. */

static __always_inline struct bio_note *bio_note(struct bio *bio, u32 word)
{
	struct scratch *scratch = scratch_for(SCRATCH_OF_REQUEST);
	u64 address;
	u32 index;

	if (!scratch)
		return NULL;
	/* The verifier refuses arithmetic on a pointer; what is read back from a map is a number. */
	*(volatile u64 *)&scratch->words[word] = (u64)bio;
	address = *(volatile u64 *)&scratch->words[word];
	index = (u32)(address >> 6) * 0x9e3779b1u >> 20;
	return bpf_map_lookup_elem(&bio_owners, &index);
}

static __always_inline int on_getrq(struct bio *bio)
{
	struct bio_note *note = bio_note(bio, SCRATCH_GETRQ);

	if (!note)
		return 0;
	note->owner.state = bio->bi_opf & (REQ_FUA | REQ_PREFLUSH);
	note->owner.state |= owner__fill(&note->owner, bio);
	note->owner.start_ns = submitted_ns(disk__dev(bio__disk(bio)), bio->bi_iter.bi_sector,
					    bio->bi_iter.bi_size);
	note->bio = (u64)bio;
	return 0;
}

/* Takes over what getrq noted for the first bio of the request. */
static __always_inline bool slot__adopt(struct inflight *slot, struct bio *bio, u32 word)
{
	struct bio_note *note;

	if (!target.owner_by_bio || !bio)
		return false;
	note = bio_note(bio, word);
	if (!note || note->bio != (u64)bio)
		return false;
	owner__copy(slot, &note->owner);
	slot->start_ns = note->owner.start_ns;
	slot->state |= note->owner.state;
	note->bio = 0;
	return true;
}

#endif
