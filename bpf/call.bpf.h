/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* Reads which system call a thread is in, from its registers, and the opened file from its table of descriptors. */
#ifndef CALL_BPF_H
#define CALL_BPF_H

#include "drift.bpf.h"
#include "file_name.bpf.h"
#include "maps.bpf.h"

#define O_APPEND 02000
#define OVERLAYFS_MAGIC 0x794c7630
/* Results from here to -1 are errors. */
#define MAX_ERRNO 4095

/* What a thread is in: an entry of target.calls, its arguments, and the opened file that they name. */
struct call {
	u32 entry;
	void *registers;
	/* Addresses; 0 where there is none. */
	u64 file;
	u64 inode;
	u32 kind;
};

static __always_inline u32 entry_of(s32 number)
{
	if (number < 0)
		return CALL_PAGE_FAULT << CALL_ID_SHIFT | REQ_OP_READ;
	if (number >= CALLS || !target.calls[number & (CALLS - 1)])
		return CALL_UNKNOWN << CALL_ID_SHIFT | OP_OTHER_CALL;
	return target.calls[number & (CALLS - 1)];
}

/* The argument whose number, counted from 1, is in the entry from `shift` on; `absent` where there is none. */
static __always_inline u64 argument(const struct call *call, u32 shift, u64 absent)
{
	u32 number = call->entry >> shift & CALL_ARGUMENT_MASK;

	return number ? registers__argument(call->registers, number - 1) : absent;
}

static __always_inline u64 opened_file(struct task_struct *task, u32 fd)
{
	struct files_struct *files = task->files;
	struct fdtable *table;
	u64 file = 0;

	if (!files)
		return 0;
	table = files->fdt;
	if (!table || fd >= table->max_fds)
		return 0;
	READ(file, (u64)table->fd + 8ULL * fd);
	return file;
}

/*
 * The inode that has the data, as of the I/O for it: that of the upper layer, if the file has been copied there. overlayfs may
 * be a module, whose types are not known; since Linux 4.13, its inode is followed by the dentry of the upper layer
 * (09d8b586731b). Not static: see bpf/README.md.
 */
__noinline u64 inode__with_data(u64 inode)
{
	u64 super = 0, magic = 0, dentry = 0, upper = 0;

	READ(super, inode + bpf_core_field_offset(struct inode, i_sb));
	READ(magic, super + bpf_core_field_offset(struct super_block, s_magic));
	if (magic != OVERLAYFS_MAGIC)
		return inode;
	READ(dentry, inode + bpf_core_type_size(struct inode));
	READ(upper, dentry + bpf_core_field_offset(struct dentry, d_inode));
	return upper ? upper : inode;
}

/* What call->file is, if it has been found: pipes, sockets and terminals are unknown. */
static __always_inline void call__look_at_file(struct call *call)
{
	u16 mode = 0;

	call->kind = FILE_UNKNOWN;
	call->inode = 0;
	if (!call->file)
		return;
	READ(call->inode, call->file + bpf_core_field_offset(struct file, f_inode));
	call->inode = inode__with_data(call->inode);
	READ(mode, call->inode + bpf_core_field_offset(struct inode, i_mode));
	mode &= S_IFMT;
	if (mode == S_IFREG || mode == S_IFDIR)
		call->kind = FILE_REGULAR;
	else if (mode == S_IFBLK)
		call->kind = FILE_DEVICE;
}

static __always_inline void call__find_file(struct call *call, struct task_struct *task)
{
	u64 fd = argument(call, CALL_FD_SHIFT, ~0ULL);

	call->file = fd == ~0ULL ? 0 : opened_file(task, fd);
	call__look_at_file(call);
}

/* The block device that btrfs is on; 0 where there are several, as a file may be on any of them. */
static __always_inline u64 btrfs__device(u64 super)
{
	u64 magic = 0, at = 0, devices = 0, device = 0;

	if (!bpf_core_field_exists(((struct btrfs_fs_devices___latest *)0)->latest_dev))
		return 0;
	READ(magic, super + bpf_core_field_offset(struct super_block, s_magic));
	if (magic != BTRFS_MAGIC)
		return 0;
	READ(at, super + bpf_core_field_offset(struct super_block, s_fs_info));
	READ(at, at + bpf_core_field_offset(struct btrfs_fs_info___devices, fs_devices));
	READ(devices, at + bpf_core_field_offset(struct btrfs_fs_devices___latest, total_devices));
	if (devices != 1)
		return 0;
	READ(at, at + bpf_core_field_offset(struct btrfs_fs_devices___latest, latest_dev));
	READ(device, at + bpf_core_field_offset(struct btrfs_device___bdev, bdev));
	return device;
}

/* Of the block device, or of the one that the file system is on; 0 where there is none. */
static __always_inline u32 call__dev(const struct call *call)
{
	u64 at = 0, device = 0, disk = 0;
	u32 major = 0, minor = 0;

	if (call->kind == FILE_DEVICE) {
		READ(at, call->file + bpf_core_field_offset(struct file, f_mapping));
		READ(at, at + bpf_core_field_offset(struct address_space, host));
		if (at)
			device = at - bpf_core_field_offset(struct bdev_inode, vfs_inode) +
				 bpf_core_field_offset(struct bdev_inode, bdev);
	} else if (call->kind == FILE_REGULAR) {
		READ(at, call->inode + bpf_core_field_offset(struct inode, i_sb));
		READ(device, at + bpf_core_field_offset(struct super_block, s_bdev));
		if (!device)
			device = btrfs__device(at);
	}
	if (!device)
		return 0;
	READ(disk, device + bpf_core_field_offset(struct block_device, bd_disk));
	READ(major, disk + bpf_core_field_offset(struct gendisk, major));
	READ(minor, disk + bpf_core_field_offset(struct gendisk, first_minor));
	return major << 20 | minor;
}

/* The operation and the call: see `wait_bits`. */
static __always_inline u32 call__flags(const struct call *call)
{
	return (call->entry & REQ_OP_MASK) | (call->entry >> CALL_ID_SHIFT & CALL_ID_MASK) << OP_CALL_SHIFT;
}

/* Flags of open() from OP_OPEN_SHIFT on. Without branches: the verifier would follow each combination of them. */
static __always_inline u32 open__bits(u32 flags)
{
	u32 bits = 0;

#pragma clang loop unroll(full)
	for (u32 bit = 0; bit < OPEN_FLAGS; bit++)
		bits |= (flags >> (target.open_flags[bit] & 31) & 1) << (OP_OPEN_SHIFT + bit);
	return bits;
}

static __always_inline u32 call__bytes(const struct call *call)
{
	u64 bytes = argument(call, CALL_SIZE_SHIFT, 0);

	return bytes > 0xffffffff ? 0xffffffff : bytes;
}

static __always_inline void put_file(struct io_completion *io, const struct file_id *id)
{
	io->inode = id->inode;
	io->file_dev = id->file_dev;
	io->generation = id->generation;
	io->file_offset = id->offset;
	io->flags |= id->flags;
}

static __always_inline void call__fill_owner(struct io_completion *io, struct task_struct *task, u64 cgroup)
{
	io->tgid = task->tgid;
	io->tid = task->pid;
	io->cgroup = cgroup;
	((u64 *)io->comm)[0] = *(u64 *)&task->comm[0];
	((u64 *)io->comm)[1] = *(u64 *)&task->comm[8];
	((u64 *)io->via)[0] = 0;
	((u64 *)io->via)[1] = 0;
}

#endif
