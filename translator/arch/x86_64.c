/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64: System V psABI; struct pt_regs of arch/x86/include/asm/ptrace.h, unchanged since 2.6. */
#include "x86.h"
#include "calls.h"
#include "x86_64_instruction.h"

#include <elf.h>
#include <string.h>

#include "debuginfo/program/choice.h"

/* Offsets in struct pt_regs. */
enum {
	R15 = 0, R14 = 8, R13 = 16, R12 = 24, RBP = 32, RBX = 40, R11 = 48, R10 = 56, R9 = 64, R8 = 72,
	RAX = 80, RCX = 88, RDX = 96, RSI = 104, RDI = 112, ORIG_RAX = 120, RIP = 128, CS = 136,
	EFLAGS = 144, RSP = 152, SS = 160,
};

#define WIDE(r64, r32, r16, r8, number, offset) \
	{ r64, number, offset, 8 }, { r32, number, offset, 4 }, { r16, number, offset, 2 }, \
	{ r8, number, offset, 1 }

static const struct arch_register registers[] = {
	WIDE("rax", "eax", "ax", "al", 0, RAX),
	WIDE("rdx", "edx", "dx", "dl", 1, RDX),
	WIDE("rcx", "ecx", "cx", "cl", 2, RCX),
	WIDE("rbx", "ebx", "bx", "bl", 3, RBX),
	WIDE("rsi", "esi", "si", "sil", 4, RSI),
	WIDE("rdi", "edi", "di", "dil", 5, RDI),
	WIDE("rbp", "ebp", "bp", "bpl", 6, RBP),
	WIDE("rsp", "esp", "sp", "spl", 7, RSP),
	WIDE("r8", "r8d", "r8w", "r8b", 8, R8),
	WIDE("r9", "r9d", "r9w", "r9b", 9, R9),
	WIDE("r10", "r10d", "r10w", "r10b", 10, R10),
	WIDE("r11", "r11d", "r11w", "r11b", 11, R11),
	WIDE("r12", "r12d", "r12w", "r12b", 12, R12),
	WIDE("r13", "r13d", "r13w", "r13b", 13, R13),
	WIDE("r14", "r14d", "r14w", "r14b", 14, R14),
	WIDE("r15", "r15d", "r15w", "r15b", 15, R15),
	{ "rip", 16, RIP, 8 }, { "eip", 16, RIP, 4 }, { "ip", 16, RIP, 8 },
	{ "orig_rax", -1, ORIG_RAX, 8 }, { "orig_eax", -1, ORIG_RAX, 4 }, { "orig_ax", -1, ORIG_RAX, 8 },
	{ "rflags", 49, EFLAGS, 8 }, { "eflags", 49, EFLAGS, 4 }, { "flags", 49, EFLAGS, 8 },
	{ "cs", 51, CS, 2 }, { "xcs", 51, CS, 8 }, { "ss", 52, SS, 2 }, { "xss", 52, SS, 8 },
	{ NULL, -1, 0, 0 },
};

static const char *const arguments[] = { "rdi", "rsi", "rdx", "rcx", "r8", "r9" };

static const char *const go_registers[] = { "rax", "rbx", "rcx", "rdi", "rsi", "r8", "r9", "r10", "r11" };

static const struct arch_go go = {
	.registers = go_registers, .register_count = sizeof(go_registers) / sizeof(go_registers[0]),
	.floats = 15, .goroutine = "r14",
};

static const uint16_t numbers[CALL_COUNT] = {
#include "syscalls_x86_64.def"
};

/* ---- programs ---- */

/* "jmp *slot(%rip)" in the entry of SIZE bytes at ADDRESS. */
static uint64_t plt_slot(struct debuginfo *d, const uint8_t *entry, uint64_t size, uint64_t address)
{
	(void)d;
	for (uint64_t i = 0; i + 6 <= size; i++)
		if (entry[i] == 0xff && entry[i + 1] == 0x25)
			return address + i + 6 + (uint64_t)(int64_t)(int32_t)load32(entry + i + 2);
	return 0;
}

static uint64_t plt_entry(const struct image_section *s, uint64_t *header)
{
	(void)header;
	return s->entry_size ? s->entry_size : 16;
}

/* "lea distance(%rip), %reg", "mov distance(%rip), %reg", and "mov $address, %reg" in programs with a fixed address. */
static void choices(struct choosing *c, const uint8_t *code, uint64_t size)
{
	for (uint64_t i = 0; i + 7 <= size; i++) {
		uint64_t next = c->chooser->address + i + 7;

		if ((code[i] & 0xfb) == 0x48 && (code[i + 2] & 0xc7) == 0x05) {
			uint64_t address = next + (uint64_t)(int64_t)(int32_t)load32(code + i + 3);

			if (code[i + 1] == 0x8d)
				choice_of_address(c, address);
			else if (code[i + 1] == 0x8b)
				choice_of_word(c, address);
		} else if (c->is_fixed && (code[i] & 0xf8) == 0xb8) {
			choice_of_address(c, load32(code + i + 1));
		} else if (c->is_fixed && code[i] == 0x48 && code[i + 1] == 0xc7 && (code[i + 2] & 0xf8) == 0xc0) {
			choice_of_address(c, load32(code + i + 3));
		}
	}
}

static uint8_t pad(const uint8_t *code, uint64_t size)
{
	static const uint8_t endbr64[] = { 0xf3, 0x0f, 0x1e, 0xfa };
	size_t n = sizeof(endbr64);

	if (size < n + 2 || memcmp(code, endbr64, n))
		return 0;
	/* push %r8 to %r15 */
	return x86_pushes(code[n] == 0x41 ? code[n + 1] : code[n]) ? n : 0;
}

static uint8_t second_nop(const uint8_t *code, uint64_t size)
{
	static const uint8_t both[] = { 0x90, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0 };

	return size >= sizeof(both) && memcmp(code, both, sizeof(both)) == 0;
}

const struct arch arch_x86_64 = {
	.name = "x86_64", .kernel = "x86", .elf_machine = EM_X86_64, .word = 8,
	.registers = registers,
	.arguments = arguments, .argument_count = sizeof(arguments) / sizeof(arguments[0]),
	.stack_arguments = 8,		/* above the return address */
	.result = "rax", .second_result = "rdx", .structs_returned = 16,
	.pc = "rip", .sp = "rsp", .fp = "rbp", .link = NULL,
	.storage_is_below = true,
	.syscall = {
		.numbers = numbers,
		.number = "rax", .result = "rax",
		.arguments = { "rdi", "rsi", "rdx", "r10", "r8", "r9" },
		.wrapper = "__x64_sys_",
	},
	.ftrace_reach = 4,		/* endbr64 */
	.watches_memory = true,
	.operand = x86_operand, .plt_slot = plt_slot, .plt_entry = plt_entry, .choices = choices,
	.pad = pad, .second_nop = second_nop, .unprobed = x86_unprobed,
	.instruction = instruction_x86_64, .go = &go, .narrow = &arch_i386,
};
