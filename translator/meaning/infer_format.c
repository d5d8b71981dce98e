/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the arguments of printf against its format. The formats are parsed by the same code that prints them at run
 * time (runtime/core/format). */
#include "infer_format.h"

#include "core/format.h"
#include "source/diag.h"
#include "base/text.h"

/* Walks through the directives. VALUES is the number of arguments that they have used so far. */
struct format_walk {
	struct tap_format_cursor cursor;
	struct tap_directive directive;
	size_t values;
};

static struct format_walk start_walk(const struct expr *print)
{
	return (struct format_walk){
		.cursor = { print->print.format, (u32)print->print.format_size, 0 } };
}

static bool walk_next(struct format_walk *w, enum tap_format_reason *reason)
{
	*reason = tap_format_next(&w->cursor, &w->directive);
	if (*reason == TAP_FORMAT_OK)
		w->values += tap_directive_values(&w->directive);
	return *reason != TAP_FORMAT_END;
}

enum type infer_format_type(const struct expr *print, size_t i)
{
	struct format_walk w = start_walk(print);
	enum tap_format_reason reason;

	while (walk_next(&w, &reason))
		if (reason == TAP_FORMAT_OK && i < w.values)
			return i == w.values - 1 && w.directive.argument == TAP_ARGUMENT_STRING ?
				       TYPE_STRING : TYPE_LONG;
	return TYPE_UNKNOWN;
}

static void complain_of_directive(struct arena *a, const struct expr *print,
				  const struct tap_directive *d, enum tap_format_reason reason)
{
	struct text text;

	text_init(&text, a);
	text_c_escape(&text, print->print.format + d->position, d->size);
	diag_error(print->print.format_span, "'%s' in the format: %s", text.s,
		   tap_format_reason_text(reason));
}

void infer_format(struct arena *a, struct expr *print, bool reporting)
{
	struct format_walk w = start_walk(print);
	enum tap_format_reason reason;
	bool good = true;

	if (!reporting)
		return;
	while (walk_next(&w, &reason)) {
		if (reason != TAP_FORMAT_OK)
			complain_of_directive(a, print, &w.directive, reason);
		good &= reason == TAP_FORMAT_OK;
	}
	if (good && w.values != print->print.args.n)
		diag_error(print->span, "the format takes %zu argument%s, but there %s %zu", w.values,
			   w.values == 1 ? "" : "s", print->print.args.n == 1 ? "is" : "are",
			   print->print.args.n);
}
