/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 64-bit RISC-V. See arch.h. It compiles for 6.12; nothing of it has run on a machine. */
#ifndef TAP_ARCH_RISCV_H
#define TAP_ARCH_RISCV_H

#include <linux/delay.h>			/* riscv_timebase */
#include <asm/timex.h>

#include "arch/link.h"

/* ---- time ---- */

static __always_inline u64 tap_cycles(void) { return get_cycles(); }
static __always_inline u64 tap_cycles_ordered(void) { mb(); return get_cycles(); }
static inline u64 tap_cycles_rate(void) { return riscv_timebase; }
static inline bool tap_are_cycles_steady(void) { return true; }
static inline bool tap_is_virtual_machine(void) { return false; }
static inline bool tap_is_counter(const struct clocksource *source)
{
	return source->vdso_clock_mode == VDSO_CLOCKMODE_ARCHTIMER;
}

/* ---- system calls and arguments ---- */

#define TAP_SYSCALL_NUMBERS "syscalls_riscv64.def"
#define TAP_SIGACTION_MASK 2
#define TAP_ARGUMENTS 8
#define TAP_STACK_ARGUMENTS 0

static inline void tap_syscall_argument_set(struct pt_regs *regs, u32 n, unsigned long value, bool compat)
{
	(&regs->a0)[n] = value;
	if (!n)
		regs->orig_a0 = value;
}

static inline unsigned long *tap_argument_register(struct pt_regs *regs, u32 n)
{
	return n <= TAP_ARGUMENTS ? &regs->a0 + (n - 1) : NULL;
}

#define TAP_X(name) { #name, offsetof(struct pt_regs, name), 8 }
#define TAP_REGISTERS \
	TAP_X(ra), TAP_X(sp), TAP_X(gp), TAP_X(tp), TAP_X(t0), TAP_X(t1), TAP_X(t2), TAP_X(s0), TAP_X(s1), TAP_X(a0), \
	TAP_X(a1), TAP_X(a2), TAP_X(a3), TAP_X(a4), TAP_X(a5), TAP_X(a6), TAP_X(a7), TAP_X(s2), TAP_X(s3), TAP_X(s4), \
	TAP_X(s5), TAP_X(s6), TAP_X(s7), TAP_X(s8), TAP_X(s9), TAP_X(s10), TAP_X(s11), TAP_X(t3), TAP_X(t4), \
	TAP_X(t5), TAP_X(t6), TAP_X(epc), TAP_X(status), TAP_X(orig_a0), \
	{ "fp", offsetof(struct pt_regs, s0), 8 }, { "pc", offsetof(struct pt_regs, epc), 8 },

/* ---- the kernel's functions ---- */

static inline u32 tap_function_skip(unsigned long function) { return 0; }
static inline u32 tap_ftrace_skip(unsigned long function) { return 0; }
static inline void tap_ftrace_regs_complete(struct pt_regs *regs) { }
static inline unsigned long tap_return_address(struct pt_regs *regs) { return regs->ra; }

/* A record ends at the frame pointer. */
static inline long tap_record_read(unsigned long fp, unsigned long record[2])
{
	return copy_from_kernel_nofault(record, (void *)(fp - 2 * sizeof(record[0])), 2 * sizeof(record[0]));
}
static inline unsigned long tap_record_first(const struct pt_regs *regs) { return regs->s0; }
static inline bool tap_is_on_irq_stack(void) { return false; }
static inline unsigned long tap_sleeper_frame(struct task_struct *task) { return task->thread.s[0]; }
static inline unsigned long tap_sleeper_place(struct task_struct *task) { return task->thread.ra; }

/* ---- processes ---- */

static inline const int *tap_call_number(const struct pt_regs *regs) { return (const int *)&regs->a7; }
static inline bool tap_is_32bit_program(void)
{
#ifdef CONFIG_COMPAT
	return test_thread_flag(TIF_32BIT);
#else
	return false;
#endif
}
static inline bool tap_is_memory_loaded(const struct mm_struct *mm, bool is_nmi) { return true; }
static inline unsigned long tap_thread_pointer(void) { return task_pt_regs(current)->tp; }
static inline unsigned long tap_vdso(const struct mm_struct *mm) { return (unsigned long)mm->context.vdso; }

static inline bool tap_user_frame(struct pt_regs *r, u64 registers[17], bool *narrow)
{
	const u64 numbered[17] = { r->s1, r->s2, r->s3, r->s4, r->s5, r->s6, r->s0, r->sp, r->s7, r->s8, r->s9, r->s10,
				   r->ra, r->s11, [16] = r->epc };

	memcpy(registers, numbered, sizeof(numbered));
	*narrow = false;
	return !tap_is_32bit_program();
}

#define TAP_RETURN_SIGNATURE 0ul
#define TAP_RECORDS_FLOAT false
#define TAP_RECORDS_BELOW true

/* JAL and JALR with ra, C.JALR. */
#define TAP_BEFORE_RETURN 4
static inline bool tap_is_call_before(const u8 code[TAP_BEFORE_RETURN])
{
	u32 word = code[0] | code[1] << 8 | code[2] << 16 | (u32)code[3] << 24, half = word >> 16;

	return (word & 0xfff) == 0x0ef || (word & 0x7fff) == 0x00e7 || ((half & 0xf07f) == 0x9002 && half & 0xf80);
}

static inline unsigned long tap_goroutine_register(const struct pt_regs *regs) { return regs->s11; }

static inline bool tap_user_return_address(struct pt_regs *regs, unsigned long *at)
{
	*at = regs->ra;
	return true;
}

/* struct rt_sigframe of arch/riscv/kernel/signal.c has 128 bytes of siginfo followed by a ucontext, in which the
 * registers begin at 176: pc, x1 to x31. The code is "li a7, 139; ecall". */
static inline const struct tap_unwind_rule *tap_signal_rule(const u32 code[2], bool narrow)
{
	enum { AT = (128 + 176) / 8 };
	static const struct tap_unwind_rule rule = {
		.kind = TAP_UNWIND_REGISTER, .base = TAP_UNWIND_STACK, .signal = true,
		.return_in = TAP_UNWIND_RETURN, .saved = 0x13fff,
		.at = { AT + 9, AT + 18, AT + 19, AT + 20, AT + 21, AT + 22, AT + 8, AT + 2, AT + 23, AT + 24, AT + 25,
			AT + 26, AT + 1, AT + 27, [TAP_UNWIND_RETURN] = AT },
	};

	return !narrow && code[0] == 0x08b00893 && code[1] == 0x00000073 ? &rule : NULL;
}

/* Return addresses are in a register at such places, which no rule needs. */
static inline bool tap_rule_of_code(const u8 code[16], bool narrow, bool interrupted, struct tap_unwind_rule *rule)
{
	return false;
}

#define TAP_MAY_WATCH 0

#endif
