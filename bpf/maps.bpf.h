/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * Maps, and the read-only data that describes this machine. The loader sets the sizes that depend on the
 * machine (src/kernel/attach/load-object.ts); bpf/README.md has them, and who reads each map.
 */
#ifndef MAPS_BPF_H
#define MAPS_BPF_H

#include "ioheat.h"

#define QUEUED_SETS 4096
#define SECTOR_BYTES 512
#define ASLEEP_MARKS 32768

const volatile struct target target = { .slot_mask = 1023, .summary_devices = 1 };

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 1 << 24);
} events SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1024 + FLUSH_SLOTS);
	__type(key, u32);
	__type(value, struct inflight);
} inflight SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1024 + FLUSH_SLOTS);
	__type(key, u32);
	__type(value, struct extent);
} extents SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1024 + FLUSH_SLOTS);
	__type(key, u32);
	__type(value, struct progress);
} progress SEC(".maps");

/* The part of a bio that has not become a request yet. */
struct queued {
	/* 0: all of it has become requests. */
	u64 ns;
	u64 sector;
	u32 bytes;
	u32 dev;
	u32 tid;
	u32 reserved;
};

/* A cache line. */
struct queued_set {
	struct queued ways[2];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, QUEUED_SETS);
	__type(key, u32);
	__type(value, struct queued_set);
} queued SEC(".maps");

/* What getrq notes until the request is issued. Never passed to user space: it has addresses of the kernel. */
struct bio_note {
	u64 bio;
	struct inflight owner;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct bio_note);
} bio_owners SEC(".maps");

/*
 * Which program uses which word. None of them nests in itself since Linux 6.1, 05b24ff9b2cf "bpf: Prevent bpf program
 * recursion for raw tracepoint probes". Before, one that runs in an interrupt may change a word that the same program,
 * interrupted, has yet to read: rarely, an I/O is taken for another one, or has its file.
 */
enum { SCRATCH_GETRQ, SCRATCH_ISSUE, SCRATCH_COMPLETE, SCRATCH_ADDRESS, SCRATCH_INODE, SCRATCH_KIND,
       SCRATCH_DIRTIED, SCRATCH_OFFSET, SCRATCH_SPLIT_INODE, SCRATCH_SPLIT_END,
       SCRATCH_SPLIT_OFFSET, SCRATCH_VOLUME_QUEUE, SCRATCH_VOLUME_COMPLETE, SCRATCH_VOLUME_AGAIN,
       SCRATCH_WAITER, SCRATCH_URING };

/* Of the search for a file: an interrupt may issue a request while a bio is queued. */
enum { SCRATCH_OF_REQUEST, SCRATCH_OF_BIO };

/* Two cache lines, SCRATCH_PLACES times per CPU. They have addresses of the kernel as well. */
struct scratch {
	u64 words[16];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct scratch);
} scratches SEC(".maps");

static __always_inline struct scratch *scratch_for(u32 place)
{
	u32 index = bpf_get_smp_processor_id() * SCRATCH_PLACES + place;

	return bpf_map_lookup_elem(&scratches, &index);
}

/* By slot: the file of the request. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1024 + FLUSH_SLOTS);
	__type(key, u32);
	__type(value, struct file_id);
} files SEC(".maps");

/* A file whose name was sent. It has an address of the kernel. */
struct named_file {
	u64 address;
	u64 inode;
	/* As the inode has it; that of `id` tells btrfs subvolumes apart, too. */
	u32 generation;
	/* See named_file__check(). */
	u32 check;
	struct file_id id;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, NAMED_FILES);
	__type(key, u32);
	__type(value, struct named_file);
} named_files SEC(".maps");

/*
 * Where on its CPU a name is put together. Programs that may interrupt each other in the middle of this have a place
 * each: an interrupt may complete or issue I/O during a call, and the thread that runs next may end a wait.
 */
