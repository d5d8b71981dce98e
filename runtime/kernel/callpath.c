// SPDX-License-Identifier: GPL-2.0-or-later
/* The calls that a thread is in, and chains of calls that returned an error.
 *
 * A function that returns an error either got it from the function that it called last, or found it itself. So each
 * return of an error adds a step: to the chain of a function within it that returned the same error, or to a new
 * chain. A function that succeeds has handled the errors within it: their chains are dropped. When the outermost call
 * fails, the first step of its chain is the function in which the error began.
 *
 * All memory is static. A path belongs to one thread, and only this thread uses it, in handlers at its own level, which
 * do not nest: no lock is needed. Returns may be missed, as the kernel's pool of return hooks is limited: a call whose
 * frame on the stack is gone without a return is a gap, which is counted. */
#include "callpath.h"

#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/ptrace.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>

#include "clock.h"
#include "compat.h"
#include "context.h"
#include "probe.h"

enum {
	BUCKET_BITS = 5, WAYS = 4,
	THREADS = WAYS << BUCKET_BITS,
	DEPTH = 64,			/* calls within each other; a power of two */
	STEPS = 64,			/* of all chains */
	ARGUMENTS = 6,
	MOST_ERROR = 4095,		/* MAX_ERRNO */
	ONLY_TICKET = 16,		/* bytes of data from the entry: one number, and which are known */
};

struct call {
	unsigned long ip, caller, sp;
	struct tap_row *row;
	unsigned long arguments[ARGUMENTS];
	u64 begun;
	u32 serial;			/* tells it from earlier calls at the same depth */
	u32 steps;			/* how many there were when it began */
};

struct step {
	struct call call;
	u64 took;
	u32 error;
	bool is_first;			/* of its chain */
};

struct callpath {
	u64 start;			/* of the thread: the same address may be used for another one */
	u32 serial, depth, step_count, gaps;
	u32 from, to;			/* the chosen chain */
	bool in_call;
	struct call calls[DEPTH];
	struct step steps[STEPS];
};

static struct task_struct *owners[THREADS];
static struct callpath paths[THREADS];
static atomic64_t missed_threads;
static u64 slow;			/* ns; 0: errors are searched */

static __always_inline u32 callpath_bucket(const struct task_struct *task)
{
	return hash_ptr(task, BUCKET_BITS) * WAYS;
}

static __always_inline struct callpath *callpath_find(void)
{
	u32 first = callpath_bucket(current);

	for (u32 i = first; i < first + WAYS; i++)
		if (READ_ONCE(owners[i]) == current)
			return &paths[i];
	return NULL;
}

/* Handlers of interrupts must not meet a path that is being changed. */
static struct callpath *callpath_of(const struct tap_context *c)
{
	return tap_frame(c)->level ? NULL : callpath_find();
}

static struct callpath *callpath_claim(void)
{
	u32 first = callpath_bucket(current);

	for (u32 i = first; i < first + WAYS; i++)
		if (!READ_ONCE(owners[i]) && !cmpxchg(&owners[i], NULL, current))
			return &paths[i];
	return NULL;
}

static void callpath_reset(struct callpath *p)
{
	p->depth = p->step_count = p->gaps = 0;
	p->from = p->to = 0;
}

bool tap_callpath_begin(struct tap_context *c)
{
	struct callpath *p;

	if (tap_frame(c)->level)
		return false;
	p = callpath_find() ?: callpath_claim();
	if (!p) {
		atomic64_inc(&missed_threads);
		return false;
	}
	p->start = current->start_time;
	p->in_call = true;
	callpath_reset(p);
	return true;
}

void tap_callpath_end(struct tap_context *c)
{
	struct callpath *p = callpath_of(c);

	if (!p)
		return;
	p->in_call = false;
	callpath_reset(p);
}

void tap_callpath_forget(struct tap_context *c)
{
	struct callpath *p = callpath_of(c);

	if (p)
		WRITE_ONCE(owners[p - paths], NULL);
}

/* ---- calls ---- */

/* Calls deeper in the stack than SP are over. */
static void callpath_drop_ended(struct callpath *p, unsigned long sp)
{
	for (; p->depth && p->calls[p->depth - 1].sp < sp; p->depth--)
		p->gaps++;
}

static bool callpath_follows(void)
{
	return callpath_find();
}

/* Returns the call's ticket; 0: there are too many, or it is one of an interrupt that no longer counts as one. */
static s64 callpath_push(struct callpath *p, struct tap_row *row, struct pt_regs *regs, unsigned long ip)
{
	struct call *call;

	if (kernel_stack_pointer(regs) - (unsigned long)task_stack_page(current) >= THREAD_SIZE)
		return 0;
	callpath_drop_ended(p, kernel_stack_pointer(regs));
	if (p->depth == DEPTH) {
		p->gaps++;
		return 0;
	}
	call = &p->calls[p->depth];
	call->ip = ip;
	call->sp = kernel_stack_pointer(regs);
	call->caller = p->depth && p->calls[p->depth - 1].sp == call->sp ? 0 : tap_return_address(regs);
	call->row = row;
	for (u32 i = 0; i < ARGUMENTS; i++)
		call->arguments[i] = *tap_argument_register(regs, i + 1);
	call->begun = tap_clock();
	call->serial = ++p->serial;
	call->steps = p->step_count;
	return (s64)((u64)call->serial * DEPTH + p->depth++);
}

