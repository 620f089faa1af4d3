/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * The ABI: what the kernel programs and user space share. src/kernel/abi/layout.ts is generated from
 * the object's BTF, so what user space knows of these types and constants comes from here.
 */
#ifndef IOHEAT_H
#define IOHEAT_H

#include "kernel_types.h"

/* Operations of the kernel that are treated specially; enum req_op in include/linux/blk_types.h. */
enum req_op {
	REQ_OP_READ = 0,
	REQ_OP_WRITE = 1,
	REQ_OP_FLUSH = 2,
	REQ_OP_DISCARD = 3,
	REQ_OP_SECURE_ERASE = 5,
	REQ_OP_WRITE_ZEROES = 9,
	REQ_OP_DRV_IN = 34,
};

/* Parts of a request's cmd_flags; the same header, enum req_flag_bits. */
enum request_bits {
	REQ_OP_MASK = 0xff,
	REQ_FUA = 1 << 17,
	REQ_PREFLUSH = 1 << 18,
	/*
	 * Not a flag of the kernel: a bit that neither requests nor calls use otherwise. A limit of the cgroup held the I/O back,
	 * or the thread had to pause because too much of the page cache waits to be written.
	 */
	REQ_THROTTLED = 1 << 30,
};

/*
 * cmd_flags of a wait or call: the low 8 bits are an operation as above; from OP_CALL_SHIFT on follows the index of the
 * call in CALLS of src/model/call.ts.
 */
enum wait_bits {
	/* The operation of calls that neither read, write nor flush. */
	OP_OTHER_CALL = 0xfe,
	/* From here on, the flags of a call that opens a file, in the order of OPEN_FLAGS in src/model/open-flags.ts. */
	OP_OPEN_SHIFT = 8,
	OP_CALL_SHIFT = 21,
};

/* Numbers of CALLS that have no system call. */
enum special_call {
	CALL_UNKNOWN,
	CALL_PAGE_FAULT,
};

/* An entry of target.calls. Its low 8 bits are the operation. */
enum call_bits {
	CALL_ID_SHIFT = 8,
	CALL_ID_MASK = 0xff,
	/* Which argument is the descriptor, the position in the file, and the bytes asked for; from 1, 0: none. */
	CALL_FD_SHIFT = 16,
	CALL_POSITION_SHIFT = 19,
	CALL_SIZE_SHIFT = 22,
	CALL_ARGUMENT_MASK = 7,
	/* Instead of an argument: the position is that of the opened file. */
	CALL_FILE_POSITION = 7,
	/* Any uninterruptible sleep in the call counts as a wait for storage: always, or if its file is on storage. */
	CALL_ALWAYS_STORAGE = 1 << 25,
	CALL_FILE_STORAGE = 1 << 26,
	/* Which argument has the flags of open(). The two values below are of calls without such an argument. */
	CALL_OPEN_SHIFT = 27,
	/* creat(): the flags are target.creat_flags. */
	CALL_OPEN_CREATES = 6,
	/* openat2(): the third argument is the address of a struct open_how, whose first 64 bits are the flags. */
	CALL_OPEN_HOW = 7,
};

/* A byte of target.wanted; 0: calls of this number are not traced. */
enum wanted_bits {
	CALL_WANTED = 1 << 0,
	/* Its result is a descriptor. */
	CALL_OPENS = 1 << 1,
	CALL_CLOSES = 1 << 2,
	/* Its result is how many bytes were read or written. */
	CALL_MOVES = 1 << 3,
	/* The number of the argument that names a file, from 1; 0: none. */
	CALL_PATH_SHIFT = 4,
};

/* Where a request of io_uring has its arguments: in which struct of the kernel, and which of them. */
enum uring_shape {
	/* It has none but the opened file. */
	SHAPE_FILE,
	SHAPE_MOVE,
	/* To or from several parts of memory. */
	SHAPE_MOVE_PARTS,
	SHAPE_RANGE,
	SHAPE_ADVISE,
	SHAPE_TRUNCATE,
	/* From here on requests have no opened file. */
	SHAPE_FIRST_WITHOUT_FILE,
	SHAPE_CLOSE = SHAPE_FIRST_WITHOUT_FILE,
	/* Its opened file is the one that it writes to. */
	SHAPE_SPLICE,
	SHAPE_OPEN,
	SHAPE_STAT,
	SHAPE_RENAME,
	SHAPE_UNLINK,
	SHAPE_MKDIR,
	SHAPE_LINK,
	SHAPE_SYMLINK,
	SHAPE_ATTRIBUTE,
};

