/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * Where in its file the first byte of a bio is. Cached I/O has it from the page, direct I/O from the call. What is not
 * certain is unknown.
 */
#ifndef FILE_OFFSET_BPF_H
#define FILE_OFFSET_BPF_H

#include "drift.bpf.h"
#include "file_name.bpf.h"
#include "maps.bpf.h"

/* What the search for the file of a bio reads of it. Addresses are numbers, see as_number(). */
struct bio_facts {
	u64 address;
	u64 end;
	u64 private;
	u64 vectors;
	u64 sector;
	u32 bytes;
	u32 cmd_flags;
	u32 vector_index;
	u32 segment_done;
};

/* Memory of a bio: the first page, and the byte from there on at which the bio begins. */
struct memory {
	u64 page;
	u64 byte;
};

/* The file that caches a page, or 0; `page` becomes the first one of its folio. */
static __always_inline u64 page__mapping(u64 *page)
{
	u64 word = 0, mapping = 0;

	READ(word, *page + page__head_offset());
	*page = page__head(*page, word);
	READ(mapping, *page + bpf_core_field_offset(struct page, mapping));
	return mapping;
}

/* `head`: the first page of the folio that has `memory.page`, which `mapping` caches. */
static __always_inline u64 offset_of_memory(struct memory memory, u64 head, u64 mapping)
{
	u64 size = bpf_core_type_size(struct page), page = memory.page, index = 0;
	u32 shift = target.page_shift & 31;

	if (memory.byte >> shift) {
		page += (memory.byte >> shift) * size;
		head = page;
		if (page__mapping(&head) != mapping)
			return NO_FILE_OFFSET;
	}
	READ(index, head + page__index_offset());
	return ((index + (page - head) / size) << shift) + (memory.byte & ((1ULL << shift) - 1));
}

/* A bio, or the part of one that was split: `bytes` are those from its start to the end of the whole. */
struct part {
	u64 end_sector;
	u64 bytes;
	bool is_front;
	bool is_write;
};

static __always_inline struct part part_of(const struct bio_facts *bio, u64 whole)
{
	struct part part = { .is_front = bio->address != whole };
	u32 bytes = bio->bytes;

	part.end_sector = bio->sector + (bytes >> 9);
	part.is_write = bio->cmd_flags & 1;
	/* The rest shrinks as parts are split off and as it completes, and its end stays. */
	if (part.is_front) {
		READ(part.end_sector, whole + bpf_core_field_offset(struct bio, bi_iter.bi_sector));
		READ(bytes, whole + bpf_core_field_offset(struct bio, bi_iter.bi_size));
		part.end_sector += bytes >> 9;
	}
	part.bytes = (part.end_sector - bio->sector) << 9;
	return part;
}

/*
 * A direct write of a part of a block makes the file system write zeroes to the rest of it, in a bio before or after,
 * whose bytes do not count as submitted. True if the length of this bio is that of such zeroes.
 */
static __always_inline bool may_be_padding(u64 inode, u64 begin, u64 bytes)
{
	u64 mask;
	u8 bits = 0;

	READ(bits, inode + bpf_core_field_offset(struct inode, i_blkbits));
	mask = (1ULL << (bits & 31)) - 1;
	return (begin & mask) == bytes || (-(begin + bytes) & mask) == bytes;
}

/*
 * The call knows where it begins and how many bytes it has submitted. If these are as many as from here to the end
 * of the bio, then it has no other bio before this one, and this is its first part. Later parts of the same bio
 * end at the same sector.
 */
static __always_inline u64 offset_in_dio(u64 dio, u64 iocb, u64 inode, struct part part,
					 struct scratch *scratch)
{
	u64 begin = 0, submitted = 0;

	READ(submitted, dio + bpf_core_field_offset(struct iomap_dio, size));
	if (submitted != part.bytes) {
		if (scratch->words[SCRATCH_SPLIT_INODE] != inode ||
		    scratch->words[SCRATCH_SPLIT_END] != part.end_sector)
			return NO_FILE_OFFSET;
		return scratch->words[SCRATCH_SPLIT_OFFSET] - part.bytes;
	}
	READ(begin, iocb + bpf_core_field_offset(struct kiocb, ki_pos));
	if (part.is_write && may_be_padding(inode, begin, submitted))
		return NO_FILE_OFFSET;
	if (part.is_front) {
		scratch->words[SCRATCH_SPLIT_INODE] = inode;
		scratch->words[SCRATCH_SPLIT_END] = part.end_sector;
		scratch->words[SCRATCH_SPLIT_OFFSET] = begin + submitted;
	}
	return begin;
}

#endif
