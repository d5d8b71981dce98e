// SPDX-License-Identifier: GPL-2.0-or-later
/* Messages of the runtime, which are part of the output. */
#include "message.h"

#include "context.h"

void tap_message(u32 kind, const char *format, ...)
{
	struct tap_frame *f = tap_frame_take(NULL);
	va_list args;
	int n;

	if (!f)
		return;
	va_start(args, format);
	n = vscnprintf(f->message, sizeof(f->message), format, args);
	va_end(args);
	tap_print_text(&f->c, kind, (struct tap_string){ f->message, n });
	tap_frame_give(f);
}
