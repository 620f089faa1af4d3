/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * Where kernels from 5.8 on differ, for the programs: each difference once, with the commit that made it.
 * BTF decides, never the version, as distributions port changes back. The loader's part, which
 * tracepoints exist and with how many arguments, is in src/kernel/attach/drift.ts.
 */
#ifndef DRIFT_BPF_H
#define DRIFT_BPF_H

#include "kernel_types.h"

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct request___rq_disk {
	struct gendisk *rq_disk;
};

struct bio___bi_disk {
	struct gendisk *bi_disk;
};

struct bvec_iter___bi_offset {
	unsigned int bi_offset;
};

struct bio___bi_offset {
	struct bvec_iter___bi_offset bi_iter;
};

struct memdesc_flags {
	unsigned long f;
};

struct page___memdesc {
	struct memdesc_flags flags;
};

struct page___compound_info {
	unsigned long compound_info;
};

struct page___index {
	unsigned long index;
};

struct folio___index {
	unsigned long index;
};

struct dentry___d_u {
	struct {
		struct hlist_head d_alias;
	} d_u;
};

struct dentry___d_alias {
	struct hlist_head d_alias;
};

struct task_struct___state {
	unsigned int __state;
};

struct task_struct___worker_private {
	void *worker_private;
};

struct task_struct___set_child_tid {
	int *set_child_tid;
};

struct pt_regs___x86 {
	unsigned long di;
	unsigned long si;
	unsigned long dx;
	unsigned long r10;
	unsigned long r8;
	unsigned long orig_ax;
};

struct pt_regs___arm64 {
	u64 regs[31];
	int syscallno;
};

struct thread_info___x86 {
	u32 status;
};

struct task_struct___x86 {
	struct thread_info___x86 thread_info;
};

struct thread_info___arm64 {
	unsigned long flags;
};

struct task_struct___arm64 {
	struct thread_info___arm64 thread_info;
};

/* Modules have these types; `inode` of btrfs_bio came with Linux 6.2. */
struct btrfs_key___root {
	u64 objectid;
};

struct btrfs_root___id {
	struct btrfs_key___root root_key;
};

struct btrfs_inode___vfs {
	struct btrfs_root___id *root;
	struct inode vfs_inode;
};

struct btrfs_bio___inode {
	struct btrfs_inode___vfs *inode;
	struct bio bio;
};

/* `latest_dev` came with Linux 5.16. */
struct btrfs_device___bdev {
	struct block_device *bdev;
};

struct btrfs_fs_devices___latest {
	u64 total_devices;
	struct btrfs_device___bdev *latest_dev;
};

struct btrfs_fs_info___devices {
	struct btrfs_fs_devices___latest *fs_devices;
};

/* Since Linux 6.13, a request to splice from a registered file has a pointer to it. */
struct io_rsrc_node {
	unsigned long file_ptr;
};

struct io_splice___node {
	struct io_rsrc_node *rsrc_node;
};

struct delayed_filename {
	struct filename *__incomplete_filename;
};

struct io_open___7 {
	struct delayed_filename filename;
};

struct io_statx___7 {
	struct delayed_filename filename;
};

struct io_rename___7 {
	struct delayed_filename oldpath;
};

struct io_unlink___7 {
	struct delayed_filename filename;
};

struct io_mkdir___7 {
	struct delayed_filename filename;
};

struct io_link___7 {
	struct delayed_filename oldpath;
	struct delayed_filename newpath;
};

struct io_xattr___7 {
	struct delayed_filename filename;
};

#pragma clang attribute pop

enum pageflags___bits {
	PG_locked___bits = 0,
	PG_writeback___bits = 15,
	PG_swapcache___bits = 10,
	PG_swapbacked___bits = 19,
};

/* Bits of thread_info that mark 32-bit programs: in `status` on x86, in `flags` on arm64. */
#define TS_COMPAT 0x0002
#define TIF_32BIT (1UL << 22)

/* Above the numbers of all system calls. */
#define UNKNOWN_CALL 0x7fffffff

enum bpf_func_id___task_btf {
	BPF_FUNC_get_current_task_btf___task_btf = 158,
};

/*
 * A load through NULL gives 0 on every kernel, but without 0108a4e9f358 "bpf: ensure main program has an
 * extable" (2023) it may also crash the machine, if the program has functions that are not inlined. Debian's
 * 5.10.262 lacks that commit. So a pointer that may be NULL is compared first.
 */

