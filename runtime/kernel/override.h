/* SPDX-License-Identifier: GPL-2.0-or-later */
/* override(): functions that are skipped; see override.c. */
#ifndef TAP_OVERRIDE_H
#define TAP_OVERRIDE_H

#include <linux/ptrace.h>

void tap_return_at_once(void);

/* Whether the handler called override(). Then the probe must not continue with the function. */
static inline bool tap_is_overridden(struct pt_regs *regs)
{
	return instruction_pointer(regs) == (unsigned long)tap_return_at_once;
}

/* Called after the last probe that may override has been removed: waits until no task executes our code any more. */
void tap_overrides_end(void);

#endif
