/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Direct calls: a probed function calls code of the script's module instead of ftrace's. Generated C includes this if
 * the script has rows whose handlers may be called so; without them the file is not read.
 *
 * A row's code is one function for all of its places, because the return address says which place it is. It has no
 * registers to spare but r10, r11 and ax (which tells functions with variable arguments how many of them are in vector
 * registers, so never in the kernel). Its parameters are the probed function's.
 *
 *	direct_N	the checks before a handler may run, in r10 and r11; then the handler in this CPU's frame for
 *			tasks, which is free
 *	direct_run_N	the same for a handler that is compiled into it: it is compiled with no_caller_saved_registers,
 *			so the compiler saves what it really uses
 *	direct_slow_N	all other cases: the arguments as struct pt_regs for tap_direct_slow, which is written in C
 *			and does what other probes do
 *
 * direct_N only jumps to the other two, so all of them have the same return address and the stack pointer of the probed
 * function, and objtool finds the ORC data of each. Whether a handler is plain, which registers it reads, and whether
 * it reads any, the translator knows from the syntax tree (plan/direct.h).
 *
 * A row of returns has no code here: its functions call a trampoline of the module tap_gate (tap_gate.h), because the
 * address of the script's module must not be on the stack of a function that sleeps. */
#ifndef TAP_DIRECT_H
#define TAP_DIRECT_H

#include "tap_script.h"
#include "tap_gate.h"

struct ftrace_ops;
struct tap_row;

struct tap_direct {
	struct tap_row *row;		/* set by the runtime before the first call; its first member is run */
	void *hits;			/* the row's, per CPU */
	void (*call)(void);		/* direct_N; NULL: not supported on this architecture, or a return */
	const struct tap_gated_ops *gated;	/* of a return: how its functions call a trampoline of tap_gate */
	bool (*entered)(struct tap_gate_frame *g);	/* of a return with an entry handler */
	void (*returned)(struct tap_gate_frame *g);
	bool enters_late;		/* the entry handler runs at the return, as it only reads arguments */
	/* Of an entry whose functions may call a trampoline for a return as well: runs the handler, and tells whether
	 * the row of the return is armed; or NULL. */
	bool (*paired)(struct tap_gate_frame *g);
	struct tap_direct *pair;	/* of a return: the row of entries at the same functions, or NULL */
	u64 several;			/* all bits set: the row has several functions */
	struct tap_gate_slot *slot;	/* the trampoline, while it is lent */
	u64 missed;
};

/* What hook.c does with such rows. All of these may sleep. */
struct tap_gated_ops {
	/* As tap_direct_attach() and tap_direct_detach(), kernel/direct.h. PAIR: a row of entries at the same
	 * functions, whose handler the trampoline calls, too; or NULL. All functions of ROW have the same one. */
	int (*attach)(struct ftrace_ops *ops, struct tap_row *row, struct tap_row *pair, unsigned long some_ip,
		      int (*patched)(struct ftrace_ops *ops, bool is_attached));
	int (*detach)(struct ftrace_ops *ops, struct tap_row *row);
	void (*follow)(struct tap_row *row, bool follow);	/* calls that begin from now on */
	/* From now on calls go by the row's tap_row_path; for its functions: which of the row's places it is, and the
	 * return for which the handlers are needed. */
	void (*shorten)(struct tap_row *row);
	unsigned long (*ip)(const struct tap_gate_frame *g);
	void (*late)(struct tap_gate_frame *g, s64 ticket);
	u64 (*missed)(const struct tap_row *row);
	/* After detach: gives the trampoline back. */
	void (*close)(struct tap_row *row);
};
extern const struct tap_gated_ops tap_gated;
enum { TAP_GATED_BYTES = 32 };		/* of an entry's data at most */

/* The members of struct tap_frame, see kernel/context.h, up to the last one that is used here. */
struct tap_direct_frame {
	struct tap_context c;
	u32 busy, begun;
	char *scratch_base;
	struct tap_row *row;
	unsigned long ip, bias;
	s64 budget;
};
/* The offsets of its members, and of the row's count in struct tap_direct, for the assembler. */
#define TAP_DIRECT_ERROR 0
#define TAP_DIRECT_SCRATCH 16
#define TAP_DIRECT_OUT 32
#define TAP_DIRECT_REGISTERS 48
#define TAP_DIRECT_ACTIONS 64
#define TAP_DIRECT_BUSY 80
#define TAP_DIRECT_BEGUN 84
#define TAP_DIRECT_SCRATCH_BASE 88
#define TAP_DIRECT_ROW 96
#define TAP_DIRECT_IP 104
#define TAP_DIRECT_BUDGET 120
#define TAP_DIRECT_HITS 8