/* What a tracepoint is about: its first argument. */
static __always_inline void *subject(const u64 *ctx)
{
	return (void *)ctx[0];
}

/* Bytes of the first segment that earlier parts of the bio had; the member was renamed in Linux 7.3. */
static __always_inline u32 bio__segment_done(struct bio *bio)
{
	struct bio___bi_offset *renamed = (void *)bio;

	if (bpf_core_field_exists(renamed->bi_iter.bi_offset))
		return renamed->bi_iter.bi_offset;
	return bio->bi_iter.bi_bvec_done;
}

/* Where bio__segment_done() is in a bio of which only the address is known. */
static __always_inline u32 bio__segment_done_offset(void)
{
	if (bpf_core_field_exists(((struct bio___bi_offset *)0)->bi_iter.bi_offset))
		return bpf_core_field_offset(struct bio___bi_offset, bi_iter.bi_offset);
	return bpf_core_field_offset(struct bio, bi_iter.bi_bvec_done);
}

/*
 * As subject(), where the first argument is the queue: before Linux 5.11. For requests: a54895fa057c "block: remove the
 * request_queue to argument request based tracepoints", also in 5.10.137. For bios: e8a676d61c07 "block:
 * simplify and extend the block_bio_merge tracepoint class". These are programs of their own, named _old,
 * because the verifier of 5.10 refuses a choice in one program, `old ? ctx[1] : ctx[0]`.
 */
static __always_inline void *subject_after_queue(const u64 *ctx)
{
	return (void *)ctx[1];
}

/*
 * Linux 5.15 gave the queue its disk: d152c682f03c "block: add an explicit ->disk backpointer to the
 * request_queue". Linux 5.17 took the disk out of the request: f3fa33acca9f "block: remove the ->rq_disk
 * field in struct request".
 */
static __always_inline struct gendisk *request__disk(struct request *rq, struct request_queue *queue)
{
	struct request___rq_disk *old = (void *)rq;

	if (bpf_core_field_exists(queue->disk))
		return queue->disk;
	return old->rq_disk;
}

/*
 * The whole disk, also when bi_bdev is a partition. Linux 5.12: 309dca309fc3 "block: store a block_device
 * pointer in struct bio".
 */
static __always_inline struct gendisk *bio__disk(struct bio *bio)
{
	struct bio___bi_disk *old = (void *)bio;

	if (bpf_core_field_exists(bio->bi_bdev))
		return bio->bi_bdev->bd_disk;
	return old->bi_disk;
}

/*
 * Linux 5.11: 3ca1032ab7ab "bpf: Implement get_current_task_btf and RET_PTR_TO_BTF_ID". Before, the task
 * is not a typed pointer, and reading it takes helpers.
 */
static __always_inline bool has_typed_task(void)
{
	return bpf_core_enum_value_exists(enum bpf_func_id___task_btf,
					  BPF_FUNC_get_current_task_btf___task_btf);
}

/* A matter of configuration: absent without CONFIG_CGROUPS. */
static __always_inline u64 task__cgroup(struct task_struct *task)
{
	if (!bpf_core_field_exists(task->cgroups))
		return 0;
	return task->cgroups->dfl_cgrp->kn->id;
}

/*
 * A matter of configuration: absent without CONFIG_BLK_CGROUP. A request need not have a bio. 0 where I/O is limited by
 * version 1: its cgroups are others, and one of the unified hierarchy (number 0) may have the same id.
 */
static __always_inline u64 bio__cgroup(struct bio *bio)
{
	struct blkcg_gq *group;
	struct cgroup *cgroup;

	if (!bpf_core_field_exists(bio->bi_blkg) || !bio)
		return 0;
	group = bio->bi_blkg;
	if (!group)
		return 0;
	cgroup = group->blkcg->css.cgroup;
	return cgroup->root->hierarchy_id ? 0 : cgroup->kn->id;
}

/* The first page of the folio that has the page. `word`: compound_head of the page, see page__head_offset(). */
static __always_inline u64 page__head(u64 page, u64 word)
{
	if (!(word & 1))
		return page;
	/* Linux 7: where folios are aligned to their size, the word is a mask of the address. */
	if (!bpf_core_field_exists(((struct page *)0)->compound_head) && word >> 32 == 0xffffffff)
		return page & word & ~1ULL;
	return word - 1;
}

