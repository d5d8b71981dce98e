/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stacks of the kernel, as lists of addresses. From any handler. */
#ifndef TAP_STACK_H
#define TAP_STACK_H

#include "session.h"

struct pt_regs;
struct task_struct;

/* Up to MOST addresses: where the probe is, then whom that returns to. At the return of a function the first
 * is the function, the second what it returns to. 0 when the kernel was not running at the probe. */
u32 tap_stack(struct tap_context *c, unsigned long *to, u32 most);
/* The same of a thread that sleeps, from its sleep on. 0 when TASK is no thread, is running or is on its
 * way out. */
u32 tap_stack_of(struct tap_context *c, unsigned long task, unsigned long *to, u32 most);
/* What follows the frame of REGS, which are at the instruction AT: where it returns to, and so on. */
u32 tap_stack_from(struct pt_regs *regs, unsigned long at, unsigned long *to, u32 most);
/* Where the probe is: its own address, or that of the instruction that was interrupted; 0: no telling. */
unsigned long tap_probe_address(struct tap_context *c);
/* Is the handler one of a function's return, and not the entry part of it? */
bool tap_is_at_return(struct tap_context *c);
/* What precedes line I of a printed stack: at a return the first two lines say what returned and where to. */
const char *tap_stack_prefix(struct tap_context *c, u32 i);

#endif
