/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/*
 * The few kernel types and constants that the programs use, and libbpf's helpers, which build on them.
 * Offsets are relocated at load (CO-RE), so only names and types matter here.
 */
#ifndef KERNEL_TYPES_H
#define KERNEL_TYPES_H

typedef signed char __s8;
typedef unsigned char __u8;
typedef short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;
typedef __u8 u8;
typedef __s16 s16;
typedef __u16 u16;
typedef __s32 s32;
typedef __u32 u32;
typedef __u64 u64;
typedef __s64 s64;
typedef _Bool bool;

enum { false, true };

#define NULL ((void *)0)

enum {
	BPF_MAP_TYPE_ARRAY = 2,
	BPF_MAP_TYPE_RINGBUF = 27,
};

enum {
	BPF_F_MMAPABLE = 1u << 10,
	BPF_RB_NO_WAKEUP = 1,
};

#define PF_KTHREAD 0x00200000
#define PF_WQ_WORKER 0x00000020

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct kernfs_node {
	u64 id;
};

struct cgroup_root {
	int hierarchy_id;
};

struct cgroup {
	struct kernfs_node *kn;
	struct cgroup_root *root;
};

struct cgroup_subsys_state {
	struct cgroup *cgroup;
};

struct blkcg {
	struct cgroup_subsys_state css;
};

struct blkcg_gq {
	struct blkcg *blkcg;
};

struct css_set {
	struct cgroup *dfl_cgrp;
};

struct fdtable {
	unsigned int max_fds;
	void *fd;
};

struct files_struct {
	struct fdtable *fdt;
};

struct task_struct {
	unsigned int flags;
	unsigned int in_iowait : 1;
	int pid;
	int tgid;
	char comm[16];
	struct css_set *cgroups;
	struct files_struct *files;
};

/* What a kernel thread runs; of a worker, the function of the work that it is at. */
struct kthread {
	void *data;
};

struct worker {
	void *current_func;
};

struct request_queue;

struct gendisk {
	int major;
	int first_minor;
	char disk_name[32];
	struct request_queue *queue;
};

struct blk_mq_ops;

struct request_queue {
	int id;
	struct gendisk *disk;
	/* NULL: the driver takes bios and makes no requests. */
	const struct blk_mq_ops *mq_ops;
};

struct block_device {
	u32 bd_dev;
	struct gendisk *bd_disk;
};

struct backing_dev_info {
	unsigned int capabilities;
};

struct bvec_iter {
	u64 bi_sector;
	unsigned int bi_size;
	unsigned int bi_idx;
	unsigned int bi_bvec_done;
};

struct xarray {
	unsigned int xa_flags;
};

struct address_space {
	struct inode *host;
	struct xarray i_pages;
};

/* A folio is read as its first page, because older kernels have no folios. */
struct page {
	unsigned long flags;
	unsigned long compound_head;
	struct address_space *mapping;
	unsigned long private;
};

struct bio_vec {
	struct page *bv_page;
	unsigned int bv_len;
	unsigned int bv_offset;
};

struct super_block {
	u32 s_dev;
	unsigned long s_magic;
	struct block_device *s_bdev;
	struct backing_dev_info *s_bdi;
	void *s_fs_info;
};

struct hlist_head {
	void *first;
};

struct inode {
	unsigned short i_mode;
	u8 i_blkbits;
	unsigned int i_nlink;
	u32 i_rdev;
	u32 i_generation;
	unsigned long i_ino;
	struct super_block *i_sb;
	struct hlist_head i_dentry;
	struct address_space i_data;
};

struct qstr {
	const unsigned char *name;
};

struct dentry {
	struct dentry *d_parent;
	struct qstr d_name;
	struct inode *d_inode;
};

struct file {
	struct inode *f_inode;
	struct address_space *f_mapping;
	unsigned int f_flags;
	s64 f_pos;
};

/* A block device and its pages. */
struct bdev_inode {
	struct block_device bdev;
	struct inode vfs_inode;
};

struct kiocb {
	struct file *ki_filp;
	s64 ki_pos;
};

/* A direct I/O of most file systems. */
struct iomap_dio {
	struct kiocb *iocb;
	s64 size;
	bool wait_for_completion;
	union {
		struct {
			struct task_struct *waiter;
		} submit;
	};
};

struct list_head {
	struct list_head *next;
};

struct swait_queue {
	struct task_struct *task;
	struct list_head task_list;
};

struct swait_queue_head {
	struct list_head task_list;
};

struct completion {
	struct swait_queue_head wait;
};

/* A direct I/O of the others: fs/direct-io.c. */
struct dio {
	struct inode *inode;
};

struct buffer_head {
	void *b_end_io;
};

struct blk_mq_hw_ctx {
	unsigned int queue_num;
};

struct bio {
	struct bio *bi_next;
	struct block_device *bi_bdev;
	unsigned int bi_opf;
	u8 bi_status;
	struct bvec_iter bi_iter;
	void *bi_end_io;
	void *bi_private;
	struct blkcg_gq *bi_blkg;
	struct bio_vec *bi_io_vec;
};

struct request {
	struct request_queue *q;
	struct blk_mq_hw_ctx *mq_hctx;
	unsigned int cmd_flags;
	int tag;
	int internal_tag;
	unsigned int __data_len;
	u64 __sector;
	struct bio *bio;
	struct bio *biotail;
};

/* Of jbd2, which may be a module. */
struct journal_s {
	struct block_device *j_fs_dev;
};

struct transaction_s {
	u32 t_tid;
};

/* A request of io_uring. Each of the structs after it begins where the request does. */
struct io_kiocb {
	struct file *file;
	u8 opcode;
};

struct io_rw {
	struct kiocb kiocb;
	u32 len;
};

struct io_sync {
	s64 len;
	s64 off;
};

struct io_fadvise {
	u64 offset;
	u64 len;
};

struct io_ftrunc {
	s64 len;
};

/* The kernel's copy of a name that a program gave. */
struct filename {
	const char *name;
};

struct open_how {
	u64 flags;
};

struct io_open {
	u32 file_slot;
	struct filename *filename;
	struct open_how how;
};

struct io_close {
	int fd;
	u32 file_slot;
};

struct io_splice {
	s64 off_in;
	u64 len;
	int splice_fd_in;
	unsigned int flags;
};

struct io_statx {
	struct filename *filename;
};

struct io_rename {
	struct filename *oldpath;
};

struct io_unlink {
	struct filename *filename;
};

struct io_mkdir {
	struct filename *filename;
};

struct io_link {
	struct filename *oldpath;
	struct filename *newpath;
};

struct io_xattr {
	struct filename *filename;
};

struct io_uring_cqe {
	s32 res;
};

#pragma clang attribute pop

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>

#endif
