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
	TAP_MOST_SHARE = 256 << 20,	/* that the rings of a session may grow by without -s */

	/* Tables of calls in progress, with what entries keep for returns (kernel/kept.h). */
	TAP_KEPT_BITS = 12,		/* 2 to this power: positions where the slots of a task may begin */
	TAP_KEPT_WINDOW = 96,		/* slots of a task; the kernel tracks 64 nested returns per task, uprobes.c */
	TAP_KEPT_SLOT_BYTES = 24,	/* without what is kept */
};
#define TAP_SHARED (~0ull)

/* Size of such a table, in bytes, if SIZE bytes are kept of each call. */
static inline u64 tap_kept_bytes(u32 size)
{
	return 8 + ((TAP_KEPT_SLOT_BYTES + size + 7ull) & ~7ull) * ((1u << TAP_KEPT_BITS) + TAP_KEPT_WINDOW);
}

/* Size of the output buffer of one handler, in bytes. */
static inline u32 tap_out_size(const struct tap_limits *l)
{
	u32 size = (l->out + 15) & ~15u;

	return size > TAP_LEAST_OUT ? size : TAP_LEAST_OUT;
}

/* Size of the ring of one CPU, in bytes, for this number of CPUs. WANTED: the value of -s, up to which it may grow; 0:
 * the default. OVERWRITE: it never grows, and has that size from the beginning. */
static inline u32 tap_ring_size(const struct tap_limits *l, u64 wanted, u32 cpus, bool overwrite)
{
	u64 size = l->bursts ? TAP_DEFAULT_RING : TAP_LEAST_RING, rounded = TAP_LEAST_RING;

	while (size * cpus > TAP_DEFAULT_RINGS && size > TAP_LEAST_RING)
		size /= 2;
	if (wanted && (overwrite || wanted < size))
		size = wanted;
	/* the complete outputs of several handlers must fit at the same time */
	if (size < 4ull * tap_out_size(l))
		size = 4ull * tap_out_size(l);
	while (rounded < size && rounded < TAP_MOST_RING)
		rounded *= 2;
	return (u32)rounded;
}

/* Bytes by which the ring of one CPU, of size RING, may grow while its reader cannot follow; TAP_SHARED: all CPUs
 * together by tap_backlog_share(). */
static inline u64 tap_ring_growth(u64 wanted, u32 ring, bool overwrite)
{
	if (overwrite || (wanted && wanted <= ring))
		return 0;
	return wanted ? wanted - ring : TAP_SHARED;
}

static inline u64 tap_backlog_share(u64 memory)
{
	return memory / 16 < TAP_MOST_SHARE ? memory / 16 : TAP_MOST_SHARE;
}

/* Bytes per CPU: its ring, without growth, and its contexts. CELLS: bytes of counters and aggregates per context. */
static inline u64 tap_cpu_bytes(const struct tap_limits *l, u64 wanted, u32 cpus, u64 cells, bool overwrite)
{
	u64 context = TAP_CONTEXT_BYTES + l->scratch + cells + TAP_GROUPS_BYTES + l->string;
	u32 ring = tap_ring_size(l, wanted, cpus, overwrite);

	/* a table of pages maps each page of a ring twice */
	return TAP_RING_BYTES + ring + ring / 256 + (overwrite ? TAP_BOUNCE_BYTES : 0) + TAP_CONTEXTS * context;
}

#endif