/* What a filter and a summary tell apart; the order of OP_CLASSES in src/model/operation.ts. */
enum op_class {
	OP_CLASS_READ,
	OP_CLASS_WRITE,
	OP_CLASS_FLUSH,
	OP_CLASS_DISCARD,
	OP_CLASS_OTHER,
};

/* Lengths of arrays, numbers of map entries, and how values fall into bins. */
enum dimension {
	COMM_LEN = 16,
	/* Slots for flush requests, after the others: a flush request borrows its parent's tag. */
	FLUSH_SLOTS = 1024,
	/* Notes of who owns a bio, where there is no block_io_start. */
	BIO_SLOTS = 4096,
	FILTER_ENTRIES = 16,
	SUMMARY_DEVICES = 64,
	OP_CLASSES = OP_CLASS_OTHER + 1,
	/* An epoch is 2^EPOCH_SHIFT ns. A reader that sleeps through EPOCHS of them cannot tell them apart. */
	EPOCHS = 8,
	EPOCH_SHIFT = 30,
	/* Fine bins of src/model/fine-bins.ts: 16 to an octave, times up to 2^42 ns, sizes up to 2^32 bytes. */
	SUB_BIN_BITS = 4,
	TIME_BINS = (42 - SUB_BIN_BITS + 1) << SUB_BIN_BITS,
	SIZE_BINS = (32 - SUB_BIN_BITS + 1) << SUB_BIN_BITS,
	OFFSET_BINS = 256,
	/* Names of a path that are sent, from the file upwards, and the bytes of all of them with their NULs. */
	PATH_NAMES = 16,
	PATH_BYTES = 768,
	/* Files whose names were sent, in a table without chains: a collision sends a name again. */
	NAMED_FILES = 4096,
	/* On each CPU, where the name of a file is put together. */
	NAME_PLACES = 6,
	/* On each CPU, scratch space for finding the file of a request, and of a bio. */
	SCRATCH_PLACES = 2,
	/* Sets of two files whose pages were dirtied. */
	DIRTIED_SETS = 8192,
	/* Transactions of journals, and threads that write them; powers of two. */
	TRANSACTIONS = 1024,
	COMMITS = 512,
	/* Of a transaction, how many of those who filled it are drawn; a power of two. */
	FILLERS = 4,
	/* Bios of a request whose file is compared with that of the first one. */
	COMPARED_BIOS = 8,
	/* Sets of two bios of devices without requests. */
	VOLUME_SET_BITS = 12,
	VOLUME_SETS = 1 << VOLUME_SET_BITS,
	/* Sets of two threads that sleep uninterruptibly. */
	WAIT_SETS = 8192,
	/* Threads of which it is known what was read for them last. */
	THREAD_READS = 4096,
	/* Threads that were throttled last. */
	THREAD_THROTTLES = 4096,
	/* Sets of two threads in calls that are traced. */
	CALL_SETS = 8192,
	/* Sets of marks of owners and files whose first I/O was delivered; a power of two. */
	FIRST_SETS = 4096,
	/* System calls of target.calls; a power of two. */
	CALLS = 512,
	/* Sets of two requests of io_uring. */
	URING_SET_BITS = 12,
	URING_SETS = 1 << URING_SET_BITS,
	/* Of target.open_flags. */
	OPEN_FLAGS = 13,
	/* Opcodes of target.uring; a power of two. */
	URING_CALLS = 64,
	/* Of `uring_shape` in target.uring. */
	URING_SHAPE_SHIFT = 16,
	/* Of `layer` in io_completion.flags, which has two bits. */
	IO_LAYER_SHIFT = 6,
	/* Of `file_kind` there. */
	FILE_KIND_SHIFT = 12,
};

/* Where in the stack an I/O was measured; the order of LAYERS in src/model/layer.ts. */
enum layer {
	LAYER_DISKS,
	LAYER_VOLUMES,
	LAYER_WAITS,
	LAYER_CALLS,
};

/* Whose bytes an I/O has, in io_completion.flags from FILE_KIND_SHIFT on. */
enum file_kind {
	/* Not found out, or none: a flush, a discard. */
	FILE_UNKNOWN,
	/* A file: inode, file system and generation are those of `io_completion`. */
	FILE_REGULAR,
	/* The device itself, past the page cache. */
	FILE_DEVICE,
	/* Pages of the device: of a file system's metadata if one is mounted. file_dev is the device. */
	FILE_DEVICE_CACHE,
	FILE_SWAP,
	FILE_METADATA,
	FILE_JOURNAL,
	/* Known by the name that the program gave for it, which was sent before: see NAME_GIVEN. */
	FILE_GIVEN_NAME,
};

