// SPDX-License-Identifier: GPL-2.0-or-later
/* Contexts of handlers: the slow paths of entering and leaving: errors, prints, limits. See context.h. */
#include "context.h"

#include <linux/mm.h>
#include <linux/numa.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "clock.h"
#include "end.h"
#include "errand.h"
#include "fetch.h"
#include "probe.h"
#include "scope.h"
#include "core/regex.h"

enum {
	SLICE = 1000,			/* statements between two checks of the clock */
	PORTIONS = 128,			/* per second */
};

/* The kernel has 8 KB for the variables of all modules, and gcc would align one of 32 bytes or more to 32. */
DEFINE_PER_CPU(struct tap_cpu, tap_cpu) __aligned(__alignof__(struct tap_cpu));
u64 tap_allowance;

static u64 second;			/* in tap_cycles; 0: there is no such counter */
static s64 portion;			/* time portion of a frame; 0: check at each handler */
static u64 overload_interval, overload_threshold;	/* in tap_cycles */
static int overloaded;

/* ---- statements ----
 * Each handler starts with a slice of its actions; the rest is granted slice by slice, so that long loops check the
 * clock regularly. */

static u64 context_allowance(void)
{
	struct tap_context c = {
		.actions = min_t(s32, tap_script.limits.actions, SLICE),
		.nesting = tap_script.limits.nesting,
	};
	u64 both;

	BUILD_BUG_ON(offsetof(struct tap_context, stop_next) != offsetof(struct tap_context, actions) + 6);
	__builtin_memcpy(&both, &c.actions, sizeof(both));
	return both;
}

static void context_allow(struct tap_frame *f, s32 actions)
{
	f->c.actions = min_t(s32, actions, SLICE);
	f->actions_left = actions - f->c.actions;
	f->sliced = f->begun;
}

/* More than half a second in one handler: the CPU is nearly stuck, regardless of the number of
 * statements. */
static bool context_is_too_long(const struct tap_frame *f)
{
	return second && (u32)tap_cycles() - (f->may_wait ? f->rested : f->begun) > second / 2;
}

static void context_fail_for_good(struct tap_frame *f, const char *text)
{
	if (f->c.error)
		return;
	f->c.error = text;
	f->trace.n = 0;
	f->uncatchable = true;
}

/* The error of a handler that ends itself: it is not reported. */
static const char aborted[] = "abort()";

void tap_abort(struct tap_context *c)
{
	tap_exit(c);
	context_fail_for_good(tap_frame(c), aborted);
}

/* begin and end delay nothing else, so they may take long: between two slices they let other tasks run, and they
 * end when the process that runs them is killed. */
static bool context_rest(struct tap_frame *f)
{
	if (tap_errand_is_killed()) {
		context_fail_for_good(f, aborted);
		return false;
	}
	if (need_resched())
		tap_ring_rest(f);
	f->rested = (u32)tap_cycles();
	return true;
}

bool tap_look_at_clock(struct tap_context *c)
{
	if (tap_script.limits.suppress_time_limits || !context_is_too_long(tap_frame(c)))
		return true;
	context_fail_for_good(tap_frame(c), "the handler takes too long");
	return false;
}

bool tap_more_actions(struct tap_context *c)
{
	struct tap_frame *f = tap_frame(c);
	s32 slice;

	if (f->sliced != f->begun) {	/* tap_enter granted the first slice */
		f->sliced = f->begun;
		f->actions_left = tap_script.limits.actions - min_t(s32, tap_script.limits.actions, SLICE);
	}
	if (tap_may_wait(f) && !context_rest(f))
		return false;
	if (tap_script.limits.suppress_time_limits) {
		c->actions = SLICE;
		return true;
	}
	if (!tap_look_at_clock(c))
		return false;
	slice = min_t(s32, f->actions_left, max_t(s32, SLICE, -c->actions));
	c->actions += slice;
	f->actions_left -= slice;
	if (c->actions >= 0)
		return true;
	context_fail_for_good(f, "MAXACTION exceeded (-D MAXACTION=N raises it)");
	return false;
}

/* ---- memory that is not present ---- */

/* The error that leaves the handler is neither caught nor reported. */
void tap_fetch_want(struct tap_context *c, u64 from, u64 size)
{
	struct tap_frame *f = tap_frame(c);

	if (c->fetch != TAP_FETCH_READY || !tap_fetch_may_help(f->fetch, untagged_addr(from), size))
		return;
	f->fetch->from = untagged_addr(from);
	f->fetch->size = size;
	c->fetch = TAP_FETCH_WANTED;
	context_fail_for_good(f, aborted);
}

