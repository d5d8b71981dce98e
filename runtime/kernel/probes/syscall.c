// SPDX-License-Identifier: GPL-2.0-or-later
/* System calls: the tracepoints sys_enter and sys_exit report all of them, and tables by number say which rows want
 * which call. The calls of 32-bit programs have different numbers. While one of the tracepoints has a probe, every
 * system call of the system takes the slow path through it. */
#include <linux/compat.h>
#include <linux/tracepoint.h>
#include <asm/syscall.h>
#include <trace/events/sched.h>
#include <trace/events/syscalls.h>

#include "families.h"
#include "kept.h"
#include "probe.h"
#include "syscalls/show.h"
#include "tracepoints.h"

enum { NUMBERS = 640 };

/* A call that a row wants; several rows may want the same. */
struct wish {
	struct tap_row *row;
	const struct tap_syscall *call;
	bool is_plain;			/* only runs the handler */
	bool keeps;			/* at the entry: saves data for the row's return handler */
	struct wish *next;
};

/* Wishes are allocated many at a time: a row that wants any call has 1,280. */
static struct block {
	struct wish wishes[100];
	u32 used;
	struct block *next;
} *blocks;

/* A call in progress whose entry saves data; or one that handlers read, without further data. */
struct kept_call {
	struct tap_call call;
	char kept[];			/* c->entry of handlers */
};

static struct table {
	const char *name;
	void *probe;
	struct tracepoint *tracepoint;	/* set while it has our probe */
	bool is_wanted;
	struct wish **wishes[2];	/* NUMBERS for each kind: native, compat */
} tables[2];				/* entry, return */

static const struct tap_syscalls *syscalls_of(const struct tap_row *row)
{
	return row->probe->where;
}

struct tap_string tap_syscall_name(struct tap_context *c)
{
	const char *name = ((const struct tap_site *)tap_frame(c)->ip)->symbol;

	return (struct tap_string){ name, strlen(name) };
}

static const struct tap_site *syscall_site_of(struct tap_row *row, unsigned long ip)
{
	return (const struct tap_site *)ip;
}

/* ---- hits ---- */

/* socketcall has the arguments of the call within it in the process's memory, one word each. */
static bool syscall_get_within(const struct tap_syscall *row, const struct tap_call *outer, struct tap_call *call)
{
	u32 word;

	if (outer->arguments[0] != row->within)
		return false;
	*call = *outer;
	for (int i = 0; i < 6; i++) {
		const u32 __user *from = (void __user *)(unsigned long)(u32)(outer->arguments[1] + 4 * i);

		call->arguments[i] = copy_from_user_nofault(&word, from, sizeof(word)) ? 0 : word;
	}
	return true;
}

/* Runs the row's entry handler, with storage that its return handler will find again. */
static void syscall_keep_call(const struct wish *w, struct pt_regs *regs, const struct tap_call *call)
{
	struct tap_frame *f = NULL;
	struct kept_call *k;
	bool wanted = false;

	if (!READ_ONCE(w->row->run))
		return;
	preempt_disable_notrace();
	k = tap_kept_renew(w->row->family, w->call, (unsigned long)regs);
	if (k) {
		k->call = *call;
		f = tap_enter(w->row, preempt_count());
	} else {
		w->row->missed++;
	}
	if (f) {
		this_cpu_dec(w->row->count->hits);	/* the return counts as the hit */
		f->ip = (unsigned long)&w->call->site;
		tap_run_entry(f, w->row, regs, k->kept);
		wanted = f->c.entering;
		tap_leave(f);
	}
	if (k && !wanted)
		tap_kept_drop(k);
	preempt_enable_notrace();
}

/* Runs the handler if the start of the call was seen. */
static void syscall_run_kept(const struct wish *w, struct pt_regs *regs, const struct tap_call *call)
{
	struct kept_call *k = tap_kept_find(w->row->family, w->call, (unsigned long)regs, 0);

	if (!k)
		return;
	k->call = *call;
	tap_hit_return(w->row, regs, (unsigned long)&w->call->site, k->kept);
	tap_kept_drop(k);
}

/* When a task makes a system call its stack is nearly empty. */
static __always_inline void syscall_hit(const struct wish *w, struct pt_regs *regs, struct tap_call *call)
{
	void (*run)(struct tap_context *c) = READ_ONCE(w->row->run);
	struct tap_frame *f;

	if (!run)
		return;
	preempt_disable_notrace();
	f = tap_enter_task(w->row);
	if (f) {
		f->c.regs = regs;
		f->c.entry = call + 1;
		f->ip = (unsigned long)&w->call->site;
		run(&f->c);
		tap_leave(f);
	}
	preempt_enable_notrace();
}

