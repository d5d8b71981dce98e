/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The arguments of a script are text that only the command line has, so what is checked without running it gets others:
 * numbers, and names where only a name can be. */
#include "stand_in.h"

#include <ctype.h>
#include <stdlib.h>

#include "source/options.h"

static bool is_name_here(const piece_list *pieces, size_t i)
{
	int before = i ? pieces->items[i - 1].kind : TOKEN_END, after = pieces->items[i + 1].kind;

	return before == TOKEN_PROBE || before == TOKEN_DOT || before == TOKEN_ARROW || before == TOKEN_FUNCTION ||
	       before == TOKEN_GLOBAL || after == TOKEN_DOT || after == TOKEN_ASSIGN || after == TOKEN_LPAREN ||
	       after == TOKEN_LBRACKET || after == TOKEN_ARROW || after == TOKEN_INCREMENT;
}

void stand_ins_set(struct options *o, struct arena *a, const piece_list *pieces)
{
	enum { MOST = 1000 };

	o->args.n = 0;
	for (size_t i = 0; i + 1 < pieces->n; i++) {
		const struct piece *p = &pieces->items[i];
		unsigned long n;

		if (p->kind != TOKEN_ARG_TEXT && p->kind != TOKEN_ARG_STRING)
			continue;
		n = strtoul(p->text + 1, NULL, 10);
		while (o->args.n < n && o->args.n < MOST)
			*vec_add(a, &o->args) = "1";
		if (p->kind == TOKEN_ARG_TEXT && n && n <= MOST && is_name_here(pieces, i))
			o->args.items[n - 1] = "x";
	}
}

bool stand_in_is_named(const char *text, const char *end)
{
	for (; text + 1 < end; text++)
		if ((*text == '$' || *text == '@') && (text[1] == '#' || isdigit((unsigned char)text[1])))
			return true;
	return false;
}
