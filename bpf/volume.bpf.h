/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * I/O of devices that have no requests: dm, md, zram. A bio is known by its address from the moment at which it is
 * queued until it ends. There is no issue in between, so it has a single latency.
 */
#ifndef VOLUME_BPF_H
#define VOLUME_BPF_H

#include "detail.bpf.h"
#include "drift.bpf.h"
#include "file.bpf.h"
#include "filter.bpf.h"
#include "inflight.bpf.h"
#include "maps.bpf.h"
#include "on_behalf.bpf.h"
#include "owner.bpf.h"
#include "record.bpf.h"
#include "summary.bpf.h"

/*
 * A place for a bio, and its slot, which user space maps: the slot holds no address of the kernel, and its index does
 * not reveal one either, see target.volume_slots.
 */
struct volume_place {
	struct volume_io *io;
	struct inflight *slot;
	u32 index;
};

/* The places where a bio may be. Each program has its own scratch word, because they interrupt each other. */
static __always_inline struct volume_set *volume__set(struct bio *bio, u32 word, u64 *address,
						      u32 *index)
{
	struct scratch *scratch = scratch_for(SCRATCH_OF_REQUEST);

	if (!scratch)
		return NULL;
	/* The verifier refuses arithmetic on a pointer; what is read back from a map is a number. */
	*(volatile u64 *)&scratch->words[word] = (u64)bio;
	*address = *(volatile u64 *)&scratch->words[word];
	*index = (u32)(*address >> 6) * 0x9e3779b1u >> (32 - VOLUME_SET_BITS);
	return bpf_map_lookup_elem(&volume_ios, index);
}

static __always_inline bool volume__take(struct volume_place *place, struct volume_set *set,
					 u32 index, bool is_second)
{
	place->io = is_second ? &set->ways[1] : &set->ways[0];
	place->index = target.slot_mask + 1 + FLUSH_SLOTS +
		       2 * target.volume_slots[index & (VOLUME_SETS - 1)] + is_second;
	place->slot = inflight__at(place->index);
	return place->slot;
}

/* A flush without data is a write of nothing until it becomes a request. */
static __always_inline u32 bio__flags(const struct bio *bio)
{
	u32 flags = bio->bi_opf;

	if (!bio->bi_iter.bi_size && flags & REQ_PREFLUSH)
		flags = (flags & ~REQ_OP_MASK) | REQ_OP_FLUSH;
	return flags;
}

/*
 * Whose bytes the bio has, found while its pages are locked or under writeback. An interrupt may issue a request
 * meanwhile, so the search has scratch space of its own.
 */
static __always_inline void volume__note_file(u32 index, struct bio *bio, u32 dev)
{
	struct scratch *scratch = scratch_for(SCRATCH_OF_BIO);
	struct file_id *id = bpf_map_lookup_elem(&files, &index);

	if (!id)
		return;
	id->flags = 0;
	id->inode = 0;
	id->offset = NO_FILE_OFFSET;
	if (!scratch || !has_data(bio->bi_opf & REQ_OP_MASK, bio) || !filter__passes_disk(dev))
		return;
	bio__find(bio, scratch);
	if (scratch->words[SCRATCH_KIND] == FILE_UNKNOWN)
		return;
	fill_file(id, scratch->words[SCRATCH_INODE], scratch->words[SCRATCH_KIND], NAME_OF_BIO);
	if (id->flags == FILE_REGULAR << FILE_KIND_SHIFT)
		id->offset = scratch->words[SCRATCH_OFFSET];
}

static __always_inline void volume__note_extent(u32 index, struct bio *bio)
{
	struct extent *extent = bpf_map_lookup_elem(&extents, &index);

	if (!extent)
		return;
	extent->sector = bio->bi_iter.bi_sector;
	extent->bytes = bio->bi_iter.bi_size;
}

static __always_inline void volume__fill_slot(struct inflight *slot, u32 cmd_flags,
					      struct bio *bio, u32 dev)
{
	slot->dev = dev;
	slot->state = cmd_flags & REQ_OP_MASK;
	slot->state |= LAYER_VOLUMES << STATE_LAYER_SHIFT;
	slot->state |= owner__fill(slot, bio);
}

