/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arm64. Its 32-bit programs are told apart, and not supported. See arch.h. */
#ifndef TAP_ARCH_ARM64_H
#define TAP_ARCH_ARM64_H

#include <asm/arch_timer.h>

#include "arch/link.h"

/* ---- time ---- */

static __always_inline u64 tap_cycles(void) { return get_cycles(); }
static __always_inline u64 tap_cycles_ordered(void) { isb(); return get_cycles(); }
static inline u64 tap_cycles_rate(void) { return arch_timer_get_cntfrq(); }
static inline bool tap_are_cycles_steady(void) { return true; }
static inline bool tap_is_virtual_machine(void) { return false; }
static inline bool tap_is_counter(const struct clocksource *source)
{
	return source->vdso_clock_mode == VDSO_CLOCKMODE_ARCHTIMER;
}

/* ---- system calls and arguments ---- */

#define TAP_SYSCALL_NUMBERS "syscalls_aarch64.def"
#define TAP_SIGACTION_MASK 2
#define TAP_ARGUMENTS 8
#define TAP_STACK_ARGUMENTS 0

static inline void tap_syscall_argument_set(struct pt_regs *regs, u32 n, unsigned long value, bool compat)
{
	regs->regs[n] = value;
	if (!n)
		regs->orig_x0 = value;
}

static inline u64 *tap_argument_register(struct pt_regs *regs, u32 n)
{
	return n <= TAP_ARGUMENTS ? (u64 *)&regs->regs[n - 1] : NULL;
}

#define TAP_X(n) { "x" #n, offsetof(struct pt_regs, regs[n]), 8 }, { "w" #n, offsetof(struct pt_regs, regs[n]), 4 }
#define TAP_REGISTERS \
	TAP_X(0), TAP_X(1), TAP_X(2), TAP_X(3), TAP_X(4), TAP_X(5), TAP_X(6), TAP_X(7), TAP_X(8), TAP_X(9), \
	TAP_X(10), TAP_X(11), TAP_X(12), TAP_X(13), TAP_X(14), TAP_X(15), TAP_X(16), TAP_X(17), TAP_X(18), \
	TAP_X(19), TAP_X(20), TAP_X(21), TAP_X(22), TAP_X(23), TAP_X(24), TAP_X(25), TAP_X(26), TAP_X(27), \
	TAP_X(28), TAP_X(29), TAP_X(30), \
	{ "fp", offsetof(struct pt_regs, regs[29]), 8 }, { "lr", offsetof(struct pt_regs, regs[30]), 8 }, \
	{ "sp", offsetof(struct pt_regs, sp), 8 }, { "pc", offsetof(struct pt_regs, pc), 8 }, \
	{ "pstate", offsetof(struct pt_regs, pstate), 8 },

/* ---- the kernel's functions ---- */

static inline u32 tap_function_skip(unsigned long function) { return 0; }

/* "bti c", if the kernel uses it, and "mov x9, x30", a nop until boot has set it; the call is after these
 * (arch/arm64/kernel/ftrace.c, ftrace_call_adjust()). The first may already be a kprobe's "brk". */
static inline u32 tap_ftrace_skip(unsigned long function)
{
	const u32 move = 0xaa1e03e9, nop = 0xd503201f, bti = 0xd503245f, brk = 0xd4200000;
	u32 first[2];
	bool is_probed;

	if (copy_from_kernel_nofault(first, (void *)function, sizeof(first)))
		return 0;
	is_probed = (first[0] & 0xffe0001f) == brk;
	if ((is_probed || first[0] == bti) && first[1] == move)
		return 8;
	return is_probed || first[0] == move || first[0] == nop ? 4 : 0;
}

static inline void tap_ftrace_regs_complete(struct pt_regs *regs) { regs->pstate = PSR_MODE_EL1h; }

/* A kretprobe's breakpoint runs before ftrace and replaces the return address by a trampoline's; its instance has
 * the original, identified by the stack pointer at the entry (arch/arm64/kernel/probes/kprobes.c, 6.1). */
static inline unsigned long tap_return_address(struct pt_regs *regs)
{
	enum { MOST = 64 };
	unsigned long back = regs->regs[30];
#ifdef TAP_KRETPROBE_INSTANCES
	const struct llist_node *at = READ_ONCE(current->kretprobe_instances.first);
	struct kretprobe_instance ri;

	for (u32 i = 0; at && i < MOST; i++, at = ri.llist.next) {
		if (copy_from_kernel_nofault(&ri, container_of(at, struct kretprobe_instance, llist), sizeof(ri)) ||
		    (unsigned long)ri.fp != regs->sp)
			break;
		back = (unsigned long)ri.ret_addr;
	}
#endif
	return back;
}

