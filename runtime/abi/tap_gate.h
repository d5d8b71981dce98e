/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module tap_gate, as sessions see it: trampolines that call a function's body and then a session's handler.
 * kernel/gate/gate.c is the module, kernel/gated.c its user; doc/design.md, "Direct calls", has the reasons.
 *
 * A thread may be in the body of a function for days, with a return address in a trampoline. So trampolines are in a
 * separate module, which stays until all threads have left them. A session's module is never on such a stack, and is
 * unloaded as always. */
#ifndef TAP_GATE_H
#define TAP_GATE_H

#define TAP_GATE_VERSION 1		/* of all that is declared here */
#define TAP_GATE_WORDS 4		/* of data that an entry may keep for its return */

struct tap_gate_slot;

/* On the stack of the thread while it is in the body. */
struct tap_gate_frame {
	u64 data[TAP_GATE_WORDS];
	u64 result[2];			/* ax, dx */
	u64 generation;			/* of the slot, at the entry */
	struct tap_gate_slot *slot;
	u64 arguments[6];		/* di, si, dx, cx, r8, r9 */
	unsigned long body;		/* where the function's body begins: the return address of its call to the
					 * trampoline, or in a live patch */
	unsigned long back;		/* the function's return address */
};

/* A trampoline that is lent to a session. */
struct tap_gate_slot {
	u64 entering;			/* the generation, while calls are followed; or 0 */
	/* At the entry, or NULL. False: the return is not wanted. */
	bool (*entered)(struct tap_gate_frame *f);
	void (*returned)(struct tap_gate_frame *f);
	void *owner;			/* the session's */
	u64 generation;			/* of this use of the slot; 0: no calls back into the session */
	u64 kept;			/* the generation again */
	long missed;			/* calls that were not followed because the stack was short */
	unsigned long call;		/* the trampoline's address */
};

/* The symbol that the module exports. ENTERED and RETURNED are called with preemption off, and only where RCU is
 * watching. */
struct tap_gate {
	u32 version;
	/* A slot whose owner, entered and returned are as given; no thread enters it yet. NULL: all are taken.
	 * Sleeps. */
	struct tap_gate_slot *(*take)(bool (*entered)(struct tap_gate_frame *f),
				      void (*returned)(struct tap_gate_frame *f), void *owner);
	/* No function calls the slot's trampoline any more. When it returns, neither ENTERED nor RETURNED runs or will
	 * run, but threads may still be in bodies. Sleeps. */
	void (*give)(struct tap_gate_slot *slot);
};

/* Begins or ends to follow calls; those that are in progress return as they entered. */
static inline void tap_gate_follow(struct tap_gate_slot *slot, bool follow)
{
	*(volatile u64 *)&slot->entering = follow ? slot->kept : 0;
}

#endif
