/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * Who wrote the data that a kernel thread writes back: noted per file when a page becomes dirty, in the context of
 * the writer. A page that is dirty already has no second event, so who changes it again is not noted.
 */
#ifndef WRITER_BPF_H
#define WRITER_BPF_H

#include "file.bpf.h"
#include "owner.bpf.h"

/*
 * The tree of a file's pages knows whether any is dirty or under writeback, by the highest bits of its flags: the
 * first is 2^23 to 2^28, by version and configuration. Others are below 2^6.
 */
#define TREE_TAGS 0xfff00000

static __always_inline u64 dirtied__check(const struct dirtied_file *note)
{
	return note->address ^ note->inode ^ owner__check(&note->owner);
}

static __always_inline struct dirtied_set *dirtied_set(u64 address)
{
	u32 index = (u32)(address >> 6) * 0x9e3779b1u >> 19;

	return bpf_map_lookup_elem(&dirtied, &index);
}

static __always_inline struct dirtied_file *dirtied__find(struct dirtied_set *set, u64 address)
{
	if (set->ways[0].address == address)
		return &set->ways[0];
	return set->ways[1].address == address ? &set->ways[1] : NULL;
}

/* Of two files, the one that was noted first makes room. */
static __always_inline struct dirtied_file *dirtied__replace(struct dirtied_set *set)
{
	u32 way = set->ways[0].is_latest;

	set->ways[0].is_latest = !way;
	return way ? &set->ways[1] : &set->ways[0];
}

static __always_inline void dirtied__fill(struct dirtied_file *note, u64 address, u64 inode,
					  bool has_several)
{
	note->address = address;
	note->inode = inode;
	note->is_kernel = !!(owner__current(&note->owner) & PF_KTHREAD);
	note->has_several = has_several;
	note->check = dirtied__check(note);
}

/*
 * Called under the lock of the file's tree, before the page is tagged: tags are those of other pages. A file that has
 * tags but no note may have been written to by others before.
 */
static __always_inline int on_dirty(struct address_space *mapping)
{
	struct scratch *scratch = scratch_for(SCRATCH_OF_REQUEST);
	struct dirtied_file *note;
	struct dirtied_set *set;
	struct inode *inode;
	bool has_others;
	u64 address;

	if (!scratch || !mapping)
		return 0;
	inode = mapping->host;
	if (!inode)
		return 0;
	*(volatile u64 *)&scratch->words[SCRATCH_DIRTIED] = (u64)inode;
	address = *(volatile u64 *)&scratch->words[SCRATCH_DIRTIED];
	set = dirtied_set(address);
	if (!set)
		return 0;
	note = dirtied__find(set, address);
	if (note && owner__is_current(&note->owner) && !note->has_several && note->inode == inode->i_ino)
		return 0;
	has_others = mapping->i_pages.xa_flags & TREE_TAGS;
	if (!note)
		note = dirtied__replace(set);
	else if (note->owner.tgid == current_tgid())
		has_others = has_others && note->has_several;
	dirtied__fill(note, address, inode->i_ino, has_others);
	return 0;
}

/* Leaves the address of the inode in the scratch space: 0 unless the data are of the page cache. */
static __noinline int bio__find_cached(struct bio *bio, struct scratch *scratch)
{
	struct bio_facts facts = facts_of(bio, scratch);
	struct found result = of_first_page(&facts, false);

	*(volatile u64 *)&scratch->words[SCRATCH_INODE] =
		result.kind == FILE_REGULAR ? result.inode : 0;
	return 0;
}

/* A copy, as another CPU may write the note; false if it did. */
static __always_inline bool read_note(struct dirtied_file *copy, u64 address)
{
	struct dirtied_set *set = dirtied_set(address);
	struct dirtied_file *note = set ? dirtied__find(set, address) : NULL;

	if (!note)
		return false;
	*copy = *note;
	return copy->address == address && copy->check == dirtied__check(copy);
}

static __always_inline bool is_written_back(const struct inflight *slot)
{
	return slot->state & STATE_INDIRECT && (slot->state & REQ_OP_MASK) == REQ_OP_WRITE;
}

/* Makes the process that wrote the data the owner of a write by a kernel thread. `index`: of the slot. */
static __always_inline void note_writer(struct inflight *slot, u32 index, struct bio *bio,
					u32 scratch_place)
{
	struct file_id *id = bpf_map_lookup_elem(&files, &index);
	struct via *via = bpf_map_lookup_elem(&vias, &index);
	struct scratch *scratch = scratch_for(scratch_place);
	struct dirtied_file note;
	u64 address;

	if (!id || !via || !scratch || !bio || id->flags >> FILE_KIND_SHIFT != FILE_REGULAR)
		return;
	bio__find_cached(bio, scratch);
	address = scratch->words[SCRATCH_INODE];
	if (!address)
		return;
	if (!read_note(&note, address) || note.inode != id->inode || note.is_kernel)
		return;
	slot__give(slot, via, &note.owner);
	if (note.has_several)
		slot->state |= STATE_SEVERAL_WRITERS;
}

#endif
