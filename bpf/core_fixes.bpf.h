/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* Where kernels differ: each difference once, told apart by BTF and never by version. */
#ifndef CORE_FIXES_BPF_H
#define CORE_FIXES_BPF_H

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct request___rq_disk {
	struct gendisk *rq_disk;
};

struct bio___bi_disk {
	struct gendisk *bi_disk;
};

#pragma clang attribute pop

enum bpf_func_id___task_btf {
	BPF_FUNC_get_current_task_btf___task_btf = 158,
};

/*
 * Linux 5.15 gave the queue its disk (d152c682f03c), 5.17 took rq_disk out of the request
 * (f3fa33acca9f).
 */
static __always_inline struct gendisk *request__disk(struct request *rq)
{
	struct request___rq_disk *old = (void *)rq;

	if (bpf_core_field_exists(rq->q->disk))
		return rq->q->disk;
	return old->rq_disk;
}

/* Linux 5.12 (309dca309fc3): the whole disk, also when bi_bdev is a partition. */
static __always_inline struct gendisk *bio__disk(struct bio *bio)
{
	struct bio___bi_disk *old = (void *)bio;

	if (bpf_core_field_exists(bio->bi_bdev))
		return bio->bi_bdev->bd_disk;
	return old->bi_disk;
}

/* Linux 5.11 (3ca1032ab7ab): before, the task is not a typed pointer and takes helpers to read. */
static __always_inline bool has_typed_task(void)
{
	return bpf_core_enum_value_exists(enum bpf_func_id___task_btf,
					  BPF_FUNC_get_current_task_btf___task_btf);
}

/* Absent without CONFIG_CGROUPS. */
static __always_inline u64 task__cgroup(struct task_struct *task)
{
	if (!bpf_core_field_exists(task->cgroups))
		return 0;
	return task->cgroups->dfl_cgrp->kn->id;
}

/* Absent without CONFIG_BLK_CGROUP. */
static __always_inline u64 bio__cgroup(struct bio *bio)
{
	if (!bpf_core_field_exists(bio->bi_blkg))
		return 0;
	return bio->bi_blkg->blkcg->css.cgroup->kn->id;
}

#endif
