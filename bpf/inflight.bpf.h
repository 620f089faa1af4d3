/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * Requests between submission and completion, found by queue and tag: a hash map keyed by the request
 * costs three times as much. The stored address proves that a slot is the right one.
 */
#ifndef INFLIGHT_BPF_H
#define INFLIGHT_BPF_H

/* The two slots where a request may be. */
struct place {
	u32 first;
	u32 second;
};

/*
 * Tags of one hardware queue lie side by side, so only different queues can meet. The driver's tag
 * changes when a request is requeued under a scheduler; the scheduler's tag does not.
 */
static __always_inline struct place request__place(struct request *rq, bool flush)
{
	u32 queue = (u32)rq->q->id * 0x9e3779b1u ^ rq->mq_hctx->queue_num * 0x85ebca6bu;
	int internal = rq->internal_tag;
	u32 tag = internal != -1 ? internal : rq->tag;
	struct place place;

	place.first = (queue >> 9) + tag;
	place.second = ((queue * 0xc2b2ae35u) >> 9) + tag;
	if (flush) {
		place.first = target.slot_mask + 1 + (place.first & (FLUSH_SLOTS - 1));
		place.second = target.slot_mask + 1 + (place.second & (FLUSH_SLOTS - 1));
	} else {
		place.first &= target.slot_mask;
		place.second &= target.slot_mask;
	}
	return place;
}

static __always_inline bool is_flush(u32 cmd_flags)
{
	return (cmd_flags & REQ_OP_MASK) == REQ_OP_FLUSH;
}

static __always_inline struct inflight *inflight__at(u32 index)
{
	return bpf_map_lookup_elem(&inflight, &index);
}

/* The request's slot, or NULL; place->first becomes its index. */
static __always_inline struct inflight *inflight__find(struct request *rq, struct place *place)
{
	struct inflight *slot = inflight__at(place->first);

	if (slot && slot->rq == (u64)rq)
		return slot;
	place->first = place->second;
	slot = inflight__at(place->second);
	if (slot && slot->rq == (u64)rq)
		return slot;
	return NULL;
}

/* A slot that is free or already this request's. */
static __always_inline struct inflight *inflight__claim(struct request *rq,
							const struct place *place)
{
	struct inflight *slot = inflight__at(place->first);

	if (slot && (!slot->rq || slot->rq == (u64)rq))
		return slot;
	slot = inflight__at(place->second);
	if (slot && (!slot->rq || slot->rq == (u64)rq))
		return slot;
	return NULL;
}

static __always_inline u32 request__dev(struct request *rq)
{
	struct gendisk *disk = request__disk(rq);

	return (u32)disk->major << 20 | (u32)disk->first_minor;
}

#endif
