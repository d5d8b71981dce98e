/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How to access a target variable. The target stage computes it and emit writes it as C. It does not depend on
 * where the description came from (DWARF, BTF, a calling convention, the probe's family). */
#ifndef TAPC_ACCESS_H
#define TAPC_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "location.h"

/* Steps from a base to the value, in order. */
enum access_step_kind {
	ACCESS_OFFSET,			/* add OFFSET to the current address */
	ACCESS_DEREF,			/* load a pointer of SIZE bytes from the current address */
	ACCESS_INDEX,			/* add the index in component number COMPONENT, times SIZE */
};
struct access_step {
	enum access_step_kind kind;
	int64_t offset;
	uint64_t size;
	size_t component;
};

enum access_kind {
	ACCESS_NUMBER,			/* the value itself, SIZE bytes or a bit-field */
	ACCESS_ADDRESS,			/* its address: arrays, structures, operands of '&' */
	ACCESS_TEXT,			/* the text at the address, at most SIZE bytes */
	ACCESS_TEXT_OR_ADDRESS,		/* the text that the pointer points to, quoted; the pointer itself if the
					 * text cannot be read */
	ACCESS_CHARACTER,		/* a number as in NUMBER, shown as a wide character */
	ACCESS_CALL,			/* call the family's GET and SET */
};

enum access_from {
	ACCESS_FROM_LOCATION,		/* BASE, whose registers are offsets in struct pt_regs */
	ACCESS_FROM_EXPR,		/* the value of the expression's base: @cast, p->member */
	ACCESS_FROM_HELD,		/* the root of the value being printed */
};

struct access {
	enum access_kind kind;
	enum access_from from;
	struct location base;
	VEC(struct access_step) steps;
	bool is_value;			/* the base is the value itself and has no address */
	uint32_t size;			/* bytes */
	uint32_t width;			/* TEXT, TEXT_OR_ADDRESS: bytes per character, if not 1 */
	bool is_signed;
	uint32_t bit_offset, bit_size;	/* bit_size 0: not a bit-field */
	bool user;			/* in user memory, not kernel memory */
	uint32_t regs;			/* the registers it reads: TAP_PROBE_REGS, TAP_PROBE_ALL_REGS */
	const char *get, *set, *add;	/* CALL: see struct site_variable */
	bool is_free;
	bool is_string;			/* CALL */
	const char *signature;		/* equal signatures generate equal code */
};

#endif
