/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* Notes the addresses of the requests that are issued to one disk, and of their bios. */
#include "kernel_types.h"
#include <bpf/bpf_helpers.h>

#define ROOM 1024

const volatile u32 wanted_dev = 0;

struct seen {
	u64 count;
	u64 addresses[2 * ROOM];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct seen);
} witnessed SEC(".maps");

SEC("tp_btf/block_rq_issue")
int on_issue(u64 *ctx)
{
	struct request *rq = (void *)ctx[0];
	struct gendisk *disk = rq->q->disk;
	u32 zero = 0;
	struct seen *seen = bpf_map_lookup_elem(&witnessed, &zero);
	u64 at;

	if (!seen || ((u32)disk->major << 20 | (u32)disk->first_minor) != wanted_dev)
		return 0;
	/* Several processors issue at the same time. */
	at = __sync_fetch_and_add(&seen->count, 1);
	if (at >= ROOM)
		return 0;
	seen->addresses[2 * at] = (u64)rq;
	seen->addresses[2 * at + 1] = (u64)rq->bio;
	return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
