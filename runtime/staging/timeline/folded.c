// SPDX-License-Identifier: GPL-2.0-or-later
/* Folded stacks, as flamegraph.pl, speedscope and others read them: a line for each, with the sum of its counts. */
#include "format.h"

static void folded_tail(struct timeline *t)
{
	char text[24];

	for (size_t i = 0; i < t->stacks.count; i++) {
		const struct stack *s = t->stacks.all[i];

		bytes_add(&t->out, s->frames, s->size);
		snprintf(text, sizeof(text), " %llu\n", (unsigned long long)s->count);
		bytes_text(&t->out, text);
	}
}

const struct timeline_format timeline_folded = { .name = "folded", .is_profile = true, .tail = folded_tail };
