/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * Calls that a program makes through io_uring, each as a record: from when the kernel takes the request until it writes
 * the result. The request is known by its address. Its arguments are read when it is taken, because the kernel writes
 * over them; the file is read at the end, because only then is it always there.
 */
#ifndef URING_BPF_H
#define URING_BPF_H

#include "call.bpf.h"
#include "call_end.bpf.h"
#include "drift.bpf.h"
#include "filter.bpf.h"
#include "given_name.bpf.h"
#include "maps.bpf.h"
#include "owner.bpf.h"

/* Of io_splice.flags: the descriptor to read from is one of the ring's own table. */
#define SPLICE_F_FD_IN_FIXED (1U << 31)

static __always_inline u64 read_field(u64 address, u32 size)
{
	u64 value = 0;

	bpf_probe_read_kernel(&value, size, (const void *)address);
	return value;
}

/* A field of a struct that begins where the request does; `absent` on kernels without the field. */
#define FIELD_OF(request, type, field, absent)                                                     \
	(bpf_core_field_exists(((struct type *)0)->field) ?                                        \
		 read_field((request) + bpf_core_field_offset(struct type, field),                 \
			    bpf_core_field_size(((struct type *)0)->field)) :                      \
		 (absent))

/* Linux 7 wraps the pointer to the kernel's copy of a name. */
#define NAME_OF(request, type, field)                                                              \
	FIELD_OF(request, type, field, FIELD_OF(request, type##___7, field.__incomplete_filename, 0))

/* The verifier refuses arithmetic on a pointer; what is read back from a map is a number. */
static __always_inline u64 request__address(void *request)
{
	struct scratch *scratch = scratch_for(SCRATCH_OF_REQUEST);

	if (!scratch)
		return 0;
	*(volatile u64 *)&scratch->words[SCRATCH_URING] = (u64)request;
	return *(volatile u64 *)&scratch->words[SCRATCH_URING];
}

/* 0: not wanted. */
static __always_inline u32 uring__entry(u64 request)
{
	u8 opcode = 0;

	READ(opcode, request + bpf_core_field_offset(struct io_kiocb, opcode));
	return opcode < URING_CALLS ? target.uring[opcode & (URING_CALLS - 1)] : 0;
}

static __always_inline u32 shape_of(u32 entry)
{
	return entry >> URING_SHAPE_SHIFT;
}

static __always_inline bool shape__moves(u32 shape)
{
	return shape == SHAPE_MOVE || shape == SHAPE_MOVE_PARTS || shape == SHAPE_SPLICE;
}

static __always_inline struct uring_set *uring_set(u64 request)
{
	u32 index = (u32)(request >> 6) * 0x9e3779b1u >> (32 - URING_SET_BITS);

	return bpf_map_lookup_elem(&uring_requests, &index);
}

/* A place for the request: its own, a free one, or that of the older one of two. */
static __always_inline struct uring_request *place_for(u64 request, struct uring_set *set)
{
	if (set->ways[0].request == request || set->ways[1].request == request) {
		/* The result of its last use was not seen, or not written: IOSQE_CQE_SKIP_SUCCESS. */
		COUNT(calls_unseen);
		return set->ways[0].request == request ? &set->ways[0] : &set->ways[1];
	}
	if (!set->ways[0].request)
		return &set->ways[0];
	if (!set->ways[1].request)
		return &set->ways[1];
	COUNT(calls_forgotten);
	return set->ways[1].ns < set->ways[0].ns ? &set->ways[1] : &set->ways[0];
}

static __always_inline bool is_place_of(struct uring_request *place, u64 request)
{
	return *(volatile u64 *)&place->request == request;
}

static __always_inline void free_place(struct uring_request *place, u64 request)
{
	if (is_place_of(place, request))
		place->request = 0;
}

/*
 * Takes the place before it is filled in. Another CPU may have found the same one free: the last to take it has it, and
 * the other request is lost.
 */
static __always_inline struct uring_request *claim_request(u64 request)
{
	struct uring_set *set = uring_set(request);
	struct uring_request *to;

	if (!set)
		return NULL;
	to = place_for(request, set);
	/* So that nobody takes it for the older one of two. */
	*(volatile u64 *)&to->ns = bpf_ktime_get_ns();
	*(volatile u64 *)&to->request = request;
	full_barrier(&to->reserved);
	if (is_place_of(to, request))
		return to;
	COUNT(calls_forgotten);
	return NULL;
}

/* Where it begins in its file, and the bytes asked for. */
static __always_inline void request__read_range(struct uring_request *to, u64 request, u32 shape)
{
	u64 bytes = 0;

	to->position = NO_FILE_OFFSET;
	switch (shape) {
	case SHAPE_MOVE:
		bytes = FIELD_OF(request, io_rw, len, 0);
		to->position = FIELD_OF(request, io_rw, kiocb.ki_pos, NO_FILE_OFFSET);
		break;
	case SHAPE_MOVE_PARTS:
		to->position = FIELD_OF(request, io_rw, kiocb.ki_pos, NO_FILE_OFFSET);
		break;
	case SHAPE_RANGE:
		bytes = FIELD_OF(request, io_sync, len, 0);
		to->position = FIELD_OF(request, io_sync, off, NO_FILE_OFFSET);
		break;
	case SHAPE_ADVISE:
		bytes = FIELD_OF(request, io_fadvise, len, 0);
		to->position = FIELD_OF(request, io_fadvise, offset, NO_FILE_OFFSET);
		break;
	case SHAPE_TRUNCATE:
		to->position = FIELD_OF(request, io_ftrunc, len, NO_FILE_OFFSET);
		break;
	case SHAPE_SPLICE:
		bytes = FIELD_OF(request, io_splice, len, 0);
		to->position = FIELD_OF(request, io_splice, off_in, NO_FILE_OFFSET);
		break;
	}
	to->bytes = bytes > 0xffffffff ? 0xffffffff : bytes;
}

/* The address of the kernel's copy of the name of a file; 0 where there is none. */
static __always_inline u64 request__given_name(u64 request, u32 shape)
{
	switch (shape) {
	case SHAPE_OPEN:
		return NAME_OF(request, io_open, filename);
	case SHAPE_STAT:
		return NAME_OF(request, io_statx, filename);
	case SHAPE_RENAME:
		return NAME_OF(request, io_rename, oldpath);
	case SHAPE_UNLINK:
		return NAME_OF(request, io_unlink, filename);
	case SHAPE_MKDIR:
		return NAME_OF(request, io_mkdir, filename);
	case SHAPE_LINK:
		return NAME_OF(request, io_link, oldpath);
	case SHAPE_SYMLINK:
		return NAME_OF(request, io_link, newpath);
	case SHAPE_ATTRIBUTE:
		return NAME_OF(request, io_xattr, filename);
	default:
		return 0;
	}
}

static __always_inline bool request__send_name(const struct uring_request *from, u64 request, u32 shape)
{
	u64 name = request__given_name(request, shape), text = 0;

	if (!name)
		return false;
	READ(text, name + bpf_core_field_offset(struct filename, name));
	return text && !send_given_name(text, true, from->ns, from->owner.tid, NAME_OF_REQUEST);
}

/* Before Linux 5.19, a3e4bc23d547, a request to splice has no descriptor of either kind. */
static __always_inline bool request__has_slot(u64 request, u32 shape)
{
	switch (shape) {
	case SHAPE_OPEN:
		return FIELD_OF(request, io_open, file_slot, 0);
	case SHAPE_CLOSE:
		return FIELD_OF(request, io_close, file_slot, 0);
	case SHAPE_SPLICE:
		return FIELD_OF(request, io_splice, flags, 0) & SPLICE_F_FD_IN_FIXED ||
		       !bpf_core_field_exists(((struct io_splice *)0)->splice_fd_in);
	default:
		return false;
	}
}

/* The file that its arguments name, which may be gone at the end. False for a pipe, a socket, a terminal. */
static __always_inline bool request__keep_file(struct uring_request *to, u64 request, u32 shape,
					       struct call *call)
{
	u32 descriptor;

	to->id.flags = 0;
	to->dev = 0;
	if (to->has_slot || (shape != SHAPE_CLOSE && shape != SHAPE_SPLICE))
		return true;
	descriptor = shape == SHAPE_CLOSE ? FIELD_OF(request, io_close, fd, ~0U) :
					    FIELD_OF(request, io_splice, splice_fd_in, ~0U);
	call->file = opened_file(bpf_get_current_task_btf(), descriptor);
	call__look_at_file(call);
	to->dev = call__dev(call);
	if (call->kind != FILE_UNKNOWN)
		fill_file(&to->id, call->inode, call->kind, NAME_OF_REQUEST);
	return !call->file || call->kind != FILE_UNKNOWN;
}

/*
 * This and request__end() are inlined: libbpf looks up the types that a function uses whenever the object is loaded,
 * even if no program that calls the function is loaded.
 */
static __always_inline int request__begin(u64 request, u32 entry)
{
	struct call call = { .entry = entry };
	u32 shape = shape_of(entry);
	struct uring_request *to;

	to = claim_request(request);
	if (!to)
		return 0;
	owner__from_task(&to->owner);
	if (to->owner.tgid == target.own_tgid) {
		free_place(to, request);
		return 0;
	}
	request__read_range(to, request, shape);
	to->has_slot = request__has_slot(request, shape);
	to->open_flags = shape == SHAPE_OPEN ? FIELD_OF(request, io_open, how.flags, 0) : 0;
	to->has_name = request__send_name(to, request, shape);
	if (!request__keep_file(to, request, shape, &call))
		free_place(to, request);
	else if (!is_place_of(to, request))
		COUNT(calls_forgotten);
	return 0;
}

static __always_inline int on_uring_submit(u64 request)
{
	u32 entry = request ? uring__entry(request) : 0;

	return entry ? request__begin(request, entry) : 0;
}

/* The file of the ring's own table that a request to splice reads from; 0 before Linux 6.13. */
static __always_inline u64 request__registered_file(u64 request)
{
	u64 node = FIELD_OF(request, io_splice___node, rsrc_node, 0), file = 0;

	if (node)
		READ(file, node + bpf_core_field_offset(struct io_rsrc_node, file_ptr));
	/* The lowest bits are flags. */
	return file & ~7ULL;
}

/* Sets call->file; after an open, to the file that the new descriptor names in the table of the process. */
static __always_inline void request__find_file(struct call *call, const struct uring_request *from,
					       u64 request, s64 result)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u32 shape = shape_of(call->entry);

	call->file = 0;
	if (shape < SHAPE_FIRST_WITHOUT_FILE)
		READ(call->file, request + bpf_core_field_offset(struct io_kiocb, file));
	else if (shape == SHAPE_OPEN && result >= 0 && !from->has_slot && (u32)task->tgid == from->owner.tgid)
		call->file = opened_file(task, result);
	else if (shape == SHAPE_SPLICE && from->has_slot)
		call->file = request__registered_file(request);
	call__look_at_file(call);
}

/* A request for the file's own position has -1, which is NO_FILE_OFFSET: unknown. */
static __always_inline u64 request__began_at(const struct uring_request *from, const struct call *call)
{
	u32 flags = 0;

	if (!call->file)
		return NO_FILE_OFFSET;
	READ(flags, call->file + bpf_core_field_offset(struct file, f_flags));
	if (flags & O_APPEND && (call->entry & REQ_OP_MASK) == REQ_OP_WRITE)
		return NO_FILE_OFFSET;
	return from->position;
}

static __always_inline void request__fill_file(struct file_id *id, const struct uring_request *from,
					       const struct call *call)
{
	if (from->id.flags) {
		*id = from->id;
		id->offset = from->position;
	} else if (call->kind != FILE_UNKNOWN) {
		fill_file(id, call->inode, call->kind, NAME_OF_RESULT);
		id->offset = request__began_at(from, call);
	} else if (from->has_name) {
		id->inode = from->ns;
		id->file_dev = from->owner.tid;
		id->flags = FILE_GIVEN_NAME << FILE_KIND_SHIFT;
	}
}

static __always_inline int request__end(struct uring_request *from, u64 request, u32 entry, s64 result)
{
	struct ended_call ended = { .now = bpf_ktime_get_ns(), .id.offset = NO_FILE_OFFSET };
	struct call call = { .entry = entry };
	struct io_completion *io;
	u32 shape = shape_of(entry);

	if (!from)
		return 0;
	request__find_file(&call, from, request, result);
	/* A pipe, a socket, a terminal; a splice may read from one, too, where its file is unknown. */
	if (call.kind == FILE_UNKNOWN && (call.file || (shape == SHAPE_SPLICE && from->has_slot)))
		return 0;
	ended.since_ns = from->ns;
	ended.result = result;
	ended.tgid = from->owner.tgid;
	ended.dev = from->id.flags ? from->dev : call__dev(&call);
	ended.cmd_flags = call__flags(&call) | (shape == SHAPE_OPEN ? open__bits(from->open_flags) : 0);
	if (!filter__passes(ended.dev, ended.tgid, ended.cmd_flags))
		return 0;
	ended.bytes = shape__moves(shape) && result >= 0 ? result : from->bytes;
	request__fill_file(&ended.id, from, &call);
	io = ended_call__record(&ended, ended_call__judge(&ended));
	if (!io)
		return 0;
	io->tgid = from->owner.tgid;
	io->tid = from->owner.tid;
	io->cgroup = from->owner.cgroup;
	((u64 *)io->comm)[0] = from->owner.comm[0];
	((u64 *)io->comm)[1] = from->owner.comm[1];
	((u64 *)io->via)[0] = 0;
	((u64 *)io->via)[1] = 0;
	bpf_ringbuf_submit(io, BPF_RB_NO_WAKEUP);
	return 0;
}

static __always_inline int on_uring_complete(u64 request, s32 result)
{
	struct uring_request *from;
	struct uring_set *set;
	u32 entry;

	/* A result without a request: a message, a further result of one. */
	if (!request)
		return 0;
	set = uring_set(request);
	if (!set)
		return 0;
	from = set->ways[0].request == request ? &set->ways[0] : &set->ways[1];
	if (from->request != request)
		return 0;
	entry = uring__entry(request);
	if (entry)
		request__end(from, request, entry, result);
	free_place(from, request);
	return 0;
}

#endif
