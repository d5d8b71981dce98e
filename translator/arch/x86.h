/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the descriptions of x86-64 and i386. */
#ifndef TAPC_ARCH_X86_H
#define TAPC_ARCH_X86_H

#include "arch.h"

extern const struct arch arch_i386;

/* "%edi", "-16(%rbp)", "8(%rax,%rbx,4)", "counter(%rip)", "$5", "counter@GOTOFF(%ebx)". */
bool x86_operand(struct operand *o);
/* See struct arch. */
const char *x86_unprobed(const uint8_t *code, uint64_t size);

/* Does OPCODE push a register? The kernel emulates that (arch/x86/kernel/uprobes.c, push_setup_ops), but it executes
 * endbr in a single step, so a breakpoint there costs a third more. No loop leads back to a push, because each round
 * would leave a word on the stack; other instructions that follow a landing pad can be the head of a loop. */
static inline bool x86_pushes(uint8_t opcode)
{
	return (opcode & 0xf8) == 0x50;
}

#endif
