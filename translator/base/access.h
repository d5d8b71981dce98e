/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How to get at a target variable: what target finds out and emit writes as C, neutral of where the
 * knowledge is from (DWARF, BTF, a calling convention, a family of its own). */
#ifndef TAPC_ACCESS_H
#define TAPC_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "location.h"

/* From a base, step by step. */
enum access_step_kind {
	ACCESS_OFFSET,			/* add OFFSET to the address at hand */
	ACCESS_DEREF,			/* load the pointer of SIZE bytes that is there */
	ACCESS_INDEX,			/* add the component number COMPONENT's index times SIZE */
};
struct access_step {
	enum access_step_kind kind;
	int64_t offset;
	uint64_t size;
	size_t component;
};

enum access_kind {
	ACCESS_NUMBER,			/* what is there, SIZE bytes or a bit-field */
	ACCESS_ADDRESS,			/* where it is: arrays, structures, behind '&' */
	ACCESS_TEXT,			/* the text there, at most SIZE bytes */
	ACCESS_TEXT_OR_ADDRESS,		/* the text that is pointed to, or the pointer if it cannot be read;
					 * quoted */
	ACCESS_CHARACTER,		/* a number as NUMBER has it, as a wide character's text */
	ACCESS_CALL,			/* the family's GET and SET */
};

enum access_from {
	ACCESS_FROM_LOCATION,		/* BASE; its registers are offsets in struct pt_regs */
	ACCESS_FROM_EXPR,		/* the value of the expression's base: @cast, p->member */
	ACCESS_FROM_HELD,		/* the root of the value that is being printed */
};

struct access {
	enum access_kind kind;
	enum access_from from;
	struct location base;
	VEC(struct access_step) steps;
	bool is_value;			/* the base is the value itself, which has no address */
	uint32_t size;
	uint32_t width;			/* TEXT, TEXT_OR_ADDRESS: bytes of a character, when not 1 */
	bool is_signed;
	uint32_t bit_offset, bit_size;	/* bit_size 0: no bit-field */
	bool user;			/* in the memory of the process, not the kernel's */
	uint32_t regs;			/* TAP_PROBE_REGS, TAP_PROBE_ALL_REGS: which registers it reads */
	const char *get, *set, *add;	/* CALL: see struct site_variable */
	bool is_free;
	bool is_string;			/* CALL */
	const char *signature;		/* equal texts: equal code */
};

#endif
