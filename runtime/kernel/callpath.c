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
#include "tap_direct.h"
#include "tap_gate.h"

enum {
	BUCKET_BITS = 5, WAYS = 4,
	THREADS = WAYS << BUCKET_BITS,
	DEPTH = 64,			/* calls within each other */
	STEPS = 64,			/* of all chains */
	ARGUMENTS = 6,
	MOST_ERROR = 4095,		/* MAX_ERRNO */
	ONLY_TICKET = 16,		/* bytes of data from the entry: which numbers are known, and one number */
};

struct call {
	unsigned long ip, caller, sp;
	struct tap_row *row;
	unsigned long arguments[ARGUMENTS];
	const struct tap_gate_frame *gate;	/* of a direct call: the members before are those of the gate until
						 * the call is complete, but SP */
	u64 begun;
	u32 serial;			/* tells it from earlier calls at the same depth; 0: it has no ticket */
	u32 steps;			/* how many there were when it began */
};

struct step {
	struct call call;
	u64 took;
	u32 error;
	bool is_first;			/* of its chain */
};

struct callpath {
	const struct task_struct *thread;	/* its owner, while it is followed */
	u64 start;			/* of the thread: the same address may be used for another one */
	struct call *top;		/* after the innermost call */
	const struct call *end;		/* where there is no room */
	u32 serial, step_count, gaps;
	u32 from, to;			/* the chosen chain */
	bool in_call;
	struct call calls[1 + DEPTH];	/* the first is none, and is never over */
	struct step steps[STEPS];
};

/* In the data of a gate's frame: of the row's entry handler, or of a call by callpath_enter_gate. */
enum { DATA_KNOWN, DATA_TICKET, DATA_PATH = DATA_KNOWN, DATA_CALL };	/* a path's address is not positive */

static struct task_struct *owners[THREADS];
static struct callpath paths[THREADS];
static DEFINE_PER_CPU(struct callpath *, callpath_last);	/* that this CPU has met; or NULL */
static atomic64_t missed_threads;
static u64 slow;			/* ns; 0: errors are searched */

static __always_inline u32 callpath_bucket(const struct task_struct *task)
{
	return hash_ptr(task, BUCKET_BITS) * WAYS;
}

/* Only the thread itself makes itself an owner, or ends that. */
static __always_inline struct callpath *callpath_find(void)
{
	const struct task_struct *task = current;
	u32 first = callpath_bucket(task);

#pragma GCC unroll 4
	for (u32 i = 0; i < WAYS; i++)
		if (data_race(owners[first + i]) == task)
			return &paths[first + i];
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
	p->calls[0] = (struct call){ .sp = ULONG_MAX };
	p->top = p->calls + 1;
	p->end = p->top + DEPTH;
	p->step_count = p->gaps = 0;
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
	p->thread = current;
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

	if (!p)
		return;
	p->thread = NULL;
	WRITE_ONCE(owners[p - paths], NULL);
}

/* ---- calls ---- */

static u32 callpath_depth(const struct callpath *p)
{
	return p->top - p->calls - 1;
}

/* Calls deeper in the stack than SP are over. */
static void callpath_drop_ended(struct callpath *p, unsigned long sp)
{
	for (; p->top[-1].sp < sp; p->top--)
		p->gaps++;
}

static __always_inline bool callpath_is_on_stack(unsigned long sp)
{
	return sp - (unsigned long)task_stack_page(current) < THREAD_SIZE;
}

static __always_inline bool callpath_is_full(const struct callpath *p)
{
	return p->top == p->end;
}

/* The next call, whose return address is at SP. P is not full, and has no calls that are over. */
static __always_inline struct call *callpath_add(struct callpath *p, unsigned long sp, u64 now)
{
	struct call *call = p->top;

	call->sp = sp;
	call->begun = now;
	call->serial = 0;
	call->steps = p->step_count;
	p->top = call + 1;
	return call;
}

/* NULL: there are too many calls, or it is one of an interrupt that no longer counts as one. */
static __always_inline struct call *callpath_push(struct callpath *p, unsigned long sp)
{
	if (!callpath_is_on_stack(sp))
		return NULL;
	callpath_drop_ended(p, sp);
	if (callpath_is_full(p)) {
		p->gaps++;
		return NULL;
	}
	return callpath_add(p, sp, tap_clock());
}

/* The call before it has jumped to it: their return addresses are in one place, or it is the place below the gate of
 * that call, where that gate has put its own. */
