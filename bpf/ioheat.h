/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * What the kernel programs and user space share: one record per I/O, and the mapped tables.
 * src/kernel/layout.ts says the same in TypeScript; a test compares the two.
 */
#ifndef IOHEAT_H
#define IOHEAT_H

#define COMM_LEN 16

#define REQ_OP_MASK 0xffu
#define REQ_OP_READ 0
#define REQ_OP_WRITE 1
#define REQ_OP_FLUSH 2
#define REQ_OP_DISCARD 3
#define REQ_OP_SECURE_ERASE 5
#define REQ_OP_WRITE_ZEROES 9
#define REQ_OP_DRV_IN 34
#define REQ_FUA (1u << 17)
#define REQ_PREFLUSH (1u << 18)

/* Bits of io_completion.flags. The first two equal KeyMark in src/model/key-table.ts. */
#define IO_OWNER_UNKNOWN (1u << 0)
#define IO_INDIRECT (1u << 1)
/* queue_ns is meaningless: the submission was not seen. */
#define IO_NO_START (1u << 8)
/* device_ns is meaningless: never issued (an empty flush) or the issue was not seen. */
#define IO_NO_ISSUE (1u << 9)

#define NO_SECTOR (~0ULL)

/* One finished request. From `dev` on come the fields that repeat from one I/O to the next. */
struct io_completion {
	__u64 complete_ns;
	/* First issue to completion. */
	__u64 device_ns;
	/* Queued to first issue; to completion when there was no issue. */
	__u64 queue_ns;
	/* 512-byte units on the whole disk, or NO_SECTOR. */
	__u64 sector;
	__u32 bytes;
	__u32 dev;
	__u32 cmd_flags;
	__u32 tgid;
	__u32 tid;
	__s16 error;
	__u16 flags;
	__u64 cgroup;
	char comm[COMM_LEN];
};

/* Bits of inflight.state; the low 8 are the operation, bits 17 and 18 REQ_FUA and REQ_PREFLUSH. */
#define STATE_OWNER_UNKNOWN (1u << 8)
#define STATE_INDIRECT (1u << 9)
#define STATE_REQUEUED (1u << 10)
/* `progress` holds what a partial completion or a flush sequence would make us forget. */
#define STATE_PROGRESS (1u << 11)

/*
 * A request between submission and completion. One cache line: it is written on one CPU and read on another.
 * User space maps these, without privilege: no address of the kernel may be in them.
 */
struct inflight {
	/* Names the request while it is in flight, see request__place(); 0 when the slot is free. */
	__u64 name;
	/* When its first bio was queued; 0: the submission was not seen. */
	__u64 start_ns;
	/* 0: not issued yet. */
	__u64 issue_ns;
	__u64 cgroup;
	__u64 comm[2];
	__u32 tgid;
	__u32 tid;
	__u32 dev;
	__u32 state;
};

/* The request as it was before its first partial completion. */
struct progress {
	__u64 sector;
	__u32 bytes;
	__s32 error;
};

/* Fine bins of src/model/fine-bins.ts: 16 to an octave, times up to 2^42 ns, sizes up to 2^32 bytes. */
#define SUB_BIN_BITS 4
#define TIME_BINS 624
#define SIZE_BINS 464
#define OFFSET_BINS 256
#define OP_CLASSES 5

/* A reader that sleeps through EPOCHS epochs can no longer tell which is which. */
#define EPOCHS 8
#define EPOCH_SHIFT 30

/*
 * Completions that found the ring full; never reset, the reader subtracts. `begun` is raised first and
 * `count` last: where they agree before and after a copy, the copy is consistent.
 */
struct summary {
	__u64 begun;
	__u64 count;
	__u64 bytes;
	__u64 errors;
	__u64 device_ns;
	__u64 queue_ns;
	/* Of epoch number `max_epoch` alone. */
	__u64 max_device_ns;
	__u64 max_queue_ns;
	__u64 max_epoch;
	__u32 device[TIME_BINS];
	__u32 queue[TIME_BINS];
	__u32 total[TIME_BINS];
	__u32 size[SIZE_BINS];
	__u32 offset[OFFSET_BINS];
};

