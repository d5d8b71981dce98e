/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Contexts of handlers: how a probe family enters one, runs the handler and leaves.
 *
 * Each CPU has a frame for each of four levels: task, softirq, irq, NMI. A handler of a higher level runs on top of
 * one of a lower level. A hit at the level of a running handler comes from a probe on something that the handler
 * itself uses: it is skipped and counted.
 *
 * tap_enter ... tap_leave is the cost of each hit, so it is inline and short; the slow paths are in context.c.
 * Preemption is off in between, and everything called there may itself be probed: the frame's busy mark is set
 * first and cleared last. */
#ifndef TAP_CONTEXT_H
#define TAP_CONTEXT_H

#include "session.h"
#include "rows.h"
#include "transport.h"
#include "core/trace.h"
#include "tap_room.h"

struct tap_groups;

enum { TAP_LEVELS = TAP_CONTEXTS };
enum { TAP_MESSAGE = 512 };		/* bytes of an error message */

struct tap_frame {
	struct tap_context c;		/* the part that generated code accesses; must be first */
	u32 busy;
	u32 begun;			/* low half of tap_cycles */
	char *scratch_base;
	struct tap_row *row;		/* of the running handler or condition; NULL: the runtime's own use */
	unsigned long ip;		/* of the probed place; the families map it to a site */
	unsigned long bias;		/* of the probed program: run-time minus link-time address */
	s64 budget;			/* of time, see tap_budget_over */
	s64 ticket;			/* of a return with a tap_row_path; otherwise 0 */

	/* rarely used: */
	u16 level, cpu;
	bool uncatchable;		/* the script may not catch c.error */
	bool may_wait;			/* begin, end: see transport_await_room and context_rest */
	bool asks;			/* a condition runs: no probe was hit */
	bool undecided;			/* the condition could not get its locks */
	u32 rested;			/* if may_wait: when the CPU was last yielded; as begun */
	s32 actions_left;		/* granted in slices, see tap_more_actions */
	u32 sliced;			/* begun of the handler that actions_left belongs to */
	unsigned long nested_from;	/* stack pointer of the outermost recursive call */
	struct tap_fetch *fetch;	/* of this hit; valid unless c.fetch is NONE */

	/* transport.c, while c.out is not NULL: */
	struct tap_ring *ring;
	struct tap_record *record;	/* the record that c.out points into; NULL: it is lost */
	u64 head;			/* the ring's, until a handler on top also writes */
	u64 stamp;
	u64 *open;			/* the ring's mark for this level */
	u32 lost;			/* size of the lost record in bytes */
	u32 most;			/* maximum size of a record in bytes */
	u32 out_size;			/* the same without its header */

	/* tap_lock: */
	const struct tap_lock_need *held;
	u32 held_count;
	unsigned long held_flags;

	struct tap_groups *groups;	/* of the last regular expression */
	char message[TAP_MESSAGE];
	struct tap_trace trace;		/* of c.error */
};

/* A handler shared by begin and another probe takes locks. */
static inline bool tap_may_wait(const struct tap_frame *f)
{
	return f->may_wait && !f->held_count;
}

struct tap_cpu {
	struct tap_frame *frames[TAP_LEVELS];
	u64 since;			/* tap_cycles at the start of the current interval */
	u64 spent;			/* time in handlers since then */
};
DECLARE_PER_CPU(struct tap_cpu, tap_cpu);

extern u64 tap_allowance;		/* the initial actions, nesting and following members of struct tap_context */

static inline struct tap_frame *tap_frame(const struct tap_context *c)
{
	return container_of(c, struct tap_frame, c);
}

#define TAP_LEVEL_BITS (NMI_MASK | HARDIRQ_MASK | SOFTIRQ_OFFSET)
static __always_inline u32 tap_level(u32 count)
{
	return !!(count & TAP_LEVEL_BITS) + !!(count & (NMI_MASK | HARDIRQ_MASK)) + !!(count & NMI_MASK);
}

/* For a task's stack. Interrupts have their own, which has any address; the end of one no longer counts as one. */
static __always_inline bool tap_is_stack_short(void)
{
	return (u32)(current_stack_pointer & (THREAD_SIZE - 1)) < tap_script.limits.least_stack &&
	       !tap_is_on_irq_stack();
}

void tap_skip(struct tap_row *row, enum tap_skip why);
void tap_finish(struct tap_frame *f);		/* with an error or prints: reports and sends */
void tap_budget_over(struct tap_frame *f, u32 time);
void tap_budget_charged(struct tap_frame *f);
/* At start: determines the limits of handlers. Returns the time portion of a frame in tap_cycles; 0: check at each
 * handler. */
s64 tap_budget_start(void);

static __always_inline void tap_begin_entry(struct tap_frame *f, struct tap_row *row)
{
	f->begun = (u32)tap_cycles();
	f->row = row;
	f->c.scratch = f->scratch_base;
	__builtin_memcpy(&f->c.actions, &tap_allowance, sizeof(tap_allowance));
}

/* An interrupt may take the frame, and give it back, while it is read. */
static __always_inline bool tap_is_busy(const struct tap_frame *f)
{
	return data_race(f->busy);
}

/* F belongs to this CPU and is not busy; preemption is off. */
static __always_inline void tap_begin_busy(struct tap_frame *f)
{
	WRITE_ONCE(f->busy, 1);
	barrier();
}

