/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * For whom a kernel thread submits an I/O, to a disk or a volume: the process that wrote the data, one that filled the
 * journal, or the thread that waits.
 */
#ifndef ON_BEHALF_BPF_H
#define ON_BEHALF_BPF_H

#include "journal.bpf.h"
#include "waiter.bpf.h"
#include "writer.bpf.h"

/* After the file of the slot of this number was noted. `scratch_place`: see SCRATCH_OF_BIO. */
static __always_inline void note_on_behalf(struct inflight *slot, u32 index, struct bio *bio,
					   u32 scratch_place)
{
	if (target.sees_writers && is_written_back(slot))
		note_writer(slot, index, bio, scratch_place);
	if (target.sees_journals && is_for_somebody_else(slot))
		note_filler(slot, index);
	if (target.sees_writers && is_for_somebody_else(slot))
		note_waiter(slot, index, bio, scratch_place);
}

#endif