/* Bits of io_completion.flags. The first two equal IdentityMark in src/model/identity-table.ts. */
enum io_flag {
	IO_OWNER_UNKNOWN = 1 << 0,
	IO_INDIRECT = 1 << 1,
	/* Drawn at random from those that are neither slow nor failed: it stands for others that were counted. */
	IO_SAMPLED = 1 << 2,
	/* The owner wrote the data to the page cache, or waits for them, and the kernel thread `via` submitted it. */
	IO_HAS_VIA = 1 << 4,
	/*
	 * The owner is the last of several processes that wrote to the file, or one of several that filled the transaction of a
	 * journal, drawn by the blocks that each changed.
	 */
	IO_SEVERAL_WRITERS = 1 << 5,
	/* queue_ns is meaningless: the submission was not seen. */
	IO_NO_START = 1 << 8,
	/* device_ns is meaningless: never issued (an empty flush) or the issue was not seen. */
	IO_NO_ISSUE = 1 << 9,
	/* sector is meaningless: no bytes, or passthrough. */
	IO_NO_SECTOR = 1 << 10,
	/* Merged: it has bytes of other files as well. */
	IO_OTHER_FILES = 1 << 11,
};

/* inflight.state has some marks of io_completion.flags, shifted left by this. */
#define STATE_MARK_SHIFT 8

/* Bits of inflight.state. Its low 8 bits are the operation; REQ_FUA, REQ_PREFLUSH and REQ_THROTTLED have their own. */
enum state_bit {
	STATE_OWNER_UNKNOWN = IO_OWNER_UNKNOWN << STATE_MARK_SHIFT,
	STATE_INDIRECT = IO_INDIRECT << STATE_MARK_SHIFT,
	STATE_REQUEUED = 1 << 10,
	/* `progress` holds what a partial completion or a flush sequence would overwrite. */
	STATE_PROGRESS = 1 << 11,
	STATE_HAS_VIA = IO_HAS_VIA << STATE_MARK_SHIFT,
	STATE_SEVERAL_WRITERS = IO_SEVERAL_WRITERS << STATE_MARK_SHIFT,
	/* The two bits of `layer`. */
	STATE_LAYER_SHIFT = IO_LAYER_SHIFT + STATE_MARK_SHIFT,
};

#define NO_FILE_OFFSET (~0ULL)

/* A finished request, bio of a volume, wait or call. From `dev` on, its identity: fields that repeat. */
struct io_completion {
	__u64 complete_ns;
	/* First issue to completion; of volumes, waits and calls, the whole time. */
	__u64 device_ns;
	/* Queued to first issue; to completion when there was no issue. */
	__u64 queue_ns;
	/* 512-byte units on the whole disk. Of LAYER_CALLS: the result, negative for an error. */
	__u64 sector;
	/* The file that its first byte is of, see `file_kind`. */
	__u64 inode;
	__u32 file_dev;
	__u32 generation;
	/* Where in the file its first byte is, in bytes; NO_FILE_OFFSET where that is unknown. */
	__u64 file_offset;
	__u32 bytes;
	__u32 dev;
	__u32 cmd_flags;
	__u32 tgid;
	__u32 tid;
	/* 0, a negative errno or a positive blk_status_t, as the kernel gave it. */
	__s16 error;
	__u16 flags;
	__u64 cgroup;
	char comm[COMM_LEN];
	/* Name of the kernel thread that submitted what the owner wrote or waits for; empty where there is none. */
	char via[COMM_LEN];
};

/* Bits of file_name.flags. */
enum name_flag {
	/* There are more names above the last one. */
	NAME_CUT = 1 << 0,
	/* The file has no name left. */
	NAME_DELETED = 1 << 1,
	/* Not a path: what a program gave as the name of a file, without NULs. `inode` and `file_dev` equal those of its record. */
	NAME_GIVEN = 1 << 2,
};

/*
 * The path of a file, sent through the ring before the first I/O that needs it completes. It has 0 where a record has
 * complete_ns.
 */
struct file_name {
	__u64 zero;
	__u64 inode;
	__u32 file_dev;
	__u32 generation;
	__u32 flags;
	__u32 bytes;
	/* Names from the file upwards, each with a NUL, up to the root of the file system. Room to write past the end. */
	char path[PATH_BYTES + 256];
};

/*
 * The file of a request in flight, as of its issue. User space maps these, as it does `inflight`: no addresses of the
 * kernel.
 */