/* The call with this ticket; NULL: it is not in the path any more. */
static struct call *callpath_call(struct callpath *p, s64 ticket)
{
	u32 depth = ticket & (DEPTH - 1);

	return p && depth < p->depth && p->calls[depth].serial == (u32)((u64)ticket / DEPTH) ? &p->calls[depth] : NULL;
}

static void callpath_pop(struct callpath *p, s64 ticket)
{
	u32 depth = ticket & (DEPTH - 1);

	p->gaps += p->depth - depth - 1;
	p->depth = depth;
}

/* The register of a function that returns an int may have any upper half. */
static u32 callpath_error_of(s64 value)
{
	if ((u64)value >= (u64)-MOST_ERROR)
		return (u32)-value;
	return (u64)value >> 32 == 0 && (u32)value >= (u32)-MOST_ERROR ? -(u32)value : 0;
}

/* Most calls succeed: they are put on the path and taken off it without a frame. */
static s64 callpath_enter_quickly(struct tap_row *row, struct pt_regs *regs, unsigned long ip)
{
	struct callpath *p = preempt_count() & TAP_LEVEL_BITS ? NULL : callpath_find();

	return p && p->start == current->start_time ? callpath_push(p, row, regs, ip) : 0;
}

static bool callpath_leave_quickly(struct pt_regs *regs, s64 ticket)
{
	struct callpath *p = callpath_find();
	struct call *call = callpath_call(p, ticket);
	u64 least = READ_ONCE(slow);

	if (!call)
		return false;
	if (least ? tap_clock() - call->begun >= least : callpath_error_of(regs_return_value(regs)))
		return true;
	callpath_pop(p, ticket);
	p->step_count = min(p->step_count, call->steps);
	return false;
}

static const struct tap_row_path callpath_quick = {
	.enter = callpath_enter_quickly, .leave = callpath_leave_quickly,
};

s64 tap_callpath_enter(struct tap_context *c, s64 slow_ns)
{
	struct callpath *p = callpath_of(c);
	struct pt_regs *regs = (struct pt_regs *)c->regs;
	struct tap_frame *f = tap_frame(c);
	s64 ticket;

	if (!c->entering || !regs || tap_in_user_mode(regs))
		return 0;
	if (f->ticket)
		return f->ticket;
	WRITE_ONCE(slow, slow_ns > 0 ? slow_ns : 0);
	WRITE_ONCE(f->row->wants, callpath_follows);
	if (f->row->probe->entry_size <= ONLY_TICKET)
		WRITE_ONCE(f->row->path, &callpath_quick);
	ticket = p && p->start == current->start_time ? callpath_push(p, f->row, regs, f->ip) : 0;
	if (!ticket)
		c->entering = false;
	return ticket;
}

/* ---- chains ---- */

/* The chain that ends before END, in the steps from FIRST on. */
static u32 callpath_chain_start(const struct callpath *p, u32 first, u32 end)
{
	u32 i = end - 1;

	while (i > first && !p->steps[i].is_first)
		i--;
	return i;
}

/* The last chain in the steps from FIRST on whose last step has this error; 0: any. False: no such chain. */
static bool callpath_find_chain(const struct callpath *p, u32 first, u32 error, u32 *from, u32 *to)
{
	for (*to = p->step_count; *to > first; *to = *from) {
		*from = callpath_chain_start(p, first, *to);
		if (!error || p->steps[*to - 1].error == error)
			return true;
	}
	return false;
}

/* Moves steps down to TO, and drops those before and after them. */
static void callpath_keep(struct callpath *p, u32 to, u32 from, u32 end)
{
	memmove(&p->steps[to], &p->steps[from], (end - from) * sizeof(*p->steps));
	p->step_count = to + end - from;
}

/* How many steps there were when the innermost call began. */
static u32 callpath_steps_before(const struct callpath *p)
{
	return p->depth ? min(p->calls[p->depth - 1].steps, p->step_count) : 0;
}

/* Many calls of one function failed: the oldest of their chains is the least likely to be that of its own error. If all
 * steps belong to calls further out, one of those loses a chain. */
static void callpath_make_room(struct callpath *p)
{
	u32 first = callpath_steps_before(p), end = first + 1;

	if (p->step_count < STEPS)
		return;
	if (first >= p->step_count) {
		first = 0;
		end = 1;
		p->gaps++;
	}
	while (end < p->step_count && !p->steps[end].is_first)
		end++;
	callpath_keep(p, first, end, p->step_count);
}

/* An error in an argument, such as the ERR_PTR() of a function that was called before it. */
static bool callpath_has_error(const struct call *call, u32 error)
{
	for (u32 i = 0; i < ARGUMENTS; i++)
		if (call->arguments[i] == -(unsigned long)error)
			return true;
	return false;
}

