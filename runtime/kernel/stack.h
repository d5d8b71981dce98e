/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel stacks, as lists of addresses. From any handler. */
#ifndef TAP_STACK_H
#define TAP_STACK_H

#include "session.h"

struct pt_regs;
struct task_struct;

/* Returns up to MOST addresses: the probe's, then that of its caller and so on. At the return of a function the
 * first is the function, the second its return address. 0 if the probe did not interrupt the kernel. */
u32 tap_stack(struct tap_context *c, unsigned long *to, u32 most);
/* The same for a sleeping thread, from its sleep on. 0 if TASK is not a thread, is running or is exiting. */
u32 tap_stack_of(struct tap_context *c, unsigned long task, unsigned long *to, u32 most);
/* The frames after that of REGS, which are at the instruction AT: its return address, and so on. */
u32 tap_stack_from(struct pt_regs *regs, unsigned long at, unsigned long *to, u32 most);
/* The address of the probe, or of the interrupted instruction; 0: unknown. */
unsigned long tap_probe_address(struct tap_context *c);
/* Whether the handler is that of a function's return, and not the entry part of it. */
bool tap_is_at_return(struct tap_context *c);
/* The text before line I of a printed stack: at a return the first two lines say what returned and where to. */
const char *tap_stack_prefix(struct tap_context *c, u32 i);

#endif
