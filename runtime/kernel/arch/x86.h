/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64, and 32-bit programs on it. See arch.h. */
#ifndef TAP_ARCH_X86_H
#define TAP_ARCH_X86_H

#include <asm/desc.h>
#include <asm/fsgsbase.h>
#include <asm/processor.h>
#include <asm/tlbflush.h>
#include <asm/tsc.h>
#include <linux/sched/task_stack.h>

/* ---- time ---- */

static __always_inline u64 tap_cycles(void) { return rdtsc(); }
static __always_inline u64 tap_cycles_ordered(void) { return rdtsc_ordered(); }
static inline u64 tap_cycles_rate(void) { return (u64)tsc_khz * 1000; }
static inline bool tap_are_cycles_steady(void) { return !check_tsc_unstable(); }
static inline bool tap_is_virtual_machine(void) { return boot_cpu_has(X86_FEATURE_HYPERVISOR); }
static inline bool tap_is_counter(const struct clocksource *source)
{
	return source->vdso_clock_mode == VDSO_CLOCKMODE_TSC;
}

/* ---- system calls and arguments ---- */

#define TAP_SYSCALL_NUMBERS "syscalls_x86_64.def"
#define TAP_SYSCALL_NARROW_NUMBERS "syscalls_i386.def"
#define TAP_SIGACTION_MASK 3			/* after the restorer */
#define TAP_ARGUMENTS 6
#define TAP_STACK_ARGUMENTS 8			/* above the return address */

static inline void tap_syscall_argument_set(struct pt_regs *regs, u32 n, unsigned long value, bool compat)
{
	unsigned long *const native[] = { &regs->di, &regs->si, &regs->dx, &regs->r10, &regs->r8, &regs->r9 };
	unsigned long *const narrow[] = { &regs->bx, &regs->cx, &regs->dx, &regs->si, &regs->di, &regs->bp };

	*(compat ? narrow : native)[n] = compat ? (u32)value : value;
}

static inline unsigned long *tap_argument_register(struct pt_regs *regs, u32 n)
{
	switch (n) {
	case 1: return &regs->di;
	case 2: return &regs->si;
	case 3: return &regs->dx;
	case 4: return &regs->cx;
	case 5: return &regs->r8;
	case 6: return &regs->r9;
	default: return NULL;
	}
}

#define TAP_WIDE(r64, r32, r16, r8, field) \
	{ r64, offsetof(struct pt_regs, field), 8 }, { r32, offsetof(struct pt_regs, field), 4 }, \
	{ r16, offsetof(struct pt_regs, field), 2 }, { r8, offsetof(struct pt_regs, field), 1 }
#define TAP_REGISTERS \
	TAP_WIDE("rax", "eax", "ax", "al", ax), TAP_WIDE("rbx", "ebx", "bx", "bl", bx), \
	TAP_WIDE("rcx", "ecx", "cx", "cl", cx), TAP_WIDE("rdx", "edx", "dx", "dl", dx), \
	TAP_WIDE("rsi", "esi", "si", "sil", si), TAP_WIDE("rdi", "edi", "di", "dil", di), \
	TAP_WIDE("rbp", "ebp", "bp", "bpl", bp), TAP_WIDE("rsp", "esp", "sp", "spl", sp), \
	TAP_WIDE("r8", "r8d", "r8w", "r8b", r8), TAP_WIDE("r9", "r9d", "r9w", "r9b", r9), \
	TAP_WIDE("r10", "r10d", "r10w", "r10b", r10), TAP_WIDE("r11", "r11d", "r11w", "r11b", r11), \
	TAP_WIDE("r12", "r12d", "r12w", "r12b", r12), TAP_WIDE("r13", "r13d", "r13w", "r13b", r13), \
	TAP_WIDE("r14", "r14d", "r14w", "r14b", r14), TAP_WIDE("r15", "r15d", "r15w", "r15b", r15), \
	TAP_WIDE("rip", "eip", "ip", "", ip), \
	{ "orig_rax", offsetof(struct pt_regs, orig_ax), 8 }, { "rflags", offsetof(struct pt_regs, flags), 8 }, \
	{ "eflags", offsetof(struct pt_regs, flags), 4 }, { "flags", offsetof(struct pt_regs, flags), 8 }, \
	{ "xcs", offsetof(struct pt_regs, cs), 8 }, { "cs", offsetof(struct pt_regs, cs), 2 }, \
	{ "xss", offsetof(struct pt_regs, ss), 8 }, { "ss", offsetof(struct pt_regs, ss), 2 },

