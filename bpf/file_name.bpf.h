/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* The numbers by which user space knows a file, and its path, sent once in the ring of the I/O. */
#ifndef FILE_NAME_BPF_H
#define FILE_NAME_BPF_H

#include "drift.bpf.h"
#include "maps.bpf.h"
#include "send_name.bpf.h"

/* A read that fails leaves 0. */
#define READ(into, address) bpf_probe_read_kernel(&(into), sizeof(into), (const void *)(address))

#define BTRFS_MAGIC 0x9123683e
#define BTRFS_BTREE_INODE 1

#define LONGEST_NAME 256

#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFBLK 0060000
#define S_IFREG 0100000

/* Writes the names from the dentry upwards; returns their bytes. */
static __always_inline u32 put_path(struct file_name *name, u64 dentry)
{
	u32 bytes = 0;

	name->flags |= NAME_CUT;
	for (int i = 0; i < PATH_NAMES; i++) {
		u64 parent = 0, text = 0;
		long length;

		READ(parent, dentry + bpf_core_field_offset(struct dentry, d_parent));
		if (parent == dentry || !parent) {
			name->flags &= ~NAME_CUT;
			break;
		}
		READ(text, dentry + bpf_core_field_offset(struct dentry, d_name.name));
		if (bytes >= PATH_BYTES)
			break;
		length = bpf_probe_read_kernel_str(name->path + bytes, LONGEST_NAME, (void *)text);
		if (length <= 0)
			break;
		bytes += length;
		dentry = parent;
	}
	return bytes;
}

/* `address`: of the inode; the rest is of its file_id. Not static: see bpf/README.md. */
__noinline int send_name(u64 address, u64 inode, u32 file_dev, u32 generation, u32 place)
{
	u32 index = bpf_get_smp_processor_id() * NAME_PLACES + place, links = 0;
	struct file_name *name = bpf_map_lookup_elem(&file_names, &index);
	u64 dentry = 0, bytes;

	if (!name)
		return -1;
	READ(dentry, address + bpf_core_field_offset(struct inode, i_dentry));
	READ(links, address + bpf_core_field_offset(struct inode, i_nlink));
	if (!dentry)
		return -1;
	name->zero = 0;
	name->inode = inode;
	name->file_dev = file_dev;
	name->generation = generation;
	name->flags = links ? 0 : NAME_DELETED;
	bytes = put_path(name, dentry - dentry__alias_offset());
	if (bytes > PATH_BYTES)
		bytes = PATH_BYTES;
	return name__send(name, bytes);
}

/* Subvolumes and their snapshots have files with the same numbers in one file system. */
static __always_inline u32 subvolume_of(u64 inode)
{
	u64 root = 0, id = 0;

	if (!bpf_core_field_exists(((struct btrfs_inode___vfs *)0)->root) ||
	    !bpf_core_field_exists(((struct btrfs_root___id *)0)->root_key))
		return 0;
	READ(root, inode - bpf_core_field_offset(struct btrfs_inode___vfs, vfs_inode) +
			   bpf_core_field_offset(struct btrfs_inode___vfs, root));
	READ(id, root + bpf_core_field_offset(struct btrfs_root___id, root_key.objectid));
	return (u32)id * 0x9e3779b1u;
}

/* `super`: of the file system. Sets all but inode number and device, and adds to the generation. */
static __always_inline void read_id(struct file_id *id, u64 inode, u64 super)
{
	u64 magic = 0;

	/* A cache of the file system's own, such as that of compressed EROFS. */
	if (!id->inode) {
		id->flags = FILE_UNKNOWN << FILE_KIND_SHIFT;
		return;
	}
	READ(magic, super + bpf_core_field_offset(struct super_block, s_magic));
	id->flags = FILE_REGULAR << FILE_KIND_SHIFT;
	if (magic != BTRFS_MAGIC)
		return;
	if (id->inode == BTRFS_BTREE_INODE)
		id->flags = FILE_METADATA << FILE_KIND_SHIFT;
	id->generation += subvolume_of(inode);
}

static __always_inline struct named_file *named_file(u64 inode)
{
	u32 index = (u32)(inode >> 6) * 0x9e3779b1u >> 20;

	return bpf_map_lookup_elem(&named_files, &index);
}

/*
 * A checksum: it does not match if two CPUs wrote the entry at once, or one while another copied it. Multiplied, because
 * files of one file system differ in few bits.
 */
static __always_inline u32 named_file__check(u64 address, u32 generation, const struct file_id *id)
{
	u64 sum = address * 0x9e3779b97f4a7c15ULL ^ id->inode;

	sum = sum * 0xd6e8feb86659fd93ULL ^ ((u64)id->file_dev << 32 | id->generation);
	sum = sum * 0x9e3779b97f4a7c15ULL ^ ((u64)id->flags << 32 | generation);
	return sum * 0xd6e8feb86659fd93ULL >> 32;
}

static __always_inline void fill_regular(struct file_id *id, u64 address, enum name_place place)
{
	struct named_file *named = named_file(address);
	u32 generation = 0, dev = 0;
	u64 inode = 0, super = 0;

	/* Many file systems have no generations, and their inodes take the places of those of others that are gone. */
	READ(super, address + bpf_core_field_offset(struct inode, i_sb));
	READ(dev, super + bpf_core_field_offset(struct super_block, s_dev));
	READ(inode, address + bpf_core_field_offset(struct inode, i_ino));
	READ(generation, address + bpf_core_field_offset(struct inode, i_generation));
	if (named && named->address == address && named->inode == inode &&
	    named->generation == generation) {
		*id = named->id;
		if (named->check == named_file__check(address, generation, id) && id->file_dev == dev)
			return;
	}
	id->inode = inode;
	id->generation = generation;
	id->file_dev = dev;
	read_id(id, address, super);
	if (id->flags == FILE_REGULAR << FILE_KIND_SHIFT &&
	    send_name(address, id->inode, id->file_dev, id->generation, place)) {
		COUNT(names_unsent);
		return;
	}
	if (!named)
		return;
	named->address = address;
	named->inode = inode;
	named->generation = generation;
	named->id = *id;
	named->check = named_file__check(address, generation, id);
}

/* `inode`: an address, of the device's own inode for pages of a device. */
static __always_inline void fill_file(struct file_id *id, u64 inode, u32 kind, enum name_place place)
{
	u32 dev = 0;

	if (kind == FILE_REGULAR) {
		fill_regular(id, inode, place);
		return;
	}
	if (kind == FILE_DEVICE_CACHE)
		READ(dev, inode + bpf_core_field_offset(struct inode, i_rdev));
	id->inode = 0;
	id->generation = 0;
	id->file_dev = dev;
	id->flags = kind << FILE_KIND_SHIFT;
}

#endif
