// SPDX-License-Identifier: GPL-2.0-or-later
/* Kernel stacks, by the kernel's own unwinder. It starts at the registers of the probe, so that it meets none of
 * our frames; if there are no registers it starts here, and our frames are skipped.
 *
 * The unwinder checks every address that it reads against the stack, and sees through the return addresses that
 * return hooks replace (before 5.15 only through those of the function graph tracer: a stack ends at a function
 * whose return is probed). It takes no lock and can therefore run in an NMI. */
#include "stack.h"

#include <linux/pid.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/sched/task_stack.h>
#include <linux/stacktrace.h>

#include "compat.h"
#include "context.h"
#include "memory.h"
#include "probe.h"
#include "symbol.h"

bool tap_is_at_return(struct tap_context *c)
{
	return tap_probe_of(c)->flags & TAP_PROBE_RETURN && !c->entering && !tap_frame(c)->asks;
}

/* The address of the probed place if it is in the kernel, otherwise 0. */
static unsigned long stack_probed_address(const struct tap_context *c)
{
	const struct tap_probe_ops *ops = tap_probe_of(c)->ops;
	const struct tap_frame *f = tap_frame(c);

	return ops->address && !f->asks ? ops->address(f->row, f->ip) : 0;
}

unsigned long tap_probe_address(struct tap_context *c)
{
	const struct pt_regs *regs = c->regs;

	if (!regs)
		return 0;
	return stack_probed_address(c) ?: instruction_pointer((struct pt_regs *)regs);
}

/* Whether ADDRESS is between the unwinder and the probe. A tracepoint with several listeners calls them through a
 * separate function. */
static bool stack_is_between(struct tap_context *c, unsigned long address)
{
	char *mark = c->scratch;
	bool iterates;

	if (within_module(address, THIS_MODULE))
		return true;
	iterates = strstarts(tap_symbol_name(c, address).data, "__traceiter_");
	c->scratch = mark;
	return iterates;
}

#ifdef TAP_UNWINDER
#include <asm/unwind.h>

static u32 stack_collect(struct unwind_state *state, unsigned long *to, u32 most)
{
	u32 n = 0;

	for (; n < most && !unwind_done(state); unwind_next_frame(state)) {
		unsigned long address = unwind_get_return_address(state);

		if (!address)
			break;
		to[n++] = address;
	}
	return n;
}

/* After a breakpoint REGS has the address after it, where the layout of the stack may already differ. */
u32 tap_stack_from(struct pt_regs *regs, unsigned long at, unsigned long *to, u32 most)
{
	struct unwind_state state;
	unsigned long before = regs->ip;
	u32 n;

	WRITE_ONCE(regs->ip, at);
	unwind_start(&state, current, regs, NULL);
	n = stack_collect(&state, to, most);
	WRITE_ONCE(regs->ip, before);
	return n;
}

/* Software events of perf come with an instruction pointer and a stack pointer that do not belong together
 * (perf_arch_fetch_caller_regs); recognised as in perf_hw_regs. */
static bool stack_is_caller_only(const struct tap_context *c)
{
	const struct pt_regs *regs = c->regs;

	return !(regs->flags & X86_EFLAGS_FIXED) && !stack_probed_address(c);
}

static u32 stack_from(struct tap_context *c, unsigned long at, unsigned long *to, u32 most)
{
	struct pt_regs *regs = (struct pt_regs *)c->regs;
	struct unwind_state state;

	if (!stack_is_caller_only(c))
		return tap_stack_from(regs, at, to, most);
	unwind_start(&state, current, NULL, (unsigned long *)regs->sp);
	if (unwind_get_return_address(&state) == at)
		unwind_next_frame(&state);
	return stack_collect(&state, to, most);
}

static u32 stack_here(struct tap_context *c, unsigned long *to, u32 most)
{
	struct unwind_state state;

	unwind_start(&state, current, NULL, NULL);
	while (!unwind_done(&state) && stack_is_between(c, unwind_get_return_address(&state)))
		unwind_next_frame(&state);
	return stack_collect(&state, to, most);
}

static u32 stack_of_sleeper(struct task_struct *task, unsigned long *to, u32 most)
{
	struct unwind_state state;

	unwind_start(&state, task, NULL, NULL);
	return stack_collect(&state, to, most);
}
#else
/* The unwinders of other machines are not available to modules, except for functions that start them here. The
 * frames after PC; 0: after our own. */
