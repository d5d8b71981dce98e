// SPDX-License-Identifier: GPL-2.0-or-later
/* Callers identified by return addresses. The first return address is where the call put it, unless something else
 * hooked the return and replaced it by a trampoline's address: the kernel's unwinder sees through that (kretprobes
 * since 5.16). The unwinder also finds the callers of callers. */
#include "caller.h"

#include <linux/ptrace.h>

#include "compat.h"
#include "stack.h"

static const struct tap_caller *caller_search(const struct tap_callers *callers, s64 at, bool is_jump)
{
	u32 from = 0, to = callers->count;

	while (from < to) {
		u32 middle = from + (to - from) / 2;
		const struct tap_caller *c = &callers->list[middle];

		if (c->at == at && c->is_jump == is_jump)
			return c;
		if (c->at < at || (c->at == at && !c->is_jump))
			from = middle + 1;
		else
			to = middle;
	}
	return NULL;
}

/* BACK: the address that the call returns to. */
static const struct tap_caller *caller_find(const struct tap_callers *callers, unsigned long base, unsigned long back,
					    unsigned long (*called_before)(unsigned long back))
{
	const struct tap_caller *c = caller_search(callers, (s64)(back - base), false);
	unsigned long function = c ? 0 : called_before(back);

	return function ? caller_search(callers, (s64)(function - base), true) : c;
}

bool tap_is_called(const struct tap_callers *callers, unsigned long base, struct pt_regs *regs, unsigned long at,
		   unsigned long back)
{
	unsigned long frames[TAP_MOST_CALLERS];
	const struct tap_caller *c = back ? caller_find(callers, base, back, tap_called_before) : NULL;
	u32 n;

	if (c && c->is_root)
		return true;
	n = tap_stack_from(regs, at, frames, callers->depth);
	for (u32 i = 0; i < n; i++) {
		c = caller_find(callers, base, frames[i], tap_called_before);
		if (!c || c->is_root)
			return c != NULL;
	}
	return false;
}

bool tap_is_called_by(const struct tap_callers *callers, unsigned long base, unsigned long back)
{
	return caller_find(callers, base, back, tap_called_before_by_user);
}
