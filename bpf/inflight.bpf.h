/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * Requests between submission and completion, found by queue and tag: a hash map keyed by the request
 * costs three times as much. The slot has the same numbers in full, to prove that it is the right one.
 */
#ifndef INFLIGHT_BPF_H
#define INFLIGHT_BPF_H

#include "drift.bpf.h"
#include "maps.bpf.h"

/*
 * The queues of a request. Programs load a pointer from the argument of a tracepoint once, before they branch: for each
 * such load, on each way to it, the verifier of Linux 6.18 goes through the names of all types of the kernel (1 ms).
 */
struct queues {
	struct request_queue *queue;
	struct blk_mq_hw_ctx *hardware;
};

static __always_inline struct queues request__queues(struct request *rq)
{
	struct queues queues = { .queue = rq->q, .hardware = rq->mq_hctx };

	return queues;
}

/* The two slots where a request may be, and the name that it has there. */
struct place {
	u64 name;
	u32 first;
	u32 second;
};

#define NAME_TAKEN (1ULL << 63)
#define NAME_FLUSH (1ULL << 62)
#define NAME_SCHEDULED (1ULL << 61)

/* No two requests in flight have the same queue, hardware queue, kind of tag and tag. */
static __always_inline u64 request__name(struct request *rq, struct queues queues, u32 tag, bool flush)
{
	u64 name = NAME_TAKEN | (u64)((u32)queues.queue->id & 0x1fffffff) << 32;

	name |= (queues.hardware->queue_num & 0xffff) << 16 | (tag & 0xffff);
	if (flush)
		name |= NAME_FLUSH;
	if (rq->internal_tag != -1)
		name |= NAME_SCHEDULED;
	return name;
}

/*
 * Tags of one hardware queue take adjacent slots, so only different queues can collide. The driver's tag
 * changes when a request is requeued under a scheduler; the scheduler's tag does not.
 */
static __always_inline struct place request__place(struct request *rq, struct queues queues,
						   bool flush)
{
	u32 queue = (u32)queues.queue->id * 0x9e3779b1u ^
		    queues.hardware->queue_num * 0x85ebca6bu;
	int internal = rq->internal_tag;
	u32 tag = internal != -1 ? internal : rq->tag;
	struct place place;

	place.name = request__name(rq, queues, tag, flush);
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
static __always_inline struct inflight *inflight__find(struct place *place)
{
	struct inflight *slot = inflight__at(place->first);

	if (slot && slot->name == place->name)
		return slot;
	place->first = place->second;
	slot = inflight__at(place->second);
	if (slot && slot->name == place->name)
		return slot;
	return NULL;
}

/* A slot that is free or already this request's, or NULL; place->first becomes its index. */
static __always_inline struct inflight *inflight__claim(struct place *place)
{
	struct inflight *slot = inflight__at(place->first);

	if (slot && (!slot->name || slot->name == place->name))
		return slot;
	place->first = place->second;
	slot = inflight__at(place->second);
	if (slot && (!slot->name || slot->name == place->name))
		return slot;
	return NULL;
}

static __always_inline u32 disk__dev(struct gendisk *disk)
{
	return (u32)disk->major << 20 | (u32)disk->first_minor;
}

/* 0 for passthrough to what is not a disk, or no longer one. */
static __always_inline u32 request__dev(struct request *rq, struct queues queues)
{
	struct gendisk *disk = request__disk(rq, queues.queue);

	return disk ? disk__dev(disk) : 0;
}

#endif
