/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * System calls on storage, each as a record: from the entry of the call to its return. The program at the entry looks
 * up whether the call is wanted; for most calls that is all. The opened file is found at the entry, because close()
 * ends with none; the position, the other arguments and the result are read at the return.
 */
#ifndef SYSCALL_BPF_H
#define SYSCALL_BPF_H

#include "call.bpf.h"
#include "call_end.bpf.h"
#include "drift.bpf.h"
#include "file_name.bpf.h"
#include "filter.bpf.h"
#include "given_name.bpf.h"
#include "maps.bpf.h"
#include "throttle.bpf.h"

/* 0: not wanted. */
static __always_inline u8 call__wanted(u64 number)
{
	return number < CALLS ? target.wanted[number & (CALLS - 1)] : 0;
}

static __always_inline struct call_set *call_set(u32 tid)
{
	u32 index = tid & (CALL_SETS - 1);

	return bpf_map_lookup_elem(&calls, &index);
}

/* Where the thread is noted, or NULL. */
static __always_inline struct called *find_called(u32 tid)
{
	struct call_set *set = call_set(tid);

	if (!set)
		return NULL;
	if (set->ways[0].tid == tid)
		return &set->ways[0];
	return set->ways[1].tid == tid ? &set->ways[1] : NULL;
}

static __always_inline bool called__take(struct called *called, u32 tid)
{
	if (called->tid || !claim__begin(&called->claims))
		return false;
	called->tid = tid;
	return true;
}

static __always_inline void called__leave(struct called *called)
{
	*(volatile u32 *)&called->tid = 0;
	claim__end(&called->claims);
}

/* A note that is still there is of a call whose return was not seen: it must not be taken for that of the next one. */
static __always_inline void forget_called(u32 tid)
{
	struct called *called = find_called(tid);

	if (!called)
		return;
	COUNT(calls_unseen);
	called__leave(called);
}

/*
 * A free place, or that of the thread that has been in its call for longer; none if another CPU is about to take or to
 * leave that.
 */
static __always_inline struct called *claim_called(u32 tid)
{
	struct call_set *set = call_set(tid);
	struct called *older;

	if (!set)
		return NULL;
	if (called__take(&set->ways[0], tid))
		return &set->ways[0];
	if (called__take(&set->ways[1], tid))
		return &set->ways[1];
	COUNT(calls_forgotten);
	older = set->ways[1].ns < set->ways[0].ns ? &set->ways[1] : &set->ways[0];
	if (!older->tid)
		return NULL;
	older->tid = tid;
	return older;
}

/* What will be gone when the call returns. */
static __always_inline void called__keep_file(struct called *called, const struct call *call)
{
	called->dev = call__dev(call);
	called->id.flags = 0;
	if (call->kind != FILE_UNKNOWN)
		fill_file(&called->id, call->inode, call->kind, NAME_OF_CALL);
}

static __noinline int call__begin(void *registers, u32 number, u8 wanted)
{
	struct task_struct *task = bpf_get_current_task_btf();
	u32 path = wanted >> CALL_PATH_SHIFT & CALL_ARGUMENT_MASK;
	struct called *called;
	struct call call;

	if ((u32)task->tgid == target.own_tgid || task__is_32bit(task))
		return 0;
	call.registers = registers;
	call.entry = target.calls[number & (CALLS - 1)];
	call__find_file(&call, task);
	forget_called(task->pid);
	/* A pipe, a socket, a terminal. */
	if (call.file && call.kind == FILE_UNKNOWN)
		return 0;
	called = claim_called(task->pid);
	if (!called)
		return 0;
	called->number = number;
	called->kind = call.kind;
	called->file = call.file;
	called->inode = call.inode;
	called->path = path ? registers__argument(registers, path - 1) : 0;
	if (wanted & CALL_CLOSES)
		called__keep_file(called, &call);
	called->ns = bpf_ktime_get_ns();
	return 0;
}

static __always_inline int on_call_enter(void *registers, u64 number)
{
	u8 wanted = call__wanted(number);

	return wanted ? call__begin(registers, number, wanted) : 0;
}

/*
 * Where in its file the call began; NO_FILE_OFFSET where that is unknown. The position of an opened file has been moved
 * by what was read or written. Writes to the end of the file begin where it ended, whatever position they name.
 */