/* A bio of a volume counts as issued when it is queued. The name comes last: from then on user space reads the slot. */
static __always_inline int volume__open(struct bio *bio, u32 dev)
{
	struct volume_place place;
	struct volume_set *set;
	u64 address = 0;
	u32 index = 0;

	if (!target.sees_volumes)
		return 0;
	set = volume__set(bio, SCRATCH_VOLUME_QUEUE, &address, &index);
	if (!set)
		return 0;
	if (!volume__take(&place, set, index, set->ways[0].bio && set->ways[0].bio != address))
		return 0;
	if (place.io->bio) {
		/* Lost: an earlier bio at this address, whose end was not seen, or this one, as both places are taken. */
		COUNT(volume_lost);
		if (place.io->bio != address)
			return 0;
		place.slot->name = 0;
	}
	/*
	 * Claimed at once: of two CPUs that take a free place within the few nanoseconds until here, one finds below that it
	 * has lost it. (Linux 5.10 has no compare-and-exchange for programs.)
	 */
	*(volatile u64 *)&place.io->bio = address;
	place.io->cmd_flags = bio__flags(bio);
	volume__fill_slot(place.slot, place.io->cmd_flags, bio, dev);
	volume__note_extent(place.index, bio);
	if (target.sees_files)
		volume__note_file(place.index, bio, dev);
	note_on_behalf(place.slot, place.index, bio, SCRATCH_OF_BIO);
	if (*(volatile u64 *)&place.io->bio != address) {
		COUNT(volume_lost);
		return 0;
	}
	place.slot->start_ns = bpf_ktime_get_ns();
	place.slot->issue_ns = place.slot->start_ns;
	place.slot->name = NAME_TAKEN;
	return 0;
}

static __always_inline void volume__fill(struct io_completion *io, const struct volume_place *from,
					 struct bio *bio, u64 now)
{
	const struct inflight *slot = from->slot;
	u32 index = from->index;
	struct extent *extent = bpf_map_lookup_elem(&extents, &index);

	io->complete_ns = now;
	io->device_ns = now - slot->start_ns;
	io->queue_ns = 0;
	io->sector = extent ? extent->sector : 0;
	io->bytes = extent ? extent->bytes : 0;
	io->dev = slot->dev;
	io->cmd_flags = (from->io->cmd_flags & ~REQ_THROTTLED) | (slot->state & REQ_THROTTLED);
	io->error = bio->bi_status;
	record__owner(io, slot);
	record__file(io, slot, index);
	record__via(io, slot, index);
	io->flags |= LAYER_VOLUMES << IO_LAYER_SHIFT;
	if (!io->bytes)
		io->flags |= IO_NO_SECTOR;
}

static __noinline bool volume__summarise(const struct volume_place *from, struct bio *bio, u64 now)
{
	struct io_completion io;

	volume__fill(&io, from, bio, now);
	return summary__add(&io);
}

static __always_inline void volume__finish(const struct volume_place *from, struct bio *bio,
					   enum detail_verdict detail, u64 now)
{
	struct io_completion *io = NULL;

	if (detail != DETAIL_LEFT_OUT)
		io = bpf_ringbuf_reserve(&events, sizeof(*io), 0);
	if (!io) {
		if (volume__summarise(from, bio, now))
			COUNT_ATOMICALLY(volume_summarised);
		else
			COUNT_ATOMICALLY(volume_unsummarised);
		return;
	}
	volume__fill(io, from, bio, now);
	if (detail == DETAIL_SAMPLED)
		io->flags |= IO_SAMPLED;
	bpf_ringbuf_submit(io, BPF_RB_NO_WAKEUP);
	COUNT_ATOMICALLY(volume_ios);
}

/*
 * The tracepoint does not fire for bios of requests. Two programs run this there, because since Linux 6.1 the kernel
 * skips a program that it has interrupted on the same CPU, and bios of dm end in tasks as well as in interrupts. The
 * second program gets the few bios that the first one missed, and none before Linux 6.1. It delivers all of them, so that
 * the verifier goes through detail__judge() once.
 */
static __always_inline int on_bio_complete(struct bio *bio, u32 word, bool is_second)
{
	enum detail_verdict detail = DETAIL_CERTAIN;
	struct volume_place from;
	struct volume_set *set;
	u64 now, address = 0;
	u32 index = 0;

	set = volume__set(bio, word, &address, &index);
	if (!set || !volume__take(&from, set, index, set->ways[0].bio != address))
		return 0;
	if (from.io->bio != address)
		return 0;
	now = bpf_ktime_get_ns();
	if (filter__passes(from.slot->dev, from.slot->tgid, from.slot->state)) {
		if (!is_second)
			detail = detail__judge(from.slot, from.index, bio->bi_status, now);
		volume__finish(&from, bio, detail, now);
	}
	from.slot->name = 0;
	from.io->bio = 0;
	return 0;
}

#endif
