/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * I/O of devices that have no requests: dm, md, zram. A bio is known by its address from the moment at which it is
 * queued until it ends. There is no issue in between, so its time is one.
 */
#ifndef VOLUME_BPF_H
#define VOLUME_BPF_H

#include "drift.bpf.h"
#include "file.bpf.h"
#include "filter.bpf.h"
#include "inflight.bpf.h"
#include "maps.bpf.h"
#include "owner.bpf.h"

/* The places where a bio may be. Each program has a word of its own, because they interrupt each other. */
static __always_inline struct volume_set *volume__set(struct bio *bio, u32 word, u64 *address)
{
	struct scratch *scratch = scratch_for(SCRATCH_OF_REQUEST);
	u32 index;

	if (!scratch)
		return NULL;
	/* The verifier refuses arithmetic on a pointer; what is read back from a map is a number. */
	*(volatile u64 *)&scratch->words[word] = (u64)bio;
	*address = *(volatile u64 *)&scratch->words[word];
	index = (u32)(*address >> 6) * 0x9e3779b1u >> (32 - VOLUME_SET_BITS);
	return bpf_map_lookup_elem(&volume_ios, &index);
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
 * Whose bytes the bio has, while its pages are locked or under writeback. An interrupt may issue a request meanwhile:
 * the words of its search are others.
 */
static __always_inline void volume__note_file(struct volume_io *io, struct bio *bio)
{
	struct scratch *scratch = scratch_for(SCRATCH_OF_BIO);

	io->id.flags = 0;
	io->id.offset = NO_FILE_OFFSET;
	if (!target.sees_files || !scratch || !has_data(io->cmd_flags & REQ_OP_MASK, bio))
		return;
	bio__find(bio, scratch);
	if (scratch->words[SCRATCH_KIND] == FILE_UNKNOWN)
		return;
	fill_file(&io->id, scratch->words[SCRATCH_INODE], scratch->words[SCRATCH_KIND],
		  filter__passes_disk(io->slot.dev) ? NAME_OF_BIO : NAME_UNWANTED);
	io->id.offset = io->id.flags == FILE_REGULAR << FILE_KIND_SHIFT ?
				scratch->words[SCRATCH_OFFSET] :
				NO_FILE_OFFSET;
}

static __always_inline int volume__open(struct bio *bio, u32 dev)
{
	struct volume_set *set;
	struct volume_io *io;
	u64 address = 0;

	if (!target.sees_volumes)
		return 0;
	set = volume__set(bio, SCRATCH_VOLUME_QUEUE, &address);
	if (!set)
		return 0;
	io = &set->ways[0];
	if (io->bio && io->bio != address)
		io = &set->ways[1];
	if (io->bio) {
		/* Lost: of this bio the end, or of the other one the start. */
		COUNT(volume_lost);
		if (io->bio != address)
			return 0;
	}
	io->cmd_flags = bio__flags(bio);
	io->sector = bio->bi_iter.bi_sector;
	io->bytes = bio->bi_iter.bi_size;
	io->slot.dev = dev;
	io->slot.state = io->cmd_flags & REQ_OP_MASK;
	io->slot.state |= owner__fill(&io->slot, bio);
	volume__note_file(io, bio);
	io->bio = address;
	io->slot.start_ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline void volume__fill(struct io_completion *io, const struct volume_io *from,
					 struct bio *bio, u64 now)
{
	const struct inflight *slot = &from->slot;

	io->complete_ns = now;
	io->device_ns = now - slot->start_ns;
	io->queue_ns = 0;
	io->sector = from->sector;
	io->inode = from->id.inode;
	io->file_dev = from->id.file_dev;
	io->generation = from->id.generation;
	io->file_offset = from->id.offset;
	io->bytes = from->bytes;
	io->dev = slot->dev;
	io->cmd_flags = (from->cmd_flags & ~REQ_THROTTLED) | (slot->state & REQ_THROTTLED);
	io->tgid = slot->tgid;
	io->tid = slot->tid;
	io->error = bio->bi_status;
	io->flags = slot->state >> STATE_MARK_SHIFT & (IO_OWNER_UNKNOWN | IO_INDIRECT);
	io->flags |= LAYER_VOLUMES << IO_LAYER_SHIFT | from->id.flags;
	if (!from->bytes)
		io->flags |= IO_NO_SECTOR;
	io->cgroup = slot->cgroup;
	((u64 *)io->comm)[0] = slot->comm[0];
	((u64 *)io->comm)[1] = slot->comm[1];
	((u64 *)io->via)[0] = 0;
	((u64 *)io->via)[1] = 0;
}

/* Both programs raise these, and one may interrupt the other. */
#define COUNT_ATOMICALLY(field)                                                                    \
	do {                                                                                       \
		struct counters *c = counters();                                                   \
		if (c)                                                                             \
			__sync_fetch_and_add(&c->field, 1);                                        \
	} while (0)

/*
 * The kernel does not come here for bios of requests. With the ring full it is lost: summaries are of disks. Two programs run this at the same tracepoint, because the
 * kernel runs none that it has interrupted on the same CPU: bios of dm end in tasks as well as in interrupts. The
 * second one finds what the first one has missed.
 */
static __always_inline int on_bio_complete(struct bio *bio, u32 word)
{
	struct volume_set *set;
	struct volume_io *from;
	u64 now, address = 0;
	struct io_completion *io;

	set = volume__set(bio, word, &address);
	if (!set)
		return 0;
	from = &set->ways[0];
	if (from->bio != address)
		from = &set->ways[1];
	if (from->bio != address)
		return 0;
	now = bpf_ktime_get_ns();
	if (filter__passes(from->slot.dev, from->slot.tgid, from->slot.state)) {
		io = bpf_ringbuf_reserve(&events, sizeof(*io), 0);
		if (io) {
			volume__fill(io, from, bio, now);
			bpf_ringbuf_submit(io, BPF_RB_NO_WAKEUP);
			COUNT_ATOMICALLY(volume_ios);
		} else {
			COUNT_ATOMICALLY(volume_dropped);
		}
	}
	from->bio = 0;
	return 0;
}

#endif
