// SPDX-License-Identifier: GPL-2.0-or-later
/* The module tap_gate: trampolines between a function and its caller (tap_gate.h). It is loaded with the first session
 * that has direct calls at returns, serves all sessions, and is removed when no thread is in a trampoline: by the
 * loader at the end of a session, or, if threads slept there, after the last one of them has left.
 *
 * A function that is probed calls a stub, one for each slot. On the stack are then the address of the function's body
 * and the return address of its caller. The stub calls the body, and returns to the caller.
 *
 * Who is where, and what keeps it safe:
 *
 *	in a stub, before gate_inside is raised, or after it is lowered: may be preempted, but does not sleep. The
 *		module is removed after a grace period of RCU-tasks, and of its variant for idle tasks
 *	in the body: is counted in gate_inside of the CPU where it entered. While a thread is, or while a slot is
 *		lent, the module holds a reference on itself
 *	in the session's code: preemption is off and RCU is watching, so give() needs a usual grace period
 *
 * The counters of the CPUs are added up only when no slot is lent: then no function calls a stub (unregistering the
 * ftrace_ops has waited for who was about to enter), the counters can only fall, and a sum of 0 is exact, in whatever
 * order they are read. */
#include "compat.h"

#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched/task_stack.h>
#include <linux/umh.h>
#include <linux/workqueue.h>

#define TAP_KERNEL_TYPES
#include "tap_gate.h"

MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("returns of functions that tapc scripts probe by direct calls");

#ifdef TAP_GATE

enum { SLOTS = 64, STUB = 32, LEAST_STACK = 4096 };
#define NEVER U64_MAX			/* the generation of no slot, lent or not */

DEFINE_PER_CPU(long, gate_inside);	/* entered on this CPU minus left on this CPU */
struct tap_gate_slot gate_slots[SLOTS] __aligned(64);
u32 gate_stack;				/* bits of the stack pointer, all 0 if the stack may be short */

void gate_stubs(void);
void gate_call(void);
void gate_body(void);
/* which these call */
void tap_gate_enter(struct tap_gate_frame *f);
void tap_gate_leave(struct tap_gate_frame *f);
bool tap_gate_is_short(unsigned long sp);

static DEFINE_MUTEX(lock);
static u32 lent;
static u64 generations;
static bool pinned;			/* the module's reference on itself */

/* ---- at a hit ---- */

/* A session's code may only be run where its end waits for it. */
static __always_inline bool gate_may_call(const struct tap_gate_frame *f)
{
	return likely(READ_ONCE(f->slot->generation) == f->generation) && tap_rcu_is_watching();
}

__visible void tap_gate_enter(struct tap_gate_frame *f)
{
	preempt_disable_notrace();
	if (!gate_may_call(f) || !f->slot->entered(f))
		f->generation = NEVER;
	preempt_enable_notrace();
}

__visible void tap_gate_leave(struct tap_gate_frame *f)
{
	preempt_disable_notrace();
	if (gate_may_call(f))
		f->slot->returned(f);
	this_cpu_dec(gate_inside);
	preempt_enable_notrace();
}

/* Stacks of interrupts begin at any page; they are nearly empty. */
__visible bool tap_gate_is_short(unsigned long sp)
{
	return sp - (unsigned long)task_stack_page(current) < LEAST_STACK;
}

#define PUSH_ARGUMENTS \
	"	push %r9\n" \
	"	push %r8\n" \
	"	push %rcx\n" \
	"	push %rdx\n" \
	"	push %rsi\n" \
	"	push %rdi\n"
#define SLOT(member) __stringify(GATE_SLOT_##member)
#define FRAME(member) __stringify(GATE_FRAME_##member)
#define GATE_SLOT_ENTERING 0
#define GATE_SLOT_ENTERED 8
#define GATE_SLOT_MISSED 48
#define GATE_FRAME_RESULT 32
#define GATE_FRAME_ARGUMENTS 64
#define GATE_FRAME_BODY 112
static_assert(offsetof(struct tap_gate_slot, entering) == GATE_SLOT_ENTERING);
static_assert(offsetof(struct tap_gate_slot, entered) == GATE_SLOT_ENTERED);
static_assert(offsetof(struct tap_gate_slot, missed) == GATE_SLOT_MISSED);
static_assert(sizeof(struct tap_gate_slot) == 64);
static_assert(offsetof(struct tap_gate_frame, result) == GATE_FRAME_RESULT);
static_assert(offsetof(struct tap_gate_frame, generation) == 48);
static_assert(offsetof(struct tap_gate_frame, slot) == 56);
static_assert(offsetof(struct tap_gate_frame, arguments) == GATE_FRAME_ARGUMENTS);
static_assert(offsetof(struct tap_gate_frame, body) == GATE_FRAME_BODY);

