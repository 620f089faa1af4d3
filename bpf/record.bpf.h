/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* What the record of an I/O to a disk or volume takes from its slot: owner, kernel thread and file. */
#ifndef RECORD_BPF_H
#define RECORD_BPF_H

#include "maps.bpf.h"

/* Sets `io->flags`, to which others add. */
static __always_inline void record__owner(struct io_completion *io, const struct inflight *slot)
{
	io->flags = slot->state >> STATE_MARK_SHIFT &
		    (IO_OWNER_UNKNOWN | IO_INDIRECT | IO_HAS_VIA | IO_SEVERAL_WRITERS);
	io->tgid = slot->tgid;
	io->tid = slot->tid;
	io->cgroup = slot->cgroup;
	((u64 *)io->comm)[0] = slot->comm[0];
	((u64 *)io->comm)[1] = slot->comm[1];
}

/* Only what was issued has noted its file. `index`: of the slot. */
static __always_inline void record__file(struct io_completion *io, const struct inflight *slot,
					 u32 index)
{
	struct file_id *id = NULL;

	if (target.sees_files && slot->issue_ns)
		id = bpf_map_lookup_elem(&files, &index);
	io->inode = id ? id->inode : 0;
	io->file_dev = id ? id->file_dev : 0;
	io->generation = id ? id->generation : 0;
	io->file_offset = id ? id->offset : NO_FILE_OFFSET;
	if (id)
		io->flags |= id->flags;
}

static __always_inline void record__via(struct io_completion *io, const struct inflight *slot,
					u32 index)
{
	struct via *via = NULL;

	if (target.sees_writers && slot->state & STATE_HAS_VIA)
		via = bpf_map_lookup_elem(&vias, &index);
	((u64 *)io->via)[0] = via ? via->comm[0] : 0;
	((u64 *)io->via)[1] = via ? via->comm[1] : 0;
}

#endif
