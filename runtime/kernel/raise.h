/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that scripts send to the current thread. */
#ifndef TAP_RAISE_H
#define TAP_RAISE_H

struct tap_context;

/* Sends it as soon as possible. Returns NULL, or the reason why it cannot be sent. */
const char *tap_raise(struct tap_context *c, int signal);

#endif