static void callpath_add_step(struct callpath *p, const struct call *call, u32 error, u64 took)
{
	u32 first = min(call->steps, p->step_count), from, to;
	bool continues = callpath_find_chain(p, first, error, &from, &to);

	if (!continues && callpath_has_error(call, error)) {
		continues = callpath_find_chain(p, callpath_steps_before(p), error, &from, &to);
		if (continues)
			first = from;
	}
	if (continues)
		callpath_keep(p, first, from, to);
	else
		p->step_count = first;
	callpath_make_room(p);
	p->steps[p->step_count++] = (struct step){
		.call = *call, .took = took, .error = error, .is_first = !continues };
}

s64 tap_callpath_leave(struct tap_context *c, s64 ticket, s64 value)
{
	struct callpath *p = callpath_of(c);
	struct call *call = callpath_call(p, ticket);
	u64 took = 0, least = READ_ONCE(slow);
	u32 error;

	if (!call)
		return 0;
	callpath_pop(p, ticket);
	error = least ? 0 : callpath_error_of(value);
	if (least || error)
		took = tap_clock() - call->begun;
	if (least && took >= least)
		error = TAP_CALLPATH_SLOW;
	if (error)
		callpath_add_step(p, call, error, took);
	else
		p->step_count = min(p->step_count, call->steps);
	return error;
}

/* ---- reports ---- */

s64 tap_callpath_find(struct tap_context *c, s64 error)
{
	struct callpath *p = callpath_of(c);

	if (!p)
		return 0;
	if (!callpath_find_chain(p, 0, p->in_call ? (u32)error : 0, &p->from, &p->to))
		p->from = p->to = 0;
	return p->to - p->from;
}

static const struct step *callpath_step(const struct tap_context *c, s64 i)
{
	const struct callpath *p = callpath_of(c);

	return p && i >= 0 && i < p->to - p->from ? &p->steps[p->from + i] : NULL;
}

static const struct tap_site *callpath_site(const struct step *s)
{
	const struct tap_row *row = s->call.row;

	return row->probe->ops->site ? row->probe->ops->site(s->call.row, s->call.ip) : NULL;
}

struct tap_string tap_callpath_function(struct tap_context *c, s64 i)
{
	const struct step *s = callpath_step(c, i);
	const struct tap_site *site = s ? callpath_site(s) : NULL;

	return site ? (struct tap_string){ site->symbol, strlen(site->symbol) } : TAP_EMPTY;
}

/* One parameter of struct tap_site: "NAME:L". */
static int callpath_argument(char *text, u32 room, const char *name, u32 size, char letter, unsigned long value)
{
	u32 bits = (letter - (letter >= 'a' ? 'a' : '0')) * 8;

	if (letter == 'p')
		return scnprintf(text, room, "%.*s=0x%lx", size, name, value);
	value <<= 64 - bits;
	if (letter >= 'a')
		return scnprintf(text, room, "%.*s=0x%llx", size, name, (u64)value >> (64 - bits));
	return scnprintf(text, room, "%.*s=%lld", size, name, (s64)value >> (64 - bits));
}

struct tap_string tap_callpath_arguments(struct tap_context *c, s64 i)
{
	const struct step *s = callpath_step(c, i);
	const struct tap_site *site = s ? callpath_site(s) : NULL;
	const char *at = site ? site->parameters : NULL, *colon;
	u32 room = tap_script.limits.string, size = 0;
	char *text = at ? tap_scratch(c, room) : NULL;

	if (site && !at)
		return (struct tap_string){ "...", 3 };
	if (!text)
		return TAP_EMPTY;
	for (u32 n = 0; n < ARGUMENTS && (colon = strchr(at, ':')); n++) {
		size += scnprintf(text + size, room - size, n ? ", " : "");
		size += callpath_argument(text + size, room - size, at, colon - at, colon[1], s->call.arguments[n]);
		at = colon + 2 + (colon[2] == ' ');
	}
	return (struct tap_string){ text, size };
}

s64 tap_callpath_caller(struct tap_context *c, s64 i)
{
	const struct step *s = callpath_step(c, i);

	return s ? s->call.caller : 0;
}

s64 tap_callpath_error(struct tap_context *c, s64 i)
{
	const struct step *s = callpath_step(c, i);

	return s ? s->error : 0;
}

s64 tap_callpath_ns(struct tap_context *c, s64 i)
{
	const struct step *s = callpath_step(c, i);

	return s ? s->took : 0;
}

/* At the end of a system call none of its calls can be left. */
s64 tap_callpath_gaps(struct tap_context *c)
{
	const struct callpath *p = callpath_of(c);
	const struct pt_regs *regs = c->regs;

	if (!p)
		return 0;
	return p->gaps + (p->in_call && regs && tap_in_user_mode(regs) ? p->depth : 0);
}

s64 tap_callpath_missed_threads(void)
{
	return atomic64_read(&missed_threads);
}
