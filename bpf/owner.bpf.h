/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* The owner is read in the context of the submitter: at completion, the current task is whichever was interrupted. */
#ifndef OWNER_BPF_H
#define OWNER_BPF_H

#include "drift.bpf.h"
#include "file_name.bpf.h"
#include "ioheat.h"
#include "maps.bpf.h"

static __always_inline struct owner *slot__owner(struct inflight *slot)
{
	return (struct owner *)&slot->cgroup;
}

/* Typed loads: the helpers for tgid, comm and cgroup cost over 200 ns together. */
static __always_inline u32 owner__from_task(struct owner *owner)
{
	struct task_struct *task = bpf_get_current_task_btf();

	owner->tgid = task->tgid;
	owner->tid = task->pid;
	owner->comm[0] = *(u64 *)&task->comm[0];
	owner->comm[1] = *(u64 *)&task->comm[8];
	owner->cgroup = task__cgroup(task);
	return task->flags;
}

static __always_inline u32 owner__from_helpers(struct owner *owner)
{
	u64 ids = bpf_get_current_pid_tgid();
	struct task_struct *task = (void *)bpf_get_current_task();
	u32 flags = 0;

	owner->tgid = ids >> 32;
	owner->tid = ids;
	bpf_get_current_comm(owner->comm, sizeof(owner->comm));
	owner->cgroup = bpf_get_current_cgroup_id();
	bpf_core_read(&flags, sizeof(flags), &task->flags);
	return flags;
}

/* Fills in the current task and returns its PF_ flags. */
static __always_inline u32 owner__current(struct owner *owner)
{
	return has_typed_task() ? owner__from_task(owner) : owner__from_helpers(owner);
}

static __always_inline u32 current_tgid(void)
{
	if (has_typed_task())
		return bpf_get_current_task_btf()->tgid;
	return bpf_get_current_pid_tgid() >> 32;
}

/*
 * Whether it is the current thread under its present name: a shell that becomes another program by exec keeps its number.
 * Without typed tasks the name is left out, as it takes a helper.
 */
static __always_inline bool owner__is_current(const struct owner *owner)
{
	struct task_struct *task;

	if (!has_typed_task())
		return owner->tid == (u32)bpf_get_current_pid_tgid();
	task = bpf_get_current_task_btf();
	return owner->tid == (u32)task->pid && owner->comm[0] == *(u64 *)&task->comm[0] &&
	       owner->comm[1] == *(u64 *)&task->comm[8];
}

/* A checksum that is kept next to a copy of the owner: it does not match if two CPUs wrote the copy at once. */
static __always_inline u64 owner__check(const struct owner *owner)
{
	return owner->cgroup ^ owner->comm[0] ^ owner->comm[1] ^
	       ((u64)owner->tgid << 32 | owner->tid);
}

extern const void blk_throtl_dispatch_work_fn __ksym __weak;

/* Whether the current worker submits what the limit of a cgroup has held back until now. */
static __always_inline bool ends_throttling(void)
{
	u64 at = bpf_get_current_task(), function = 0;

	if (!&blk_throtl_dispatch_work_fn)
		return false;
	READ(at, at + task__kthread_offset());
	READ(at, at + bpf_core_field_offset(struct kthread, data));
	READ(function, at + bpf_core_field_offset(struct worker, current_func));
	return function == (u64)&blk_throtl_dispatch_work_fn;
}

/*
 * Fills in the owner and returns its state bits. A kernel thread submits for somebody else, whose cgroup
 * is in the bio.
 */
static __always_inline u32 owner__fill(struct inflight *slot, struct bio *bio)
{
	u32 flags = owner__current(slot__owner(slot));

	if (!(flags & PF_KTHREAD))
		return 0;
	slot->cgroup = bio__cgroup(bio);
	if (target.sees_files && flags & PF_WQ_WORKER && ends_throttling())
		return STATE_INDIRECT | REQ_THROTTLED;
	return STATE_INDIRECT;
}

static __always_inline bool is_for_somebody_else(const struct inflight *slot)
{
	return slot->state & STATE_INDIRECT && !(slot->state & STATE_HAS_VIA);
}

/* Makes `owner` the owner of what a kernel thread submitted, and keeps the name of the thread in `via`. */
static __always_inline void slot__give(struct inflight *slot, struct via *via,
				       const struct owner *owner)
{
	via->comm[0] = slot->comm[0];
	via->comm[1] = slot->comm[1];
	*slot__owner(slot) = *owner;
	slot->state |= STATE_HAS_VIA;
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
