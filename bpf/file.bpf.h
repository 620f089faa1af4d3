/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * Whose bytes a request has: the function that ends a bio says what kind of I/O it is, and whether its pages
 * are those of a file or of a program's memory. What is not certain is unknown.
 */
#ifndef FILE_BPF_H
#define FILE_BPF_H

#include "drift.bpf.h"
#include "file_name.bpf.h"
#include "file_offset.bpf.h"
#include "filter.bpf.h"
#include "maps.bpf.h"

/* Looked up in /proc/kallsyms at load; 0 where there is none, or where it may not be read. */
extern const void bio_chain_endio __ksym __weak;
extern const void submit_bio_wait_endio __ksym __weak;
extern const void bio_wait_end_io __ksym __weak;
extern const void iomap_dio_bio_end_io __ksym __weak;
extern const void dio_bio_end_io __ksym __weak;
extern const void dio_bio_end_aio __ksym __weak;
extern const void blkdev_bio_end_io __ksym __weak;
extern const void blkdev_bio_end_io_async __ksym __weak;
extern const void blkdev_bio_end_io_simple __ksym __weak;
extern const void end_swap_bio_write __ksym __weak;
extern const void end_swap_bio_read __ksym __weak;
extern const void xfs_buf_bio_end_io __ksym __weak;
extern const void xlog_bio_end_io __ksym __weak;
extern const void btrfs_simple_end_io __ksym __weak;
extern const void end_bio_bh_io_sync __ksym __weak;
extern const void journal_end_buffer_io_sync __ksym __weak;

#define ENDS_BY(end, symbol) (&symbol && (end) == (u64)&symbol)

/* What a bio is of. `inode` is an address, 0 where the kind says it all; `offset` that of the first byte in the file. */
struct found {
	u64 inode;
	u64 offset;
	u32 kind;
};

/* The verifier refuses arithmetic on a pointer; what is read back from a map is a number. */
static __always_inline u64 as_number(struct scratch *scratch, const void *pointer)
{
	*(volatile u64 *)&scratch->words[SCRATCH_ADDRESS] = (u64)pointer;
	return *(volatile u64 *)&scratch->words[SCRATCH_ADDRESS];
}

static __always_inline struct found found(u32 kind, u64 inode)
{
	struct found result = { .inode = inode, .offset = NO_FILE_OFFSET, .kind = kind };

	return result;
}

/* With an inode it is its file, without one nothing is known. */
static __always_inline struct found found_file(u64 inode)
{
	return found(inode ? FILE_REGULAR : FILE_UNKNOWN, inode);
}

static __always_inline struct found of_iomap_dio(u64 dio, struct part part, struct scratch *scratch)
{
	struct found result;
	u64 iocb = 0, at = 0;

	if (!bpf_core_type_exists(struct iomap_dio))
		return found_file(0);
	READ(iocb, dio + bpf_core_field_offset(struct iomap_dio, iocb));
	READ(at, iocb + bpf_core_field_offset(struct kiocb, ki_filp));
	READ(at, at + bpf_core_field_offset(struct file, f_inode));
	result = found_file(at);
	if (at)
		result.offset = offset_in_dio(dio, iocb, at, part, scratch);
	return result;
}

static __always_inline struct found of_dio(u64 dio)
{
	u64 inode = 0;

	if (!bpf_core_type_exists(struct dio))
		return found_file(0);
	READ(inode, dio + bpf_core_field_offset(struct dio, inode));
	return found_file(inode);
}

static __always_inline bool is_journal(u64 buffer)
{
	u64 end = 0;

	READ(end, buffer + bpf_core_field_offset(struct buffer_head, b_end_io));
	return ENDS_BY(end, journal_end_buffer_io_sync);
}

#define PAGE_FLAG(name) (1ULL << bpf_core_enum_value(enum pageflags___bits, name##___bits))

