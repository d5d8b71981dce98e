/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What memory a session takes, as far as that is decided by more than one place: the runtime allocates by it, and
 * the translator tells by it beforehand how much that will be. Of structures of the kernel here are upper bounds,
 * which the runtime asserts. */
#ifndef TAP_ROOM_H
#define TAP_ROOM_H

#include "tap_script.h"

enum {
	TAP_CONTEXTS = 4,		/* of each CPU: task, softirq, irq, NMI */
	TAP_CONTEXT_BYTES = 2048,	/* besides scratch, cells and groups of regular expressions */
	TAP_GROUPS_BYTES = 1024,	/* besides the text */
	TAP_RING_BYTES = 2048,		/* besides what it holds */
	TAP_BOUNCE_BYTES = 64 << 10,	/* of a flight recorder's ring, for its reader */
	TAP_ROW_BYTES = 256,
	TAP_ROW_CPU_BYTES = 64,		/* of each CPU: counts and times */
	TAP_LOCK_BYTES = 128,
	TAP_LEAST_OUT = 1024,
	TAP_LEAST_RING = 64 << 10,
	TAP_DEFAULT_RING = 512 << 10,
	TAP_DEFAULT_RINGS = 64 << 20,	/* of all CPUs together */
	TAP_MOST_RING = 1 << 30,
};

/* Bytes of what one handler prints. */
static inline u32 tap_out_size(const struct tap_limits *l)
{
	u32 size = (l->out + 15) & ~15u;

	return size > TAP_LEAST_OUT ? size : TAP_LEAST_OUT;
}

/* Bytes of one CPU's ring. WANTED: with -s; 0: the default for so many CPUs. */
static inline u32 tap_ring_size(const struct tap_limits *l, u64 wanted, u32 cpus)
{
	u64 size = wanted ? wanted : l->bursts ? TAP_DEFAULT_RING : TAP_LEAST_RING, rounded = TAP_LEAST_RING;

	while (!wanted && size * cpus > TAP_DEFAULT_RINGS && size > TAP_LEAST_RING)
		size /= 2;
	/* some handlers' whole outputs must have room at once */
	if (size < 4ull * tap_out_size(l))
		size = 4ull * tap_out_size(l);
	while (rounded < size && rounded < TAP_MOST_RING)
		rounded *= 2;
	return (u32)rounded;
}

/* Bytes of one CPU: its ring and its contexts. CELLS: bytes of a context's counters and aggregates. */
static inline u64 tap_cpu_bytes(const struct tap_limits *l, u64 wanted, u32 cpus, u64 cells, bool overwrite)
{
	u64 context = TAP_CONTEXT_BYTES + l->scratch + cells + TAP_GROUPS_BYTES + l->string;
	u32 ring = tap_ring_size(l, wanted, cpus);

	/* each page of a ring is mapped twice, by a table of its pages */
	return TAP_RING_BYTES + ring + ring / 256 + (overwrite ? TAP_BOUNCE_BYTES : 0) + TAP_CONTEXTS * context;
}

#endif
