/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a probed function may call a handler directly (runtime/abi/tap_direct.h), and what the handler needs then. */
#ifndef TAPC_PLAN_DIRECT_H
#define TAPC_PLAN_DIRECT_H

struct handler_plan;
struct effects;

enum direct {
	DIRECT_NEVER,			/* reads all registers, or writes some */
	DIRECT_PLAIN,			/* reads arguments and adds to counters: cannot fail, prints nothing, and reads
					 * nothing of its context but the counters */
	DIRECT_BARE,			/* reads no registers */
	DIRECT_REGS,			/* reads some registers that hold arguments */
};

struct plan;

/* EFFECTS: those of the handler. */
enum direct plan_direct(const struct plan *p, const struct handler_plan *h, const struct effects *effects);

#endif