static u32 stack_after(struct tap_context *c, unsigned long pc, unsigned long *to, u32 most)
{
	enum { MORE = 32 };		/* room for skipped frames */
	char *mark = c->scratch;
	unsigned long *all = tap_scratch(c, (most + MORE) * sizeof(*all));
	u32 n = all ? stack_trace_save(all, most + MORE, 0) : 0, i = 0;

	while (i < n && (pc ? all[i] != pc : stack_is_between(c, all[i])))
		i++;
	i += pc && i < n;
	n = min(n - i, most);
	if (n)
		memcpy(to, all + i, n * sizeof(*to));
	c->scratch = mark;
	return n;
}

static u32 stack_here(struct tap_context *c, unsigned long *to, u32 most)
{
	return stack_after(c, 0, to, most);
}

static u32 stack_from(struct tap_context *c, unsigned long at, unsigned long *to, u32 most)
{
	return stack_after(c, instruction_pointer((struct pt_regs *)c->regs), to, most);
}

/* Follows the chain of frame records on a stack from LOW to HIGH, which ends with a zero record; each is above the
 * one before. A function whose return is probed shows as the kernel's trampoline. */
static u32 stack_follow_records(unsigned long fp, unsigned long pc, unsigned long low, unsigned long high,
				unsigned long *to, u32 most)
{
	unsigned long record[2] = { fp, pc };
	u32 n = 0;

	while (n < most && record[1]) {
		unsigned long at = record[0];

		to[n++] = record[1] | TAP_RETURN_SIGNATURE;
		if (at < low || at > high - sizeof(record) || tap_record_read(at, record))
			break;
		low = at + 1;
	}
	return n;
}

/* Only called at a function's entry, where no record of the function exists yet. */
u32 tap_stack_from(struct pt_regs *regs, unsigned long at, unsigned long *to, u32 most)
{
	unsigned long high = (regs->sp | (THREAD_SIZE - 1)) + 1;

	return stack_follow_records(tap_record_first(regs), tap_return_address(regs), regs->sp, high, to, most);
}

static u32 stack_of_sleeper(struct task_struct *task, unsigned long *to, u32 most)
{
	unsigned long low = (unsigned long)task_stack_page(task);

	return stack_follow_records(tap_sleeper_frame(task), tap_sleeper_place(task), low, low + THREAD_SIZE, to, most);
}
#endif

u32 tap_stack(struct tap_context *c, unsigned long *to, u32 most)
{
	const struct pt_regs *regs = c->regs;
	unsigned long at;
	u32 n = 0;

	if (!regs)
		return stack_here(c, to, most);
	if (tap_in_user_mode(regs) || !most)
		return 0;
	at = tap_probe_address(c);
	to[n++] = at;
	if (tap_is_at_return(c)) {
		at = instruction_pointer((struct pt_regs *)regs);
		if (n < most)
			to[n++] = at;
	}
	return n + stack_from(c, at, to + n, most - n);
}

/* ---- stacks of other threads ---- */

/* Returns the thread if it exists, or NULL. Called in an RCU read-side section. */
static struct task_struct *stack_find_thread(unsigned long address)
{
	struct task_struct *task = (struct task_struct *)address;
	pid_t pid;

	if (copy_from_kernel_nofault(&pid, &task->pid, sizeof(pid)))
		return NULL;
	return pid_task(find_pid_ns(pid, &init_pid_ns), PIDTYPE_PID) == task ? task : NULL;
}

/* Its stack stays as long as it has files: a thread that ends takes this lock to release them, before its last
 * switch. We do not wait for the lock, so it does not matter who holds it. On a real-time kernel even the try and
 * the release wait for a raw lock, which the probed code may hold; there the stack stays until our RCU read-side
 * section ends, if the thread had files in it. */
static u32 stack_of_other(struct task_struct *task, unsigned long *to, u32 most)
{
	u32 n = 0;

	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		return TAP_RCU_STACKS && READ_ONCE(task->files) ? stack_of_sleeper(task, to, most) : 0;
	if (in_nmi() || !spin_trylock(&task->alloc_lock))
		return 0;
	if (task->files)
		n = stack_of_sleeper(task, to, most);
	spin_unlock(&task->alloc_lock);
	return n;
}

u32 tap_stack_of(struct tap_context *c, unsigned long address, unsigned long *to, u32 most)
{
	struct task_struct *task;
	u32 n = 0;

	if (address == (unsigned long)current)
		return stack_here(c, to, most);
	rcu_read_lock();
	task = stack_find_thread(address);
	if (task)
		n = stack_of_other(task, to, most);
	rcu_read_unlock();
	return n;
}

const char *tap_stack_prefix(struct tap_context *c, u32 i)
{
	return i > 1 || !tap_is_at_return(c) ? "" : i ? "Returning to  : " : "Returning from: ";
}
