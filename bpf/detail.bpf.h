/* SPDX-License-Identifier: (MIT OR GPL-2.0-only) */
/* Which I/Os are delivered one by one while the reader cannot afford all of them. */
#ifndef DETAIL_BPF_H
#define DETAIL_BPF_H

#include "first.bpf.h"
#include "maps.bpf.h"

enum detail_verdict {
	DETAIL_LEFT_OUT,
	/* Delivered whatever the chance is, so it stands for itself alone. */
	DETAIL_CERTAIN,
	DETAIL_SAMPLED,
};

/* A part of the request failed, even if the rest did not. */
static __always_inline bool detail__failed(const struct inflight *slot, u32 index, int error)
{
	struct progress *p = NULL;

	if (!error && slot->state & STATE_PROGRESS)
		p = bpf_map_lookup_elem(&progress, &index);
	return error || (p && p->error);
}

/* Whether it is delivered because it was slow, or because all are. `since`: ns; 0 where the start is not known. */
static __always_inline bool detail__is_certain(const struct detail *detail, u64 since, u64 now)
{
	return !detail->chance || (since && now - since >= detail->slow_ns);
}

/* The draw is independent of everything else, so that the sample of any group of I/Os is unbiased. */
static __always_inline enum detail_verdict detail__draw(const struct detail *detail)
{
	return bpf_get_prandom_u32() < detail->chance ? DETAIL_SAMPLED : DETAIL_LEFT_OUT;
}

static __always_inline enum detail_verdict detail__judge(const struct inflight *slot, u32 index,
							 int error, u64 now)
{
	u64 since = slot->start_ns ? slot->start_ns : slot->issue_ns;
	struct control *c = control();

	if (!c || detail__is_certain(&c->detail, since, now) || detail__failed(slot, index, error))
		return DETAIL_CERTAIN;
	/* Before the draw: else an owner would be in the sample without its first I/Os. */
	if (is_first(slot, index, now))
		return DETAIL_CERTAIN;
	return detail__draw(&c->detail);
}

#endif
