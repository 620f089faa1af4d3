/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * When a bio was queued, which is before it waits for a free request, in wbt or in iocost. The tracepoints
 * of bio and request have no number in common: a split gives the front part a new bio. So a request is
 * matched to the last bio of the same thread and disk, if it starts within the range of that bio.
 */
#ifndef QUEUED_BPF_H
#define QUEUED_BPF_H

#include "drift.bpf.h"
#include "inflight.bpf.h"
#include "maps.bpf.h"
#include "volume.bpf.h"

static __always_inline u32 current_tid(void)
{
	if (has_typed_task())
		return bpf_get_current_task_btf()->pid;
	return (u32)bpf_get_current_pid_tgid();
}

static __always_inline struct queued_set *queued__set(u32 tid, u32 dev)
{
	u32 index = (tid + (dev * 0x9e3779b1u >> 16)) & (QUEUED_SETS - 1);

	return bpf_map_lookup_elem(&queued, &index);
}

/*
 * One note per thread and disk: a thread that has queued its next bio has got a request for the one
 * before, or merged it, or failed. If both notes are of others, the older one is replaced: it may be left
 * over from a bio that never became a request.
 */
static __always_inline struct queued *queued__claim(struct queued_set *set, u32 tid, u32 dev)
{
	struct queued *one = &set->ways[0], *other = &set->ways[1];

	if (one->tid == tid && one->dev == dev)
		return one;
	if (other->tid == tid && other->dev == dev)
		return other;
	return one->ns <= other->ns ? one : other;
}

/*
 * An NVMe disk that several controllers may reach. It hands the bio itself to one of its paths, as requests of which all its
 * I/O is seen, with owner and file. The bio would not end as that of a volume: for requests, the driver reports the end of
 * their first bio alone, before its status is known (nvme_end_req in drivers/nvme/host/core.c).
 */
static __always_inline bool disk__has_paths(const struct gendisk *disk)
{
	return disk->disk_name[0] == 'n' && disk->disk_name[1] == 'v' && disk->disk_name[2] == 'm' &&
	       disk->disk_name[3] == 'e';
}

static __always_inline int on_bio_queue(struct bio *bio)
{
	struct gendisk *disk = bio__disk(bio);
	struct queued_set *set;
	struct queued *note;
	u32 tid, dev;

	dev = disk__dev(disk);
	/* A bio of dm, md or zram never becomes a request; the bios it causes on other disks do. */
	if (!disk->queue->mq_ops)
		return disk__has_paths(disk) ? 0 : volume__open(bio, dev);
	tid = current_tid();
	set = queued__set(tid, dev);
	/* The idle threads of all CPUs have the number 0. */
	if (!set || !tid)
		return 0;
	note = queued__claim(set, tid, dev);
	note->tid = tid;
	note->dev = dev;
	note->sector = bio->bi_iter.bi_sector;
	note->bytes = bio->bi_iter.bi_size;
	note->ns = bpf_ktime_get_ns();
	return 0;
}

/* Whether the sector is in the range of the note. An empty flush has a sector but no range. */
static __always_inline bool queued__has(const struct queued *note, u32 tid, u32 dev, u64 sector)
{
	if (note->tid != tid || note->dev != dev || !note->ns)
		return false;
	if (!note->bytes)
		return note->sector == sector;
	return sector - note->sector < (note->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
}

/* When the current thread queued this part of a bio, or 0. Removes the part from the note. */
static __always_inline u64 queued__take(u32 dev, u64 sector, u32 bytes)
{
	u32 tid = current_tid();
	struct queued_set *set = queued__set(tid, dev);
	struct queued *note;
	u64 ns, end;

	if (!set)
		return 0;
	note = &set->ways[0];
	if (!queued__has(note, tid, dev, sector))
		note = &set->ways[1];
	if (!queued__has(note, tid, dev, sector))
		return 0;
	ns = note->ns;
	end = (sector - note->sector) * SECTOR_BYTES + bytes;
	if (end < note->bytes) {
		note->sector = sector + bytes / SECTOR_BYTES;
		note->bytes -= end;
	} else {
		note->ns = 0;
	}
	return ns;
}

/* When the I/O that gets a request now was queued; the current time if that was not seen. */
static __always_inline u64 submitted_ns(u32 dev, u64 sector, u32 bytes)
{
	u64 ns = target.sees_queue ? queued__take(dev, sector, bytes) : 0;

	if (ns)
		return ns;
	COUNT(queue_unseen);
	return bpf_ktime_get_ns();
}

#endif