static __always_inline u64 call__began_at(const struct call *call, s64 result)
{
	u32 number = call->entry >> CALL_POSITION_SHIFT & CALL_ARGUMENT_MASK;
	s64 moved = result > 0 ? result : 0;
	s64 position = 0;
	u32 flags = 0;

	if (!number || !call->file)
		return NO_FILE_OFFSET;
	READ(flags, call->file + bpf_core_field_offset(struct file, f_flags));
	if (flags & O_APPEND && (call->entry & REQ_OP_MASK) == REQ_OP_WRITE &&
	    (number != CALL_FILE_POSITION || result <= 0))
		return NO_FILE_OFFSET;
	if (number != CALL_FILE_POSITION)
		return argument(call, CALL_POSITION_SHIFT, NO_FILE_OFFSET);
	READ(position, call->file + bpf_core_field_offset(struct file, f_pos));
	return position >= moved ? position - moved : NO_FILE_OFFSET;
}

/* What was read or written; of calls that failed, and of others, what was asked for. */
static __always_inline u32 call__bytes_done(const struct call *call, u8 wanted, s64 result)
{
	if (!(wanted & CALL_MOVES) || result < 0)
		return call__bytes(call);
	return result > 0xffffffff ? 0xffffffff : result;
}

static __always_inline void called__find_file(struct file_id *id, const struct called *called,
					      const struct call *call, u8 wanted, s64 result)
{
	if (wanted & CALL_CLOSES) {
		*id = called->id;
		id->offset = NO_FILE_OFFSET;
	} else if (call->kind != FILE_UNKNOWN) {
		fill_file(id, call->inode, call->kind, NAME_OF_CALL);
		id->offset = call__began_at(call, result);
	}
}

/* The name that the program gave, where that is all that is known of the file. */
static __always_inline void called__send_name(struct file_id *id, const struct called *called, u32 tid)
{
	if (id->flags || !called->path ||
	    send_given_name(called->path, false, called->ns, tid, NAME_OF_CALL))
		return;
	id->inode = called->ns;
	id->file_dev = tid;
	id->flags = FILE_GIVEN_NAME << FILE_KIND_SHIFT;
}

/* The result of a call that opens is the descriptor. */
static __always_inline void call__take_opened(struct call *call, struct task_struct *task, s64 result)
{
	call->file = result >= 0 ? opened_file(task, result) : 0;
	call__look_at_file(call);
}

/* What a call that opens a file was asked to do. */
static __always_inline u32 call__open_bits(const struct call *call)
{
	u32 number = call->entry >> CALL_OPEN_SHIFT & CALL_ARGUMENT_MASK;
	u64 flags = 0;

	if (!number)
		return 0;
	if (number == CALL_OPEN_CREATES)
		flags = target.creat_flags;
	else if (number == CALL_OPEN_HOW)
		bpf_probe_read_user(&flags, sizeof(flags), (void *)registers__argument(call->registers, 2));
	else
		flags = registers__argument(call->registers, number - 1);
	return open__bits(flags);
}

static __noinline int call__end(void *registers, struct called *called, u8 wanted, s64 result)
{
	struct task_struct *task = bpf_get_current_task_btf();
	struct ended_call *ended;
	enum detail_verdict detail;
	struct io_completion *io;
	struct call call;

	if (!called)
		return 0;
	ended = &called->end;
	ended->now = bpf_ktime_get_ns();
	ended->id.flags = 0;
	ended->id.offset = NO_FILE_OFFSET;
	call.registers = registers;
	call.entry = entry_of(registers__call(registers));
	call.file = called->file;
	call.inode = called->inode;
	call.kind = called->kind;
	if (wanted & CALL_OPENS)
		call__take_opened(&call, task, result);
	ended->since_ns = called->ns;
	ended->result = result;
	ended->tgid = task->tgid;
	ended->dev = wanted & CALL_CLOSES ? called->dev : call__dev(&call);
	ended->cmd_flags = call__flags(&call) | call__open_bits(&call) |
			   call__throttled(task->pid, called->ns);
	if (!filter__passes(ended->dev, ended->tgid, ended->cmd_flags))
		return 0;
	ended->bytes = call__bytes_done(&call, wanted, result);
	called__find_file(&ended->id, called, &call, wanted, result);
	detail = ended_call__judge(ended);
	if (detail != DETAIL_LEFT_OUT)
		called__send_name(&ended->id, called, task->pid);
	io = ended_call__record(ended, detail);
	if (!io)
		return 0;
	call__fill_owner(io, task, task__cgroup(task));
	bpf_ringbuf_submit(io, BPF_RB_NO_WAKEUP);
	return 0;
}

static __always_inline int on_call_exit(void *registers, s64 result)
{
	u32 number = registers__call(registers);
	u8 wanted = call__wanted(number);
	struct called *called;

	if (!wanted)
		return 0;
	called = find_called((u32)bpf_get_current_pid_tgid());
	if (!called)
		return 0;
	/* Of another call, whose return was not seen; nor was the entry of this one. */
	if (called->number != number)
		COUNT(calls_unseen);
	else
		call__end(registers, called, wanted, result);
	called__leave(called);
	return 0;
}

#endif
