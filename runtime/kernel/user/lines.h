/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source lines in user space. A script that calls one of these makes the daemon read them. */
#ifndef TAP_LINES_H
#define TAP_LINES_H

#include "unwind.h"

struct tap_string tap_user_source(struct tap_context *c, u64 address, enum tap_user_style style);
void tap_user_stack_print_lines(struct tap_context *c, const struct tap_user_stack *s);

#endif