/* Linux 6.18 put the flags into a struct of their own. */
static __always_inline u32 page__flags_offset(void)
{
	if (bpf_core_field_exists(((struct page___memdesc *)0)->flags))
		return bpf_core_field_offset(struct page___memdesc, flags);
	return bpf_core_field_offset(struct page, flags);
}

/* Linux 7 renamed compound_head to compound_info. */
static __always_inline u32 page__head_offset(void)
{
	if (bpf_core_field_exists(((struct page *)0)->compound_head))
		return bpf_core_field_offset(struct page, compound_head);
	return bpf_core_field_offset(struct page___compound_info, compound_info);
}

/* Where the first page of a folio has its index in the file. Folios came with Linux 5.16, and later pages lost the field. */
static __always_inline u32 page__index_offset(void)
{
	if (bpf_core_field_exists(((struct folio___index *)0)->index))
		return bpf_core_field_offset(struct folio___index, index);
	return bpf_core_field_offset(struct page___index, index);
}

/* Linux 7 took the union d_u out of the dentry. */
static __always_inline u32 dentry__alias_offset(void)
{
	if (bpf_core_field_exists(((struct dentry___d_u *)0)->d_u.d_alias))
		return bpf_core_field_offset(struct dentry___d_u, d_u.d_alias);
	return bpf_core_field_offset(struct dentry___d_alias, d_alias);
}

/*
 * Before Linux 5.18 sched_switch has no state of the thread that stops, and that in the thread may have changed:
 * 9c2136be0878 "sched/tracing: Append prev_state to tp args instead".
 */
static __always_inline u32 task__state(struct task_struct *task)
{
	struct task_struct___state *newer = (void *)task;

	return bpf_core_field_exists(newer->__state) ? newer->__state : 0;
}

/* The registers of x86-64 and arm64 are known; on other machines the arguments of calls are unknown. */
static __always_inline bool has_x86_registers(void)
{
	return bpf_core_field_exists(((struct pt_regs___x86 *)0)->orig_ax);
}

static __always_inline bool has_arm64_registers(void)
{
	return bpf_core_field_exists(((struct pt_regs___arm64 *)0)->syscallno);
}

/* 32-bit programs number their system calls differently. */
static __always_inline bool task__is_32bit(struct task_struct *task)
{
	struct task_struct___x86 *x86 = (void *)task;
	struct task_struct___arm64 *arm64 = (void *)task;

	if (has_x86_registers() && bpf_core_field_exists(x86->thread_info.status))
		return x86->thread_info.status & TS_COMPAT;
	if (has_arm64_registers() && bpf_core_field_exists(arm64->thread_info.flags))
		return arm64->thread_info.flags & TIF_32BIT;
	return false;
}

/* The number of the system call with which a thread saved these registers; negative for a page fault. */
static __always_inline s32 registers__call(void *registers)
{
	if (has_x86_registers())
		return (s32)((struct pt_regs___x86 *)registers)->orig_ax;
	if (has_arm64_registers())
		return ((struct pt_regs___arm64 *)registers)->syscallno;
	return UNKNOWN_CALL;
}

static __always_inline u64 registers__argument_x86(struct pt_regs___x86 *registers, u32 number)
{
	switch (number) {
	case 0:
		return registers->di;
	case 1:
		return registers->si;
	case 2:
		return registers->dx;
	case 3:
		return registers->r10;
	default:
		return registers->r8;
	}
}

static __always_inline u64 registers__argument_arm64(struct pt_regs___arm64 *registers, u32 number)
{
	switch (number) {
	case 0:
		return registers->regs[0];
	case 1:
		return registers->regs[1];
	case 2:
		return registers->regs[2];
	case 3:
		return registers->regs[3];
	default:
		return registers->regs[4];
	}
}

/* One of the first five arguments of this call; `number` counts from 0. */
static __always_inline u64 registers__argument(void *registers, u32 number)
{
	if (has_x86_registers())
		return registers__argument_x86(registers, number);
	if (has_arm64_registers())
		return registers__argument_arm64(registers, number);
	return 0;
}

/* Where a task has its `struct kthread`: Linux 5.17 gave it a member of its own. */
static __always_inline u32 task__kthread_offset(void)
{
	struct task_struct___worker_private *task = NULL;

	if (bpf_core_field_exists(task->worker_private))
		return bpf_core_field_offset(struct task_struct___worker_private, worker_private);
	return bpf_core_field_offset(struct task_struct___set_child_tid, set_child_tid);
}

#endif