void tap_abandon(struct tap_frame *f)
{
	f->c.error = f->c.where = NULL;
	f->uncatchable = false;
	f->c.fetch = TAP_FETCH_NONE;
	if (!f->c.entering)	/* at an entry the return counts as the hit */
		this_cpu_dec(f->row->count->hits);
	tap_charge(f, f->row, (u32)tap_cycles() - f->begun);
	tap_end_busy(f);
}

/* ---- recursions ---- */

/* Stack bytes that recursive calls may use: of an interrupt's stack of 16 KB, whose free space is not known; and of
 * an exception stack of 4 KB. */
enum { NESTED_IN_IRQ = 4096, NESTED_IN_NMI = 1024 };

static bool context_is_stack_used_up(const struct tap_frame *f, unsigned long at)
{
	if (!f->level && !tap_is_on_irq_stack())
		return tap_is_stack_short();
	return f->nested_from - at > (f->level == TAP_LEVELS - 1 ? NESTED_IN_NMI : NESTED_IN_IRQ);
}

bool tap_nest(struct tap_context *c)
{
	struct tap_frame *f = tap_frame(c);
	unsigned long at = (unsigned long)__builtin_frame_address(0);

	if (--c->nesting == (s16)tap_script.limits.nesting - 1)
		f->nested_from = at;
	if (c->nesting < 0)
		tap_error(c, "MAXNESTING exceeded");
	else if (context_is_stack_used_up(f, at))
		tap_error(c, "the stack has no room for another recursive call");
	return !c->error;
}

/* ---- errors ---- */

void tap_error(struct tap_context *c, const char *format, ...)
{
	struct tap_frame *f = tap_frame(c);
	va_list args;

	if (c->error)
		return;
	va_start(args, format);
	vsnprintf(f->message, sizeof(f->message), format, args);
	va_end(args);
	c->error = f->message;
	f->trace.n = 0;
}

void tap_called(struct tap_context *c, const char *call)
{
	tap_trace_add(&tap_frame(c)->trace, call);
}

bool tap_catchable(const struct tap_context *c)
{
	return c->error && !tap_frame(c)->uncatchable;
}

struct tap_string tap_catch(struct tap_context *c)
{
	const char *error = c->error ? c->error : "";
	struct tap_string s = { error, strlen(error) };

	if (s.size >= tap_script.limits.string)
		s.size = tap_script.limits.string - 1;
	c->error = c->where = NULL;
	return tap_string_hold(c, s);
}

void *tap_scratch_slow(struct tap_context *c, u32 size)
{
	tap_error(c, "no room for a string of %u bytes [man error::scratch]", size);
	return NULL;
}

static void context_print_error(struct tap_frame *f, const char *error)
{
	const char *near = f->c.where ? " near " : "", *where = f->c.where ?: "";
	char *calls = f->scratch_base;	/* the handler no longer uses it */
	u32 n = strlen(error), m = strlen(near), k = strlen(where);
	u32 calls_size = tap_trace_text(&f->trace, calls, TAP_MESSAGE);
	u8 *p = tap_print(&f->c, TAP_ITEM_ERROR, n + m + k + calls_size);

	if (!p)
		return;
	memcpy(p, error, n);
	memcpy(p + n, near, m);
	memcpy(p + n + m, where, k);
	memcpy(p + n + m + k, calls, calls_size);
}

static void context_count_error(struct tap_frame *f, const char *error)
{
	u64 errors = atomic64_inc_return(&tap_session.errors);

	if (tap_script.limits.suppress_handler_errors)
		return;
	context_print_error(f, error);
	if (errors > tap_script.limits.errors)
		tap_session_end(true);
}

static void context_report_error(struct tap_frame *f)
{
	const char *error = f->c.error;

	f->c.error = NULL;
	f->uncatchable = false;
	if (error != aborted)
		context_count_error(f, error);
	f->c.where = NULL;		/* generated code sets it with an error only, so it is NULL in each handler */
}

/* ---- prints; tap_print itself is in transport.c ---- */

static noinline void context_finish_failed(struct tap_frame *f)
{
	context_report_error(f);
	if (f->c.out)
		tap_print_end(f);
}

void tap_finish(struct tap_frame *f)
{
	if (unlikely(f->c.error))
		context_finish_failed(f);
	else
		tap_print_end(f);
}

void tap_print_text(struct tap_context *c, u32 kind, struct tap_string text)
{
	struct tap_frame *f = tap_frame(c);
	u8 *p;

	if (text.size > f->out_size - sizeof(struct tap_item))
		text.size = f->out_size - sizeof(struct tap_item);
	p = tap_print(c, kind, text.size);
	if (p)
		memcpy(p, text.data, text.size);
}

void tap_exit(struct tap_context *c)
{
	tap_print(c, TAP_ITEM_EXIT, 0);
	tap_session_end(false);
}

/* ---- entering and leaving ---- */

