/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's own work for a breakpoint or a return takes much longer than a short handler. With probes on all
 * functions nothing else may be done: an interrupt that takes longer than the period of the tick has no end. So this
 * work counts as the probe's time. (That of ftrace's callbacks does not: an entry costs less than a call of most
 * functions, and so does a return that is not wanted.) */
#ifndef TAP_TOLL_H
#define TAP_TOLL_H

#include "rows.h"

struct pt_regs;

/* Measures what the machine takes for a breakpoint. Before any hit. */
void tap_toll_measure(void);
/* After a breakpoint's hit of ROW at the level of COUNT, a value of preempt_count(). */
void tap_toll_breakpoint(struct tap_row *row, u32 count);
/* The kernel's work for a return of ROW by ftrace that took TIME, in tap_cycles. In the caller's frame. */
void tap_toll_return(struct tap_row *row, u32 time);

#endif
