/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The places of arguments and results of Go's functions. */
#ifndef TAPC_DEBUGINFO_GO_H
#define TAPC_DEBUGINFO_GO_H

#include "debuginfo/place.h"

/* A parameter or result, in the order of the declaration; arguments are before results. */
struct go_value {
	const struct debug_type *type;
	bool is_result;
	/* Where debug information has it at the entry; NOWHERE: not known. It shows where values are that debug
	 * information omits: those named "_". */
	struct location hint;
	struct location location;	/* an argument's at the entry, a result's at the return: the output */
};
typedef VEC(struct go_value) go_values;

/* IN_REGISTERS: by Go's ABIInternal; otherwise by ABI0, with all values on the stack. */
void go_places(struct debuginfo *d, bool in_registers, go_values *values);

#endif