/* Every register but r10 and r11 may hold an argument. The body is called by way of gate_body, which returns to it: no
 * indirect call, which would need a landing pad there, and the processor's stack of return addresses stays balanced.
 * For the unwinder the body's function calls gate_body; gate_call is called by it, and from its caller's view has
 * returned when the address of the body is off the stack. */
asm(".pushsection .text\n"
    "	.p2align 4\n"
    "	.type gate_body, @function\n"
    "gate_body:\n"
    "	push 8+" FRAME(BODY) "(%rsp)\n"
    UNWIND_HINT_FUNC
    "	" ASM_RET
    "	.size gate_body, .-gate_body\n"

    "	.p2align 4\n"
    "	.type gate_call, @function\n"
    "gate_call:\n"
    "	mov " SLOT(ENTERING) "(%r11), %r10\n"
    "	test %r10, %r10\n"
    "	je 9f\n"
    "	testl %esp, gate_stack(%rip)\n"
    "	je 7f\n"
    "1:	incq %gs:gate_inside(%rip)\n"
    PUSH_ARGUMENTS
    "	push %r11\n"
    "	push %r10\n"
    "	sub $48, %rsp\n"
    "	cmpq $0, " SLOT(ENTERED) "(%r11)\n"
    "	je 2f\n"
    "	mov %rsp, %rdi\n"
    "	call tap_gate_enter\n"
    "	mov " FRAME(ARGUMENTS) "(%rsp), %rdi\n"
    "	mov 8+" FRAME(ARGUMENTS) "(%rsp), %rsi\n"
    "	mov 16+" FRAME(ARGUMENTS) "(%rsp), %rdx\n"
    "	mov 24+" FRAME(ARGUMENTS) "(%rsp), %rcx\n"
    "	mov 32+" FRAME(ARGUMENTS) "(%rsp), %r8\n"
    "	mov 40+" FRAME(ARGUMENTS) "(%rsp), %r9\n"
    "2:	call gate_body\n"
    "	mov %rax, " FRAME(RESULT) "(%rsp)\n"
    "	mov %rdx, 8+" FRAME(RESULT) "(%rsp)\n"
    "	mov %rsp, %rdi\n"
    "	call tap_gate_leave\n"
    "	mov " FRAME(RESULT) "(%rsp), %rax\n"
    "	mov 8+" FRAME(RESULT) "(%rsp), %rdx\n"
    "	add $8+" FRAME(BODY) ", %rsp\n"
    UNWIND_HINT_FUNC
    "	" ASM_RET
    "7:	push %r11\n"
    "	push %r10\n"
    PUSH_ARGUMENTS
    "	mov %rsp, %rdi\n"
    "	call tap_gate_is_short\n"
    "	pop %rdi\n"
    "	pop %rsi\n"
    "	pop %rdx\n"
    "	pop %rcx\n"
    "	pop %r8\n"
    "	pop %r9\n"
    "	pop %r10\n"
    "	pop %r11\n"
    "	test %al, %al\n"
    "	je 1b\n"
    "	lock incq " SLOT(MISSED) "(%r11)\n"
    "9:	" ASM_RET
    "	.size gate_call, .-gate_call\n"
    ".popsection\n");

/* The stubs are at multiples of STUB bytes. */
#define GATE_STUB(n) asm(".pushsection .text\n\t.p2align 5\n\t.type gate_stub_" #n ", @function\n" \
			 "gate_stub_" #n ":\n\t" ASM_ENDBR "lea gate_slots+64*" #n "(%rip), %r11\n\tjmp gate_call\n\t" \
			 ".size gate_stub_" #n ", .-gate_stub_" #n "\n\t.popsection")