/* A record is at the frame pointer (AAPCS64, 6.4.6). */
static inline long tap_record_read(unsigned long fp, unsigned long record[2])
{
	return copy_from_kernel_nofault(record, (void *)fp, 2 * sizeof(record[0]));
}
static inline unsigned long tap_record_first(const struct pt_regs *regs) { return regs->regs[29]; }
static inline bool tap_is_on_irq_stack(void) { return false; }
static inline unsigned long tap_sleeper_frame(struct task_struct *task) { return thread_saved_fp(task); }
static inline unsigned long tap_sleeper_place(struct task_struct *task) { return thread_saved_pc(task); }

/* ---- processes ---- */

static inline const int *tap_call_number(const struct pt_regs *regs) { return &regs->syscallno; }
static inline bool tap_is_32bit_program(void) { return test_thread_flag(TIF_32BIT); }
static inline bool tap_is_memory_loaded(const struct mm_struct *mm, bool is_nmi) { return true; }
static inline unsigned long tap_thread_pointer(void) { return read_sysreg(tpidr_el0); }
static inline unsigned long tap_vdso(const struct mm_struct *mm) { return (unsigned long)mm->context.vdso; }

static inline bool tap_user_frame(struct pt_regs *r, u64 registers[17], bool *narrow)
{
	const u64 *x = r->regs;
	const u64 numbered[17] = { x[19], x[20], x[21], x[22], x[23], x[24], x[29], r->sp, x[25], x[26], x[27], x[28],
				   x[30], [16] = r->pc };

	memcpy(registers, numbered, sizeof(numbered));
	*narrow = false;
	return !compat_user_mode(r);
}

/* Pointer authentication signs return addresses in the bits above a process's address space. */
#define TAP_RETURN_SIGNATURE (~(TASK_SIZE_MAX - 1))
#define TAP_RECORDS_FLOAT true
#define TAP_RECORDS_BELOW false

/* BL; BLR and its variants that authenticate the pointer (Arm ARM, C4.1.66). */
#define TAP_BEFORE_RETURN 4
static inline bool tap_is_call_before(const u8 code[TAP_BEFORE_RETURN])
{
	u32 word = code[0] | code[1] << 8 | code[2] << 16 | (u32)code[3] << 24;

	return (word & 0xfc000000) == 0x94000000 || (word & 0xfefff000) == 0xd63f0000;
}

static inline unsigned long tap_goroutine_register(const struct pt_regs *regs) { return regs->regs[28]; }

static inline bool tap_user_return_address(struct pt_regs *regs, unsigned long *at)
{
	*at = regs->regs[30];
	return true;
}

/* struct rt_sigframe of arch/arm64/kernel/signal.c has 128 bytes of siginfo followed by a ucontext, in which the
 * registers begin at 184. The code is "mov x8, #139; svc #0", for which the vdso has had no call frame information
 * since 5.8: its sigreturn.S says that unwinders must recognise it by these instructions. */
static inline const struct tap_unwind_rule *tap_signal_rule(const u32 code[2], bool narrow)
{
	enum { AT = (128 + 184) / 8 };
	static const struct tap_unwind_rule rule = {
		.kind = TAP_UNWIND_REGISTER, .base = TAP_UNWIND_STACK, .signal = true,
		.return_in = TAP_UNWIND_RETURN, .saved = 0x11fff,
		.at = { AT + 19, AT + 20, AT + 21, AT + 22, AT + 23, AT + 24, AT + 29, AT + 31, AT + 25, AT + 26,
			AT + 27, AT + 28, AT + 30, [TAP_UNWIND_RETURN] = AT + 32 },
	};

	return !narrow && code[0] == 0xd2801168 && code[1] == 0xd4000001 ? &rule : NULL;
}

/* Return addresses are in a register at such places, which no rule needs. */
static inline bool tap_rule_of_code(const u8 code[16], bool narrow, bool interrupted, struct tap_unwind_rule *rule)
{
	return false;
}

/* The kernel reports an access before it is done, and only steps over it for its own handler: with ours it would be
 * retried forever. */
#define TAP_MAY_WATCH 0

#endif
