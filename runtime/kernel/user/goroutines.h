/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Goroutines of the current process, and data that entry handlers save for the return of the same call. Go moves
 * goroutines between threads, and their stacks in memory: a call is identified by its goroutine and its distance from
 * the beginning of the stack. Never allocates or waits. */
#ifndef TAP_GOROUTINES_H
#define TAP_GOROUTINES_H

#include "session.h"

struct pt_regs;

/* The address of the goroutine (struct runtime.g) that runs at SITE; 0: not known. *ABSENT: the address of a word of
 * the program that could not be read for it, or 0. */
unsigned long tap_goroutine(const struct tap_process *what, const struct tap_user_site *site, struct pt_regs *regs,
			    u64 *absent);

struct tap_calls;
struct tap_call {
	unsigned long function, goroutine, depth;
	const void *process;
};

struct tap_calls *tap_calls_new(u32 size);	/* SIZE bytes per call; NULL: no memory */
void tap_calls_free(struct tap_calls *calls);

/* Describes the call of the function at SITE; REGS are those of its entry or return. False: the goroutine is not known;
 * *ABSENT as above. */
bool tap_call_describe(struct tap_call *call, const struct tap_process *what, const struct tap_user_site *site,
		       struct pt_regs *regs, u64 *absent);

/* Storage for the call, which belongs to the caller until it keeps or drops it. What is stored for the same place of
 * the stack is forgotten. If all storage for it is taken, the oldest call that is not in use is forgotten, which sets
 * *LOST; NULL if all is in use. */
void *tap_calls_add(struct tap_calls *calls, const struct tap_call *call, bool *lost);
void tap_calls_keep(void *data);
/* The storage kept for the call, which belongs to the caller until it drops it; NULL: none. */
void *tap_calls_take(struct tap_calls *calls, const struct tap_call *call);
void tap_calls_drop(void *data);

#endif