static __always_inline u64 page__flags(u64 page)
{
	u64 flags = 0;

	READ(flags, page + page__flags_offset());
	return flags;
}

/*
 * Memory of a program may be a mapped file, which is not the one that is read or written. A file's own pages
 * are locked while they are read, and under writeback while they are written.
 */
static __always_inline bool page__is_busy(u64 page)
{
	return page__flags(page) & (PAGE_FLAG(PG_locked) | PAGE_FLAG(PG_writeback));
}

/*
 * Where the submitter waits for each bio, as with zram, and below volumes, only the page says that it is swap: it is
 * written from the cache of swap, and nothing maps it before it is read.
 */
static __always_inline bool page__is_swapped(u64 page, u64 mapping)
{
	u64 flags = page__flags(page);

	if (!(flags & PAGE_FLAG(PG_swapbacked)))
		return false;
	if (mapping)
		return flags & PAGE_FLAG(PG_swapcache) && flags & PAGE_FLAG(PG_writeback);
	return flags & (PAGE_FLAG(PG_locked) | PAGE_FLAG(PG_writeback));
}

/* The inode that the page caches, or 0. Pages of slabs have something else where others have the mapping. */
static __always_inline u64 mapping__inode(u64 mapping)
{
	u64 inode = 0;

	READ(inode, mapping + bpf_core_field_offset(struct address_space, host));
	return mapping == inode + bpf_core_field_offset(struct inode, i_data) ? inode : 0;
}

/* The bio says the inode; the pages of compressed and of direct I/O are not those of the file. */
static __always_inline struct found of_btrfs(u64 bio, struct memory memory)
{
	struct found result;
	u64 inode = 0, head = memory.page, mapping;

	if (!bpf_core_field_exists(((struct btrfs_bio___inode *)0)->inode))
		return found_file(0);
	READ(inode, bio - bpf_core_field_offset(struct btrfs_bio___inode, bio) +
			    bpf_core_field_offset(struct btrfs_bio___inode, inode));
	if (!inode)
		return found_file(0);
	inode += bpf_core_field_offset(struct btrfs_inode___vfs, vfs_inode);
	result = found_file(inode);
	mapping = page__mapping(&head);
	if (mapping == inode + bpf_core_field_offset(struct inode, i_data) && page__is_busy(head))
		result.offset = offset_of_memory(memory, head, mapping);
	return result;
}

/* `waits`: the submitter waits for the bio itself, which direct I/O to a device does. */
static __always_inline struct found of_memory(struct memory memory, bool waits)
{
	u64 page = memory.page, mapping = page__mapping(&page), inode;
	bool is_copy = !mapping;
	struct found result;
	u16 mode = 0;

	if ((!mapping || mapping & 3) && page__is_swapped(page, mapping))
		return found(FILE_SWAP, 0);
	/* fscrypt writes encrypted copies of pages, and each copy has the page. */
	if (is_copy) {
		READ(page, page + bpf_core_field_offset(struct page, private));
		mapping = page ? page__mapping(&page) : 0;
	}
	if (!mapping)
		return found_file(0);
	/* Anonymous memory. */
	if (mapping & 3)
		return found(waits && !page__is_busy(page) ? FILE_DEVICE : FILE_UNKNOWN, 0);
	inode = mapping__inode(mapping);
	if (!inode)
		return found_file(0);
	READ(mode, inode + bpf_core_field_offset(struct inode, i_mode));
	if ((mode & S_IFMT) == S_IFBLK)
		return found(FILE_DEVICE_CACHE, inode);
	result = found_file(page__is_busy(page) ? inode : 0);
	if (result.inode && !is_copy)
		result.offset = offset_of_memory(memory, page, mapping);
	return result;
}

