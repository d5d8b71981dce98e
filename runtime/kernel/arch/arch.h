/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the runtime needs of an architecture. Each has a file here that defines all of this:
 *
 * Time
 *	tap_cycles(), tap_cycles_ordered()	a cheap counter; ordered: read after earlier instructions
 *	tap_cycles_rate()			its rate per second; 0: unknown
 *	tap_are_cycles_steady()			whether it is the same on all CPUs
 *	tap_is_counter(source)			whether the kernel derives its clocks from it
 *	tap_is_virtual_machine()		whether a host may take a CPU away for a while, if known
 * System calls and arguments
 *	TAP_SYSCALL_NUMBERS			the file with the numbers of system calls
 *	TAP_SYSCALL_NARROW_NUMBERS		the same for 32-bit programs; undefined if there is none
 *	TAP_SIGACTION_MASK			the word of struct sigaction in which the mask begins
 *	tap_syscall_argument_set(regs, n, value, compat)	sets argument N (from 0) of a call that is being entered
 *	tap_argument_register(regs, n)		the register of a function's argument N (from 1); NULL: on the stack
 *	TAP_ARGUMENTS, TAP_STACK_ARGUMENTS	arguments in registers; bytes from the stack pointer to the next one
 *	TAP_REGISTERS				rows of struct tap_register_name
 * The kernel's functions
 *	tap_function_skip(function)		bytes between a function's address and its ftrace site
 *	tap_ftrace_skip(function)		bytes between a kprobe at its entry and the address that ftrace reports
 *	tap_ftrace_regs_complete(regs)		sets what ftrace does not save
 *	TAP_FTRACE_HAS_ARGUMENTS		defined if ftrace always saves the arguments (since 5.11)
 *	TAP_RETHOOK_BY_FTRACE			defined if a return hook needs only what ftrace saves
 *	TAP_BREAKPOINT, TAP_BREAKPOINT_COUNT	defined if a breakpoint interrupts like an NMI: its first byte, and
 *						what it adds to preempt_count()
 *	tap_return_address(regs)		at a function's entry, the address that the call returns to
 *	tap_called_before(back)			the target of the direct call that returns to BACK; 0: unknown
 *	TAP_MOST_SHORTENED, tap_nop_size(at)	by how many bytes the kernel may shorten an indirect call when it boots,
 *						without a move of what follows; the size of the nop at AT that fills
 *						the rest (or a part), 0: none
 * Kernel stacks
 *	TAP_UNWINDER				defined if modules may use the kernel's unwinder (asm/unwind.h); else:
 *	tap_record_read(fp, record)		reads the saved frame pointer and return address; 0 or an error
 *	tap_record_first(regs)			the frame pointer at a function's entry
 *	tap_sleeper_frame(task), tap_sleeper_place(task)	where a sleeping thread is
 *	tap_is_on_irq_stack()			whether an interrupt runs, also at its end; false: unknown
 * Processes
 *	tap_call_number(regs)			the place of the number of the system call; negative: none
 *	tap_is_32bit_program()
 *	tap_is_memory_loaded(mm, is_nmi)	whether the CPU really uses the memory of the current process
 *	tap_thread_pointer()			the address of the thread's storage, as its own code sees it
 *	tap_vdso(mm)				the address of the vdso; 0: none
 *	tap_user_frame(regs, registers, narrow)	the registers by the numbers of tap_image.h, the instruction pointer as
 *						number 16; NARROW: a stack word has 4 bytes. False: a kind of program
 *						that is not supported
 *	TAP_RETURN_SIGNATURE			bits of a return address that are not part of the address
 *	TAP_RECORDS_FLOAT, TAP_RECORDS_BELOW	see core/unwind.h
 *	TAP_BEFORE_RETURN, tap_is_call_before(code)	whether so many bytes before a return address end in a call
 *	TAP_RETURN_ON_STACK			whether uprobes.c identifies a return by the stack slot of the return
 *						address, or by the stack pointer
 *	tap_return_pops(regs), tap_return_slack(regs)	the difference between the stack pointer before the call and at
 *						the entry of a function; how much higher it may be at the return
 *	tap_return_pop(regs), tap_return_push(regs)	change the stack pointer as a return does; and back
 *	tap_goroutine_register(regs)		where Go's ABIInternal has the address of the goroutine
 *	tap_user_return_address(regs, at)	as tap_return_address; false: its page is not in memory
 *	tap_called_before_by_user(back)		as tap_called_before
 *	tap_signal_rule(code, narrow)		how to leave a signal's frame, if CODE returns from a signal; or NULL
 *	tap_rule_of_code(code, narrow, interrupted, rule)	whether 16 bytes of code show how to leave a
 *						frame: the last instructions of a function, or (INTERRUPTED: at the
 *						address itself) its first ones; sets RULE
 *	TAP_MAY_WATCH				whether watched memory is reported after the access */
#ifndef TAP_ARCH_H
#define TAP_ARCH_H

#include <linux/clocksource.h>
#include <linux/kprobes.h>
#include <linux/sched.h>
#include <linux/uaccess.h>

#include "tap_image.h"

#if defined(CONFIG_X86_64)
#include "arch/x86.h"
#elif defined(CONFIG_ARM64)
#include "arch/arm64.h"
#elif defined(CONFIG_RISCV)
#include "arch/riscv.h"
#else
#error "this architecture is not supported: it has no file in runtime/kernel/arch"
#endif

#endif
