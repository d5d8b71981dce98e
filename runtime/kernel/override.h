/* SPDX-License-Identifier: GPL-2.0-or-later */
/* override(): functions that are left out; see override.c. */
#ifndef TAP_OVERRIDE_H
#define TAP_OVERRIDE_H

#include <linux/ptrace.h>

void tap_return_at_once(void);

/* Has the handler said so? Then the probe must not go on with the function. */
static inline bool tap_is_overridden(struct pt_regs *regs)
{
	return instruction_pointer(regs) == (unsigned long)tap_return_at_once;
}

/* After the last probe that may override has gone: nobody is on the way through our text any more. */
void tap_overrides_end(void);

#endif
