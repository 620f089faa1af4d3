/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* What the person wants to see: judged when the I/O completes, and changeable at any time. */
#ifndef FILTER_BPF_H
#define FILTER_BPF_H

#include "maps.bpf.h"

static __always_inline enum op_class op_class(u32 cmd_flags)
{
	switch (cmd_flags & REQ_OP_MASK) {
	case REQ_OP_READ:
		return OP_CLASS_READ;
	case REQ_OP_WRITE:
	case REQ_OP_WRITE_ZEROES:
		return OP_CLASS_WRITE;
	case REQ_OP_FLUSH:
		return OP_CLASS_FLUSH;
	case REQ_OP_DISCARD:
	case REQ_OP_SECURE_ERASE:
		return OP_CLASS_DISCARD;
	default:
		return OP_CLASS_OTHER;
	}
}

/* No early return: the verifier would follow each of them to the end of the program. */
static __always_inline bool list__passes(const struct filter_list *list, u32 value)
{
	u32 count = list->count;
	u64 found = 0;

	for (u32 i = 0; i < FILTER_ENTRIES && i < count; i++)
		found |= ((u64)(list->values[i] ^ value) - 1) >> 63;
	return !count || found != list->excludes;
}

/* NULL if everything passes. */
static __always_inline const struct filter *active_filter(void)
{
	struct control *c = control();
	const struct filter *filter;

	if (!c)
		return NULL;
	filter = c->active_filter ? &c->filters[1] : &c->filters[0];
	return filter->enabled ? filter : NULL;
}

/*
 * Whether some I/O of this disk passes: if not, it is not worth looking for its file. Not static: see bpf/README.md.
 */
__noinline int filter__passes_disk(u32 dev)
{
	const struct filter *filter = active_filter();

	return !filter || list__passes(&filter->devs, dev);
}

/* All conditions of one filter, though it may be another one than a moment ago. Not static: see bpf/README.md. */
__noinline int filter__judge(u32 dev, u32 tgid, u32 cmd_flags)
{
	const struct filter *filter = active_filter();

	if (!filter)
		return true;
	if (filter->op_classes && !(filter->op_classes >> op_class(cmd_flags) & 1))
		return false;
	return list__passes(&filter->devs, dev) && list__passes(&filter->tgids, tgid);
}

static __always_inline bool filter__passes(u32 dev, u32 tgid, u32 cmd_flags)
{
	return !active_filter() || filter__judge(dev, tgid, cmd_flags);
}

#endif
