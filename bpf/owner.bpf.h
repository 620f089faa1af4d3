/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* The owner: read in the context of the submitter, as a completion interrupts any process. */
#ifndef OWNER_BPF_H
#define OWNER_BPF_H

#include "drift.bpf.h"
#include "ioheat.h"

/* Typed loads: the helpers for tgid, comm and cgroup cost over 200 ns together. */
static __always_inline u32 owner__from_task(struct inflight *slot)
{
	struct task_struct *task = bpf_get_current_task_btf();

	slot->tgid = task->tgid;
	slot->tid = task->pid;
	slot->comm[0] = *(u64 *)&task->comm[0];
	slot->comm[1] = *(u64 *)&task->comm[8];
	slot->cgroup = task__cgroup(task);
	return task->flags;
}

static __always_inline u32 owner__from_helpers(struct inflight *slot)
{
	u64 ids = bpf_get_current_pid_tgid();
	struct task_struct *task = (void *)bpf_get_current_task();
	u32 flags = 0;

	slot->tgid = ids >> 32;
	slot->tid = ids;
	bpf_get_current_comm(slot->comm, sizeof(slot->comm));
	slot->cgroup = bpf_get_current_cgroup_id();
	bpf_core_read(&flags, sizeof(flags), &task->flags);
	return flags;
}

/*
 * Fills in the owner and returns its state bits. A kernel thread submits for somebody else, whose cgroup
 * is in the bio.
 */
static __always_inline u32 owner__fill(struct inflight *slot, struct bio *bio)
{
	u32 flags = has_typed_task() ? owner__from_task(slot) : owner__from_helpers(slot);

	if (!(flags & PF_KTHREAD))
		return 0;
	slot->cgroup = bio__cgroup(bio);
	return STATE_INDIRECT;
}

static __always_inline void owner__copy(struct inflight *to, const struct inflight *from)
{
	to->tgid = from->tgid;
	to->tid = from->tid;
	to->comm[0] = from->comm[0];
	to->comm[1] = from->comm[1];
	to->cgroup = from->cgroup;
}

static __always_inline void owner__clear(struct inflight *slot)
{
	slot->tgid = 0;
	slot->tid = 0;
	slot->comm[0] = 0;
	slot->comm[1] = 0;
	slot->cgroup = 0;
}

#endif