static __always_inline struct bio_facts facts_of(struct bio *bio, struct scratch *scratch)
{
	struct bio_facts facts = {
		.end = (u64)bio->bi_end_io,
		.private = (u64)bio->bi_private,
		.sector = bio->bi_iter.bi_sector,
		.bytes = bio->bi_iter.bi_size,
		.cmd_flags = bio->bi_opf,
		.vector_index = bio->bi_iter.bi_idx,
		.segment_done = bio__segment_done(bio),
	};
	/* See struct queues. */
	const struct bio_vec *vectors = bio->bi_io_vec;

	facts.address = as_number(scratch, bio);
	facts.vectors = as_number(scratch, vectors);
	return facts;
}

static __always_inline struct bio_facts facts_at(u64 address)
{
	struct bio_facts facts = { .address = address };

	READ(facts.end, address + bpf_core_field_offset(struct bio, bi_end_io));
	READ(facts.private, address + bpf_core_field_offset(struct bio, bi_private));
	READ(facts.vectors, address + bpf_core_field_offset(struct bio, bi_io_vec));
	READ(facts.sector, address + bpf_core_field_offset(struct bio, bi_iter.bi_sector));
	READ(facts.bytes, address + bpf_core_field_offset(struct bio, bi_iter.bi_size));
	READ(facts.cmd_flags, address + bpf_core_field_offset(struct bio, bi_opf));
	READ(facts.vector_index, address + bpf_core_field_offset(struct bio, bi_iter.bi_idx));
	READ(facts.segment_done, address + bio__segment_done_offset());
	return facts;
}

static __always_inline struct memory memory_of(const struct bio_facts *bio)
{
	u64 vector = bio->vectors + (u64)bio->vector_index * bpf_core_type_size(struct bio_vec);
	struct memory memory = {};
	u32 offset = 0;

	READ(memory.page, vector + bpf_core_field_offset(struct bio_vec, bv_page));
	READ(offset, vector + bpf_core_field_offset(struct bio_vec, bv_offset));
	memory.byte = (u64)offset + bio->segment_done;
	return memory;
}

static __always_inline struct found of_first_page(const struct bio_facts *bio, bool waits)
{
	struct memory memory = memory_of(bio);

	return memory.page ? of_memory(memory, waits) : found_file(0);
}

/* The front part of a split bio ends in bio_chain_endio(); only the rest of it has the original end function. */
static __always_inline void follow_chain(u64 *bio, u64 *end, u64 *private)
{
	if (!ENDS_BY(*end, bio_chain_endio))
		return;
	*bio = *private;
	READ(*end, *bio + bpf_core_field_offset(struct bio, bi_end_io));
	READ(*private, *bio + bpf_core_field_offset(struct bio, bi_private));
}

static __always_inline struct found bio__found(const struct bio_facts *bio, struct scratch *scratch)
{
	u64 address = bio->address, end = bio->end, private = bio->private;

	follow_chain(&address, &end, &private);
	follow_chain(&address, &end, &private);
	if (ENDS_BY(end, iomap_dio_bio_end_io))
		return of_iomap_dio(private, part_of(bio, address), scratch);
	if (ENDS_BY(end, dio_bio_end_io) || ENDS_BY(end, dio_bio_end_aio))
		return of_dio(private);
	if (ENDS_BY(end, blkdev_bio_end_io) || ENDS_BY(end, blkdev_bio_end_io_async) ||
	    ENDS_BY(end, blkdev_bio_end_io_simple))
		return found(FILE_DEVICE, 0);
	if (ENDS_BY(end, end_swap_bio_write) || ENDS_BY(end, end_swap_bio_read))
		return found(FILE_SWAP, 0);
	if (ENDS_BY(end, xfs_buf_bio_end_io))
		return found(FILE_METADATA, 0);
	/* Since Linux 7, the bio of a buffer has the end function of the buffer itself. */
	if (ENDS_BY(end, xlog_bio_end_io) || ENDS_BY(end, journal_end_buffer_io_sync))
		return found(FILE_JOURNAL, 0);
	if (ENDS_BY(end, btrfs_simple_end_io))
		return of_btrfs(address, memory_of(bio));
	if (ENDS_BY(end, end_bio_bh_io_sync) && is_journal(private))
		return found(FILE_JOURNAL, 0);
	return of_first_page(bio, ENDS_BY(end, submit_bio_wait_endio) ||
					  ENDS_BY(end, bio_wait_end_io));
}