/* ---- the kernel's functions ---- */

/* If indirect calls must land on ENDBR: ENDBR64, or what the kernel replaces it by if the function is never called
 * through a pointer (gen_endbr_poison() before and since 6.10). */
static inline u32 tap_function_skip(unsigned long function)
{
	u32 first;

	if (!IS_ENABLED(CONFIG_X86_KERNEL_IBT) || copy_from_kernel_nofault(&first, (void *)function, sizeof(first)))
		return 0;
	return first == 0xfa1e0ff3 || first == 0x001f0f66 || first == 0xd6401f0f ? 4 : 0;
}
static inline u32 tap_ftrace_skip(unsigned long function) { return 0; }
static inline void tap_ftrace_regs_complete(struct pt_regs *regs) { }

#define TAP_FTRACE_HAS_ARGUMENTS
#define TAP_RETHOOK_BY_FTRACE

/* int3 kprobes and hardware breakpoints interrupt like an NMI. */
#define TAP_BREAKPOINT_COUNT (NMI_OFFSET + HARDIRQ_OFFSET)
#define TAP_BREAKPOINT 0xcc

static inline unsigned long tap_return_address(struct pt_regs *regs)
{
	return *(unsigned long *)regs->sp;
}

struct tap_direct_call { u8 call; s32 distance; } __packed;

/* It may skip the ENDBR at the start of the function. */
static inline unsigned long tap_called_before(unsigned long back)
{
	struct tap_direct_call code;

	if (copy_from_kernel_nofault(&code, (void *)(back - sizeof(code)), sizeof(code)) || code.call != 0xe8)
		return 0;
	back += code.distance;
	return tap_function_skip(back - 4) == 4 ? back - 4 : back;
}

/* Where no retpolines are needed, apply_retpolines() of the kernel's alternative.c makes "call *%reg" of two or three
 * bytes from a call of five or six, and fills the rest with nops of several forms. */
#define TAP_MOST_SHORTENED 4
static inline unsigned int tap_nop_size(unsigned long at)
{
	unsigned int prefixes = 0;
	u8 code[TAP_MOST_SHORTENED];

	if (copy_from_kernel_nofault(code, (void *)at, sizeof(code)))
		return 0;
	if (code[0] == 0x0f && code[1] == 0x1f)
		return code[2] == 0 ? 3 : code[2] == 0x40 && code[3] == 0 ? 4 : 0;
	while (prefixes < sizeof(code) - 1 && code[prefixes] == 0x66)
		prefixes++;
	return code[prefixes] == 0x90 ? prefixes + 1 : 0;
}

#define TAP_UNWINDER
static inline bool tap_is_on_irq_stack(void)
{
	return current_stack_pointer - (unsigned long)task_stack_page(current) >= THREAD_SIZE;
}

/* ---- processes ---- */

static inline const int *tap_call_number(const struct pt_regs *regs) { return (const int *)&regs->orig_ax; }
static inline bool tap_is_32bit_program(void) { return test_thread_flag(TIF_ADDR32); }

/* As nmi_uaccess_okay(), which is not usable because a symbol it needs is not exported: an NMI, or a probe on a
 * function that the scheduler calls, may run while the kernel switches from one process's memory to another's. */
static inline bool tap_is_memory_loaded(const struct mm_struct *mm, bool is_nmi)
{
	return !is_nmi && mm->pgd == __va(read_cr3_pa());
}

