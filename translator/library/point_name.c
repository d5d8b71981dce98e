/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Matches probe points with names, word by word. A component with an argument matches only words that take one.
 * "**" also matches dots: "sys**open" matches "syscall.open"; of the words that one component matches, only
 * the last may take the argument. A "*" in a name matches any word without an argument; a pattern there is left
 * for the family to apply. */
#include "point_name.h"

#include <string.h>

#include "base/text.h"
#include "base/util.h"

enum { MOST_WORDS = 101 };		/* a point has at most 100 components */

/* A word of a dotted name, and the part of the point that matches it. */
struct word {
	const char *name, *argument;	/* "string", "number", or NULL */
	const struct point_component *taker;
	const char *pattern, *end;	/* the part of the taker's name that matches */
	bool is_last;			/* the last word of the taker: gets the argument */
};

struct match {
	struct arena *arena;
	const struct point *point;
	struct word words[MOST_WORDS];
	size_t n;
	bool prefix;
	size_t used;
	char buffer[256];		/* storage for the words */
};

/* Splits "timer.ms(number)" into words. It overwrites DOTTED. */
static void split_dotted(struct match *m, char *dotted)
{
	m->n = 0;
	while (*dotted && m->n < MOST_WORDS) {
		struct word *w = &m->words[m->n++];
		char *end = dotted + strcspn(dotted, ".(");

		*w = (struct word){ .name = dotted };
		if (*end == '(') {
			*end++ = '\0';
			w->argument = end;
			end += strcspn(end, ")");
			*end++ = '\0';
		}
		dotted = *end ? end + 1 : end;
		*end = '\0';
	}
}

/* Does PATTERN, up to END, match the NAME of a word? */
static bool fits_name(struct match *m, const char *pattern, const char *end, const char *name)
{
	if (str_equal(name, "*"))
		return true;
	if (*end)
		pattern = arena_strndup(m->arena, pattern, (size_t)(end - pattern));
	return strchr(pattern, '*') ? glob_match(pattern, name) : str_equal(pattern, name);
}

/* Matches PATTERN, up to END, with the word W; IS_LAST: W is the component's last word and takes its argument. */
static bool take_word(struct match *m, struct word *w, const struct point_component *c, const char *pattern,
		      const char *end, bool is_last)
{
	bool with_argument = is_last && c->has_argument;

	if (with_argument != (w->argument != NULL) ||
	    (with_argument && c->is_string != str_equal(w->argument, "string")))
		return false;
	w->taker = c;
	w->pattern = pattern;
	w->end = end;
	w->is_last = is_last;
	return fits_name(m, pattern, end, w->name);
}

/* Do the words from AT on match the components from FIRST on? PATTERN is the rest of the name of the first
 * component. */
static bool words_match(struct match *m, size_t at, size_t first, const char *pattern)
{
	const struct point_component *c = &m->point->components.items[first];
	size_t n = m->point->components.n;
	bool is_end = at + 1 == m->n;

	if (take_word(m, &m->words[at], c, pattern, pattern + strlen(pattern), true)) {
		m->used = first + 1;
		if (is_end ? m->prefix || first + 1 == n :
			     first + 1 < n && words_match(m, at + 1, first + 1, c[1].name))
			return true;
	}
	for (const char *stars = is_end ? NULL : strstr(pattern, "**"); stars; stars = strstr(stars + 2, "**"))
		if (take_word(m, &m->words[at], c, pattern, stars + 2, false) &&
		    words_match(m, at + 1, first, stars))
			return true;
	return false;
}

static bool fits(struct match *m, struct arena *a, const struct point *p, const char *dotted, bool prefix)
{
	size_t size = strlen(dotted) + 1;

	m->arena = a;
	m->point = p;
	m->prefix = prefix;
	split_dotted(m, memcpy(size > sizeof(m->buffer) ? arena_alloc(a, size) : m->buffer, dotted, size));
	return m->n && p->components.n && words_match(m, 0, 0, p->components.items[0].name);
}

bool point_name_fits(struct arena *a, const struct point *p, const char *dotted, bool prefix,
		     size_t *used)
{
	struct match m;

	if (!fits(&m, a, p, dotted, prefix))
		return false;
	*used = m.used;
	return true;
}

/* The part of the pattern that matched W, with each run of stars as one: families do not support "**". */
static const char *left_pattern(struct arena *a, const struct word *w)
{
	struct text t;

	text_init(&t, a);
	for (const char *p = w->pattern; p < w->end; p++)
		if (*p != '*' || !t.n || t.s[t.n - 1] != '*')
			text_char(&t, *p);
	return t.s;
}

static struct point_component meant_component(struct arena *a, const struct word *w)
{
	struct point_component c = { .span = w->taker->span };

	if (w->is_last)
		c = *w->taker;
	c.name = str_equal(w->name, "*") ? left_pattern(a, w) : arena_strdup(a, w->name);
	return c;
}

const struct point *point_name_meant(struct arena *a, const struct point *p, const char *dotted, bool prefix,
				     size_t *used)
{
	struct point *meant;
	bool is_wild = false;
	struct match m;

	if (!fits(&m, a, p, dotted, prefix))
		return NULL;
	*used = m.used;
	for (size_t i = 0; i < m.used; i++)
		is_wild |= strchr(p->components.items[i].name, '*') != NULL;
	if (!is_wild)
		return p;
	meant = arena_new(a, struct point);
	*meant = *p;
	meant->components.items = NULL;
	meant->components.n = meant->components.room = 0;
	for (size_t i = 0; i < m.n; i++)
		*vec_add(a, &meant->components) = meant_component(a, &m.words[i]);
	for (size_t i = m.used; i < p->components.n; i++)
		*vec_add(a, &meant->components) = p->components.items[i];
	return meant;
}
