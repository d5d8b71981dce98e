/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that scripts send to the current thread. */
#ifndef TAP_RAISE_H
#define TAP_RAISE_H

struct tap_context;

/* Sends it as soon as the kernel lets. NULL, or why it cannot be sent. */
const char *tap_raise(struct tap_context *c, int signal);
void tap_raise_open(void);	/* at load */
void tap_raise_settle(void);	/* all that is on its way is sent; no handler runs any more */

#endif