enum name_place { NAME_OF_IO, NAME_OF_WAIT, NAME_OF_CALL, NAME_OF_REQUEST, NAME_OF_RESULT,
		  NAME_OF_BIO };

/* Where a name is put together: NAME_PLACES per CPU. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct file_name);
} file_names SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1024 + FLUSH_SLOTS);
	__type(key, u32);
	__type(value, struct via);
} vias SEC(".maps");

/* Who dirtied pages of a file last. It has an address of the kernel. */
struct dirtied_file {
	/* Of the inode. */
	u64 address;
	u64 inode;
	/* A checksum: it does not match if two CPUs wrote this at once, see dirtied__check(). */
	u64 check;
	struct owner owner;
	/* Since all of it was last on the disk, others wrote to it as well, or may have. */
	u32 has_several;
	/* A kernel thread, which writes for somebody else. */
	u16 is_kernel;
	/* Only used in the first one of a set: whether it was noted after the second one. */
	u16 is_latest;
};

/* Two cache lines. */
struct dirtied_set {
	struct dirtied_file ways[2];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct dirtied_set);
} dirtied SEC(".maps");

/* One who filled a transaction, or a kernel thread that did so for somebody else. */
struct filler {
	struct owner owner;
	/* See owner__check(). */
	u64 check;
	u32 is_kernel;
	u32 reserved;
};

/* A transaction of a journal, and some of those who filled it. */
struct transaction {
	/* Of the file system. */
	u32 dev;
	u32 id;
	/* Metadata blocks that were changed. */
	u32 blocks;
	u32 first_tgid;
	/* More than one process filled it. */
	u32 has_several;
	u32 reserved[3];
	struct filler fillers[FILLERS];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct transaction);
} transactions SEC(".maps");

/* The transaction that a journal's thread writes. */
struct commit {
	/* The thread, by its name as well: its number may become another's. */
	u64 comm[2];
	u32 tid;
	u32 dev;
	u32 id;
	/* How many I/Os of the transaction were given to a filler. */
	u32 given;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct commit);
} commits SEC(".maps");

/*
 * A bio of a device without requests, from queue to end. Never passed to user space: it has an address of the kernel. All
 * else is in a slot after those of requests.
 */
struct volume_io {
	/* An address; 0 when the place is free. */
	u64 bio;
	u32 cmd_flags;
	u32 reserved;
};

struct volume_set {
	struct volume_io ways[2];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct volume_set);
} volume_ios SEC(".maps");

/*
 * By the low bits of its number, whether a thread may sleep uninterruptibly. Each context switch looks here: threads
 * have adjacent numbers, so that hundreds share a few cache lines.
 */
u8 asleep[ASLEEP_MARKS];

/* A thread that sleeps uninterruptibly, and since when. */
struct sleeper {
	u64 ns;
	/* 0: the place is free. */
	u32 tid;
	/* See claim__begin(). */
	s32 claims;
};

struct wait_set {
	struct sleeper ways[2];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct wait_set);
} waits SEC(".maps");

/* A call that has ended, before it is a record or counted. */
struct ended_call {
	u64 now;
	u64 since_ns;
	/* Negative for an error. */
	s64 result;
	u32 bytes;
	u32 dev;
	u32 cmd_flags;
	u32 tgid;
	struct file_id id;
};

/*
 * A system call that a thread is in. It has addresses of the kernel and of the program. For close(), `id` and `dev` are
 * filled in at the entry.
 */
struct called {
	u64 ns;
	/* 0: the place is free. */
	u32 tid;
	/* See claim__begin(). */
	s32 claims;
	u64 file;
	u64 inode;
	/* Where the program has the name of the file; 0: the call has no such argument. */
	u64 path;
	struct file_id id;
	u32 dev;
	/* Of the call. */
	u16 number;
	/* Of the opened file, see `file_kind`. */
	u16 kind;
	/*
	 * Filled in at the return. Not on the stack, where the verifier would follow each combination of what it knows of
	 * the fields through all that comes after.
	 */
	struct ended_call end;
};

