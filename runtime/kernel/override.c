// SPDX-License-Identifier: GPL-2.0-or-later
/* override(): a kernel function is left out, and its caller gets a value that the script says. At the
 * entry, before anything was pushed, that is to go on at a function that does nothing: it returns to the
 * caller. (The kernel's own, just_return_func, is there with error injection only.)
 *
 * It takes a kprobe, for ftrace lets nobody but kprobes and live patches change where to go on; one with
 * a post handler, or the change would be lost where the probe is optimised to a jump or rides on
 * ftrace (Documentation/trace/kprobes.rst, "Changing Execution Path"). */
#include "override.h"

#include <linux/rcupdate.h>

#include "context.h"

/* Compiled like all of the kernel: with what marks a target of jumps, and the return that this CPU needs. */
noinline notrace void tap_return_at_once(void)
{
	barrier();
}

void tap_override(struct tap_context *c, s64 value)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;

	regs_set_return_value(regs, value);
	instruction_pointer_set(regs, (unsigned long)tap_return_at_once);
}

void tap_overrides_end(void)
{
	synchronize_rcu_tasks();
	synchronize_rcu();
}