/* Re-entrance is our own doing and temporary; skips caused by locks and stacks may continue forever. */
void tap_skip(struct tap_row *row, enum tap_skip why)
{
	u64 n = 0;

	this_cpu_inc(row->count->skipped);
	atomic64_inc(&tap_session.skipped[why]);
	if (why == TAP_SKIP_REENTRANT)
		return;
	for (int i = TAP_SKIP_LOCK; i < TAP_SKIPS; i++)
		n += atomic64_read(&tap_session.skipped[i]);
	if (n > tap_script.limits.skipped) {
		WRITE_ONCE(tap_session.skips_exceeded, true);
		tap_session_end(true);
	}
}

/* An interrupt wakes threads when it no longer counts as one (irq_exit_rcu()): on PREEMPT_RT the thread of softirqs, at
 * nearly every interrupt. Only its stack shows that it is not the interrupted handler that is hit. */
struct tap_frame *tap_frame_instead(const struct tap_frame *f)
{
	struct tap_frame *irq = this_cpu_read(tap_cpu.frames[TAP_LEVELS - 2]);

	return f->level || !tap_is_on_irq_stack() || tap_is_busy(irq) ? NULL : irq;
}

static void context_add_time(struct tap_row *row, u64 time)
{
	struct tap_row_time *t = this_cpu_ptr(row->time);

	t->total += time;
	if (!t->least || time < t->least)
		t->least = time;
	if (time > t->most)
		t->most = time;
}

