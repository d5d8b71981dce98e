/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands of x86 assembler, for 32-bit and 64-bit programs. */
#include "x86.h"

#include <string.h>

#include "base/util.h"
#include "debuginfo/location.h"
#include "debuginfo/program/operand.h"

/* "ah" is the second byte of "ax". */
static bool x86_register(struct operand *o, const char *name)
{
	static const char high[] = "abcd";
	char whole[] = { name[0], 'x', '\0' };
	struct location_step *step;

	if (arch_register(o->arch, name) || strlen(name) != 2 || name[1] != 'h' || !strchr(high, name[0]))
		return operand_register(o, name);
	operand_add(o, LOCATION_REGISTER, arch_register(o->arch, whole)->dwarf);
	operand_add(o, LOCATION_CONST, 8);
	operand_add(o, LOCATION_SHR, 0);
	step = location_add(o->d->arena, &o->out->location, LOCATION_ZERO, 0);
	step->size = 1;
	return true;
}

/* "(base, index, scale)" after a displacement, which is on the stack. */
static bool x86_memory(struct operand *o)
{
	int64_t scale = 1;

	if (!operand_take(o, "("))
		return true;
	if (operand_take(o, "%rip"))
		return operand_take(o, ")");		/* a symbol's address is complete */
	if (operand_take(o, "%")) {
		if (!x86_register(o, operand_word(o)))
			return false;
		operand_add(o, LOCATION_ADD, 0);
	}
	if (operand_take(o, ",")) {
		if (!operand_take(o, "%") || !x86_register(o, operand_word(o)) ||
		    (operand_take(o, ",") && !operand_number(o, &scale)))
			return false;
		operand_add(o, LOCATION_CONST, scale);
		operand_add(o, LOCATION_MUL, 0);
		operand_add(o, LOCATION_ADD, 0);
	}
	return operand_take(o, ")");
}

/* An operand of a static marker: "%edi", "-16(%rbp)", "8(%rax,%rbx,4)", "counter(%rip)", "$5", "%xmm0"; for i386 also
 * "counter@GOTOFF(%ebx)". */
bool x86_operand(struct operand *o)
{
	if (operand_take(o, "$")) {
		o->is_value = true;
		return operand_displacement(o);
	}
	if (operand_take(o, "%")) {
		/* i386: for a pair of registers, the operand names only the lower one. */
		if (o->out->size > o->arch->word)
			return false;
		o->is_value = true;
		return x86_register(o, operand_word(o));
	}
	return operand_displacement(o) && x86_memory(o);
}

/* The kernel refuses these prefixes (arch/x86/kernel/uprobes.c, is_prefix_bad). It does that when a process maps the
 * file, by leaving the breakpoint out without a word. Newer kernels accept them for nops. */
const char *x86_unprobed(const uint8_t *code, uint64_t size)
{
	static const struct { uint8_t code; const char *refused; } prefixes[] = {
		{ 0xf0, "lock" }, { 0x26, "es" }, { 0x2e, "cs" }, { 0x36, "ss" }, { 0x3e, "ds" },
		{ 0x66, NULL }, { 0x67, NULL }, { 0xf2, NULL }, { 0xf3, NULL }, { 0x64, NULL }, { 0x65, NULL },
	};
	const char *refused = NULL;

	for (uint64_t i = 0, p; i < size; i++) {
		for (p = 0; p < ARRAY_SIZE(prefixes) && prefixes[p].code != code[i]; p++)
			;
		if (p == ARRAY_SIZE(prefixes))
			return i + 1 < size && code[i] == 0x0f && code[i + 1] == 0x1f ? NULL : refused;
		refused = refused ? refused : prefixes[p].refused;
	}
	return refused;
}
