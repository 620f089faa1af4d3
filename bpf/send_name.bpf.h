/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* Sends the name of a file in the ring. */
#ifndef SEND_NAME_BPF_H
#define SEND_NAME_BPF_H

#include "maps.bpf.h"

/* `bytes`: of the path, PATH_BYTES at most. */
static __always_inline long name__send(struct file_name *name, u64 bytes)
{
	name->bytes = bytes;
	/* clang forgets this bound when it adds the constant. */
	asm volatile("%0 &= 1023" : "+r"(bytes));
	if (bytes > PATH_BYTES)
		return -1;
	return bpf_ringbuf_output(&events, name, __builtin_offsetof(struct file_name, path) + bytes,
				  BPF_RB_NO_WAKEUP);
}

#endif