#define FILTER_ENTRIES 16

/* Conjunction of three lists; an empty list lets everything pass. */
struct filter {
	__u32 dev_count;
	__u32 tgid_count;
	/* Bit i: class i of OP_CLASSES in src/model/operation.ts; 0: all. */
	__u32 op_classes;
	__u32 enabled;
	__u32 devs[FILTER_ENTRIES];
	__u32 tgids[FILTER_ENTRIES];
};

#define SUMMARY_DEVICES 64

/* What the loader says of this machine: read-only data, so the verifier drops what does not apply. */
struct target {
	/* Ordinary slots less one; a power of two less one. */
	__u32 slot_mask;
	/* Entries of control.devices in use; one more summary takes what is in none of them. */
	__u32 summary_devices;
	/* Copies of the summaries less one, so that CPUs do not fight over one line. */
	__u32 stripe_mask;
	/* block_io_start is absent: the owner is noted per bio and found through rq->bio. */
	__u32 owner_by_bio;
	/* block_bio_queue is there. */
	__u32 sees_queue;
};

struct summary_device {
	/* 0: free. */
	__u32 dev;
	/* Sectors per offset bin, as a power of two. */
	__u32 offset_shift;
};

/* Written by user space while the programs run. */
struct control {
	/* Which of the two filters counts: the other one is being written. */
	__u32 active_filter;
	__u32 reserved;
	struct filter filters[2];
	struct summary_device devices[SUMMARY_DEVICES];
};

/*
 * One per CPU and each field raised by one program alone, which never nests in itself: plain
 * additions are exact.
 */
struct counters {
	/* Requests finished; = filtered + delivered + summarised. */
	__u64 completed;
	__u64 filtered;
	__u64 delivered;
	__u64 summarised;
	/* Finished without a known submission. */
	__u64 unmatched;
	__u64 partial;
	/* First completions of requests that a flush sequence completes twice. */
	__u64 held;
	/* Second completions whose first was not held. */
	__u64 repeated;
	/* A request submitted, or issued, while its last life had not been seen to end: that one is lost. */
	__u64 overwritten_at_start;
	__u64 overwritten_at_issue;
	/* Both places for a request were taken. */
	__u64 no_slot_at_start;
	__u64 no_slot_at_issue;
	__u64 merged;
	__u64 requeued;
	/* The ring was full and no summary could be had: lost. */
	__u64 unsummarised;
	/* Submitted by whom nobody saw queue it: the wait for a free request is not in its queue time. */
	__u64 queue_unseen;
	__u64 reserved[8];
};

#define ASSERT_OFFSET(type, member, offset)                                                        \
	_Static_assert(__builtin_offsetof(struct type, member) == (offset), #type "." #member)

ASSERT_OFFSET(io_completion, sector, 24);
ASSERT_OFFSET(io_completion, dev, 36);
ASSERT_OFFSET(io_completion, error, 52);
ASSERT_OFFSET(io_completion, cgroup, 56);
ASSERT_OFFSET(io_completion, comm, 64);
_Static_assert(sizeof(struct io_completion) == 80, "io_completion has no holes");
_Static_assert(sizeof(struct inflight) == 64, "inflight is one cache line");
_Static_assert(sizeof(struct progress) == 16, "progress");
ASSERT_OFFSET(summary, device, 72);
_Static_assert(sizeof(struct summary) == 72 + 4 * (3 * TIME_BINS + SIZE_BINS + OFFSET_BINS),
	       "summary has no holes");
_Static_assert(sizeof(struct target) == 20, "target");
_Static_assert(sizeof(struct filter) == 144, "filter");
_Static_assert(sizeof(struct control) == 8 + 2 * 144 + 8 * SUMMARY_DEVICES, "control");
_Static_assert(sizeof(struct counters) == 192, "counters fill whole cache lines");

#endif