struct call_set {
	struct called ways[2];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct call_set);
} calls SEC(".maps");

/*
 * A request that a program gave to io_uring, until its result is written. Never passed to user space: it has an address
 * of the kernel. For a request to close or splice, `id` and `dev` are filled in at the start.
 */
struct uring_request {
	/* An address; 0 when the place is free. */
	u64 request;
	u64 ns;
	/* NO_FILE_OFFSET where it has none, or that of the opened file is meant. */
	u64 position;
	struct owner owner;
	/* Asked for. */
	u32 bytes;
	u32 dev;
	/* The name of the file was sent. */
	u32 has_name;
	/* The descriptor, or the result of an open, is one of the ring's own table. */
	u32 has_slot;
	u32 open_flags;
	u32 reserved;
	struct file_id id;
};

struct uring_set {
	struct uring_request ways[2];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct uring_set);
} uring_requests SEC(".maps");

/* What was read for a thread last. */
struct thread_read {
	u64 ns;
	u32 tid;
	u32 dev;
	struct file_id id;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct thread_read);
} thread_reads SEC(".maps");

/* When a thread was throttled last. */
struct thread_throttle {
	u64 ns;
	u32 tid;
	/* A wait was marked with it already. */
	u32 is_told;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct thread_throttle);
} thread_throttles SEC(".maps");

#define FIRST_WAYS 8

/* Marks of owners and files whose first I/O was delivered; 0: free. A cache line. */
struct first_set {
	u64 marks[FIRST_WAYS];
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, FIRST_SETS);
	__type(key, u32);
	__type(value, struct first_set);
} firsts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 2 * OP_CLASSES * EPOCHS);
	__type(key, u32);
	__type(value, struct summary);
} summaries SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct counters);
} cpu_counters SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, 1);
	__type(key, u32);
	__type(value, struct control);
} controls SEC(".maps");

static __always_inline struct counters *counters(void)
{
	u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&cpu_counters, &cpu);
}

#define COUNT(field)                                                                               \
	do {                                                                                       \
		struct counters *c = counters();                                                   \
		if (c)                                                                             \
			c->field++;                                                                \
	} while (0)

/* For fields that two programs raise, one of which may interrupt the other. */
#define COUNT_ATOMICALLY(field)                                                                    \
	do {                                                                                       \
		struct counters *c = counters();                                                   \
		if (c)                                                                             \
			__sync_fetch_and_add(&c->field, 1);                                        \
	} while (0)

/*
 * What is written before it, other CPUs see before this one reads on. Linux 5.10 has no barriers for programs, but an
 * atomic addition is one on x86. On arm64, compiler and kernel may still move what comes before it.
 */
static __always_inline void full_barrier(u32 *word)
{
	u32 nothing = 0;

	/* clang would make of a constant 0 an atomic "or", which Linux has since 5.12. */
	asm volatile("" : "+r"(nothing));
	__sync_fetch_and_add(word, nothing);
}

/*
 * Whether this CPU may take a place that it has found free. Linux 5.10 has no compare-and-exchange for programs: each CPU
 * counts itself, and at most one of them is alone then. One that is not has gone away again; one that is has to end it.
 */
static __always_inline bool claim__begin(s32 *claims)
{
	__sync_fetch_and_add(claims, 1);
	/* Less than 1: the place was once taken away from a thread in the moment in which that left it. */
	if (*(volatile s32 *)claims <= 1)
		return true;
	__sync_fetch_and_add(claims, -1);
	return false;
}

static __always_inline void claim__end(s32 *claims)
{
	__sync_fetch_and_add(claims, -1);
}

static __always_inline struct control *control(void)
{
	u32 zero = 0;

	return bpf_map_lookup_elem(&controls, &zero);
}

#endif
