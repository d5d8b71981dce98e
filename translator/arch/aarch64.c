/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arm64: AAPCS64; struct pt_regs of arch/arm64/include/asm/ptrace.h: regs[31], sp, pc, pstate,
 * orig_x0, syscallno (32 bits, first on little endian), and fields that changed with versions. */
#include "arch.h"

#include <elf.h>

enum { SP = 248, PC = 256, PSTATE = 264, ORIG_X0 = 272, SYSCALLNO = 280, PT_REGS_SIZE = 336 };

#define X(n) { "x" #n, n, 8 * n, 8 }, { "w" #n, n, 8 * n, 4 }

static const struct arch_register registers[] = {
	X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), X(8), X(9), X(10), X(11), X(12), X(13), X(14),
	X(15), X(16), X(17), X(18), X(19), X(20), X(21), X(22), X(23), X(24), X(25), X(26), X(27), X(28),
	X(29), X(30),
	{ "fp", 29, 8 * 29, 8 }, { "lr", 30, 8 * 30, 8 },
	{ "sp", 31, SP, 8 },
	{ "pc", 32, PC, 8 },		/* no number in AADWARF64 that compilers use; 32 is what elfutils has */
	{ "pstate", -1, PSTATE, 8 }, { "orig_x0", -1, ORIG_X0, 8 }, { "syscallno", -1, SYSCALLNO, 4 },
	{ NULL, -1, 0, 0 },
};

static const char *const arguments[] = { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7" };

static const uint8_t brk[] = { 0x80, 0x00, 0x20, 0xd4 };	/* brk #4: KPROBES_BRK_IMM */

const struct arch arch_aarch64 = {
	.name = "aarch64", .kernel = "arm64", .elf_machine = EM_AARCH64, .word = 8,
	.registers = registers, .pt_regs_size = PT_REGS_SIZE,
	.arguments = arguments, .argument_count = sizeof(arguments) / sizeof(arguments[0]),
	.stack_arguments = 0,
	.result = "x0", .second_result = "x1", .structs_returned = 16, .pc = "pc", .sp = "sp", .fp = "x29", .link = "x30",
	.syscall = {
		.instruction = "svc #0", .number = "x8", .result = "x0", .number_offset = SYSCALLNO,
		.arguments = { "x0", "x1", "x2", "x3", "x4", "x5" },
		.wrapper = "__arm64_sys_", .compat_wrapper = "__arm64_compat_sys_",
	},
	.ftrace_reach = 8,		/* bti c; mov x9, x30 */
	.ftrace_before = 8,		/* CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS */
	.patchable = 8,			/* two instructions */
	.watches_memory = false,	/* watchpoint_report() of arch/arm64/kernel/hw_breakpoint.c (6.1) steps over
					 * the access where overflow_handler is perf's own */
	.has_kprobes_on_ftrace = false,
	.trap = brk, .trap_size = sizeof(brk),
};
