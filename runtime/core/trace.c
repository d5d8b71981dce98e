/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/trace.h"

struct place {
	char *at, *end;
};

static void write_text(struct place *p, const char *s)
{
	while (*s && p->at < p->end)
		*p->at++ = *s++;
}

static void write_number(struct place *p, u32 n)
{
	char digits[12], *first = digits + sizeof(digits);

	*--first = 0;
	do
		*--first = (char)('0' + n % 10);
	while (n /= 10);
	write_text(p, first);
}

u32 tap_trace_text(const struct tap_trace *t, char *text, u32 room)
{
	struct place p = { text, text + room };

	for (u32 i = 0; i < t->n && i < TAP_TRACE; i++) {
		write_text(&p, ", in ");
		write_text(&p, t->calls[i]);
		if (t->times[i] > 1) {
			write_text(&p, " (");
			write_number(&p, t->times[i]);
			write_text(&p, " times)");
		}
	}
	if (t->n > TAP_TRACE)
		write_text(&p, ", ...");
	return (u32)(p.at - text);
}
