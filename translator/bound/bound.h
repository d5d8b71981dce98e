/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Upper limits of a script's cost, computed before it runs: --bound, --check, --max-cost, --max-memory. */
#ifndef TAPC_BOUND_H
#define TAPC_BOUND_H

#include "plan/cost.h"

struct mechanism;

/* The cost of one probe of the script: the worst of its handlers. */
struct probe_bound {
	const struct probe *probe;
	struct span span;
	const char *written;		/* its points; only the first few */
	bool unhurried;			/* begin, end, error: nothing waits for it, so it may take longer */
	int64_t limit;			/* MAXACTION, or MAXACTION_INTERRUPTIBLE */
	uint64_t statements;		/* per hit; COST_ENDLESS with --suppress-time-limits */
	struct cost cost;		/* per hit */
	bool is_cut;			/* MAXACTION ends it */
	uint64_t locked;		/* statements while locks are held */
	const char *reads, *writes;	/* names of the globals that are locked meanwhile; NULL: none */
	bool irqs_off;			/* while they are locked */
	uint64_t stack;			/* bytes */
	VEC(struct bound_mechanism { const struct mechanism *how; VEC(const struct site *) places; }) mechanisms;
};

/* Bytes that a session allocates. */
struct memory_bound {
	unsigned cpus;			/* CPUs that are online */
	uint64_t arrays, buffers, contexts, probes, recorder, rest, all;
	const struct variable *largest;	/* the largest array; NULL: the script has no arrays */
	uint64_t largest_bytes;
	uint64_t growth;		/* that buffers may take beyond all, while their readers cannot follow */
	bool has_any_recorder;		/* its size is no constant, and not in all */
	bool has_user_stacks;		/* tables of programs are read when a program is first seen */
};

struct bound {
	const struct plan *plan;
	VEC(struct probe_bound) probes;
	struct memory_bound memory;
};

static inline unsigned long long kilobytes(uint64_t bytes)
{
	return (bytes + 1023) >> 10;
}

/* CODE: size of the generated C in bytes. */
void bound_find(struct bound *b, const struct plan *p, size_t code);
/* False, with messages: the cost or memory may exceed --max-cost or --max-memory. */
bool bound_allows(const struct bound *b);

#endif
