/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions that a function calls. */
#ifndef TAPC_DEBUGINFO_DWARF_CALLEE_H
#define TAPC_DEBUGINFO_DWARF_CALLEE_H

#include "debuginfo/place.h"

/* A function that another one calls, or that is inlined into it. */
struct debug_callee {
	struct debug_place place;	/* the entry; if inlined, the inlined copy */
	bool is_called, is_jump;	/* jump: at the end of the caller, so it returns to the caller's caller */
	const char *section;		/* called: where the call returns to, as in debug_place; */
	int64_t returns_to;		/* jump: the caller's entry */
};
typedef VEC(struct debug_callee) debug_callees;

/* Callees of the (inlined) function at P that match PATTERN, one for each call; the same place may
 * occur several times. */
enum debuginfo_answer debuginfo_callees(const struct debug_place *p, const char *pattern, debug_callees *out);

#endif
