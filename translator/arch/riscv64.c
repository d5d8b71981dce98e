/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 64-bit RISC-V: LP64D of the RISC-V ELF psABI; struct pt_regs of arch/riscv/include/asm/ptrace.h: epc, x1 to x31,
 * status, badaddr, cause, orig_a0. */
#include "arch.h"
#include "calls.h"

#include <ctype.h>
#include <elf.h>

#include "base/util.h"
#include "debuginfo/program/choice.h"
#include "debuginfo/program/operand.h"

enum { EPC = 0, STATUS = 256, ORIG_A0 = 280 };
enum { REGISTERS = 32, A7 = 17 };

#define X(name, n) { name, n, 8 * n, 8 }

static const struct arch_register registers[] = {
	X("ra", 1), X("sp", 2), X("gp", 3), X("tp", 4), X("t0", 5), X("t1", 6), X("t2", 7), X("s0", 8), X("s1", 9),
	X("a0", 10), X("a1", 11), X("a2", 12), X("a3", 13), X("a4", 14), X("a5", 15), X("a6", 16), X("a7", 17),
	X("s2", 18), X("s3", 19), X("s4", 20), X("s5", 21), X("s6", 22), X("s7", 23), X("s8", 24), X("s9", 25),
	X("s10", 26), X("s11", 27), X("t3", 28), X("t4", 29), X("t5", 30), X("t6", 31), X("fp", 8),
	{ "pc", 64, EPC, 8 },		/* 64 is the psABI's "alternate frame return column", not used otherwise */
	{ "epc", 64, EPC, 8 }, { "status", -1, STATUS, 8 }, { "orig_a0", -1, ORIG_A0, 8 },
	{ NULL, -1, 0, 0 },
};

static const char *const arguments[] = { "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7" };

static const uint16_t numbers[CALL_COUNT] = {
#include "syscalls_riscv64.def"
};

/* ---- programs ---- */

/* The low 12 bits of a symbol's address, signed; lui or auipc sets the others. */
static bool low_bits(struct operand *o)
{
	if (!operand_displacement(o) || !operand_take(o, ")"))
		return false;
	operand_add(o, LOCATION_CONST, 64 - 12);
	operand_add(o, LOCATION_SHL, 0);
	operand_add(o, LOCATION_CONST, 64 - 12);
	operand_add(o, LOCATION_SHRA, 0);
	return true;
}

/* "(s0)" after the distance, which was pushed. */
static bool memory(struct operand *o)
{
	if (!operand_take(o, "(") || !operand_register(o, operand_word(o)))
		return false;
	operand_add(o, LOCATION_ADD, 0);
	return operand_take(o, ")");
}

/* An operand of a static marker: "a5", "-20(s0)", "%lo(counter)(a5)", "counter", "5". */
static bool operand(struct operand *o)
{
	const char *start;
	int64_t value;

	if (operand_take(o, "%lo("))
		return low_bits(o) && memory(o);
	if (isdigit((unsigned char)*o->p) || *o->p == '-') {
		if (!operand_number(o, &value))
			return false;
		operand_add(o, LOCATION_CONST, value);
		o->is_value = *o->p != '(';
		return o->is_value || memory(o);
	}
	start = o->p;
	if (str_equal(operand_word(o), "zero")) {
		operand_add(o, LOCATION_CONST, 0);
		return o->is_value = true;
	}
	o->p = start;
	if (operand_register(o, operand_word(o)))
		return o->is_value = true;
	o->p = start;
	return operand_displacement(o);
}

/* "auipc t3, high; ld t3, low(t3)". */
static uint64_t plt_slot(struct debuginfo *d, const uint8_t *entry, uint64_t size, uint64_t address)
{
	(void)d;
	for (uint64_t i = 0; i + 8 <= size; i += 4) {
		uint32_t auipc = load32(entry + i), ld = load32(entry + i + 4);

		if ((auipc & 0xfff) == 0xe17 && (ld & 0xfffff) == 0xe3e03)
			return address + i + (uint64_t)(int64_t)(int32_t)(auipc & 0xfffff000) +
			       (uint64_t)(int64_t)((int32_t)ld >> 20);
	}
	return 0;
}

static uint64_t plt_entry(const struct image_section *s, uint64_t *header)
{
	(void)s;
	*header = 32;
	return 16;
}

/* "auipc reg, high" with "addi reg, reg, low" or "ld reg, low(reg)", where the second instruction need not follow
 * immediately. Instructions have 2 bytes, or 4 if the lowest two bits are set. */
static void choices(struct choosing *c, const uint8_t *code, uint64_t size)
{
	uint64_t pages[REGISTERS];
	uint32_t known = 0;

	for (uint64_t i = 0; i + 4 <= size; i += (code[i] & 3) == 3 ? 4 : 2) {
		uint32_t word = load32(code + i), to = word >> 7 & 31, from = word >> 15 & 31;
		uint64_t low = (uint64_t)(int64_t)((int32_t)word >> 20);

		if ((word & 0x7f) == 0x17) {
			pages[to] = c->chooser->address + i + (uint64_t)(int64_t)(int32_t)(word & 0xfffff000);
			known |= 1u << to;
		} else if ((word & 0x707f) == 0x13 && known >> from & 1) {
			choice_of_address(c, pages[from] + low);
		} else if ((word & 0x707f) == 0x3003 && known >> from & 1) {
			choice_of_word(c, pages[from] + low);
		}
	}
}

const struct arch arch_riscv64 = {
	.name = "riscv64", .kernel = "riscv", .elf_machine = EM_RISCV, .word = 8,
	.registers = registers,
	.arguments = arguments, .argument_count = sizeof(arguments) / sizeof(arguments[0]),
	.stack_arguments = 0,
	.result = "a0", .second_result = "a1", .structs_returned = 16,
	.large_by_address = true, .pairs_are_split = true,
	.pc = "pc", .sp = "sp", .fp = "s0", .link = "ra",
	.syscall = {
		.numbers = numbers,
		.number = "a7", .result = "a0",
		.arguments = { "a0", "a1", "a2", "a3", "a4", "a5" },
		.wrapper = "__riscv_sys_",	/* 6.6 */
	},
	.ftrace_reach = 4,		/* auipc: ftrace_call_adjust() of arch/riscv/kernel/ftrace.c (6.15) */
	.ftrace_before = 8,		/* CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS */
	.watches_memory = false,	/* no hardware breakpoints in the kernel */
	.operand = operand, .plt_slot = plt_slot, .plt_entry = plt_entry, .choices = choices,
};
