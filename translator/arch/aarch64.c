/* SPDX-License-Identifier: GPL-2.0-or-later */
/* arm64: AAPCS64; struct pt_regs of arch/arm64/include/asm/ptrace.h: regs[31], sp, pc, pstate,
 * orig_x0, syscallno (32 bits, first on little endian), and fields that changed with versions. */
#include "arch.h"
#include "calls.h"
#include "aarch64_instruction.h"

#include <ctype.h>
#include <elf.h>

#include "base/util.h"
#include "debuginfo/location.h"
#include "debuginfo/program/choice.h"
#include "debuginfo/program/operand.h"

enum { SP = 248, PC = 256, PSTATE = 264, ORIG_X0 = 272, SYSCALLNO = 280 };
enum { REGISTERS = 32 };

#define X(n) { "x" #n, n, 8 * n, 8 }, { "w" #n, n, 8 * n, 4 }

static const struct arch_register registers[] = {
	X(0), X(1), X(2), X(3), X(4), X(5), X(6), X(7), X(8), X(9), X(10), X(11), X(12), X(13), X(14),
	X(15), X(16), X(17), X(18), X(19), X(20), X(21), X(22), X(23), X(24), X(25), X(26), X(27), X(28),
	X(29), X(30),
	{ "fp", 29, 8 * 29, 8 }, { "lr", 30, 8 * 30, 8 },
	{ "sp", 31, SP, 8 },
	{ "pc", 32, PC, 8 },		/* AADWARF64 has no number for it that compilers use; elfutils uses 32 */
	{ "pstate", -1, PSTATE, 8 }, { "orig_x0", -1, ORIG_X0, 8 }, { "syscallno", -1, SYSCALLNO, 4 },
	{ NULL, -1, 0, 0 },
};

