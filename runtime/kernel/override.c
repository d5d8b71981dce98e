// SPDX-License-Identifier: GPL-2.0-or-later
/* override(): a kernel function is skipped, and its caller gets a value from the script. At the entry, before
 * anything was pushed, this means to continue at a function that does nothing: it returns to the caller. (The
 * kernel's own, just_return_func, only exists with error injection.)
 *
 * It requires a kprobe, because ftrace lets only kprobes and live patches change the instruction pointer; and one
 * with a post handler, or the change would be lost if the probe is optimised to a jump or based on ftrace
 * (Documentation/trace/kprobes.rst, "Changing Execution Path"). */
#include "override.h"

#include <linux/rcupdate.h>

#include "context.h"

/* Compiled like the rest of the kernel: with the marker of jump targets and the return sequence that this CPU needs. */
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
