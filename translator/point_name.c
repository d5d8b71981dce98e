/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a probe point fit a name? Word by word; "**" takes one word or more, and a name's "*" is any word
 * without an argument. */
#include "point_name.h"

#include <string.h>

#include "util.h"

/* Dotted names as arrays of words. */
static name_list split_dotted(struct arena *a, const char *dotted)
{
	name_list words = { 0 };

	while (*dotted) {
		size_t n = 0;
		int depth = 0;

		while (dotted[n] && (depth || dotted[n] != '.')) {
			depth += dotted[n] == '(';
			depth -= dotted[n] == ')';
			n++;
		}
		*vec_add(a, &words) = arena_strndup(a, dotted, n);
		dotted += n + (dotted[n] == '.');
	}
	return words;
}

static bool component_matches(const struct point_component *c, const char *word)
{
	size_t n = strcspn(word, "(");
	const char *argument = word + n;
	char name[128];

	if (str_equal(word, "*"))
		return !c->has_argument;
	if (n >= sizeof(name))
		return false;
	memcpy(name, word, n);
	name[n] = '\0';
	if (!(is_glob(c->name) ? glob_match(c->name, name) : str_equal(c->name, name)))
		return false;
	if (!*argument)
		return !c->has_argument;
	return c->has_argument && c->is_string == str_equal(argument, "(string)");
}

/* Do WORDS fit the point's components from FIRST on? "**" stands for one component or more. USED: how
 * many components they take (all, unless PREFIX). */
static bool words_match(const struct point *p, size_t first, const char *const *words, size_t n,
			bool prefix, size_t *used)
{
	const struct point_component *c;

	if (n == 0) {
		*used = first;
		return prefix || first == p->components.n;
	}
	if (first == p->components.n)
		return false;
	c = &p->components.items[first];
	if (str_equal(c->name, "**") && !c->has_argument)
		return words_match(p, first + 1, words + 1, n - 1, prefix, used) ||
		       words_match(p, first, words + 1, n - 1, prefix, used);
	return component_matches(c, words[0]) &&
	       words_match(p, first + 1, words + 1, n - 1, prefix, used);
}

bool point_name_fits(struct arena *a, const struct point *p, const char *dotted, bool prefix,
		     size_t *used)
{
	name_list words = split_dotted(a, dotted);

	return words_match(p, 0, words.items, words.n, prefix, used);
}