static noinline void syscall_run_other(const struct wish *w, struct pt_regs *regs, struct tap_call *call)
{
	struct tap_call within;

	if (w->call->within) {
		if (!syscall_get_within(w->call, call, &within))
			return;
		call = &within;
	}
	if (w->keeps)
		syscall_keep_call(w, regs, call);
	else if (w->row->family)
		syscall_run_kept(w, regs, call);
	else
		syscall_hit(w, regs, call);
}

static void syscall_run_wishes(struct wish *w, struct pt_regs *regs, u64 number, bool compat, u64 result)
{
	struct tap_call call;

	BUILD_BUG_ON(sizeof(call.arguments[0]) != sizeof(unsigned long));
	syscall_get_arguments(current, regs, (unsigned long *)call.arguments);
	for (int i = 0; unlikely(compat) && i < 6; i++)
		call.arguments[i] = (u32)call.arguments[i];
	call.number = number;
	call.compat = compat;
	call.result = result;
	for (; w; w = w->next) {
		if (likely(w->is_plain))
			syscall_hit(w, regs, &call);
		else
			syscall_run_other(w, regs, &call);
	}
}

static __always_inline void syscall_look_up(struct table *t, struct pt_regs *regs, long number, bool compat,
					    u64 result)
{
	struct wish *w;

	if ((unsigned long)number >= NUMBERS || !t->wishes[compat])
		return;
	w = t->wishes[compat][number];
	if (w)
		syscall_run_wishes(w, regs, number, compat, result);
}

static void syscall_entered(void *unused, struct pt_regs *regs, long number)
{
	syscall_look_up(&tables[0], regs, number, in_compat_syscall(), -ENOSYS);	/* no result yet */
}

/* rt_sigreturn(2) replaces all registers, and with them the number of the call. A call that a tracer let the kernel
 * skip has no number either, and 32-bit programs have two calls of the kind: these are not guessed. */
static noinline void syscall_returned_without_number(struct pt_regs *regs, long result)
{
	if (!tap_is_32bit_program() && !current->ptrace)
		syscall_look_up(&tables[1], regs, __NR_rt_sigreturn, false, result);
}

static void syscall_returned(void *unused, struct pt_regs *regs, long result)
{
	long number = syscall_get_nr(current, regs);

	if (unlikely(number == -1))
		syscall_returned_without_number(regs, result);
	else
		syscall_look_up(&tables[1], regs, number, in_compat_syscall(), result);
}

/* ---- life ---- */

/* Some calls do not return: exit(2), and what a tracer lets the kernel skip. */
static struct tap_row *syscall_rows;
static u32 syscall_row_count;

static void syscall_task_exited(void *data, struct task_struct *task TAP_EXIT_MORE)
{
	for (u32 i = 0; i < syscall_row_count; i++)
		if (syscall_rows[i].family)
			tap_kept_forget(syscall_rows[i].family);
}

static void __maybe_unused syscall_check_exit(void)
{
	check_trace_callback_type_sched_process_exit(syscall_task_exited);
}
static struct tap_listener syscall_exits = { "sched_process_exit", syscall_task_exited };

static bool syscall_rows_keep(void)
{
	for (u32 i = 0; i < syscall_row_count; i++)
		if (syscall_rows[i].family)
			return true;
	return false;
}

static struct wish *syscall_new_wish(void)
{
	struct block *b = blocks;

	if (!b || b->used == ARRAY_SIZE(b->wishes)) {
		b = tap_zalloc(sizeof(*b), NUMA_NO_NODE);
		if (!b)
			return NULL;
		b->next = blocks;
		blocks = b;
	}
	return &b->wishes[b->used++];
}

static int syscall_want(struct table *t, int kind, s32 number, struct wish wish)
{
	struct wish *w, **place;

	if (number < 0 || number >= NUMBERS)
		return 0;
	if (!t->wishes[kind])
		t->wishes[kind] = tap_zalloc(NUMBERS * sizeof(*t->wishes[kind]), NUMA_NO_NODE);
	w = t->wishes[kind] ? syscall_new_wish() : NULL;
	if (!w)
		return -ENOMEM;
	*w = wish;
	for (place = &t->wishes[kind][number]; *place; place = &(*place)->next)
		;
	*place = w;			/* keeps rows in order */
	return 0;
}

static bool syscall_wants(const struct table *t, int kind, s32 number, const struct tap_row *row)
{
	for (const struct wish *w = t->wishes[kind] ? t->wishes[kind][number] : NULL; w; w = w->next)
		if (w->row == row)
			return true;
	return false;
}

/* All numbers that the row does not have yet. */
static int syscall_want_others(struct table *t, int kind, struct wish wish)
{
	int err = 0;

	for (s32 number = 0; number < NUMBERS && !err; number++)
		if (!syscall_wants(t, kind, number, wish.row))
			err = syscall_want(t, kind, number, wish);
	return err;
}

