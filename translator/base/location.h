/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a value is in the target, as a small program. debuginfo/ builds it and emit writes it as C. */
#ifndef TAPC_LOCATION_H
#define TAPC_LOCATION_H

#include <stdint.h>

#include "vec.h"

/* Instructions of a stack machine for 64-bit numbers, independent of DWARF and BTF. The evaluator in
 * location.c runs them for tests; emit writes them as C. */
enum location_op {
	LOCATION_CONST,			/* push value */
	LOCATION_REGISTER,		/* push register VALUE (DWARF number) as it is at the probe */
	LOCATION_ARGUMENT,		/* push the register that holds argument VALUE (from 0) in the calling
					 * convention: arch_argument(); valid only at a function's entry */
	LOCATION_RESULT,		/* push the return value in the calling convention; VALUE 1: the second
					 * half of a value in two registers */
	LOCATION_GIVEN,			/* push the word at offset VALUE (bytes) of the data that the probe's
					 * family passes */
	LOCATION_CFA,			/* push the canonical frame address */
	LOCATION_ADDRESS,		/* push the run-time address of the image's link-time address VALUE;
					 * kernel: distance from TAP_ANCHOR; module: see section */
	LOCATION_TLS,			/* pop an offset, push the address in thread-local storage */
	LOCATION_PERCPU,		/* pop the address of a per-CPU variable, push that of this CPU's copy */
	LOCATION_LOAD,			/* pop an address, push the SIZE bytes there (zero extended) */
	LOCATION_ADD, LOCATION_SUB, LOCATION_MUL, LOCATION_DIV, LOCATION_MOD, LOCATION_AND, LOCATION_OR,
	LOCATION_XOR, LOCATION_SHL, LOCATION_SHR, LOCATION_SHRA, LOCATION_NEG, LOCATION_NOT, LOCATION_ABS,
	LOCATION_EQ, LOCATION_NE, LOCATION_LT, LOCATION_LE, LOCATION_GT, LOCATION_GE,	/* signed: 0 or 1 */
	LOCATION_DUP, LOCATION_DROP, LOCATION_OVER, LOCATION_SWAP, LOCATION_ROT, LOCATION_PICK,
	LOCATION_JUMP, LOCATION_BRANCH,	/* go to step VALUE; BRANCH pops a condition */
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
	LOCATION_NOWHERE,		/* not available here; REASON explains why */
	LOCATION_IN_MEMORY,		/* the steps compute its address */
	LOCATION_IS_VALUE,		/* the steps compute the value itself, extended to 64 bits according to
					 * its type; it has no address */
	LOCATION_IN_PIECES,		/* in pieces, lowest bytes first: location_part() joins them */
	LOCATION_POINTS_TO,		/* a pointer that the compiler optimized out: its value is unknown, but
					 * the object it points to is available */
};

struct location {
	enum location_kind kind;
	VEC(struct location_step) steps;
	VEC(struct location_piece) pieces;
	const struct location *pointee;	/* POINTS_TO: it points POINTEE_OFFSET bytes into this object */
	int64_t pointee_offset;
	const char *reason;
};

struct location_piece {
	struct location location;	/* NOWHERE: this piece is not available */
	uint32_t size;			/* bytes; 0: see bit_offset, bit_size */
	uint32_t bit_offset, bit_size;
};

#endif
