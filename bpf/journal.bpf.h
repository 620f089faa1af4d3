/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * Who filled the journal of ext4 (jbd2), whose own thread writes it. A transaction has the blocks of all who changed
 * metadata since the one before, so each I/O of it is given to one of them, drawn with the chance of its share of the
 * blocks: what is summed over many is right.
 */
#ifndef JOURNAL_BPF_H
#define JOURNAL_BPF_H

#include "file.bpf.h"
#include "maps.bpf.h"
#include "owner.bpf.h"

/* Far above what a handle may change, so that shares are exact in 64 bits. */
#define MOST_BLOCKS (1 << 20)

static __always_inline struct transaction *transaction_of(u32 dev, u32 id)
{
	u32 index = ((dev * 0x9e3779b1u >> 16) + id) & (TRANSACTIONS - 1);

	return bpf_map_lookup_elem(&transactions, &index);
}

static __always_inline struct commit *commit_of(u32 tid)
{
	u32 index = tid & (COMMITS - 1);

	return bpf_map_lookup_elem(&commits, &index);
}

static __always_inline void transaction__begin(struct transaction *transaction, u32 dev, u32 id)
{
	transaction->dev = dev;
	transaction->id = id;
	transaction->blocks = 0;
	transaction->has_several = 0;
	transaction->first_tgid = current_tgid();
}

/* Each of `fillers` stays who it is with the chance of the blocks before: a reservoir of one. */
static __always_inline void transaction__draw(struct transaction *transaction, u32 blocks)
{
	u32 draw = bpf_get_prandom_u32(), total = transaction->blocks;
	struct filler filler;
	u64 drawn = 0;

	for (int place = 0; place < FILLERS; place++) {
		/* Evenly spread, so that each has the same chance and together they are close to the shares. */
		u32 own = draw + place * (u32)((1ULL << 32) / FILLERS);

		/* 1 where the first is less. */
		drawn |= ((((u64)own * total) >> 32) - blocks) >> 63 << place;
	}
	if (!drawn)
		return;
	filler.is_kernel = !!(owner__current(&filler.owner) & PF_KTHREAD);
	filler.reserved = 0;
	filler.check = owner__check(&filler.owner);
	for (int place = 0; place < FILLERS; place++)
		if (drawn >> place & 1)
			transaction->fillers[place] = filler;
}

/* Kernel threads that only write data back take part in every transaction, and change nothing of their own in it. */
static __always_inline bool is_kernel_thread(void)
{
	struct owner owner;

	return owner__current(&owner) & PF_KTHREAD;
}

/*
 * Runs in the thread that ends a handle. A block counts for the first thread that changes it in a transaction: inodes
 * share blocks, so a process may take part without a block of its own. If two CPUs are here at once, each may get a
 * chance that is too small by the blocks of the other, which is negligible.
 */
static __always_inline int on_handle_stop(u32 dev, u32 id, s32 blocks)
{
	struct transaction *transaction;

	if (blocks < 0 || blocks > MOST_BLOCKS)
		return 0;
	transaction = transaction_of(dev, id);
	if (!transaction)
		return 0;
	if (transaction->id != id || transaction->dev != dev) {
		if (blocks)
			transaction__begin(transaction, dev, id);
	} else if (!transaction->has_several && transaction->first_tgid != current_tgid()) {
		if (blocks || !is_kernel_thread())
			transaction->has_several = 1;
	}
	if (!blocks)
		return 0;
	__sync_fetch_and_add(&transaction->blocks, blocks);
	transaction__draw(transaction, blocks);
	return 0;
}

/*
 * Runs in the thread of the journal, when all handles have ended and before it writes anything. Where jbd2 is a module,
 * the verifier of newer kernels assumes that both arguments may be NULL.
 */
static __always_inline int on_commit(struct journal_s *journal, struct transaction_s *transaction)
{
	struct commit *commit;
	struct owner thread;

	if (!journal || !transaction)
		return 0;
	owner__current(&thread);
	commit = commit_of(thread.tid);
	if (!commit)
		return 0;
	commit->tid = thread.tid;
	commit->comm[0] = thread.comm[0];
	commit->comm[1] = thread.comm[1];
	commit->dev = journal->j_fs_dev->bd_dev;
	commit->id = transaction->t_tid;
	commit->given = 0;
	return 0;
}

static __always_inline bool commit__is_by(const struct commit *commit, const struct inflight *slot)
{
	return commit->tid == slot->tid && commit->comm[0] == slot->comm[0] &&
	       commit->comm[1] == slot->comm[1];
}

/*
 * What the thread writes of the device's own cache, or of metadata, is of the journal: records of revoked blocks end like
 * metadata, and below a volume everything does. It writes data of files as well.
 */
static __always_inline bool note_journal(const struct inflight *slot, u32 index)
{
	struct file_id *id = bpf_map_lookup_elem(&files, &index);
	u32 kind = id ? id->flags >> FILE_KIND_SHIFT : FILE_UNKNOWN;

	if (id && (kind == FILE_METADATA || kind == FILE_DEVICE_CACHE))
		fill_file(id, 0, FILE_JOURNAL, NAME_OF_IO);
	return kind == FILE_JOURNAL || kind == FILE_METADATA || kind == FILE_DEVICE_CACHE ||
	       (slot->state & REQ_OP_MASK) == REQ_OP_FLUSH;
}

/* By turns, so that the I/Os of a transaction are of several. A copy: another CPU may write it. */
static __always_inline bool transaction__next(struct transaction *transaction,
					      struct commit *commit, struct filler *copy)
{
	*copy = transaction->fillers[commit->given++ & (FILLERS - 1)];
	return transaction->id == commit->id && transaction->dev == commit->dev &&
	       copy->check == owner__check(&copy->owner) && !copy->is_kernel;
}

/* Makes a process that filled the transaction the owner of what the journal's thread writes. `index`: of the slot. */
static __always_inline void note_filler(struct inflight *slot, u32 index)
{
	struct commit *commit = commit_of(slot->tid);
	struct via *via = bpf_map_lookup_elem(&vias, &index);
	struct transaction *transaction;
	struct filler filler;

	if (!commit || !via || !commit__is_by(commit, slot) || !note_journal(slot, index))
		return;
	transaction = transaction_of(commit->dev, commit->id);
	if (!transaction || !transaction__next(transaction, commit, &filler))
		return;
	slot__give(slot, via, &filler.owner);
	if (transaction->has_several)
		slot->state |= STATE_SEVERAL_WRITERS;
}

#endif
