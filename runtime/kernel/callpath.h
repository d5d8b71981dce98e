/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Call paths of threads, to find the function in which an error began: for tapset functions. From any handler, but
 * those of interrupts do not see a path. */
#ifndef TAP_CALLPATH_H
#define TAP_CALLPATH_H

#include "session.h"

enum { TAP_CALLPATH_SLOW = 4096 };	/* instead of an error number: the call took long */

/* The current thread enters a system call: its calls are followed from now on, until tap_callpath_forget. False: too
 * many threads are followed. */
bool tap_callpath_begin(struct tap_context *c);
/* Its system call is over. */
void tap_callpath_end(struct tap_context *c);
void tap_callpath_forget(struct tap_context *c);

/* At the entry of a kernel function, in the entry part of a probe of its return; elsewhere it does nothing. The result
 * is for tap_callpath_leave. SLOW: 0 if errors are searched, otherwise the ns from which on a call is slow; the same
 * for all. From then on the probe's row follows only these threads: other returns are not reported, nor are those of
 * calls that are neither, if the ticket is the only data of the entry. */
s64 tap_callpath_enter(struct tap_context *c, s64 slow);
/* At the return. Returns the error that the function returned, TAP_CALLPATH_SLOW, or 0. */
s64 tap_callpath_leave(struct tap_context *c, s64 ticket, s64 value);

/* Chooses the last chain of calls that ended with this error, or with any one if the system call was refused before it
 * began. Returns how many calls it has; the functions below count them from 0, the innermost one. */
s64 tap_callpath_find(struct tap_context *c, s64 error);
struct tap_string tap_callpath_function(struct tap_context *c, s64 i);
struct tap_string tap_callpath_arguments(struct tap_context *c, s64 i);
/* The address that call I returned to; 0: it was a tail call. */
s64 tap_callpath_caller(struct tap_context *c, s64 i);
s64 tap_callpath_error(struct tap_context *c, s64 i);		/* as tap_callpath_leave */
s64 tap_callpath_ns(struct tap_context *c, s64 i);		/* how long it took */
/* How many returns of this system call were not seen: the chain may lack functions. */
s64 tap_callpath_gaps(struct tap_context *c);
s64 tap_callpath_missed_threads(void);

#endif