#define GATE_STUBS_8(n) \
	GATE_STUB(n##0); GATE_STUB(n##1); GATE_STUB(n##2); GATE_STUB(n##3); \
	GATE_STUB(n##4); GATE_STUB(n##5); GATE_STUB(n##6); GATE_STUB(n##7)
/* in octal */
asm(".pushsection .text\n\t.p2align 5\n\t.globl gate_stubs\ngate_stubs:\n\t.popsection");
GATE_STUBS_8(00); GATE_STUBS_8(01); GATE_STUBS_8(02); GATE_STUBS_8(03);
GATE_STUBS_8(04); GATE_STUBS_8(05); GATE_STUBS_8(06); GATE_STUBS_8(07);

/* ---- slots ---- */

static long gate_count(void)
{
	long sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(gate_inside, cpu));
	return sum;
}

/* A reference is dropped in this module's own text: its exit function waits for that. */
static void gate_look(struct work_struct *work);
static DECLARE_DELAYED_WORK(look, gate_look);

/* Whether the reference was dropped. */
static bool gate_unpin(void)
{
	if (lent || !pinned)
		return false;
	if (gate_count()) {
		schedule_delayed_work(&look, HZ / 2);
		return false;
	}
	pinned = false;
	module_put(THIS_MODULE);
	return true;
}

/* No session is left that would do it. A module cannot remove itself, so the kernel calls a program, as it does to load
 * one; without that program a later session's end removes the module. */
static void gate_remove(void)
{
	char *arguments[] = { "/sbin/rmmod", "tap_gate", NULL };
	char *environment[] = { "PATH=/sbin:/usr/sbin:/bin:/usr/bin", NULL };

	call_usermodehelper(arguments[0], arguments, environment, UMH_WAIT_EXEC);
}

static void gate_look(struct work_struct *work)
{
	bool unused;

	mutex_lock(&lock);
	unused = gate_unpin();
	mutex_unlock(&lock);
	if (unused)
		gate_remove();
}

/* The caller has a reference on the module. */
static void gate_pin(void)
{
	if (!pinned)
		__module_get(THIS_MODULE);
	pinned = true;
}

static struct tap_gate_slot *gate_take(bool (*entered)(struct tap_gate_frame *f),
				       void (*returned)(struct tap_gate_frame *f), void *owner)
{
	struct tap_gate_slot *slot = NULL;

	mutex_lock(&lock);
	for (u32 i = 0; i < SLOTS && !slot; i++)
		if (!gate_slots[i].kept)
			slot = &gate_slots[i];
	if (slot) {
		gate_pin();
		lent++;
		slot->entered = entered;
		slot->returned = returned;
		slot->owner = owner;
		slot->missed = 0;
		slot->call = (unsigned long)gate_stubs + STUB * (slot - gate_slots);
		slot->kept = ++generations;
		smp_store_release(&slot->generation, slot->kept);
	}
	mutex_unlock(&lock);
	return slot;
}

static void gate_give(struct tap_gate_slot *slot)
{
	WRITE_ONCE(slot->entering, 0);
	WRITE_ONCE(slot->generation, 0);
	synchronize_rcu();
	mutex_lock(&lock);
	slot->kept = 0;
	lent--;
	gate_unpin();
	mutex_unlock(&lock);
}

const struct tap_gate tap_gate = { .version = TAP_GATE_VERSION, .take = gate_take, .give = gate_give };
EXPORT_SYMBOL_GPL(tap_gate);

/* ---- for the loader ---- */

/* Who reads this wants to remove the module. (Its text stays until the file is closed.) */
static int gate_get_inside(char *text, const struct kernel_param *kp)
{
	long inside;

	mutex_lock(&lock);
	gate_unpin();
	inside = gate_count();
	mutex_unlock(&lock);
	return sysfs_emit(text, "%ld\n", inside);
}

static const struct kernel_param_ops inside_ops = { .get = gate_get_inside };
module_param_cb(inside, &inside_ops, NULL, 0444);
MODULE_PARM_DESC(inside, "threads in functions whose returns were probed");

static int __init gate_init(void)
{
	gate_stack = (THREAD_SIZE - 1) & ~(LEAST_STACK - 1);
	return 0;
}

/* No thread is in a body, no slot is lent. Who has just left one may still be in a trampoline. */
static void __exit gate_exit(void)
{
	cancel_delayed_work_sync(&look);
	synchronize_rcu_tasks_rude();
	synchronize_rcu_tasks();
}

module_init(gate_init);
module_exit(gate_exit);

#endif