static const char *const arguments[] = { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7" };

static const char *const go_registers[] = { "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
					    "x12", "x13", "x14", "x15" };

static const struct arch_go go = {
	.registers = go_registers, .register_count = sizeof(go_registers) / sizeof(go_registers[0]),
	.floats = 16, .goroutine = "x28", .is_always = true,
};

static const uint16_t numbers[CALL_COUNT] = {
#include "syscalls_aarch64.def"
};

/* ---- programs ---- */

/* "wzr" and "xzr" are 0. */
static bool push_register(struct operand *o, const char *name)
{
	if (!str_equal(name, "xzr") && !str_equal(name, "wzr"))
		return operand_register(o, name);
	operand_add(o, LOCATION_CONST, 0);
	return true;
}

/* "lsl 3", "sxtw #2", "uxtw": extends and shifts the top of the stack. */
static bool extend(struct operand *o)
{
	bool sign = operand_take(o, "sxtw"), zero = !sign && operand_take(o, "uxtw");
	int64_t shift = 0;

	if (!sign && !zero && !operand_take(o, "lsl") && !operand_take(o, "sxtx"))
		return false;
	if (sign || zero)
		location_add(o->d->arena, &o->out->location, sign ? LOCATION_SIGN : LOCATION_ZERO, 0)->size = 4;
	operand_take(o, " ");
	if (*o->p != ']' && !operand_number(o, &shift))
		return false;
	operand_add(o, LOCATION_CONST, shift);
	operand_add(o, LOCATION_SHL, 0);
	return true;
}

/* The low 12 bits of a symbol's address; the register has the others. Labels of the assembler, such as gcc's .LANCHOR0,
 * are not symbols and fail. */
static bool low_bits(struct operand *o)
{
	if (!operand_displacement(o))
		return false;
	operand_add(o, LOCATION_CONST, 64 - 12);
	operand_add(o, LOCATION_SHL, 0);
	operand_add(o, LOCATION_CONST, 64 - 12);
	operand_add(o, LOCATION_SHR, 0);
	return true;
}

static bool memory(struct operand *o)
{
	int64_t offset;

	if (!push_register(o, operand_word(o)))
		return false;
	if (operand_take(o, ",")) {
		operand_take(o, " ");
		if (operand_take(o, "#:lo12:") || operand_take(o, ":lo12:")) {
			if (!low_bits(o))
				return false;
		} else if (operand_take(o, "#") || isdigit((unsigned char)*o->p) || *o->p == '-') {
			if (!operand_number(o, &offset))
				return false;
			operand_add(o, LOCATION_CONST, offset);
		} else if (!push_register(o, operand_word(o)) || (operand_take(o, ",") && !extend(o))) {
			return false;
		}
		operand_add(o, LOCATION_ADD, 0);
	}
	return operand_take(o, "]");
}

/* An operand of a static marker: "w0", "[sp, 16]", "[x1]", "[x0, x1, lsl 3]", "[x0, #:lo12:counter]", "5". */
static bool operand(struct operand *o)
{
	int64_t value;

	if (operand_take(o, "["))
		return memory(o);
	o->is_value = true;
	if (isdigit((unsigned char)*o->p) || *o->p == '-' || *o->p == '#') {
		if (!operand_number(o, &value))
			return false;
		operand_add(o, LOCATION_CONST, value);
		return true;
	}
	return push_register(o, operand_word(o));
}

/* "adrp x16, page; ldr x17, [x16, #offset]". */
static uint64_t plt_slot(struct debuginfo *d, const uint8_t *entry, uint64_t size, uint64_t address)
{
	(void)d;
	for (uint64_t i = 0; i + 8 <= size; i += 4) {
		uint32_t adrp = load32(entry + i), ldr = load32(entry + i + 4);
		uint64_t pages;

		if ((adrp & 0x9f00001f) != 0x90000010 || (ldr & 0xffc003ff) != 0xf9400211)
			continue;
		pages = (adrp >> 29 & 3) | (adrp >> 5 & 0x7ffff) << 2;
		pages = (uint64_t)((int64_t)(pages << 43) >> 43);
		return ((address + i) & ~(uint64_t)0xfff) + (pages << 12) + (ldr >> 10 & 0xfff) * 8;
	}
	return 0;
}

/* The section's own entry size is wrong if the entries have landing pads. */
static uint64_t plt_entry(const struct image_section *s, uint64_t *header)
{
	*header = 32;
	return s->bytes.size > 36 && (s->bytes.size - 32) % 24 == 0 && load32(s->bytes.data + 32) == 0xd503245f ?
	       24 : 16;
}

static uint64_t distance_of(uint32_t code)
{
	uint64_t distance = (code >> 29 & 3) | (code >> 5 & 0x7ffff) << 2;

	return (uint64_t)((int64_t)(distance << 43) >> 43);
}

/* "adr reg", and "adrp page" with "add reg, page, #rest" or "ldr reg, [page, #rest]", where the second instruction
 * need not follow immediately. */
static void choices(struct choosing *c, const uint8_t *code, uint64_t size)
{
	uint64_t pages[REGISTERS];
	uint32_t known = 0;

	for (uint64_t i = 0; i + 4 <= size; i += 4) {
		uint32_t word = load32(code + i), from = word >> 5 & 31, to = word & 31, rest = word >> 10 & 0xfff;
		uint64_t here = c->chooser->address + i;

		if ((word & 0x9f000000) == 0x90000000) {
			pages[to] = (here & ~(uint64_t)0xfff) + (distance_of(word) << 12);
			known |= 1u << to;
		} else if ((word & 0x9f000000) == 0x10000000) {
			choice_of_address(c, here + distance_of(word));
		} else if ((word & 0xffc00000) == 0x91000000 && known >> from & 1) {
			choice_of_address(c, pages[from] + rest);
		} else if ((word & 0xffc00000) == 0xf9400000 && known >> from & 1) {
			choice_of_word(c, pages[from] + 8 * rest);
		}
	}
}

const struct arch arch_aarch64 = {
	.name = "aarch64", .kernel = "arm64", .elf_machine = EM_AARCH64, .word = 8,
	.registers = registers,
	.arguments = arguments, .argument_count = sizeof(arguments) / sizeof(arguments[0]),
	.stack_arguments = 0,
	.result = "x0", .second_result = "x1", .structs_returned = 16,
	.large_by_address = true, .pairs_are_even = true, .registers_end = true, .result_has_register = true,
	.pc = "pc", .sp = "sp", .fp = "x29", .link = "x30",
	.storage_gap = 16,
	.syscall = {
		.numbers = numbers,
		.number = "x8", .result = "x0",
		.arguments = { "x0", "x1", "x2", "x3", "x4", "x5" },
		.wrapper = "__arm64_sys_",
	},
	.ftrace_reach = 8,		/* bti c; mov x9, x30 */
	.ftrace_before = 8,		/* CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS */
	.patchable = 8,			/* two instructions */
	.watches_memory = false,	/* watchpoint_report() in arch/arm64/kernel/hw_breakpoint.c (6.1) steps over
					 * the access only if overflow_handler is perf's own */
	.operand = operand, .plt_slot = plt_slot, .plt_entry = plt_entry, .choices = choices,
	.instruction = instruction_aarch64, .go = &go,
};
