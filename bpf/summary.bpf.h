/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* Counts completions that are not delivered one by one, so that no I/O is missing in the totals. */
#ifndef SUMMARY_BPF_H
#define SUMMARY_BPF_H

#include "filter.bpf.h"
#include "maps.bpf.h"

/*
 * Position of the highest bit of a value below 2^63. Comparisons by subtraction: the verifier
 * would walk every combination of branches.
 */
static __always_inline u32 log2(u64 value)
{
	u32 bits = 0, step;

	step = (0xffffffffULL - value) >> 63 << 5;
	value >>= step;
	bits += step;
	step = (0xffffULL - value) >> 63 << 4;
	value >>= step;
	bits += step;
	step = (0xffULL - value) >> 63 << 3;
	value >>= step;
	bits += step;
	step = (0xfULL - value) >> 63 << 2;
	value >>= step;
	bits += step;
	step = (0x3ULL - value) >> 63 << 1;
	value >>= step;
	bits += step;
	return bits + (u32)(value >> 1);
}

/* As fineBin() in src/model/fine-bins.ts. */
static __always_inline u32 fine_bin(u64 value, u32 bins)
{
	u32 exponent, bin;

	if (value < 1 << SUB_BIN_BITS)
		return value;
	exponent = log2(value) - SUB_BIN_BITS;
	bin = ((exponent + 1) << SUB_BIN_BITS) + (u32)(value >> exponent) - (1 << SUB_BIN_BITS);
	return bin < bins ? bin : bins - 1;
}

/* Order of the shared summaries, which follow those of single devices. */
enum { SHARED_BY_DISKS, SHARED_BY_VOLUMES, SHARED_BY_CALLS };

/* Which summaries a device has, and how its sectors fall into bins. */
struct summary_place {
	u32 device;
	u32 offset_shift;
};

/* Disks without an entry in control.devices share one place, volumes without one another, and all calls a third. */
static __always_inline struct summary_place summary__place(const struct control *c, u32 dev,
							   enum layer layer)
{
	struct summary_place place = { .device = target.summary_devices + SHARED_BY_DISKS };

	if (layer == LAYER_VOLUMES)
		place.device = target.summary_devices + SHARED_BY_VOLUMES;
	if (layer == LAYER_CALLS) {
		place.device = target.summary_devices + SHARED_BY_CALLS;
		return place;
	}
	for (u32 i = 0; i < SUMMARY_DEVICES && i < target.summary_devices; i++) {
		if (c->devices[i].dev != dev || !dev)
			continue;
		place.device = i;
		place.offset_shift = c->devices[i].offset_shift & 63;
		break;
	}
	return place;
}

static __always_inline u32 summary__offset_bin(u64 sector, u32 shift)
{
	u64 bin = sector >> shift;

	return bin < OFFSET_BINS ? bin : OFFSET_BINS - 1;
}

static __always_inline void summary__maxima(struct summary *sum, const struct io_completion *io)
{
	u64 epoch = io->complete_ns >> EPOCH_SHIFT;

	if (sum->max_epoch != epoch) {
		sum->max_device_ns = 0;
		sum->max_queue_ns = 0;
		sum->max_epoch = epoch;
	}
	if (!(io->flags & IO_NO_ISSUE) && io->device_ns > sum->max_device_ns)
		sum->max_device_ns = io->device_ns;
	if (!(io->flags & IO_NO_START) && io->queue_ns > sum->max_queue_ns)
		sum->max_queue_ns = io->queue_ns;
}

/* Repeats for the verifier the bound that fine_bin() ensures. */
#define BUMP(histogram, bin, bins)                                                                 \
	do {                                                                                       \
		u32 at = (bin);                                                                    \
		if (at < (bins))                                                                   \
			__sync_fetch_and_add(&(histogram)[at], 1);                                 \
	} while (0)

static __always_inline void summary__times(struct summary *sum, const struct io_completion *io)
{
	bool device = !(io->flags & IO_NO_ISSUE), queue = !(io->flags & IO_NO_START);

	if (device) {
		__sync_fetch_and_add(&sum->device_ns, io->device_ns);
		BUMP(sum->device, fine_bin(io->device_ns, TIME_BINS), TIME_BINS);
	}
	if (queue) {
		__sync_fetch_and_add(&sum->queue_ns, io->queue_ns);
		BUMP(sum->queue, fine_bin(io->queue_ns, TIME_BINS), TIME_BINS);
	}
	if (device && queue)
		BUMP(sum->total, fine_bin(io->device_ns + io->queue_ns, TIME_BINS), TIME_BINS);
}

/* Returns false when there is no summary to count in: the I/O is lost then. */
static __noinline bool summary__add(const struct io_completion *io)
{
	struct control *c = control();
	u32 epoch = (io->complete_ns >> EPOCH_SHIFT) & (EPOCHS - 1);
	u32 stripe = bpf_get_smp_processor_id() & target.stripe_mask;
	struct summary *sum;
	struct summary_place place;
	u32 index;

	if (!c)
		return false;
	place = summary__place(c, io->dev, io->flags >> IO_LAYER_SHIFT & 3);
	index = (place.device * OP_CLASSES + op_class(io->cmd_flags)) * EPOCHS + epoch;
	index = index * (target.stripe_mask + 1) + stripe;
	sum = bpf_map_lookup_elem(&summaries, &index);
	if (!sum)
		return false;
	__sync_fetch_and_add(&sum->begun, 1);
	summary__maxima(sum, io);
	__sync_fetch_and_add(&sum->bytes, (u64)io->bytes);
	if (io->error)
		__sync_fetch_and_add(&sum->errors, 1);
	summary__times(sum, io);
	BUMP(sum->size, fine_bin(io->bytes, SIZE_BINS), SIZE_BINS);
	if (!(io->flags & IO_NO_SECTOR))
		BUMP(sum->offset, summary__offset_bin(io->sector, place.offset_shift), OFFSET_BINS);
	__sync_fetch_and_add(&sum->count, 1);
	return true;
}

#endif
