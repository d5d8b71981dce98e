/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a script may cost at most, known before it runs: --bound, --max-cost, --max-memory. */
#ifndef TAPC_BOUND_H
#define TAPC_BOUND_H

#include "base/map.h"
#include "plan/cost.h"

struct mechanism;

/* Stack frames of functions. */
struct bound_frames {
	struct map bytes;		/* "probe_0" -> uint64_t */
	bool known;
};

/* What one of the script's probes may cost: the worst of its handlers. */
struct probe_bound {
	const struct probe *probe;
	struct span span;
	const char *written;		/* its points, the first few of them */
	bool unhurried;			/* begin, end, error: it keeps nobody waiting, and may take more */
	int64_t limit;			/* MAXACTION, or MAXACTION_INTERRUPTIBLE */
	uint64_t statements;		/* of a hit; COST_ENDLESS with --suppress-time-limits */
	struct cost cost;		/* the same */
	bool is_cut;			/* MAXACTION ends it */
	uint64_t locked;		/* statements while locks are held */
	const char *reads, *writes;	/* globals that are locked for that; NULL: none */
	bool irqs_off;			/* meanwhile */
	uint64_t stack;			/* bytes */
	VEC(struct bound_mechanism { const struct mechanism *how; size_t places; }) mechanisms;
};

/* Bytes of a session. */
struct memory_bound {
	unsigned cpus;			/* that are up */
	uint64_t arrays, buffers, contexts, probes, rest, all;
	const struct variable *largest;	/* of the arrays; NULL: there are none */
	uint64_t largest_bytes;
	bool has_user_stacks;		/* tables of programs are read as they are met */
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

/* CODE: bytes of the generated C. */
void bound_find(struct bound *b, const struct plan *p, size_t code);
/* USAGE: what gcc -fstack-usage has written; NULL: nothing was compiled. */
void bound_read_frames(struct bound_frames *f, struct arena *a, const char *usage);
/* The stack, once the frames of functions are known. */
void bound_add_stack(struct bound *b, const struct bound_frames *frames);
/* False, with messages: it may be more than --max-cost and --max-memory allow. */
bool bound_allows(const struct bound *b);
/* A table, or JSON. */
void bound_print(const struct bound *b, bool json);

#endif
