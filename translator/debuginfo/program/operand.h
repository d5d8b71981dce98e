/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An operand in assembler text, read from left to right: the location of a static marker's
 * argument. Each architecture reads its own syntax with these functions. */
#ifndef TAPC_DEBUGINFO_PROGRAM_OPERAND_H
#define TAPC_DEBUGINFO_PROGRAM_OPERAND_H

#include "image.h"
#include "mark.h"

struct operand {
	struct debuginfo *d;
	const struct arch *arch;
	const char *p;			/* the rest of the text */
	struct program_argument *out;
	bool is_value;			/* else the steps compute its address */
};

void operand_add(struct operand *o, enum location_op op, int64_t value);
/* Skips blanks, then TEXT; false: something else comes next. */
bool operand_take(struct operand *o, const char *text);
/* Reads a number, with or without '#'. */
bool operand_number(struct operand *o, int64_t *value);
/* Reads a name; empty if none comes next. */
const char *operand_word(struct operand *o);
/* Pushes the register NAME: only the bytes that this name stands for. */
bool operand_register(struct operand *o, const char *name);
/* Reads "symbol+8", "8+symbol" or "4+16" and pushes it, or 0 if a bracket follows. */
bool operand_displacement(struct operand *o);

#endif
