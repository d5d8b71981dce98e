/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sprintf and histograms as strings. A separate file, so that modules without them have no formats. */
#include "core/format.h"
#include "core/hist.h"
#include "core/scratch.h"

static u32 size_before_nul(const char *text, u32 size)
{
	const char *nul = size ? __builtin_memchr(text, 0, size) : NULL;

	return nul ? (u32)(nul - text) : size;
}

/* %c, %b and %m can write any byte, but a string ends at its first NUL. */
struct tap_string tap_sprintf(struct tap_context *c, const char *format, const union tap_value *args)
{
	u64 size = tap_string_limit() - 1;
	char *text;

	text = tap_room_for(c, &size);
	if (!text)
		return TAP_EMPTY;
	return tap_room_finish(c, text, size_before_nul(text, tap_format_values(text, (u32)size + 1, format, args)));
}

struct tap_string tap_sprint_hist(struct tap_context *c, const struct tap_stat *s,
				  const struct tap_hist_shape *h, bool newline)
{
	const struct tap_hist_style style = { false, tap_script.limits.hist_elision };
	u64 size = tap_string_limit() - 1;
	char *text = tap_room_for(c, &size);
	struct tap_writer w;

	if (!text)
		return TAP_EMPTY;
	w = (struct tap_writer){ text, text, text + size, NULL };
	if (s)
		tap_hist_print(&w, h, style, s);
	if (newline)
		tap_write_byte(&w, '\n');
	return tap_room_finish(c, text, (u32)(w.at - text));
}
