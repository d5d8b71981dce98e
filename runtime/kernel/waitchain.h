/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What threads wait for while they are off the CPU, and what those that wake them up had waited for. From any
 * handler. */
#ifndef TAP_WAITCHAIN_H
#define TAP_WAITCHAIN_H

#include "session.h"
#include "services.h"

/* From now on the time of threads is added up by chains: of the process PID; if 0, of the target and its
 * descendants; or of all. Those of this NAME only; "": any. Waits of less than LEAST ns are one chain per thread
 * name. Not in handlers of interrupts. */
void tap_waitchain_start(struct tap_context *c, s64 pid, struct tap_string name, s64 least);
/* No more; what threads do now is over. */
void tap_waitchain_finish(struct tap_context *c);
/* Events that were not recorded: no room for the thread, or its record was in use. */
s64 tap_waitchain_missed(void);

/* Whether the time of TASK is added up. */
bool tap_waitchain_follows(s64 task);
/* In a handler of sched_switch: the chains of the wait after which TASK, which the CPU switches to, runs. How many
 * pieces it has; 0: it did not sleep, or is not followed. */
s64 tap_waitchain_pieces(s64 task);
s64 tap_waitchain_piece_chain(s64 task, s64 i);
s64 tap_waitchain_piece_ns(s64 task, s64 i);
s64 tap_waitchain_piece_ago(s64 task, s64 i);	/* ns since its end */

#endif