/* The first members of struct pt_regs. */
struct tap_direct_regs {
	u64 saved[6], r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, cs, flags, sp, ss;
};

/* The lower half of preempt_count() in a task where preemption is on, plus 1; and how it is decremented, so that the
 * result is 0 if the task should yield. */
#ifdef TAP_DIRECT_WIDE
#define TAP_DIRECT_COUNT 0x00000001
#define TAP_DIRECT_DECREMENT "decq"
#else
#define TAP_DIRECT_COUNT 0x80000001
#define TAP_DIRECT_DECREMENT "decl"
#endif
/* Bytes of the call in a probed function. */
#define TAP_DIRECT_CALL 5

#define TAP_DIRECT_ALWAYS static inline __attribute__((__always_inline__))

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)

extern u64 tap_allowance;
/* The offset of the CPU's preempt_count; bits of the stack pointer, all 0 if the stack may be short. */
extern unsigned long tap_direct_count;
extern u32 tap_direct_stack;

/* Preemption is off in all of these. */
void tap_direct_slow(struct tap_direct *d, struct tap_direct_regs *regs);	/* turns it on at the end */
TAP_SAVES bool tap_direct_is_usual(void);	/* may use the frame for tasks */
TAP_SAVES void tap_direct_over(void);		/* the budget of time is used up */
TAP_SAVES void tap_direct_yield(void);		/* preemption was turned on and is wanted */
void tap_direct_finish(struct tap_direct_frame *f);	/* reports an error, sends what was printed */

#define TAP_DIRECT_PARAMETERS u64 di, u64 si, u64 dx, u64 cx, u64 r8, u64 r9
#define TAP_DIRECT_ARGUMENTS di, si, dx, cx, r8, r9
/* no_stack_protector: no handler writes to these registers. */
#define TAP_DIRECT_FUNCTION static TAP_SAVES \
	__attribute__((__used__, __noinline__, __noclone__, __no_stack_protector__)) void
TAP_DIRECT_ALWAYS void tap_direct_barrier(void) { __asm__ volatile("" : : : "memory"); }

TAP_DIRECT_ALWAYS struct tap_direct_frame *tap_direct_frame(void)
{
	struct tap_direct_frame *f;

	__asm__ volatile("mov %%gs:tap_cpu(%%rip), %0" : "=r"(f));
	if (!f)
		__builtin_unreachable();
	return f;
}

/* Only what a plain handler reads. */
TAP_DIRECT_ALWAYS void tap_direct_arguments(struct tap_direct_regs *regs, TAP_DIRECT_PARAMETERS)
{
	regs->di = di, regs->si = si, regs->dx = dx;
	regs->cx = cx, regs->r8 = r8, regs->r9 = r9;
}

/* The same as ftrace gives a callback. */
TAP_DIRECT_ALWAYS void tap_direct_all(struct tap_direct_regs *regs, unsigned long back, void *stack,
				      TAP_DIRECT_PARAMETERS)
{
	tap_direct_arguments(regs, TAP_DIRECT_ARGUMENTS);
	regs->orig_ax = regs->cs = regs->flags = regs->ss = 0;
	regs->ip = back;
	regs->sp = (unsigned long)stack;
}

TAP_DIRECT_ALWAYS void tap_direct_begin(struct tap_direct_frame *f, const struct tap_direct *d)
{
	f->begun = (u32)__builtin_ia32_rdtsc();
	__asm__ volatile("incq %%gs:(%0)" : : "r"(d->hits) : "memory", "cc");
}

/* What tap_begin_entry() sets for a handler that is not plain. */
TAP_DIRECT_ALWAYS void tap_direct_begin_any(struct tap_direct_frame *f, unsigned long back)
{
	f->c.scratch = f->scratch_base;
	__builtin_memcpy(&f->c.actions, &tap_allowance, sizeof(tap_allowance));
	f->ip = back - TAP_DIRECT_CALL;
}

/* After a handler that is not plain. */
TAP_DIRECT_ALWAYS void tap_direct_finish_any(struct tap_direct_frame *f)
{
	if (tap_unlikely((unsigned long)f->c.error | (unsigned long)f->c.out))
		tap_direct_finish(f);
}

