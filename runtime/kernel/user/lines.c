// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines of sources in user space. They are many, so the daemon reads them for scripts only that ask for some: that
 * this file is a part of the module is how it knows. */
#include "unwind.h"

bool tap_user_wants_lines(void)
{
	return true;
}

struct tap_string tap_user_source(struct tap_context *c, u64 address, enum tap_user_style style)
{
	return tap_user_text(c, address, style);
}

void tap_user_stack_print_lines(struct tap_context *c, const struct tap_user_stack *s)
{
	tap_user_stack_print(c, s, TAP_STYLE_LINES);
}
