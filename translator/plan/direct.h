/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a probed function may call a handler directly (runtime/abi/tap_direct.h), and what the handler needs then. */
#ifndef TAPC_PLAN_DIRECT_H
#define TAPC_PLAN_DIRECT_H

#include <stdbool.h>

struct handler_plan;
struct effects;

enum direct {
	DIRECT_NEVER,			/* reads all registers, or writes some */
	DIRECT_PLAIN,			/* reads arguments and adds to counters: cannot fail, prints nothing, and reads
					 * nothing of its context but the counters */
	DIRECT_BARE,			/* reads no registers */
	DIRECT_REGS,			/* reads some registers that hold arguments */
};

/* The same for its rows of returns. */
struct gated {
	bool is_possible;
	const char *why_not;
	bool enters_late;		/* what the handler of the entry reads is still known at the return */
};

struct plan;

/* EFFECTS: those of the handler. *WHY: why it is DIRECT_NEVER. */
enum direct plan_direct(const struct plan *p, const struct handler_plan *h, const struct effects *effects,
			const char **why);
/* ENTRY: those of the handler that runs at the function's entry; or NULL. */
struct gated plan_gated(const struct plan *p, const struct handler_plan *h, const struct effects *effects,
			const struct effects *entry);

#endif