/* 32-bit programs have theirs in a descriptor selected by %gs, which keeps the program's value in the kernel. */
static inline unsigned long tap_narrow_thread_pointer(void)
{
	unsigned int selector;

	savesegment(gs, selector);
	selector = (selector >> 3) - GDT_ENTRY_TLS_MIN;
	return selector < GDT_ENTRY_TLS_ENTRIES ? get_desc_base(&current->thread.tls_array[selector]) : 0;
}
static inline unsigned long tap_thread_pointer(void)
{
	return tap_is_32bit_program() ? tap_narrow_thread_pointer() : x86_fsbase_read_cpu();
}

static inline unsigned long tap_vdso(const struct mm_struct *mm) { return (unsigned long)mm->context.vdso; }

static inline bool tap_user_frame(struct pt_regs *r, u64 registers[17], bool *narrow)
{
	const u64 numbered[17] = { r->ax, r->dx, r->cx, r->bx, r->si, r->di, r->bp, r->sp, r->r8, r->r9,
				   r->r10, r->r11, r->r12, r->r13, r->r14, r->r15, r->ip };

	memcpy(registers, numbered, sizeof(numbered));
	*narrow = !user_64bit_mode(r);
	return true;
}

#define TAP_RETURN_SIGNATURE 0ul
#define TAP_RECORDS_FLOAT false
#define TAP_RECORDS_BELOW false

/* E8; FF /2 followed by up to 5 bytes. */
#define TAP_BEFORE_RETURN 7
static inline bool tap_is_call_before(const u8 code[TAP_BEFORE_RETURN])
{
	if (code[2] == 0xe8)
		return true;
	for (int i = 0; i < TAP_BEFORE_RETURN - 1; i++)
		if (i != 2 && code[i] == 0xff && (code[i + 1] >> 3 & 7) == 2)
			return true;
	return false;
}

/* Functions for 32-bit x86 that return a struct, and some others, pop arguments off the stack. */
#define TAP_RETURN_ON_STACK 1
static inline unsigned long tap_goroutine_register(const struct pt_regs *regs) { return regs->r14; }
static inline unsigned long tap_return_pops(struct pt_regs *regs) { return user_64bit_mode(regs) ? 8 : 4; }
static inline void tap_return_pop(struct pt_regs *regs) { regs->sp += tap_return_pops(regs); }
static inline void tap_return_push(struct pt_regs *regs) { regs->sp -= tap_return_pops(regs); }
static inline unsigned long tap_return_slack(struct pt_regs *regs) { return user_64bit_mode(regs) ? 0 : 64; }

static inline bool tap_user_return_address(struct pt_regs *regs, unsigned long *at)
{
	*at = 0;
	return !copy_from_user_nofault(at, (void __user *)regs->sp, user_64bit_mode(regs) ? 8 : 4);
}

static inline unsigned long tap_called_before_by_user(unsigned long back)
{
	struct tap_direct_call code;

	if (copy_from_user_nofault(&code, (void __user *)(back - sizeof(code)), sizeof(code)) || code.call != 0xe8)
		return 0;
	return back + code.distance;
}

/* struct sigframe_ia32 and rt_sigframe_ia32 of arch/x86/include/asm/sigframe.h, without the return address that the
 * handler has popped: the number of the signal, then a sigcontext_32; or 3 words, 128 bytes of siginfo, and a
 * ucontext in which it is at 20. The code is "pop %eax; mov $119, %eax; int $0x80", or "mov $173, %eax; int $0x80". */
#define TAP_SIGNAL_RULE(at_) { \
	.kind = TAP_UNWIND_REGISTER, .base = TAP_UNWIND_STACK, .signal = true, \
	.return_in = TAP_UNWIND_RETURN, .saved = 0x100ff, \
	.at = { (at_) + 11, (at_) + 9, (at_) + 10, (at_) + 8, (at_) + 5, (at_) + 4, (at_) + 6, (at_) + 7, \
		[TAP_UNWIND_RETURN] = (at_) + 14 }, \
}
static inline const struct tap_unwind_rule *tap_signal_rule(const u32 code[2], bool narrow)
{
	static const struct tap_unwind_rule plain = TAP_SIGNAL_RULE(1),
					    realtime = TAP_SIGNAL_RULE((3 * 4 + 128 + 20) / 4);

	if (narrow && code[0] == 0x0077b858 && code[1] == 0x80cd0000)
		return &plain;
	return narrow && code[0] == 0x0000adb8 && (code[1] & 0xffffff) == 0x80cd00 ? &realtime : NULL;
}

