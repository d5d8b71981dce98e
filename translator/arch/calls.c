/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lookups in the table of system call numbers. */
#include "calls.h"

#include "arch.h"

int arch_call_number(const struct arch *arch, enum arch_call call)
{
	return arch ? arch->syscall.numbers[call] - 1 : -1;
}