/*
 * Leaves the result in the scratch space: in registers, each kind of a bio would be a state of its own, which the verifier
 * would follow to the end of the program.
 */
static __noinline int bio__find(struct bio *bio, struct scratch *scratch)
{
	struct bio_facts facts = facts_of(bio, scratch);
	struct found result = bio__found(&facts, scratch);

	*(volatile u64 *)&scratch->words[SCRATCH_INODE] = result.inode;
	*(volatile u64 *)&scratch->words[SCRATCH_KIND] = result.kind;
	*(volatile u64 *)&scratch->words[SCRATCH_OFFSET] = result.offset;
	return 0;
}

/*
 * Whether the bio at this address is of another file than the one that was found for the request. Not static: see
 * bpf/README.md.
 */
__noinline int is_of_other_file(u64 address)
{
	struct scratch *scratch = scratch_for(SCRATCH_OF_REQUEST);
	struct bio_facts facts = facts_at(address);
	struct found result;

	if (!scratch)
		return false;
	result = bio__found(&facts, scratch);
	return scratch->words[SCRATCH_INODE] != result.inode ||
	       scratch->words[SCRATCH_KIND] != result.kind;
}

/* Compares the file of the first bio with those of the next ones, COMPARED_BIOS in all, and of the last one. */
static __always_inline bool has_other_files(u64 bio, u64 last)
{
	for (int i = 1; i < COMPARED_BIOS; i++) {
		READ(bio, bio + bpf_core_field_offset(struct bio, bi_next));
		if (!bio)
			return false;
		if (is_of_other_file(bio))
			return true;
	}
	return last && is_of_other_file(last);
}

static __always_inline bool has_data(u32 op, struct bio *bio)
{
	return (op == REQ_OP_READ || op == REQ_OP_WRITE) && bio && bio->bi_iter.bi_size;
}

/*
 * Notes the file of the request in the slot of this number, and sends its name. All bios are looked at before the file
 * is filled in: the verifier would look at them once for each way to do that.
 */
static __always_inline void note_file(struct request *rq, struct bio *bio, u32 slot, u32 dev)
{
	struct file_id *id = bpf_map_lookup_elem(&files, &slot);
	struct scratch *scratch = scratch_for(SCRATCH_OF_REQUEST);
	struct bio *last;
	bool has_others;
	u64 inode, offset;
	u32 kind;

	if (!id || !scratch)
		return;
	id->flags = 0;
	id->inode = 0;
	id->offset = NO_FILE_OFFSET;
	/* A wait that gets its file from here is of this disk, too. */
	if (!has_data(rq->cmd_flags & REQ_OP_MASK, bio) || !filter__passes_disk(dev))
		return;
	bio__find(bio, scratch);
	inode = scratch->words[SCRATCH_INODE];
	kind = scratch->words[SCRATCH_KIND];
	offset = scratch->words[SCRATCH_OFFSET];
	if (kind == FILE_UNKNOWN) {
		COUNT(file_unknown);
		return;
	}
	last = rq->biotail;
	has_others = last != bio && has_other_files(as_number(scratch, bio), as_number(scratch, last));
	fill_file(id, inode, kind, NAME_OF_IO);
	/* Inodes that turn out to be of metadata have no offsets. */
	id->offset = id->flags == FILE_REGULAR << FILE_KIND_SHIFT ? offset : NO_FILE_OFFSET;
	if (has_others) {
		id->flags |= IO_OTHER_FILES;
		COUNT(files_merged);
	}
}

#endif