TAP_DIRECT_ALWAYS void tap_direct_release(struct tap_direct_frame *f)
{
	f->budget -= (u32)__builtin_ia32_rdtsc() - f->begun;
	if (tap_unlikely(f->budget < 0))
		tap_direct_over();
	tap_direct_barrier();
	f->busy = 0;
}

TAP_DIRECT_ALWAYS void tap_direct_end(struct tap_direct_frame *f)
{
	tap_direct_release(f);
	__asm__ goto(TAP_DIRECT_DECREMENT " %%gs:(%0)\n\tje %l1" : : "r"(tap_direct_count) : "memory", "cc" : yield);
	return;
yield:
	tap_direct_yield();
}

#ifdef __CET__
#define TAP_DIRECT_LANDING "endbr64\n\t"
#else
#define TAP_DIRECT_LANDING ""
#endif

#ifdef TAP_DIRECT_THUNK
#define TAP_DIRECT_RETURN "jmp __x86_return_thunk\n\t"
#else
#define TAP_DIRECT_RETURN "ret\n\tint3\n\t"
#endif

#define TAP_DIRECT_TEXT(...) #__VA_ARGS__
#define TAP_DIRECT_NUMBER(x) TAP_DIRECT_TEXT(x)
/* A member of the frame or of struct tap_direct at REGISTER. */
#define TAP_DIRECT_AT(member, register) TAP_DIRECT_NUMBER(TAP_DIRECT_##member) "(%" #register ")"

