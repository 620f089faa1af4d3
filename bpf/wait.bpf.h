/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * Waits of programs for storage: from when a thread goes to sleep uninterruptibly until it runs again. When it stops,
 * only the time is noted, as most threads that stop wait for something else. All else is read when it runs
 * again, still in the same system call or page fault.
 */
#ifndef WAIT_BPF_H
#define WAIT_BPF_H

#include "call.bpf.h"
#include "drift.bpf.h"
#include "file_name.bpf.h"
#include "filter.bpf.h"
#include "maps.bpf.h"
#include "owner.bpf.h"
#include "throttle.bpf.h"

#define TASK_UNINTERRUPTIBLE 0x0002
/* Of threads that sleep uninterruptibly for lack of work. */
#define TASK_NOLOAD 0x0400
#define PF_IO_WORKER 0x0010

#define BDI_CAP_WRITEBACK 1

/* A wait is taken to be for the last read of its thread if that was issued at most this long before it. */
#define READ_BEFORE_NS 1000000

static __always_inline struct wait_set *wait_set(u32 tid)
{
	u32 index = tid & (WAIT_SETS - 1);

	return bpf_map_lookup_elem(&waits, &index);
}

static __always_inline bool is_marked(u32 tid)
{
	return asleep[tid & (ASLEEP_MARKS - 1)];
}

static __always_inline bool sleeper__take(struct sleeper *sleeper, u32 tid)
{
	if (sleeper->tid || !claim__begin(&sleeper->claims))
		return false;
	sleeper->ns = bpf_ktime_get_ns();
	*(volatile u32 *)&sleeper->tid = tid;
	return true;
}

/*
 * If both places are taken, the thread that has slept for longer is forgotten; if another CPU is about to take or to leave
 * its place, this one.
 */
static __always_inline void sleeper__replace(struct wait_set *set, u32 tid)
{
	struct sleeper *older = set->ways[1].ns < set->ways[0].ns ? &set->ways[1] : &set->ways[0];

	COUNT(waits_forgotten);
	if (!older->tid)
		return;
	older->tid = tid;
	older->ns = bpf_ktime_get_ns();
}

static __always_inline void wait__begin(u32 tid)
{
	struct wait_set *set = wait_set(tid);

	if (!set)
		return;
	if (!sleeper__take(&set->ways[0], tid) && !sleeper__take(&set->ways[1], tid))
		sleeper__replace(set, tid);
	/* Last, so that who resets the mark meanwhile either finds the thread or is overwritten. */
	*(volatile u8 *)&asleep[tid & (ASLEEP_MARKS - 1)] = 1;
}

/* Another thread may be noted here meanwhile, and would have no mark: so its place is read again after that is reset. */
static __always_inline void wait__unmark(struct wait_set *set, u32 tid)
{
	if (set->ways[0].tid || set->ways[1].tid)
		return;
	asleep[tid & (ASLEEP_MARKS - 1)] = 0;
	full_barrier(&set->ways[0].tid);
	if (set->ways[0].tid || set->ways[1].tid)
		asleep[tid & (ASLEEP_MARKS - 1)] = 1;
}

/* The time is read first: a place that is free is another thread's at once. */
static __always_inline u64 sleeper__leave(struct sleeper *sleeper)
{
	u64 ns = *(volatile u64 *)&sleeper->ns;

	*(volatile u32 *)&sleeper->tid = 0;
	claim__end(&sleeper->claims);
	return ns;
}

/* When the thread went to sleep, or 0. The mark stays while it may be that of another thread as well. */
static __always_inline u64 wait__take(u32 tid)
{
	struct wait_set *set = wait_set(tid);
	u64 ns;

	/* The idle threads of all CPUs have the number 0, as free places do. */
	if (!set || !tid)
		return 0;
	if (set->ways[0].tid == tid)
		ns = sleeper__leave(&set->ways[0]);
	else if (set->ways[1].tid == tid)
		ns = sleeper__leave(&set->ways[1]);
	else
		return 0;
	wait__unmark(set, tid);
	return ns;
}

/* A worker of io_uring has the registers of whoever created it. */
static __always_inline void call__of(struct call *call, struct task_struct *task)
{
	bool is_worker = task->flags & PF_IO_WORKER;

	call->registers = (void *)bpf_task_pt_regs(task);
	call->entry = entry_of(task__is_32bit(task) ? UNKNOWN_CALL : registers__call(call->registers));
	if (is_worker)
		call->entry &= ~(CALL_ARGUMENT_MASK << CALL_FD_SHIFT);
	call__find_file(call, task);
}

/* Files in memory, of the kernel itself and of its settings are written to no storage. */
static __always_inline bool is_on_storage(const struct call *call)
{
	u64 super = 0, bdi = 0, magic = 0;
	u32 capabilities = 0;

	if (call->kind == FILE_DEVICE)
		return true;
	if (call->kind != FILE_REGULAR)
		return false;
	READ(super, call->inode + bpf_core_field_offset(struct inode, i_sb));
	READ(magic, super + bpf_core_field_offset(struct super_block, s_magic));
	if (magic == OVERLAYFS_MAGIC)
		return true;
	READ(bdi, super + bpf_core_field_offset(struct super_block, s_bdi));
	READ(capabilities, bdi + bpf_core_field_offset(struct backing_dev_info, capabilities));
	return capabilities & BDI_CAP_WRITEBACK;
}