struct file_id {
	__u64 inode;
	__u32 file_dev;
	__u32 generation;
	/* IO_OTHER_FILES and the kind, as in io_completion.flags. */
	__u32 flags;
	__u32 reserved;
	/* As in io_completion. */
	__u64 offset;
};

/*
 * A request between submission and completion. One cache line: it is written on one CPU and read on another.
 * User space maps these without privilege, so they must not hold addresses of the kernel.
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

/* The part of `struct inflight` from `cgroup` to `tid`. */
struct owner {
	__u64 cgroup;
	__u64 comm[2];
	__u32 tgid;
	__u32 tid;
};

/* What a request in flight is for, as of its issue; a map of its own keeps `inflight` in one cache line. */
struct extent {
	/* 512-byte units on the whole disk. */
	__u64 sector;
	__u32 bytes;
	__u32 reserved;
};

/* The kernel thread that submitted a request in flight with STATE_HAS_VIA; mapped as well. */
struct via {
	__u64 comm[2];
};

/* The request as it was before its first partial completion. */
struct progress {
	__u64 sector;
	__u32 bytes;
	__s32 error;
};

/*
 * Completions that found the ring full, or that `detail` left out; never reset, the reader subtracts. `begun` is
 * raised first and `count` last: where they agree before and after a copy, the copy is consistent.
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

/* Passes what it has, or, with `excludes`, what it does not have. An empty list passes everything. */
struct filter_list {
	__u32 count;
	__u32 excludes;
	__u32 values[FILTER_ENTRIES];
};

/* An I/O passes if it passes both lists and is of one of the classes. */
struct filter {
	/* Bit i: op_class i; 0: all. */
	__u32 op_classes;
	__u32 enabled;
	struct filter_list devs;
	struct filter_list tgids;
};

/* Which I/Os, or calls, are delivered one by one; the others are counted. */
struct detail {
	/* Slow ones are delivered: those that took at least this long, from queue to completion or from call to return. */
	__u64 slow_ns;
	/*
	 * The chance, in units of 2^-32, of those that are neither slow, nor failed, nor the first of their owner or file.
	 * 0: all are delivered.
	 */
	__u32 chance;
	__u32 reserved;
};

/* Every enum of this file, see `target`. */
union constants {
	enum req_op req_op;
	enum request_bits request_bits;
	enum wait_bits wait_bits;
	enum special_call special_call;
	enum call_bits call_bits;
	enum wanted_bits wanted_bits;
	enum uring_shape uring_shape;
	enum op_class op_class;
	enum dimension dimension;
	enum layer layer;
	enum io_flag io_flag;
	enum file_kind file_kind;
	enum name_flag name_flag;
	enum state_bit state_bit;
};

/* What the loader knows of this machine. It is read-only data, so the verifier removes code that is not needed. */
struct target {
	/* Ordinary slots less one; a power of two less one. */
	__u32 slot_mask;
	/* Entries of control.devices in use; all other disks share one more summary, and all other volumes another. */
	__u32 summary_devices;
	/* Copies of the summaries less one, so that CPUs do not fight over one line. */
	__u32 stripe_mask;
	/* There is no block_io_start: the owner is noted per bio and found through rq->bio. */
	__u32 owner_by_bio;
	/* There is block_bio_queue. */
	__u32 sees_queue;
	/* There is block_bio_complete, too. */
	__u32 sees_volumes;
	/* What programs wait for is noted. */
	__u32 sees_waits;
	/* Waits or system calls are traced, and which of them were throttled. */
	__u32 sees_throttled;
	/* bpf_probe_read_kernel() is allowed, which a kernel locked down for confidentiality refuses. */
	__u32 sees_files;
	/* There is a tracepoint where pages are dirtied, and files are seen. */
	__u32 sees_writers;
	/* There are tracepoints of jbd2, and writers are seen. */
	__u32 sees_journals;
	/* A page has 2^page_shift bytes. */
	__u32 page_shift;
	/* The process that reads the ring, whose calls are not traced; 0: none. */
	__u32 own_tgid;
	/* How many first I/Os of owners and files a CPU delivers in an epoch while others are left out. */
	__u32 most_firsts;
	/* By number of the system call, see `call_bits`; 0: unknown. */
	__u32 calls[CALLS];
	/* By number of the system call, see `wanted_bits`. */
	__u8 wanted[CALLS];
	/* By bit in cmd_flags, the bit of open() on this machine. */
	__u32 open_flags[OPEN_FLAGS];
	/* What creat() opens with. */
	__u32 creat_flags;
	/* By opcode of a request of io_uring: its shape, and the operation and the call as in `call_bits`; 0: not traced. */
	__u32 uring[URING_CALLS];
	/*
	 * By set of `volume_ios`, which pair of slots it has: at random, because sets follow from addresses of the kernel, which
	 * the slots must not give away.
	 */
	__u16 volume_slots[VOLUME_SETS];
	/* Empty: clang writes a type into the object's BTF only where a variable or a map has it. */
	union constants constants[0];
};