static __always_inline void tap_end_busy(struct tap_frame *f)
{
	barrier();
	WRITE_ONCE(f->busy, 0);
}

/* As tap_begin_busy(). */
static __always_inline void tap_begin_handler(struct tap_frame *f, struct tap_row *row)
{
	tap_begin_busy(f);
	tap_begin_entry(f, row);
	this_cpu_inc(row->count->hits);
}

/* F is busy: another frame for this hit, or NULL if it belongs to F's handler. */
struct tap_frame *tap_frame_instead(const struct tap_frame *f);

/* NULL: skipped. F belongs to this CPU; preemption is off. */
static __always_inline struct tap_frame *tap_enter_frame(struct tap_frame *f, struct tap_row *row)
{
	if (unlikely(tap_is_busy(f))) {
		f = tap_frame_instead(f);
		if (!f) {
			tap_skip(row, TAP_SKIP_REENTRANT);
			return NULL;
		}
	}
	tap_begin_handler(f, row);
	if (!f)
		__builtin_unreachable();	/* gcc cannot know it: in a kernel address 0 may be valid */
	return f;
}

/* This CPU's frame for the level. COUNT: preempt_count(), or its value before a breakpoint. */
static __always_inline struct tap_frame *tap_frame_at(u32 count)
{
	return likely(!(count & TAP_LEVEL_BITS)) ? this_cpu_read(tap_cpu.frames[0]) :
						   this_cpu_read(tap_cpu.frames[tap_level(count)]);
}

/* Whether F, the CPU's frame for tasks, is that of a hit here, and free: otherwise tap_enter() decides. */
static __always_inline bool tap_is_usual(const struct tap_frame *f)
{
	return !(preempt_count() & TAP_LEVEL_BITS) && !tap_is_stack_short() && !tap_is_busy(f);
}

static __always_inline struct tap_frame *tap_enter(struct tap_row *row, u32 count)
{
	struct tap_frame *f = this_cpu_read(tap_cpu.frames[0]);

	if (unlikely(count & TAP_LEVEL_BITS)) {
		f = this_cpu_read(tap_cpu.frames[tap_level(count)]);
	} else if (unlikely(tap_is_stack_short())) {
		tap_skip(row, TAP_SKIP_STACK);
		return NULL;
	}
	return tap_enter_frame(f, row);
}

/* The same in a task about to return to user space: its stack is nearly empty. */
static __always_inline struct tap_frame *tap_enter_task(struct tap_row *row)
{
	return tap_enter_frame(this_cpu_read(tap_cpu.frames[0]), row);
}

static __always_inline void tap_end_entry(struct tap_frame *f)
{
	u32 time;

	if (unlikely((unsigned long)f->c.error | (unsigned long)f->c.out))
		tap_finish(f);
	time = (u32)tap_cycles() - f->begun;
	f->budget -= time;
	if (unlikely(f->budget < 0))
		tap_budget_over(f, time);
}

/* Counts TIME, in tap_cycles, that a hit of ROW takes outside of its handler. F is the caller's, and busy; no handler
 * runs in it. */
static __always_inline void tap_charge(struct tap_frame *f, struct tap_row *row, u64 time)
{
	f->row = row;
	f->budget -= time;
	if (unlikely(f->budget < 0))
		tap_budget_charged(f);
}

static __always_inline void tap_leave(struct tap_frame *f)
{
	tap_end_entry(f);
	tap_end_busy(f);
}

/* C.fetch is WANTED: leaves as if nothing had been hit. */
void tap_abandon(struct tap_frame *f);

/* One hit, for families that are not time-critical. Preemption may be on. */
void tap_hit(struct tap_row *row, struct pt_regs *regs, unsigned long ip);
void tap_hit_counted(struct tap_row *row, struct pt_regs *regs, unsigned long ip, u32 count);
/* At the entry of a function whose return is probed: runs the row's entry handler with DATA, its entry_size bytes.
 * False if it was skipped, or does not need the return. Preemption is off. */
bool tap_hit_entry(struct tap_row *row, struct pt_regs *regs, unsigned long ip, u32 count, void *data);
/* The same in a frame that the caller has taken; f->c.entering is false afterwards if the return is not needed. */
void tap_run_entry(struct tap_frame *f, struct tap_row *row, struct pt_regs *regs, void *data);
/* A return, with the data that the entry saved. */
void tap_hit_return(struct tap_row *row, struct pt_regs *regs, unsigned long ip, void *data);
/* A return with a ticket: the row's entry handler runs first, if its data is small. */
void tap_hit_late(struct tap_row *row, struct pt_regs *regs, unsigned long ip, s64 ticket);
/* A hit whose handler reads the data at GIVEN. */
void tap_hit_given(struct tap_row *row, struct pt_regs *regs, void *given);
/* The same without checking whether the row is armed, with the action limit of probes that
 * delay nothing else: begin, end. Process context; no other handler runs. */
void tap_hit_unhurried(struct tap_row *row);

/* Takes a frame of this CPU without a hit, in process context with interrupts on: to print a message (ROW is NULL)
 * or to evaluate ROW's condition. NULL: the frame is in use. */
struct tap_frame *tap_frame_take(struct tap_row *row);
void tap_frame_give(struct tap_frame *f);

/* Called during long operations: false, with the error set, if they must end. */
bool tap_look_at_clock(struct tap_context *c);

#endif
