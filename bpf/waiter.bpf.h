/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * Who waits for a direct I/O that a kernel thread submits for it, because a cgroup limit (blk-throttle) or a volume
 * held it back. The waiter sleeps until the last bio of its I/O has ended, so that it is still there at issue.
 */
#ifndef WAITER_BPF_H
#define WAITER_BPF_H

#include "file.bpf.h"

/* `wait_for_completion` is a byte: fs/iomap/direct-io.c. */
static __always_inline u64 waiter_of_iomap_dio(u64 dio)
{
	u64 task = 0;
	u8 waits = 0;

	if (!bpf_core_field_exists(((struct iomap_dio *)0)->submit.waiter))
		return 0;
	READ(waits, dio + bpf_core_field_offset(struct iomap_dio, wait_for_completion));
	if (waits & 1)
		READ(task, dio + bpf_core_field_offset(struct iomap_dio, submit.waiter));
	return task;
}

/* The first in its queue, which has one at most: submit_bio_wait() has the completion on its stack. */
static __always_inline u64 waiter_of_completion(u64 done)
{
	u64 head = done + bpf_core_field_offset(struct completion, wait.task_list);
	u64 first = 0, task = 0;

	READ(first, head + bpf_core_field_offset(struct list_head, next));
	if (first && first != head)
		READ(task, first - bpf_core_field_offset(struct swait_queue, task_list) +
				   bpf_core_field_offset(struct swait_queue, task));
	return task;
}

static __always_inline u64 waiter_of(struct bio *bio, struct scratch *scratch)
{
	u64 end = (u64)bio->bi_end_io, private = (u64)bio->bi_private;
	u64 address = as_number(scratch, bio);

	follow_chain(&address, &end, &private);
	follow_chain(&address, &end, &private);
	if (ENDS_BY(end, iomap_dio_bio_end_io))
		return waiter_of_iomap_dio(private);
	if (ENDS_BY(end, submit_bio_wait_endio) || ENDS_BY(end, bio_wait_end_io))
		return waiter_of_completion(private);
	return 0;
}

/* As `bio__find`: leaves the address of the task in the scratch space, 0 where nobody waits. */
static __noinline int bio__find_waiter(struct bio *bio, struct scratch *scratch)
{
	u64 task = waiter_of(bio, scratch);

	*(volatile u64 *)&scratch->words[SCRATCH_WAITER] = task;
	return 0;
}

/* As task__cgroup(), which is finer than that of the bio where I/O is not limited per cgroup below some level. */
static __always_inline u64 waiter__cgroup(u64 task)
{
	u64 at = 0, id = 0;

	if (!bpf_core_field_exists(((struct task_struct *)0)->cgroups))
		return 0;
	READ(at, task + bpf_core_field_offset(struct task_struct, cgroups));
	READ(at, at + bpf_core_field_offset(struct css_set, dfl_cgrp));
	READ(at, at + bpf_core_field_offset(struct cgroup, kn));
	READ(id, at + bpf_core_field_offset(struct kernfs_node, id));
	return id;
}

/* Makes the thread that waits the owner of what a kernel thread submits. */
static __always_inline void note_waiter(struct inflight *slot, u32 index, struct bio *bio,
					u32 scratch_place)
{
	struct via *via = bpf_map_lookup_elem(&vias, &index);
	struct scratch *scratch = scratch_for(scratch_place);
	u32 flags = 0;
	u64 task;

	if (!via || !scratch || !bio)
		return;
	bio__find_waiter(bio, scratch);
	task = scratch->words[SCRATCH_WAITER];
	if (!task)
		return;
	READ(flags, task + bpf_core_field_offset(struct task_struct, flags));
	if (flags & PF_KTHREAD)
		return;
	via->comm[0] = slot->comm[0];
	via->comm[1] = slot->comm[1];
	READ(slot->tgid, task + bpf_core_field_offset(struct task_struct, tgid));
	READ(slot->tid, task + bpf_core_field_offset(struct task_struct, pid));
	READ(slot->comm, task + bpf_core_field_offset(struct task_struct, comm));
	slot->cgroup = waiter__cgroup(task);
	slot->state |= STATE_HAS_VIA;
}

#endif
