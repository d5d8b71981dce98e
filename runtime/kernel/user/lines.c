// SPDX-License-Identifier: GPL-2.0-or-later
/* Source lines in user space. There are many, so the daemon only reads them for scripts that need them: it knows
 * from the presence of this file in the module. */
#include "lines.h"

#include "services.h"

struct tap_string tap_user_source(struct tap_context *c, u64 address, enum tap_user_style style)
{
	return tap_user_text(c, address, style);
}

void tap_user_stack_print_lines(struct tap_context *c, const struct tap_user_stack *s)
{
	tap_user_stack_print(c, s, TAP_STYLE_LINES);
}

const struct tap_service tap_lines_service = { .wants_lines = true };
