/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Determines which call entered a function. From any context. */
#ifndef TAP_CALLER_H
#define TAP_CALLER_H

#include "session.h"

struct pt_regs;

/* Whether the function of the kernel or a module that REGS are in, at the instruction AT, was called by one of
 * CALLERS, whose addresses are relative to BASE. BACK: tap_return_address(), or 0 if it is not at its entry. */
bool tap_is_called(const struct tap_callers *callers, unsigned long base, struct pt_regs *regs, unsigned long at,
		   unsigned long back);
/* The same for a process and a single call, which returns to BACK. */
bool tap_is_called_by(const struct tap_callers *callers, unsigned long base, unsigned long back);

#endif