struct summary_device {
	/* 0: free. */
	__u32 dev;
	/* Sectors per offset bin, as a power of two. */
	__u32 offset_shift;
};

/* Written by user space while the programs run. */
struct control {
	/* Which of the two filters is in use; user space writes the other one. */
	__u32 active_filter;
	__u32 reserved;
	/* Of disks and volumes, and of calls. */
	struct detail detail;
	struct detail call_detail;
	struct filter filters[2];
	struct summary_device devices[SUMMARY_DEVICES];
};

/*
 * One per CPU. Programs that raise a field with COUNT() do not interrupt each other, so plain additions are exact;
 * COUNT_ATOMICALLY() is for the others. Before Linux 6.1, where a program may interrupt itself (see scratch in
 * maps.bpf.h), an addition may get lost. Aligned, so that no two CPUs write to one cache line.
 */
struct counters {
	/* Requests finished; = filtered + delivered + summarised + unsummarised. */
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
	/* Submitted, or issued, before the last completion of the same request was seen: that one is lost. */
	__u64 overwritten_at_start;
	__u64 overwritten_at_issue;
	/* Both places for a request were taken. */
	__u64 no_slot_at_start;
	__u64 no_slot_at_issue;
	__u64 merged;
	__u64 requeued;
	/* Lost: the ring was full, and there was no summary to count in. */
	__u64 unsummarised;
	/* Submitted without being seen in the queue: the queue time lacks the wait for a free request. */
	__u64 queue_unseen;
	/* Reads and writes with data whose file was not found out. */
	__u64 file_unknown;
	/* Names of files that were not sent because the ring was full or the file has none. Nearly exact: its programs may nest. */
	__u64 names_unsent;
	/* Requests with bytes of several files. */
	__u64 files_merged;
	/* I/O of devices without requests: delivered; counted in summaries; lost, without a summary, or as an end was not seen. */
	__u64 volume_ios;
	__u64 volume_summarised;
	__u64 volume_unsummarised;
	__u64 volume_lost;
	/* Uninterruptible sleeps: for storage, but lost, as the ring was full; for something else. */
	__u64 waits_lost;
	__u64 waits_elsewhere;
	/* Lost, as more threads slept than are noted. */
	__u64 waits_forgotten;
	/* Lost, as the kernel skipped the program when the thread ran again. */
	__u64 waits_unseen;
	/* Of `summarised`: left out by `detail`, not because the ring was full. */
	__u64 left_out;
	/* System calls: sent; counted in summaries; lost, without a summary. */
	__u64 calls_delivered;
	__u64 calls_summarised;
	__u64 calls_unsummarised;
	/* Of `calls_summarised`: left out by `call_detail`, not because the ring was full. */
	__u64 calls_left_out;
	/*
	 * Lost, as more threads were in calls than are noted, or more requests of io_uring in flight; and as the kernel ran
	 * no program when the call returned, or wrote no result.
	 */
	__u64 calls_forgotten;
	__u64 calls_unseen;
	/* First I/Os of owners and files, delivered in epoch number `firsts_epoch` alone. Nearly exact: its programs may nest. */
	__u64 firsts;
	__u64 firsts_epoch;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct io_completion) == 120, "io_completion has no holes");
_Static_assert(__builtin_offsetof(struct io_completion, error) % 4 == 0, "error and flags are one word");
_Static_assert(sizeof(struct inflight) == 64, "inflight is one cache line");
_Static_assert(__builtin_offsetof(struct inflight, tid) + 4 - __builtin_offsetof(struct inflight, cgroup) ==
		       sizeof(struct owner),
	       "inflight has an owner");
_Static_assert(sizeof(struct summary) == 72 + 4 * (3 * TIME_BINS + SIZE_BINS + OFFSET_BINS),
	       "summary has no holes");
_Static_assert(sizeof(struct control) ==
		       8 + 2 * sizeof(struct detail) + 2 * sizeof(struct filter) +
			       SUMMARY_DEVICES * sizeof(struct summary_device),
	       "control has no holes");

#endif
