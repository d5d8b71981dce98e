/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which call entered a function? From any context. */
#ifndef TAP_CALLER_H
#define TAP_CALLER_H

#include "session.h"

struct pt_regs;

/* Is the kernel's, or a module's, function that REGS are in, at the instruction AT, called by one of CALLERS,
 * which count from BASE? BACK: where it returns to, tap_return_address(); 0: it is not at its entry. */
bool tap_is_called(const struct tap_callers *callers, unsigned long base, struct pt_regs *regs, unsigned long at,
		   unsigned long back);
/* The same of a process, of one call, which returns to BACK. */
bool tap_is_called_by(const struct tap_callers *callers, unsigned long base, unsigned long back);

#endif