static bool callpath_is_jump(const struct call *call)
{
	const struct call *caller = call - 1;

	return caller->sp == call->sp || (caller->gate && (unsigned long)caller->gate - sizeof(long) == call->sp);
}

static void callpath_set_caller(struct call *call, unsigned long caller)
{
	call->caller = callpath_is_jump(call) ? 0 : caller;
}

/* From the top: the call's serial number, the number of the path, its depth. */
static s64 callpath_ticket(struct callpath *p, struct call *call)
{
	call->serial = ++p->serial;
	return ((u64)call->serial * THREADS + (p - paths)) * DEPTH + (call - p->calls - 1);
}

static struct callpath *callpath_of_ticket(s64 ticket)
{
	return &paths[(u64)ticket / DEPTH % THREADS];
}

/* The call with this ticket; NULL: it is not in the current thread's path any more, or a script made the ticket up. */
static struct call *callpath_call(struct callpath *p, s64 ticket)
{
	struct call *call = &p->calls[1 + (u64)ticket % DEPTH];
	u32 serial = (u64)ticket / DEPTH / THREADS;

	return READ_ONCE(owners[p - paths]) == current && call < p->top && serial && call->serial == serial ?
	       call : NULL;
}

static __always_inline void callpath_pop(struct callpath *p, struct call *call)
{
	if (unlikely(p->top != call + 1))
		p->gaps += p->top - call - 1;
	p->top = call;
}

static s64 callpath_push_regs(struct callpath *p, struct tap_row *row, struct pt_regs *regs, unsigned long ip)
{
	struct call *call = callpath_push(p, kernel_stack_pointer(regs));

	if (!call)
		return 0;
	call->ip = ip;
	call->row = row;
	call->gate = NULL;
	for (u32 i = 0; i < ARGUMENTS; i++)
		call->arguments[i] = *tap_argument_register(regs, i + 1);
	callpath_set_caller(call, tap_return_address(regs));
	return callpath_ticket(p, call);
}

/* Before the gate's frame is left. */
static void callpath_complete(struct call *call)
{
	const struct tap_gate_frame *g = call->gate;

	call->row = g->slot->owner;
	call->ip = call->row->probe->direct->gated->ip(g);
	for (u32 i = 0; i < ARGUMENTS; i++)
		call->arguments[i] = g->arguments[i];
	callpath_set_caller(call, g->back);
}

/* Every error is in the lower half. */
static __always_inline bool callpath_may_be_error(u64 value)
{
	return (u32)value >= (u32)-MOST_ERROR;
}

/* The register of a function that returns an int may have any upper half. */
static u32 callpath_error_of(s64 value)
{
	if ((u64)value >= (u64)-MOST_ERROR)
		return (u32)-value;
	return (u64)value >> 32 == 0 && (u32)value >= (u32)-MOST_ERROR ? -(u32)value : 0;
}

/* That of the current thread, if it is followed. Most calls are followed by one of the same thread. */
static __always_inline struct callpath *callpath_followed(void)
{
	struct callpath *p = this_cpu_read(callpath_last);
	const struct task_struct *task = current;

	if (preempt_count() & TAP_LEVEL_BITS)
		return NULL;
	if (unlikely(!p || data_race(p->thread) != task)) {
		p = callpath_find();
		if (!p)
			return NULL;
		this_cpu_write(callpath_last, p);
	}
	return likely(p->start == task->start_time) ? p : NULL;
}

/* The chains of errors within it are dropped. */
static __always_inline void callpath_succeed(struct callpath *p, struct call *call)
{
	callpath_pop(p, call);
	if (p->step_count > call->steps)
		p->step_count = call->steps;
}

/* Most calls succeed: they are put on the path and taken off it without a frame. True: it does not. */
static __always_inline bool callpath_leave(struct callpath *p, struct call *call, u64 value)
{
	u64 least = READ_ONCE(slow);

	if (unlikely(least ? tap_clock() - call->begun >= least : callpath_error_of(value)))
		return true;
	callpath_succeed(p, call);
	return false;
}

static s64 callpath_enter_quickly(struct tap_row *row, struct pt_regs *regs, unsigned long ip)
{
	struct callpath *p = callpath_followed();

	return p ? callpath_push_regs(p, row, regs, ip) : 0;
}

static bool callpath_leave_quickly(struct pt_regs *regs, s64 ticket)
{
	struct callpath *p = callpath_of_ticket(ticket);
	struct call *call = callpath_call(p, ticket);

	return call && callpath_leave(p, call, regs_return_value(regs));
}