/* RUN: the assembly that follows the checks, with the frame in r10 and the row in r11. */
#define TAP_DIRECT_ENTRY(n, run, ...) \
	void direct_##n(void); \
	static struct tap_direct row_direct_##n = { .call = direct_##n, __VA_ARGS__ }; \
	TAP_DIRECT_FUNCTION direct_off_##n(void) { } \
	TAP_DIRECT_FUNCTION direct_slow_##n(TAP_DIRECT_PARAMETERS) \
	{ \
		struct tap_direct_regs regs __attribute__((__uninitialized__)); \
		tap_direct_all(&regs, (unsigned long)__builtin_return_address(0), __builtin_dwarf_cfa(), \
			       TAP_DIRECT_ARGUMENTS); \
		tap_direct_slow(&row_direct_##n, &regs); \
	} \
	__asm__(".pushsection .text\n\t.p2align 4\n\t.globl direct_" #n "\n\t.type direct_" #n ", @function\n" \
		"direct_" #n ":\n\t" TAP_DIRECT_LANDING \
		"mov row_direct_" #n "(%rip), %r11\n\t" \
		"cmpq $0, (%r11)\n\tje direct_off_" #n "\n\t" \
		"mov tap_direct_count(%rip), %r10\n\t" \
		"incl %gs:(%r10)\n\t" \
		"cmpl $" TAP_DIRECT_NUMBER(TAP_DIRECT_COUNT) ", %gs:(%r10)\n\tjne 2f\n" \
		"1:\ttestl %esp, tap_direct_stack(%rip)\n\tje direct_slow_" #n "\n\t" \
		"mov %gs:tap_cpu(%rip), %r10\n\t" \
		"cmpl $0, " TAP_DIRECT_AT(BUSY, r10) "\n\tjne direct_slow_" #n "\n\t" \
		"movl $1, " TAP_DIRECT_AT(BUSY, r10) "\n\t" \
		"mov %r11, " TAP_DIRECT_AT(ROW, r10) "\n\t" \
		run \
		"2:\tpush %rax\n\tcall tap_direct_is_usual\n\ttest %al, %al\n\tpop %rax\n\tjne 1b\n\t" \
		"jmp direct_slow_" #n "\n\t.size direct_" #n ", .-direct_" #n "\n\t.popsection");

/* A handler that only reads arguments and counts: BODY(c, regs), which is inlined. The rest of the arguments, here and
 * below, are members of the row's struct tap_direct. */
#define TAP_DIRECT_PLAIN(n, body, ...) \
	TAP_DIRECT_ENTRY(n, "jmp direct_run_" #n "\n", __VA_ARGS__) \
	TAP_DIRECT_FUNCTION direct_run_##n(TAP_DIRECT_PARAMETERS) \
	{ \
		struct tap_direct_regs regs __attribute__((__uninitialized__)); \
		struct tap_direct_frame *f = tap_direct_frame(); \
		tap_direct_begin(f, &row_direct_##n); \
		tap_direct_arguments(&regs, TAP_DIRECT_ARGUMENTS); \
		body(&f->c, &regs); \
		tap_direct_end(f); \
	}

/* Any other handler: what tap_direct_begin(), tap_direct_begin_any(), tap_direct_finish_any() and tap_direct_end() do,
 * without more registers saved than may hold arguments. SAVE and RESTORE do this; BACK: where the return address is
 * after SAVE. */
#define TAP_DIRECT_CALLED(n, handler, save, back, restore, ...) \
	TAP_DIRECT_ENTRY(n, save \
		"mov %r10, %rdi\n\t" \
		"rdtsc\n\tmov %eax, " TAP_DIRECT_AT(BEGUN, rdi) "\n\t" \
		"mov row_direct_" #n "+" TAP_DIRECT_NUMBER(TAP_DIRECT_HITS) "(%rip), %rax\n\tincq %gs:(%rax)\n\t" \
		"mov " TAP_DIRECT_AT(SCRATCH_BASE, rdi) ", %rax\n\tmov %rax, " TAP_DIRECT_AT(SCRATCH, rdi) "\n\t" \
		"mov tap_allowance(%rip), %rax\n\tmov %rax, " TAP_DIRECT_AT(ACTIONS, rdi) "\n\t" \
		"mov " back "(%rsp), %rax\n\tsub $" TAP_DIRECT_NUMBER(TAP_DIRECT_CALL) ", %rax\n\t" \
		"mov %rax, " TAP_DIRECT_AT(IP, rdi) "\n\t" \
		"call " #handler "\n\t" \
		"mov %gs:tap_cpu(%rip), %rdi\n\t" \
		"mov " TAP_DIRECT_AT(ERROR, rdi) ", %rax\n\tor " TAP_DIRECT_AT(OUT, rdi) ", %rax\n\tjne 5f\n" \
		"3:\trdtsc\n\tsub " TAP_DIRECT_AT(BEGUN, rdi) ", %eax\n\t" \
		"sub %rax, " TAP_DIRECT_AT(BUDGET, rdi) "\n\tjs 6f\n" \
		"4:\tmov tap_direct_count(%rip), %rax\n\t" \
		"movl $0, " TAP_DIRECT_AT(BUSY, rdi) "\n\t" \
		TAP_DIRECT_DECREMENT " %gs:(%rax)\n\tje 7f\n" \
		"8:\t" restore TAP_DIRECT_RETURN \
		"5:\tcall tap_direct_finish\n\tmov %gs:tap_cpu(%rip), %rdi\n\tjmp 3b\n" \
		"6:\tcall tap_direct_over\n\tjmp 4b\n" \
		"7:\tcall tap_direct_yield\n\tjmp 8b\n", __VA_ARGS__)

#define TAP_DIRECT_BARE(n, handler, ...) TAP_DIRECT_CALLED(n, handler, \
	"push %rdi\n\tpush %rsi\n\tpush %rdx\n\tpush %rcx\n\tpush %r8\n\tpush %r9\n\t" \
	"movq $0, " TAP_DIRECT_AT(REGISTERS, r10) "\n\t", "48", \
	"pop %r9\n\tpop %r8\n\tpop %rcx\n\tpop %rdx\n\tpop %rsi\n\tpop %rdi\n\t", __VA_ARGS__)

/* struct pt_regs on the stack: from ss down to r8, and room for the other eight. */
#define TAP_DIRECT_REGS(n, handler, ...) TAP_DIRECT_CALLED(n, handler, \
	"push $0\n\tlea 16(%rsp), %r11\n\tpush %r11\n\tpush $0\n\tpush $0\n\tpush 32(%rsp)\n\tpush $0\n\t" \
	"push %rdi\n\tpush %rsi\n\tpush %rdx\n\tpush %rcx\n\tpush %rax\n\tpush %r8\n\tpush %r9\n\tsub $64, %rsp\n\t" \
	"mov %rsp, " TAP_DIRECT_AT(REGISTERS, r10) "\n\t", "168", \
	"add $64, %rsp\n\tpop %r9\n\tpop %r8\n\tpop %rax\n\tpop %rcx\n\tpop %rdx\n\tpop %rsi\n\tpop %rdi\n\t" \
	"add $48, %rsp\n\t", __VA_ARGS__)

/* ---- returns: ordinary functions, which tap_gate calls with preemption off and where RCU is watching ---- */

/* What does not pass the checks of tap_gated_frame continues here, as above. */
bool tap_gated_hit(const struct tap_direct *d, struct tap_gate_frame *g);
bool tap_gated_entered(struct tap_gate_frame *g);
void tap_gated_returned(struct tap_gate_frame *g);

/* This CPU's frame for tasks, taken; NULL: it cannot be, or the row is not armed. */
TAP_DIRECT_ALWAYS struct tap_direct_frame *tap_gated_frame(const struct tap_direct *d)
{
	struct tap_row *row = d->row;
	struct tap_direct_frame *f;
	u32 count, sp;

	__asm__ volatile("movl %%gs:(%1), %0" : "=r"(count) : "r"(tap_direct_count));
	__asm__ volatile("movl %%esp, %0" : "=r"(sp));
	if (tap_unlikely(!*(void *volatile *)row || count != TAP_DIRECT_COUNT || !(sp & tap_direct_stack)))
		return NULL;
	f = tap_direct_frame();
	if (tap_unlikely(f->busy))
		return NULL;
	f->busy = 1;
	tap_direct_barrier();
	f->row = row;
	return f;
}

TAP_DIRECT_ALWAYS void tap_gated_arguments(struct tap_direct_regs *regs, const struct tap_gate_frame *g)
{
	const u64 *a = g->arguments;

	tap_direct_all(regs, g->body, (void *)&g->back, a[0], a[1], a[2], a[3], a[4], a[5]);
}

TAP_DIRECT_ALWAYS void tap_gated_result(struct tap_direct_regs *regs, const struct tap_gate_frame *g)
{
	regs->ax = g->result[0];
	regs->dx = g->result[1];
	regs->orig_ax = regs->cs = regs->flags = regs->ss = 0;
	regs->ip = g->back;
	regs->sp = (u64)(&g->back + 1);
}

TAP_DIRECT_ALWAYS void tap_gated_begin_any(struct tap_direct_frame *f, const struct tap_direct *d,
					   struct tap_gate_frame *g)
{
	tap_direct_begin_any(f, g->body);
	f->ip &= d->several;
	f->c.entry = g->data;
}

/* Whether the trampoline's row is armed. */
TAP_DIRECT_ALWAYS bool tap_gated_is_armed(const struct tap_gate_frame *g)
{
	return *(void *volatile *)g->slot->owner;
}

/* What is done before a handler that reads registers: the result at a return, or the arguments; or none. */
#define TAP_GATED_RESULT tap_gated_result(&regs, g); f->c.regs = &regs;
#define TAP_GATED_ARGUMENTS tap_gated_arguments(&regs, g); f->c.regs = &regs;
#define TAP_GATED_NO_REGS f->c.regs = NULL;

/* no_stack_protector: as above. */
#define TAP_GATED_FUNCTION(type, name) \
	static __attribute__((__no_stack_protector__)) type name(struct tap_gate_frame *g)

/* The handlers of entries whose functions have a return as well. */
#define TAP_GATED_PAIR(n, work) \
	static struct tap_direct row_direct_##n; \
	TAP_GATED_FUNCTION(bool, paired_##n) \
	{ \
		const struct tap_direct *d = &row_direct_##n; \
		struct tap_direct_frame *f = tap_gated_frame(d); \
		struct tap_direct_regs regs __attribute__((__uninitialized__)); \
		if (tap_unlikely(!f)) \
			return tap_gated_hit(d, g); \
		tap_direct_begin(f, d); \
		work \
		tap_direct_release(f); \
		return tap_gated_is_armed(g); \
	}
#define TAP_GATED_PAIR_CALLED(n, handler, reads) \
	TAP_GATED_PAIR(n, \
		tap_gated_begin_any(f, d, g); \
		reads \
		handler(&f->c); \
		tap_direct_finish_any(f);)
#define TAP_GATED_PAIR_PLAIN(n, body) TAP_GATED_PAIR(n, tap_gated_arguments(&regs, g); body(&f->c, &regs);)
#define TAP_GATED_PAIR_BARE(n, handler) TAP_GATED_PAIR_CALLED(n, handler, TAP_GATED_NO_REGS)
#define TAP_GATED_PAIR_REGS(n, handler) TAP_GATED_PAIR_CALLED(n, handler, TAP_GATED_ARGUMENTS)

#define TAP_GATED_ROW(n, size, ...) \
	static struct tap_direct row_direct_##n = { .gated = (size) <= TAP_GATED_BYTES ? &tap_gated : NULL, \
						    .returned = returned_##n, __VA_ARGS__ };

#define TAP_GATED_RETURNED(n, work) \
	static struct tap_direct row_direct_##n; \
	TAP_GATED_FUNCTION(void, returned_##n) \
	{ \
		const struct tap_direct *d = &row_direct_##n; \
		struct tap_direct_frame *f = tap_gated_frame(d); \
		struct tap_direct_regs regs __attribute__((__uninitialized__)); \
		if (tap_unlikely(!f)) { \
			tap_gated_returned(g); \
			return; \
		} \
		tap_direct_begin(f, d); \
		work \
		tap_direct_release(f); \
	}

/* A handler that only reads the result and counts: BODY(c, regs), which is inlined. */
#define TAP_GATED_PLAIN(n, body) \
	TAP_GATED_RETURNED(n, tap_gated_result(&regs, g); body(&f->c, &regs);) \
	TAP_GATED_ROW(n, 0)

#define TAP_GATED_CALLED(n, handler, before, reads) \
	TAP_GATED_RETURNED(n, \
		tap_gated_begin_any(f, d, g); \
		before \
		reads \
		handler(&f->c); \
		tap_direct_finish_any(f);)

/* No value has been saved: the first member of the data has a bit for each of them. */
#define TAP_GATED_CLEAR(g) (g)->data[0] = 0

#define TAP_GATED_ENTER(entry_, reads) \
	reads \
	f->c.entering = true; \
	TAP_GATED_CLEAR(g); \
	entry_(&f->c);

/* Any other handler; one whose entry handler, with SIZE bytes of data, runs late; and one whose entry handler runs at
 * the entry. READS, and ENTRY_READS of the entry handler: TAP_GATED_RESULT and so on. */
#define TAP_GATED_SIMPLE(n, handler, reads) TAP_GATED_CALLED(n, handler, , reads) TAP_GATED_ROW(n, 0)
#define TAP_GATED_LATE(n, handler, reads, size, entry_, entry_reads) \
	TAP_GATED_CALLED(n, handler, TAP_GATED_ENTER(entry_, entry_reads) f->c.entering = false;, reads) \
	TAP_GATED_ROW(n, size, .enters_late = true)
#define TAP_GATED_ENTRY(n, handler, reads, size, entry_, entry_reads) \
	TAP_GATED_CALLED(n, handler, , reads) \
	TAP_GATED_FUNCTION(bool, entered_##n) \
	{ \
		const struct tap_direct *d = &row_direct_##n; \
		struct tap_direct_frame *f = tap_gated_frame(d); \
		struct tap_direct_regs regs __attribute__((__uninitialized__)); \
		bool wanted; \
		if (tap_unlikely(!f)) \
			return tap_gated_entered(g); \
		f->begun = (u32)__builtin_ia32_rdtsc(); \
		tap_gated_begin_any(f, d, g); \
		TAP_GATED_ENTER(entry_, entry_reads) \
		tap_direct_finish_any(f); \
		wanted = f->c.entering; \
		tap_direct_release(f); \
		return wanted; \
	} \
	TAP_GATED_ROW(n, size, .entered = entered_##n)

#else

#define TAP_DIRECT_PLAIN(n, body, ...) static struct tap_direct row_direct_##n;
#define TAP_DIRECT_BARE(n, handler, ...) static struct tap_direct row_direct_##n;
#define TAP_DIRECT_REGS(n, handler, ...) static struct tap_direct row_direct_##n;
#define TAP_GATED_PAIR_PLAIN(n, body)
#define TAP_GATED_PAIR_BARE(n, handler)
#define TAP_GATED_PAIR_REGS(n, handler)
#define TAP_GATED_PLAIN(n, body) static struct tap_direct row_direct_##n;
#define TAP_GATED_SIMPLE(n, ...) static struct tap_direct row_direct_##n;
#define TAP_GATED_LATE(n, ...) static struct tap_direct row_direct_##n;
#define TAP_GATED_ENTRY(n, ...) static struct tap_direct row_direct_##n;

#endif

#endif
