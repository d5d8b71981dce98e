/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses "FUNCTION", "FUNCTION@FILE", "FUNCTION@FILE:LINES" and "FUNCTION@FILE+LINES". LINES is "*", or
 * numbers and ranges separated by commas. The name of a file may also contain '+' and ':'; the text after the last
 * of them is LINES only if it looks like lines. */
#include "place_spec.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"

static bool parse_number(const char **p, unsigned *n)
{
	char *end;
	unsigned long v;

	if (**p < '0' || **p > '9')
		return false;
	errno = 0;
	v = strtoul(*p, &end, 10);
	*p = end;
	*n = (unsigned)v;
	return !errno && v < INT_MAX;
}

static bool parse_range(const char **p, struct place_lines *l)
{
	if (!parse_number(p, &l->first))
		return false;
	l->last = l->first;
	if (**p != '-')
		return true;
	++*p;
	return parse_number(p, &l->last) && l->last >= l->first;
}

static bool parse_lines(struct arena *a, const char *p, struct place_spec *spec)
{
	if (str_equal(p, "*")) {
		*vec_add(a, &spec->lines) = (struct place_lines){ 0, INT_MAX };
		return true;
	}
	do
		if (!parse_range(&p, vec_add(a, &spec->lines)))
			return false;
	while (*p++ == ',');
	return !p[-1];
}

/* The start of the lines, after the last ':' or '+' before digits; or NULL. */
static const char *find_lines(const char *file)
{
	const char *p = file + strlen(file);

	while (p > file && strchr("0123456789,-*", p[-1]))
		p--;
	return *p && p > file && (p[-1] == ':' || p[-1] == '+') ? p : NULL;
}

bool place_spec_parse(struct arena *a, const char *text, struct place_spec *spec, const char **reason)
{
	const char *at = strchr(text, '@'), *lines;

	*spec = (struct place_spec){ .function = text };
	*reason = "expected \"function\", \"function@file\" or \"function@file:line\"";
	if (!*text || at == text || (at && !at[1]))
		return false;
	if (!at)
		return true;
	spec->function = arena_strndup(a, text, (size_t)(at - text));
	spec->file = at + 1;
	lines = find_lines(spec->file);
	if (!lines)
		return true;
	spec->relative = lines[-1] == '+';
	*reason = arena_printf(a, "'%s' is not a list of lines: expected 10, 10-20, 10,15-20 or *", lines);
	if (!parse_lines(a, lines, spec))
		return false;
	/* also accept "file:+3" */
	for (lines--; lines > spec->file && strchr(":+", lines[-1]);)
		lines--;
	spec->file = arena_strndup(a, spec->file, (size_t)(lines - spec->file));
	return *spec->file;
}

bool place_spec_is_wild(const struct place_spec *spec)
{
	return is_glob(spec->function) || (spec->file && is_glob(spec->file)) || spec->lines.n > 1 ||
	       (spec->lines.n && spec->lines.items[0].first != spec->lines.items[0].last);
}
