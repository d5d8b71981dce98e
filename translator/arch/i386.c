/* SPDX-License-Identifier: GPL-2.0-or-later */
/* 32-bit x86 programs under a 64-bit kernel: System V psABI i386, with x86-64's struct pt_regs. All arguments
 * are on the stack, and every struct is returned in memory. */
#include "x86.h"
#include "calls.h"

#include <elf.h>
#include <string.h>

#include "debuginfo/program/choice.h"
#include "debuginfo/program/plt.h"

/* Offsets in struct pt_regs, see x86_64.c. */
enum {
	RBP = 32, RBX = 40, RAX = 80, RCX = 88, RDX = 96, RSI = 104, RDI = 112, ORIG_RAX = 120, RIP = 128, CS = 136,
	EFLAGS = 144, RSP = 152, SS = 160,
};

#define BYTES(r32, r16, r8, number, offset) \
	{ r32, number, offset, 4 }, { r16, number, offset, 2 }, { r8, number, offset, 1 }
#define WORDS(r32, r16, number, offset) { r32, number, offset, 4 }, { r16, number, offset, 2 }

static const struct arch_register registers[] = {
	BYTES("eax", "ax", "al", 0, RAX), BYTES("ecx", "cx", "cl", 1, RCX), BYTES("edx", "dx", "dl", 2, RDX),
	BYTES("ebx", "bx", "bl", 3, RBX), WORDS("esp", "sp", 4, RSP), WORDS("ebp", "bp", 5, RBP),
	WORDS("esi", "si", 6, RSI), WORDS("edi", "di", 7, RDI),
	{ "eip", 8, RIP, 4 }, { "ip", 8, RIP, 4 }, { "eflags", 9, EFLAGS, 4 }, { "flags", 9, EFLAGS, 4 },
	{ "orig_eax", -1, ORIG_RAX, 4 }, { "cs", 41, CS, 2 }, { "ss", 42, SS, 2 },
	{ NULL, -1, 0, 0 },
};

static const uint16_t numbers[CALL_COUNT] = {
#include "syscalls_i386.def"
};

/* "jmp *slot", and "jmp *distance(%ebx)" from the offset table. */
static uint64_t plt_slot(struct debuginfo *d, const uint8_t *entry, uint64_t size, uint64_t address)
{
	(void)address;
	for (uint64_t i = 0; i + 6 <= size; i++) {
		if (entry[i] == 0xff && entry[i + 1] == 0x25)
			return load32(entry + i + 2);
		if (entry[i] == 0xff && entry[i + 1] == 0xa3)
			return program_offset_table(d) + (uint64_t)(int64_t)(int32_t)load32(entry + i + 2);
	}
	return 0;
}

static uint64_t plt_entry(const struct image_section *s, uint64_t *header)
{
	(void)header;
	return s->entry_size >= 8 ? s->entry_size : 16;		/* linkers write 4 for .plt */
}

/* "lea distance(%reg), %reg" and "mov distance(%reg), %reg", with the offset table in a register, and
 * "mov $address, %reg" in programs with a fixed address. */
static void choices(struct choosing *c, const uint8_t *code, uint64_t size)
{
	uint64_t table = program_offset_table(c->d);

	for (uint64_t i = 0; i + 6 <= size; i++) {
		uint64_t address = (uint32_t)(table + load32(code + i + 2));
		bool is_based = (code[i + 1] & 0xc0) == 0x80 && (code[i + 1] & 7) != 4;

		if (is_based && code[i] == 0x8d)
			choice_of_address(c, address);
		else if (is_based && code[i] == 0x8b)
			choice_of_word(c, address);
		else if (c->is_fixed && (code[i] & 0xf8) == 0xb8)
			choice_of_address(c, load32(code + i + 1));
	}
}

static uint8_t pad(const uint8_t *code, uint64_t size)
{
	static const uint8_t endbr32[] = { 0xf3, 0x0f, 0x1e, 0xfb };
	size_t n = sizeof(endbr32);

	return size > n && !memcmp(code, endbr32, n) && x86_pushes(code[n]) ? n : 0;
}

const struct arch arch_i386 = {
	.name = "i386", .kernel = "x86", .elf_machine = EM_386, .word = 4,
	.registers = registers,
	.stack_arguments = 4,		/* above the return address */
	.result = "eax", .second_result = "edx", .structs_returned = 0,
	.pc = "eip", .sp = "esp", .fp = "ebp",
	.storage_is_below = true,
	.syscall = { .numbers = numbers },
	.operand = x86_operand, .plt_slot = plt_slot, .plt_entry = plt_entry, .choices = choices,
	.pad = pad, .unprobed = x86_unprobed,
};
