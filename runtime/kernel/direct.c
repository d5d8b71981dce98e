// SPDX-License-Identifier: GPL-2.0-or-later
/* Direct calls: what tap_direct.h leaves to C, and their registration. doc/design.md, "Direct calls", has the reasons.
 *
 * A task may be preempted in a trampoline, before preempt_count is raised or after it is lowered. So the module's text
 * must stay until each task has been elsewhere: unregistering an ftrace_ops of a module waits for that. */
#include "direct.h"

#include "tap_direct.h"
#include "compat.h"
#include "context.h"
#include "probe.h"

#include <linux/log2.h>

#ifdef TAP_DIRECT_FUNCTION

unsigned long tap_direct_count = (unsigned long)&TAP_PREEMPT_COUNT;
u32 tap_direct_stack;

#define DIRECT_SAME(ours, member) \
	static_assert(offsetof(struct tap_direct_frame, ours) == offsetof(struct tap_frame, member))
DIRECT_SAME(c, c);
DIRECT_SAME(busy, busy);
DIRECT_SAME(begun, begun);
DIRECT_SAME(scratch_base, scratch_base);
DIRECT_SAME(row, row);
DIRECT_SAME(ip, ip);
DIRECT_SAME(budget, budget);
#define DIRECT_AT(number, member) static_assert(offsetof(struct tap_frame, member) == TAP_DIRECT_##number)
DIRECT_AT(ERROR, c.error);
DIRECT_AT(SCRATCH, c.scratch);
DIRECT_AT(OUT, c.out);
DIRECT_AT(REGISTERS, c.regs);
DIRECT_AT(ACTIONS, c.actions);
DIRECT_AT(BUSY, busy);
DIRECT_AT(BEGUN, begun);
DIRECT_AT(SCRATCH_BASE, scratch_base);
DIRECT_AT(ROW, row);
DIRECT_AT(IP, ip);
DIRECT_AT(BUDGET, budget);
static_assert(offsetof(struct tap_direct, hits) == TAP_DIRECT_HITS);
static_assert(offsetof(struct tap_row, run) == 0 && offsetof(struct tap_row_count, hits) == 0);
static_assert(offsetof(struct tap_cpu, frames) == 0);
static_assert(sizeof(struct tap_direct_regs) == sizeof(struct pt_regs));
static_assert(offsetof(struct tap_direct_regs, di) == offsetof(struct pt_regs, di));
static_assert(offsetof(struct tap_direct_regs, r9) == offsetof(struct pt_regs, r9));
static_assert(offsetof(struct tap_direct_regs, sp) == offsetof(struct pt_regs, sp));

/* ---- at a hit ---- */

TAP_SAVES bool tap_direct_is_usual(void)
{
	return !(preempt_count() & TAP_LEVEL_BITS) && tap_rcu_is_surely_watching();
}

void tap_direct_slow(struct tap_direct *d, struct tap_direct_regs *regs)
{
	if (tap_rcu_is_watching())
		tap_hit(d->row, (struct pt_regs *)regs, regs->ip - TAP_DIRECT_CALL);
	preempt_enable_notrace();
}

static noinline void direct_over(void)
{
	struct tap_frame *f = this_cpu_read(tap_cpu.frames[0]);

	tap_budget_over(f, (u32)tap_cycles() - f->begun);
}

TAP_SAVES void tap_direct_over(void)
{
	direct_over();
}

void tap_direct_finish(struct tap_direct_frame *f)
{
	tap_finish((struct tap_frame *)f);
}

static noinline void direct_yield(void)
{
	preempt_disable_notrace();
	preempt_enable_notrace();
}

TAP_SAVES void tap_direct_yield(void)
{
	direct_yield();
}

#endif

/* ---- attaching ---- */

#ifdef TAP_DIRECT_OPS

/* A trampoline is no call that the processor's call depth counts, as the kernel's own are. */
bool tap_direct_may(void)
{
	return (u32)(PREEMPT_ENABLED + 1) == TAP_DIRECT_COUNT && !boot_cpu_has(X86_FEATURE_CALL_DEPTH);
}

static int (*direct_patched)(struct ftrace_ops *ops, bool is_attached);

/* A live patch redirects the function by the return address on the stack, to which our code returns: it may be there
 * before us, or come later. */
static int direct_command(TAP_OPS_COMMAND)
{
	if (command == FTRACE_OPS_CMD_DISABLE_SHARE_IPMODIFY_PEER)
		return 0;
	return direct_patched(ops, command == FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER);
}

/* Whether the function calls something at its entry: while kernel.ftrace_enabled is 0 it would not. */
static bool direct_is_called(unsigned long ip)
{
	u8 first;

	return !copy_from_kernel_nofault(&first, (void *)ip, 1) && first == 0xe8;
}

static void direct_prepare(struct tap_direct *d, struct tap_row *row)
{
	u32 least = tap_script.limits.least_stack;

	tap_direct_stack = (THREAD_SIZE - 1) & ~((least ? roundup_pow_of_two(least) : 1) - 1);
	d->row = row;
	d->hits = row->count;
}

int tap_direct_attach_to(struct ftrace_ops *ops, unsigned long address, unsigned long some_ip,
			 int (*patched)(struct ftrace_ops *ops, bool is_attached))
{
	int err;

	direct_patched = patched;
	ops->ops_func = direct_command;
	err = tap_direct_register(ops, address);
	if (err)
		return err;
	if (!direct_is_called(some_ip)) {
		tap_direct_unregister(ops, address);
		return -EOPNOTSUPP;
	}
	ops->flags |= FTRACE_OPS_FL_PERMANENT;
	return 0;
}

int tap_direct_attach(struct ftrace_ops *ops, struct tap_row *row, struct tap_row *pair, unsigned long some_ip,
		      int (*patched)(struct ftrace_ops *ops, bool is_attached))
{
	struct tap_direct *d = row->probe->direct;

	direct_prepare(d, row);
	if (pair)
		direct_prepare(pair->probe->direct, pair);
	if (d->gated)
		return d->gated->attach(ops, row, pair, some_ip, patched);
	return tap_direct_attach_to(ops, (unsigned long)d->call, some_ip, patched);
}

int tap_direct_detach(struct ftrace_ops *ops, struct tap_row *row)
{
	const struct tap_direct *d = row->probe->direct;

	return d->gated ? d->gated->detach(ops, row) : tap_direct_unregister(ops, (unsigned long)d->call);
}

#endif