/*
 * The kernel marks sleeps for I/O. Those for a journal, for a lock of the file and some for writeback are not marked:
 * they count in calls that read, write or sync what is on storage.
 */
static __always_inline bool is_for_storage(const struct call *call, struct task_struct *task)
{
	if (BPF_CORE_READ_BITFIELD(task, in_iowait))
		return true;
	if (call->entry & CALL_ALWAYS_STORAGE)
		return true;
	return call->entry & CALL_FILE_STORAGE && is_on_storage(call);
}

static __always_inline struct thread_read *thread_read(u32 tid)
{
	u32 index = tid & (THREAD_READS - 1);

	return bpf_map_lookup_elem(&thread_reads, &index);
}

/* Notes what is read for a thread, for calls that name no opened file and for page faults. */
static __always_inline void note_read(u32 tid, u32 dev, const struct file_id *id)
{
	struct thread_read *read = thread_read(tid);

	if (!read)
		return;
	read->tid = tid;
	read->dev = dev;
	read->id = *id;
	read->ns = bpf_ktime_get_ns();
}

/* Where in its file the call begins; NO_FILE_OFFSET where it does not say. */
static __always_inline u64 call__position(const struct call *call)
{
	u32 number = call->entry >> CALL_POSITION_SHIFT & CALL_ARGUMENT_MASK;
	u64 position = NO_FILE_OFFSET;
	u32 flags = 0;

	if (number != CALL_FILE_POSITION)
		return argument(call, CALL_POSITION_SHIFT, NO_FILE_OFFSET);
	READ(flags, call->file + bpf_core_field_offset(struct file, f_flags));
	if (!(flags & O_APPEND))
		READ(position, call->file + bpf_core_field_offset(struct file, f_pos));
	return position;
}

/* What was read for the thread shortly before or during its wait, or NULL. */
static __always_inline struct thread_read *read_for(u32 tid, u64 since_ns)
{
	struct thread_read *read = thread_read(tid);

	return read && read->tid == tid && read->ns + READ_BEFORE_NS >= since_ns ? read : NULL;
}

static __always_inline void wait__fill_file(struct io_completion *io, const struct call *call,
					    const struct thread_read *read)
{
	struct file_id id = { .offset = NO_FILE_OFFSET };

	if (call->kind != FILE_UNKNOWN) {
		fill_file(&id, call->inode, call->kind, NAME_OF_WAIT);
		id.offset = call__position(call);
	} else if (read) {
		id = read->id;
	}
	put_file(io, &id);
}

static __noinline int wait__end(struct task_struct *task, u64 since_ns)
{
	/* Once, and not on each way to where it is used: see struct queues. */
	u64 cgroup = task__cgroup(task);
	u64 now = bpf_ktime_get_ns();
	struct thread_read *read = read_for(task->pid, since_ns);
	struct io_completion *io;
	struct call call;
	u32 cmd_flags, dev;

	call__of(&call, task);
	if (!is_for_storage(&call, task)) {
		COUNT(waits_elsewhere);
		return 0;
	}
	dev = call__dev(&call);
	if (!dev && read)
		dev = read->dev;
	cmd_flags = call__flags(&call) | wait__throttled(task->pid, since_ns);
	if (!filter__passes(dev, task->tgid, cmd_flags))
		return 0;
	io = bpf_ringbuf_reserve(&events, sizeof(*io), 0);
	if (!io) {
		COUNT(waits_lost);
		return 0;
	}
	io->complete_ns = now;
	io->device_ns = now - since_ns;
	io->queue_ns = 0;
	io->sector = ~0ULL;
	io->bytes = call__bytes(&call);
	io->dev = dev;
	io->cmd_flags = cmd_flags;
	io->error = 0;
	io->flags = IO_NO_SECTOR | LAYER_WAITS << IO_LAYER_SHIFT;
	call__fill_owner(io, task, cgroup);
	wait__fill_file(io, &call, read);
	bpf_ringbuf_submit(io, BPF_RB_NO_WAKEUP);
	return 0;
}

/* `state`: of `prev` as it stopped. */
static __always_inline int on_switch(u64 preempt, struct task_struct *prev, struct task_struct *next, u32 state)
{
	u32 tid = next->pid;
	u64 since_ns;

	/* It has run, so its last wait ended, and the kernel skipped the program then. */
	if (is_marked(prev->pid) && wait__take(prev->pid))
		COUNT(waits_unseen);
	if ((state & (TASK_UNINTERRUPTIBLE | TASK_NOLOAD)) == TASK_UNINTERRUPTIBLE &&
	    !(preempt & 0xff) && !(prev->flags & PF_KTHREAD))
		wait__begin(prev->pid);
	if (!is_marked(tid))
		return 0;
	since_ns = wait__take(tid);
	if (since_ns)
		wait__end(next, since_ns);
	return 0;
}

#endif
