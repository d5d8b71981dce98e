/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that call a handler directly, instead of ftrace. A script has direct.c in its module if a row has code for
 * it (tap_direct.h), so hook.c refers to these weakly. */
#ifndef TAP_DIRECT_KERNEL_H
#define TAP_DIRECT_KERNEL_H

#include "compat.h"
#include "rows.h"
#include "session.h"

struct ftrace_ops;

#ifdef TAP_DIRECT_OPS

/* Whether this kernel and machine can. */
bool tap_direct_may(void) __weak;
/* All functions of OPS's filter call the handler of ROW, until tap_direct_detach; SOME_IP is one of them. PAIR: of
 * returns, the row of entries whose handler they call as well; or NULL. OPS is otherwise zeroed, and has to be zeroed
 * again after an error: -EBUSY if one of them is taken, by a BPF program for example; -ENXIO if tap_gate has no
 * trampoline.
 * PATCHED is called, with locks of ftrace held, when a live patch changes one of them: before IS_ATTACHED it may
 * refuse by an errno. */
int tap_direct_attach(struct ftrace_ops *ops, struct tap_row *row, struct tap_row *pair, unsigned long some_ip,
		      int (*patched)(struct ftrace_ops *ops, bool is_attached)) __weak;
/* The same for the code at ADDRESS. */
int tap_direct_attach_to(struct ftrace_ops *ops, unsigned long address, unsigned long some_ip,
			 int (*patched)(struct ftrace_ops *ops, bool is_attached));
/* When it returns 0, no task is in the row's code; of a return, no task is about to enter the trampoline. Sleeps. */
int tap_direct_detach(struct ftrace_ops *ops, struct tap_row *row) __weak;

static inline bool tap_direct_is_possible(void) { return tap_direct_may && tap_direct_may(); }

#else	/* no weak references either: on arm64 they need a table that modules do not have */

static inline bool tap_direct_is_possible(void) { return false; }
static inline int tap_direct_attach(struct ftrace_ops *ops, struct tap_row *row, struct tap_row *pair,
				    unsigned long some_ip, int (*patched)(struct ftrace_ops *ops, bool is_attached))
{
	return -EOPNOTSUPP;
}
static inline int tap_direct_detach(struct ftrace_ops *ops, struct tap_row *row) { return -EOPNOTSUPP; }

#endif

#endif