/* The rest of a function that only releases its frame and returns: "add $N, %rsp", pops, "ret". __kernel_vsyscall of
 * 32-bit programs ends like that, too (arch/x86/entry/vdso/vdso32/system_call.S). */
static inline bool tap_rule_of_return(const u8 code[16], bool narrow, struct tap_unwind_rule *rule)
{
	/* the numbers of tap_image.h by those of instructions */
	static const u8 numbers[16] = { 0, 2, 1, 3, 7, 6, 4, 5, 8, 9, 10, 11, 12, 13, 14, 15 };
	enum { MOST_POPS = 5 };
	enum { ADD = 0x83, TO_STACK = 0xc4, WIDE = 0x48, HIGH = 0x41, POP = 0x58, RETURN = 0xc3, TAKE = 0xc2 };
	const u8 *at = code;
	s32 word = narrow ? 4 : 8, skip = 0;
	u8 popped[MOST_POPS];
	u32 pops = 0;

	at += !narrow && at[0] == WIDE;
	if ((narrow || at > code) && at[0] == ADD && at[1] == TO_STACK) {
		skip = (s8)at[2];
		at += 3;
	} else {
		at = code;
	}
	for (; pops < MOST_POPS; pops++, at++) {
		u32 high = !narrow && *at == HIGH;

		if ((at[high] & 0xf8) != POP || at[high] == POP + 4)
			break;
		popped[pops] = numbers[high * 8 + (at[high] & 7)];
		at += high;
	}
	if ((*at != RETURN && *at != TAKE) || skip < 0 || skip % word)
		return false;
	*rule = (struct tap_unwind_rule){
		.kind = TAP_UNWIND_REGISTER, .base = TAP_UNWIND_STACK, .offset = skip + word * (s32)(pops + 1),
		.return_in = TAP_UNWIND_RETURN, .saved = 1u << TAP_UNWIND_RETURN, .at = { [TAP_UNWIND_RETURN] = -1 },
	};
	for (u32 i = 0; i < pops; i++) {
		rule->saved |= 1u << popped[i];
		rule->at[popped[i]] = (s16)(i - pops - 1);
	}
	return true;
}

/* Where a function begins: at "push %rbp; mov %rsp, %rbp", which Java's compiler has after "mov %eax, -N(%rsp)",
 * nothing has been pushed, and at "mov %rsp, %rbp" only that. */
static inline bool tap_rule_of_entry(const u8 code[16], bool narrow, struct tap_unwind_rule *rule)
{
	enum { PUSH = 0x55, PROBE = 7 };
	bool probes = !narrow && code[0] == 0x89 && code[1] == 0x84 && code[2] == 0x24;
	const u8 *at = probes ? code + PROBE : code;
	bool pushed = *at != PUSH;
	s32 words = pushed ? 2 : 1;

	if (probes && pushed)
		return false;
	at += !pushed;
	at += !narrow && at[0] == 0x48;
	if ((at[0] != 0x89 || at[1] != 0xe5) && (at[0] != 0x8b || at[1] != 0xec))
		return false;
	*rule = (struct tap_unwind_rule){
		.kind = TAP_UNWIND_REGISTER, .base = TAP_UNWIND_STACK, .offset = words * (narrow ? 4 : 8),
		.return_in = TAP_UNWIND_RETURN, .saved = 1u << TAP_UNWIND_RETURN, .at = { [TAP_UNWIND_RETURN] = -1 },
	};
	if (pushed) {
		rule->saved |= 1u << TAP_UNWIND_FRAME;
		rule->at[TAP_UNWIND_FRAME] = -2;
	}
	return true;
}

static inline bool tap_rule_of_code(const u8 code[16], bool narrow, bool interrupted, struct tap_unwind_rule *rule)
{
	return tap_rule_of_return(code, narrow, rule) || (interrupted && tap_rule_of_entry(code, narrow, rule));
}

#define TAP_MAY_WATCH 1

#endif
