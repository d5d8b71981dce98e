/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The code of a function in a program: where it returns, and where it begins once its stack is large enough. */
#ifndef TAPC_DEBUGINFO_PROGRAM_RETURNS_H
#define TAPC_DEBUGINFO_PROGRAM_RETURNS_H

#include "debuginfo/symbols/symbol.h"
#include "program.h"

typedef VEC(uint32_t) program_returns;

/* The distances from the entry of the function S to each of its return instructions, ascending. NULL: they are all of
 * its returns; otherwise why this is not known, to follow "'NAME' ". */
const char *program_find_returns(struct debuginfo *d, const struct symbol *s, program_returns *out);

/* Does the function S of Go jump back to its first instruction, other than after growing its stack? A breakpoint there
 * is then hit in each round of that loop. */
bool program_loops_to_entry(struct debuginfo *d, const struct symbol *s);

/* A function of Go begins with a check of its stack. If that is too small, it calls runtime.morestack and jumps back to
 * its entry: a breakpoint there is hit twice in one call. The bytes up to the instruction after the check, where
 * arguments and stack pointer still are as at the entry; 0: no check was found. */
uint8_t program_stack_check(struct debuginfo *d, uint64_t address);

#endif