static __always_inline bool callpath_enter_by(struct tap_gate_frame *g, struct callpath *p, struct call *call)
{
	call->gate = g;
	g->data[DATA_PATH] = (unsigned long)p;
	g->data[DATA_CALL] = (unsigned long)call;
	return true;
}

static noinline bool callpath_enter_gate_otherwise(struct tap_gate_frame *g, struct callpath *p)
{
	struct call *call = callpath_push(p, (unsigned long)&g->back);

	return call && callpath_enter_by(g, p, call);
}

/* What is usual needs no call. The calls of a handler are not those of the thread. */
static bool callpath_enter_gate(struct tap_gate_frame *g)
{
	struct callpath *p = callpath_followed();
	unsigned long sp = (unsigned long)&g->back;
	u64 rate = READ_ONCE(tap_clock_base.rate);

	if (!p || tap_is_busy(tap_frame_at(0)))
		return false;
	OPTIMIZER_HIDE_VAR(p);		/* no index of it is needed */
	if (unlikely(!rate || !callpath_is_on_stack(sp) || p->top[-1].sp < sp || callpath_is_full(p)))
		return callpath_enter_gate_otherwise(g, p);
	return callpath_enter_by(g, p, callpath_add(p, sp, tap_clock_counted(tap_cycles(), rate)));
}

static noinline void callpath_late(struct tap_gate_frame *g, struct callpath *p, struct call *call)
{
	if (call->gate)
		callpath_complete(call);
	call->row->probe->direct->gated->late(g, callpath_ticket(p, call));
}

/* The path may have been given to another thread meanwhile. Of the current thread's calls no other one has this gate,
 * which is on its stack. */
static __always_inline bool callpath_owns(const struct callpath *p, const struct call *call,
					  const struct tap_gate_frame *g)
{
	return data_race(p->thread) == current && call->gate == g;
}

static noinline void callpath_leave_gate_otherwise(struct tap_gate_frame *g, struct callpath *p, struct call *call)
{
	if ((s64)g->data[DATA_KNOWN] >= 0) {	/* the row's entry handler has run */
		s64 ticket = g->data[DATA_TICKET];

		p = callpath_of_ticket(ticket);
		call = callpath_call(p, ticket);
		if (!call)
			return;
	} else if (!callpath_owns(p, call, g) || call >= p->top) {
		return;
	}
	if (callpath_leave(p, call, g->result[0]))
		callpath_late(g, p, call);
}

/* What is usual needs no call: the innermost call of the path returns no error. */
static void callpath_leave_gate(struct tap_gate_frame *g)
{
	struct callpath *p = (struct callpath *)(unsigned long)g->data[DATA_PATH];
	struct call *call = (struct call *)(unsigned long)g->data[DATA_CALL];

	if (unlikely((s64)g->data[DATA_KNOWN] >= 0 || !callpath_owns(p, call, g) || p->top != call + 1 ||
		     data_race(slow) || callpath_may_be_error(g->result[0])))
		callpath_leave_gate_otherwise(g, p, call);
	else
		callpath_succeed(p, call);
}

static const struct tap_row_path callpath_quick = {
	.enter = callpath_enter_quickly, .leave = callpath_leave_quickly,
	.entered = callpath_enter_gate, .returned = callpath_leave_gate,
};

static bool callpath_follows(void)
{
	return callpath_find();
}

static void callpath_follow_row(struct tap_row *row)
{
	const struct tap_direct *d = row->probe->direct;

	WRITE_ONCE(row->wants, callpath_follows);
	if (row->probe->entry_size > ONLY_TICKET)
		return;
	WRITE_ONCE(row->path, &callpath_quick);
	if (d && d->gated)
		d->gated->shorten(row);
}

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
	callpath_follow_row(f->row);
	ticket = p && p->start == current->start_time ? callpath_push_regs(p, f->row, regs, f->ip) : 0;
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
	return min(p->top[-1].steps, p->step_count);
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
	struct callpath *p = callpath_of_ticket(ticket);
	struct call *call = tap_frame(c)->level ? NULL : callpath_call(p, ticket);
	u64 took = 0, least = READ_ONCE(slow);
	u32 error;

	if (!call)
		return 0;
	callpath_pop(p, call);
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
	return p->gaps + (p->in_call && regs && tap_in_user_mode(regs) ? callpath_depth(p) : 0);
}

s64 tap_callpath_missed_threads(void)
{
	return atomic64_read(&missed_threads);
}
