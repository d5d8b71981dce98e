/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the descriptions of x86-64 and i386. */
#ifndef TAPC_ARCH_X86_H
#define TAPC_ARCH_X86_H

#include "arch.h"

extern const struct arch arch_i386;

/* "%edi", "-16(%rbp)", "8(%rax,%rbx,4)", "counter(%rip)", "$5", "counter@GOTOFF(%ebx)". */
bool x86_operand(struct operand *o);

#endif