static u64 context_hits_of(const struct tap_row *row)
{
	u64 hits = 0;

	for (u32 cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (cpu_possible(cpu))
			hits += per_cpu_ptr(row->count, cpu)->hits;
	return hits;
}

static void context_say(struct tap_frame *f, u32 kind)
{
	tap_print_text(&f->c, kind, (struct tap_string){ f->message, strlen(f->message) });
	tap_print_end(f);
}

/* Switches off the probe that took the most time and lets the rest continue; with --strict the session ends. */
static void context_shed_load(struct tap_frame *f, u64 percent)
{
	const struct tap_probe *probe = f->row ? f->row->probe : NULL;
	struct tap_row *row = tap_script.limits.strict ? NULL : tap_rows_shed();

	if (row) {
		snprintf(f->message, sizeof(f->message),
			 "probe overhead exceeded threshold: probes took %llu %% of the time of CPU %u; %s at %s is switched off after %llu hits",
			 percent, f->cpu, row->probe->written, row->probe->position, context_hits_of(row));
		context_say(f, TAP_ITEM_WARNING);
		return;
	}
	if (!tap_script.limits.strict || xchg(&overloaded, 1))	/* another CPU has reported it */
		return;
	atomic64_inc(&tap_session.skipped[TAP_SKIP_OVERLOAD]);
	snprintf(f->message, sizeof(f->message),
		 "probe overhead exceeded threshold: probes took %llu %% of the time of CPU %u, the last one was %s at %s",
		 percent, f->cpu, probe ? probe->written : "", probe ? probe->position : "");
	context_say(f, TAP_ITEM_ERROR);
	tap_session_end(true);
}

static bool context_is_overload(u64 spent, u64 elapsed)
{
	return overload_interval && !tap_script.limits.suppress_time_limits &&
	       mul_u64_u64_div_u64(spent, overload_interval, elapsed) > overload_threshold;
}

s64 tap_budget_start(void)
{
	second = tap_cycles_rate();
	overload_interval = mul_u64_u64_div_u64(second, tap_script.limits.overload_interval, NSEC_PER_SEC);
	overload_threshold = mul_u64_u64_div_u64(second, tap_script.limits.overload_threshold, NSEC_PER_SEC);
	portion = tap_session.timing ? 0 : second ? second / PORTIONS : S64_MAX;
	tap_allowance = context_allowance();
	return portion;
}

/* Each frame gets its CPU's time in small portions; a used-up portion is added to the total of
 * the CPU's frames. (Time in a handler that interrupts another one counts twice.) */
void tap_budget_charged(struct tap_frame *f)
{
	struct tap_cpu *cpu = this_cpu_ptr(&tap_cpu);
	u64 now, elapsed, spent;

	this_cpu_add(tap_cpu.spent, portion - f->budget);
	if (f->row)
		atomic64_add(portion - f->budget, &f->row->load);
	f->budget = portion;
	now = tap_cycles();
	elapsed = now - cpu->since;
	if (elapsed < (overload_interval ?: second))
		return;
	spent = cpu->spent;
	cpu->since = now;
	cpu->spent = 0;
	if (second && context_is_overload(spent, elapsed) && !tap_session.exiting)
		context_shed_load(f, div64_u64(spent * 100, elapsed));
}

void tap_budget_over(struct tap_frame *f, u32 time)
{
	if (tap_session.timing && f->row && !f->asks)
		context_add_time(f->row, time);
	tap_budget_charged(f);
}

void tap_run_entry(struct tap_frame *f, struct tap_row *row, struct pt_regs *regs, void *data)
{
	memset(data, 0, row->probe->entry_size);
	f->c.regs = regs;
	f->c.entry = data;
	f->c.entering = !tap_scope_is_given() || tap_scope_has_current();
	if (f->c.entering)
		row->probe->entry(&f->c);
}

bool tap_hit_entry(struct tap_row *row, struct pt_regs *regs, unsigned long ip, u32 count, void *data)
{
	struct tap_frame *f = tap_enter(row, count);
	bool wanted;

	if (!f)
		return false;
	this_cpu_dec(row->count->hits);		/* the return counts as the hit */
	f->ip = ip;
	tap_run_entry(f, row, regs, data);
	wanted = f->c.entering;
	tap_leave(f);
	return wanted;
}

void tap_hit_return(struct tap_row *row, struct pt_regs *regs, unsigned long ip, void *data)
{
	void (*run)(struct tap_context *c) = READ_ONCE(row->run);
	struct tap_frame *f;

	if (!run)
		return;
	preempt_disable_notrace();
	f = tap_enter(row, preempt_count());
	if (f) {
		f->c.regs = regs;
		f->c.entry = data;
		f->ip = ip;
		run(&f->c);
		tap_leave(f);
	}
	preempt_enable_notrace();
}

void tap_hit_late(struct tap_row *row, struct pt_regs *regs, unsigned long ip, s64 ticket)
{
	void (*run)(struct tap_context *c) = READ_ONCE(row->run);
	struct tap_frame *f;
	void *data;

	if (!run)
		return;
	preempt_disable_notrace();
	f = tap_enter(row, preempt_count());
	if (f) {
		f->ip = ip;
		f->ticket = ticket;
		data = tap_scratch(&f->c, row->probe->entry_size);
		if (data) {
			tap_run_entry(f, row, regs, data);
			f->c.entering = false;
			run(&f->c);
		}
		f->ticket = 0;
		tap_leave(f);
	}
	preempt_enable_notrace();
}

void tap_hit_given(struct tap_row *row, struct pt_regs *regs, void *given)
{
	tap_hit_return(row, regs, 0, given);
}

void tap_hit_counted(struct tap_row *row, struct pt_regs *regs, unsigned long ip, u32 count)
{
	void (*run)(struct tap_context *c) = READ_ONCE(row->run);
	struct tap_frame *f;

	if (!run)
		return;
	preempt_disable_notrace();
	f = tap_enter(row, count);
	if (f) {
		f->c.regs = regs;
		f->ip = ip;
		run(&f->c);
		tap_leave(f);
	}
	preempt_enable_notrace();
}

void tap_hit(struct tap_row *row, struct pt_regs *regs, unsigned long ip)
{
	tap_hit_counted(row, regs, ip, preempt_count());
}

void tap_hit_unhurried(struct tap_row *row)
{
	struct tap_ring *ring;
	struct tap_frame *f;

	preempt_disable_notrace();
	f = tap_enter(row, preempt_count());
	if (f) {
		f->c.regs = NULL;
		f->ip = 0;
		f->may_wait = true;
		f->rested = f->begun;
		ring = f->ring;
		context_allow(f, tap_script.limits.actions_interruptible);
		row->probe->handler(&f->c);
		if (f->c.error || f->c.out)
			tap_finish(f);		/* its time is no overload: it delays nothing else */
		if (tap_session.timing)
			context_add_time(row, (u32)tap_cycles() - f->begun);
		f->may_wait = false;
		tap_ring_use(f, ring);
		tap_end_busy(f);
	}
	preempt_enable_notrace();
}

/* Takes an idle frame and resets what an earlier handler left in it. */
struct tap_frame *tap_frame_take(struct tap_row *row)
{
	struct tap_frame *f;

	preempt_disable_notrace();
	f = this_cpu_read(tap_cpu.frames[0]);
	if (tap_is_busy(f)) {
		preempt_enable_notrace();
		return NULL;
	}
	tap_begin_busy(f);
	f->begun = (u32)tap_cycles();
	f->row = row;
	f->asks = row;
	f->undecided = false;
	f->c.regs = NULL;
	f->c.entry = NULL;
	f->ip = f->bias = 0;
	f->c.where = NULL;
	f->c.scratch = f->scratch_base;
	f->c.nesting = tap_script.limits.nesting;
	f->c.stop_next = f->c.entering = false;
	context_allow(f, tap_script.limits.actions);
	return f;
}

void tap_frame_give(struct tap_frame *f)
{
	tap_end_entry(f);
	f->asks = false;
	tap_end_busy(f);
	preempt_enable_notrace();
}
