/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* The name that a program gave for a file: all that is known of it where the call failed, or made or removed the file. */
#ifndef GIVEN_NAME_BPF_H
#define GIVEN_NAME_BPF_H

#include "maps.bpf.h"
#include "send_name.bpf.h"

/*
 * Sends the name before the record of the call. `token` and the thread, in the place of inode and device, say which
 * record that is. `pointer` is an address of the program, or of the kernel's copy.
 */
static __noinline int send_given_name(u64 pointer, bool is_copy, u64 token, u32 tid, enum name_place place)
{
	u32 index = bpf_get_smp_processor_id() * NAME_PLACES + place;
	struct file_name *name = bpf_map_lookup_elem(&file_names, &index);
	long length;

	if (!name)
		return -1;
	if (is_copy)
		length = bpf_probe_read_kernel_str(name->path, PATH_BYTES, (void *)pointer);
	else
		length = bpf_probe_read_user_str(name->path, PATH_BYTES, (void *)pointer);
	/* Without its NUL. */
	if (length <= 1)
		return -1;
	name->zero = 0;
	name->inode = token;
	name->file_dev = tid;
	name->generation = 0;
	name->flags = NAME_GIVEN | (length == PATH_BYTES ? NAME_CUT : 0);
	return name__send(name, length - 1);
}

#endif
