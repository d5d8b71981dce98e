/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long an instruction of a program is, and where it leads: enough to find every return of a function. */
#ifndef TAPC_ARCH_INSTRUCTION_H
#define TAPC_ARCH_INSTRUCTION_H

#include <stdbool.h>
#include <stdint.h>

enum instruction_flow {
	FLOW_ON,			/* to the next instruction */
	FLOW_RETURN,			/* to the caller */
	FLOW_CALL,			/* calls what is DISTANCE bytes away, and goes on */
	FLOW_BRANCH,			/* to DISTANCE, or to the next instruction */
	FLOW_JUMP,			/* to DISTANCE */
	FLOW_TABLE,			/* to an address from a table of jumps, as compilers use it for `switch` */
	FLOW_AWAY,			/* to an address that the instruction does not contain */
};

struct instruction {
	uint8_t size;			/* bytes */
	enum instruction_flow flow;
	int64_t distance;		/* from the instruction's first byte */
	int64_t data;			/* the distance of the constant that it loads from the code; 0: none */
	uint8_t data_size;
};

#endif
