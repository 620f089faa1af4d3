/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * Threads that are throttled: whose direct I/O the limit of a cgroup holds back (see ends_throttling()), or that wrote more
 * to the page cache than the disks take, and have to pause for it. Their waits and calls are marked.
 */
#ifndef THROTTLE_BPF_H
#define THROTTLE_BPF_H

#include "drift.bpf.h"
#include "maps.bpf.h"

/* At most this long is between the tracepoint of a pause and the sleep. */
#define PAUSE_BEFORE_NS 1000000

static __always_inline struct thread_throttle *thread_throttle(u32 tid)
{
	u32 index = tid & (THREAD_THROTTLES - 1);

	return bpf_map_lookup_elem(&thread_throttles, &index);
}

static __always_inline void note_throttled(u32 tid)
{
	struct thread_throttle *throttle = thread_throttle(tid);

	if (!throttle)
		return;
	throttle->tid = tid;
	throttle->is_told = 0;
	throttle->ns = bpf_ktime_get_ns();
}

/* `pause`: 0 or negative where the thread does not sleep. */
static __always_inline int on_pause(s64 pause)
{
	if (pause > 0)
		note_throttled((u32)bpf_get_current_pid_tgid());
	return 0;
}

/* REQ_THROTTLED if the thread was throttled in its wait since then, else 0. */
static __always_inline u32 wait__throttled(u32 tid, u64 since_ns)
{
	struct thread_throttle *throttle = thread_throttle(tid);

	if (!throttle || throttle->tid != tid || throttle->is_told || throttle->ns + PAUSE_BEFORE_NS < since_ns)
		return 0;
	throttle->is_told = 1;
	return REQ_THROTTLED;
}

/* The same for a call, which may have several waits. */
static __always_inline u32 call__throttled(u32 tid, u64 since_ns)
{
	struct thread_throttle *throttle = thread_throttle(tid);

	return throttle && throttle->tid == tid && throttle->ns >= since_ns ? REQ_THROTTLED : 0;
}

#endif
