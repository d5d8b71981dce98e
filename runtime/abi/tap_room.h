/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory that a session takes, as far as more than one place decides it: the runtime allocates by these
 * figures, and the translator predicts the total from them. For kernel structures these are upper bounds, which the
 * runtime asserts. */
#ifndef TAP_ROOM_H
#define TAP_ROOM_H

#include "tap_script.h"

enum {
	TAP_CONTEXTS = 4,		/* per CPU: task, softirq, irq, NMI */
	TAP_CONTEXT_BYTES = 2048,	/* without scratch, cells and regular expression groups */
	TAP_GROUPS_BYTES = 1024,	/* without the text */
	TAP_RING_BYTES = 2048,		/* without its contents */
	TAP_BOUNCE_BYTES = 64 << 10,	/* for the reader of a flight recorder's ring */
	TAP_ROW_BYTES = 256,
	TAP_ROW_CPU_BYTES = 64,		/* per CPU: counts and times */
	TAP_LEAST_OUT = 1024,
	TAP_LEAST_RING = 64 << 10,
	TAP_DEFAULT_RING = 512 << 10,
	TAP_DEFAULT_RINGS = 64 << 20,	/* all CPUs together */
	TAP_MOST_RING = 1 << 30,
};

/* Size of the output buffer of one handler, in bytes. */
static inline u32 tap_out_size(const struct tap_limits *l)
{
	u32 size = (l->out + 15) & ~15u;

	return size > TAP_LEAST_OUT ? size : TAP_LEAST_OUT;
}

/* Size of the ring of one CPU, in bytes. WANTED: the value of -s; 0: the default for this
 * number of CPUs. */
static inline u32 tap_ring_size(const struct tap_limits *l, u64 wanted, u32 cpus)
{
	u64 size = wanted ? wanted : l->bursts ? TAP_DEFAULT_RING : TAP_LEAST_RING, rounded = TAP_LEAST_RING;

	while (!wanted && size * cpus > TAP_DEFAULT_RINGS && size > TAP_LEAST_RING)
		size /= 2;
	/* the complete outputs of several handlers must fit at the same time */
	if (size < 4ull * tap_out_size(l))
		size = 4ull * tap_out_size(l);
	while (rounded < size && rounded < TAP_MOST_RING)
		rounded *= 2;
	return (u32)rounded;
}

/* Bytes per CPU: its ring and its contexts. CELLS: bytes of counters and aggregates per context. */
static inline u64 tap_cpu_bytes(const struct tap_limits *l, u64 wanted, u32 cpus, u64 cells, bool overwrite)
{
	u64 context = TAP_CONTEXT_BYTES + l->scratch + cells + TAP_GROUPS_BYTES + l->string;
	u32 ring = tap_ring_size(l, wanted, cpus);

	/* a table of pages maps each page of a ring twice */
	return TAP_RING_BYTES + ring + ring / 256 + (overwrite ? TAP_BOUNCE_BYTES : 0) + TAP_CONTEXTS * context;
}

#endif
