/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* The first I/O, or call, of each file, and of each owner in each second: a sample may have none of them. */
#ifndef FIRST_BPF_H
#define FIRST_BPF_H

#include "filter.bpf.h"
#include "maps.bpf.h"

static __always_inline u64 first__mark(u64 whose, u64 of)
{
	u64 mark = whose * 0x9e3779b97f4a7c15ULL ^ of;

	mark ^= mark >> 32;
	mark *= 0xd6e8feb86659fd93ULL;
	return mark ^ mark >> 32;
}

/* Notes the mark in the place of one at random. If that was taken, its owner or file has a first I/O again. */
static __always_inline bool first__is_new(u64 mark)
{
	u32 index = (u32)(mark >> 8) & (FIRST_SETS - 1);
	struct first_set *set = bpf_map_lookup_elem(&firsts, &index);

	if (!set)
		return false;
#pragma unroll
	for (u32 way = 0; way < FIRST_WAYS; way++)
		if (set->marks[way] == mark)
			return false;
	set->marks[bpf_get_prandom_u32() & (FIRST_WAYS - 1)] = mark;
	return true;
}

static __always_inline u64 first__owner_mark(u64 now, u32 tgid, u64 of)
{
	return first__mark((now >> EPOCH_SHIFT) << 32 | tgid, of);
}

static __always_inline u64 first__file_mark(const struct file_id *id)
{
	return first__mark(id->inode, ~((u64)id->file_dev << 32 | id->generation));
}

/* There is a limit per second and CPU: a program may go through a million files. */
static __always_inline bool first__has_room(u64 now)
{
	struct counters *c = counters();
	u64 epoch = now >> EPOCH_SHIFT;

	if (!c)
		return false;
	if (c->firsts_epoch != epoch) {
		c->firsts_epoch = epoch;
		c->firsts = 0;
	}
	return c->firsts < target.most_firsts;
}

/* What an I/O, or call, may be the first of. */
struct first_of {
	u64 owner_mark;
	/* 0: the file is not known. */
	u64 file_mark;
};

/* `is_wanted`: it is delivered as a first one is, as long as there is room. */
static __always_inline bool first__is_any(u64 now, struct first_of of, bool is_wanted)
{
	bool is_owner, is_file;

	if (!first__has_room(now))
		return false;
	is_owner = first__is_new(of.owner_mark);
	is_file = of.file_mark && first__is_new(of.file_mark);
	if (!is_owner && !is_file && !is_wanted)
		return false;
	COUNT(firsts);
	return true;
}

static __always_inline bool is_first(const struct inflight *slot, u32 index, u64 now)
{
	u64 disk_and_class = (u64)slot->dev << 32 | op_class(slot->state);
	struct first_of of = { .owner_mark = first__owner_mark(now, slot->tgid, disk_and_class) };
	struct file_id *id = NULL;

	if (target.sees_files && slot->issue_ns)
		id = bpf_map_lookup_elem(&files, &index);
	if (id && id->inode)
		of.file_mark = first__file_mark(id);
	return first__is_any(now, of, false);
}

#endif
