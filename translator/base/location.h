/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where something is in the target, as a program: what debuginfo/ finds out and emit writes as C. */
#ifndef TAPC_LOCATION_H
#define TAPC_LOCATION_H

#include <stdint.h>

#include "vec.h"

/* How to compute something: a program for a stack of 64-bit numbers, neutral of DWARF and BTF. An
 * evaluator (location.c) runs it for tests; emit writes it as C. */
enum location_op {
	LOCATION_CONST,			/* push value */
	LOCATION_REGISTER,		/* push register VALUE (DWARF's number) as it is at the probe */
	LOCATION_ARGUMENT,		/* push the register of argument number VALUE (0 ...), by the calling
					 * convention: arch_argument(); valid at a function's entry only */
	LOCATION_RESULT,		/* push the returned value, by the calling convention; VALUE 1: the
					 * second half of one of two registers */
	LOCATION_GIVEN,			/* push the word that is VALUE bytes into what the probe's family gives */
	LOCATION_CFA,			/* push the canonical frame address */
	LOCATION_ADDRESS,		/* push the run-time address of the image's link-time address VALUE:
					 * kernel: distance from TAP_ANCHOR; module: see section */
	LOCATION_TLS,			/* pop an offset, push the address in the thread's storage */
	LOCATION_PERCPU,		/* pop an address of a per-CPU variable, push this CPU's copy's */
	LOCATION_LOAD,			/* pop an address, push SIZE bytes from there (zero extended) */
	LOCATION_ADD, LOCATION_SUB, LOCATION_MUL, LOCATION_DIV, LOCATION_MOD, LOCATION_AND, LOCATION_OR,
	LOCATION_XOR, LOCATION_SHL, LOCATION_SHR, LOCATION_SHRA, LOCATION_NEG, LOCATION_NOT, LOCATION_ABS,
	LOCATION_EQ, LOCATION_NE, LOCATION_LT, LOCATION_LE, LOCATION_GT, LOCATION_GE,	/* signed: 0 or 1 */
	LOCATION_DUP, LOCATION_DROP, LOCATION_OVER, LOCATION_SWAP, LOCATION_ROT, LOCATION_PICK,
	LOCATION_JUMP, LOCATION_BRANCH,	/* to step VALUE; BRANCH pops a condition */
	LOCATION_SIGN,			/* sign-extend from SIZE bytes */
	LOCATION_ZERO,			/* zero-extend from SIZE bytes */
};

struct location_step {
	enum location_op op;
	uint8_t size;
	int64_t value;
	const char *section;		/* ADDRESS in a module */
};

enum location_kind {
	LOCATION_NOWHERE,		/* not available here; REASON says why */
	LOCATION_IN_MEMORY,		/* the steps give its address */
	LOCATION_IS_VALUE,		/* the steps give the value itself, extended to 64 bits as its type
					 * says; it has no address */
	LOCATION_IN_PIECES,		/* pieces, lowest bytes first: location_part() puts them together */
	LOCATION_POINTS_TO,		/* a pointer that the compiler keeps nowhere, to something that it
					 * keeps: its own value is not known, what it points to is */
};

struct location {
	enum location_kind kind;
	VEC(struct location_step) steps;
	VEC(struct location_piece) pieces;
	const struct location *pointee;	/* POINTS_TO: POINTEE_OFFSET bytes into what is there */
	int64_t pointee_offset;
	const char *reason;
};

struct location_piece {
	struct location location;	/* NOWHERE: this part is not available */
	uint32_t size;			/* bytes; 0: see bits */
	uint32_t bit_offset, bit_size;
};

#endif