static int syscall_want_call(struct table *t, int kind, s32 number, struct wish wish)
{
	if (wish.keeps && !strncmp(wish.call->site.symbol, "exit", 4))	/* these do not return */
		return 0;
	return number == TAP_SYSCALL_OTHERS ? syscall_want_others(t, kind, wish) : syscall_want(t, kind, number, wish);
}

static int syscall_want_calls(struct tap_row *row, struct table *t, bool keeps)
{
	const struct tap_syscalls *s = syscalls_of(row);
	int err = 0;

	t->is_wanted = true;
	for (u32 i = 0; i < s->count && !err; i++) {
		struct wish w = { .row = row, .call = &s->calls[i], .keeps = keeps,
				  .is_plain = !row->probe->entry && !s->calls[i].within };

		err = syscall_want_call(t, 0, s->calls[i].number, w);
		if (!err)
			err = syscall_want_call(t, 1, s->calls[i].compat, w);
	}
	return err;
}

static int syscall_row_start(struct tap_row *row)
{
	int err = syscall_want_calls(row, &tables[syscalls_of(row)->returns], false);

	if (err || !row->probe->entry)
		return err;
	row->family = tap_kept_new(sizeof(struct kept_call) + row->probe->entry_size);
	return row->family ? syscall_want_calls(row, &tables[0], true) : -ENOMEM;
}

static bool syscall_is_of(const struct tap_row *row, const struct table *t)
{
	return t == &tables[syscalls_of(row)->returns] || (t == tables && row->probe->entry);
}

static void syscall_attach(struct tracepoint *tp, void *unused)
{
	for (struct table *t = tables; t < tables + ARRAY_SIZE(tables); t++)
		if (t->is_wanted && !strcmp(tp->name, t->name) && !tap_fail_here() &&
		    !tracepoint_probe_register(tp, t->probe, t))
			t->tracepoint = tp;
}

/* A table's probe has no type, but some kernels check types at each call: here the compiler checks them. */
static void __maybe_unused syscall_check_types(void)
{
	check_trace_callback_type_sys_enter(syscall_entered);
	check_trace_callback_type_sys_exit(syscall_returned);
}

static int syscall_start(struct tap_row *rows, u32 count)
{
	tables[0] = (struct table){ .name = "sys_enter", .probe = syscall_entered };
	tables[1] = (struct table){ .name = "sys_exit", .probe = syscall_returned };
	for (struct tap_row *row = rows; row < rows + count; row++) {
		int err = syscall_row_start(row);

		if (err)
			return err;
	}
	syscall_rows = rows;
	syscall_row_count = count;
	if (syscall_rows_keep()) {
		int err = tap_listeners_start(&syscall_exits, 1);

		if (err)
			return err;
	}
	for_each_kernel_tracepoint(syscall_attach, NULL);
	for (struct tap_row *row = rows; row < rows + count; row++)
		for (struct table *t = tables; t < tables + ARRAY_SIZE(tables); t++)
			if (syscall_is_of(row, t) && !t->tracepoint) {
				tap_start_failed(row, "the kernel's tracepoint '%s' is not available", t->name);
				break;
			}
	return 0;
}

static void syscall_tables_free(void)
{
	struct block *b;

	for (struct table *t = tables; t < tables + ARRAY_SIZE(tables); t++) {
		tap_zfree(t->wishes[0], NUMBERS * sizeof(*t->wishes[0]));
		tap_zfree(t->wishes[1], NUMBERS * sizeof(*t->wishes[1]));
		*t = (struct table){ 0 };
	}
	while ((b = blocks) != NULL) {
		blocks = b->next;
		tap_zfree(b, sizeof(*b));
	}
}

static void syscall_stop(struct tap_row *rows, u32 count)
{
	for (struct table *t = tables; t < tables + ARRAY_SIZE(tables); t++)
		if (t->tracepoint)
			tracepoint_probe_unregister(t->tracepoint, t->probe, t);
	tracepoint_synchronize_unregister();
	tap_listeners_stop(&syscall_exits, 1);
	syscall_row_count = 0;
	syscall_tables_free();
	for (struct tap_row *row = rows; row < rows + count; row++) {
		tap_kept_free(row->family);
		row->family = NULL;
	}
}

void tap_call_set(struct tap_context *c, u32 n, s64 value)
{
	const struct tap_site *site = (const struct tap_site *)tap_frame(c)->ip;
	struct tap_call *call = tap_call_of(c);

	if (container_of(site, struct tap_syscall, site)->within) {
		tap_error(c, "an argument within socketcall cannot be set");
		return;
	}
	call->arguments[n] = value;
	tap_syscall_argument_set((struct pt_regs *)c->regs, n, value, call->compat);
}

const struct tap_probe_ops tap_syscall = {
	.name = "syscall", .start = syscall_start, .stop = syscall_stop, .site = syscall_site_of,
};
