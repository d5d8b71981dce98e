/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shapes of families, and the aliases of the library and of the document, are names such as
 * "timer.ms(number).randomize(number)". What has been typed selects those whose first components fit; their next one is
 * proposed. Where that is a pattern ("syscall.*"), or a string, the point is resolved with a wildcard, and its places
 * say what the names are. */
#include "points.h"

#include <glob.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/text.h"
#include "focus.h"
#include "library/library.h"
#include "points/family.h"
#include "syntax/print.h"
#include "tools/manual.h"

enum { MOST_PLACES = 20000, MOST_FILES = 200 };

const char *point_written(const struct scan *s, struct arena *a, size_t first, size_t end)
{
	uint32_t from = s->tokens.items[first].span.start;

	return end > first ? arena_strndup(a, s->source.text + from, s->tokens.items[end - 1].span.end - from) : "";
}

/* The components before the cursor, each with the kind of its argument: "timer.ms(number)." */
static const char *shape_so_far(const struct proposals *p, const struct scan *s)
{
	size_t first = cursor_point(p->cursor, s);
	struct text t;

	text_init(&t, p->question->arena);
	for (size_t i = first; i <= p->cursor->before && p->cursor->before != NO_TOKEN; i++) {
		const struct token *token = &s->tokens.items[i];

		text_add(&t, token->kind == TOKEN_STRING || token->kind == TOKEN_ARG_STRING ? "string" :
			     token->kind == TOKEN_NUMBER || token->kind == TOKEN_ARG_TEXT ? "number" :
			     token_written(t.arena, token));
	}
	return t.s;
}

/* The end of the component at P: a dot outside of parentheses. */
static const char *component_end(const char *p)
{
	for (int depth = 0; *p && (depth || *p != '.'); p++)
		depth += (*p == '(') - (*p == ')');
	return p;
}

/* What NAME has after the components of SO_FAR, which end in a dot; NULL: it has others. A pattern fits any word. */
static const char *rest_of(const char *name, const char *so_far)
{
	while (*so_far) {
		const char *end = component_end(so_far), *name_end = component_end(name);
		bool fits = end - so_far == name_end - name && memcmp(so_far, name, (size_t)(end - so_far)) == 0;

		if (!*end || !*name_end || (!fits && *name != '*'))
			return NULL;
		so_far = end + 1;
		name = name_end + 1;
	}
	return name;
}

static void propose_component(struct proposals *p, const char *rest, const char *help)
{
	struct arena *a = p->question->arena;
	const char *name = arena_strndup(a, rest, (size_t)(component_end(rest) - rest));
	const char *parenthesis = strchr(name, '('), *typed = NULL;

	if (parenthesis)
		typed = arena_printf(a, "%.*s(%s", (int)(parenthesis - name), name,
				     str_equal(parenthesis, "(string)") ? "\"" : "");
	propose(p, PROPOSE_EVENT, RANK_LIBRARY, name, typed, help);
}

/* The name of a component of SITE as -l shows it, or its argument without the place in the source; or NULL. */
static const char *part_of(struct proposals *p, const struct site *site, size_t component, bool is_argument)
{
	struct arena *a = p->question->arena;
	const char *text = site_text(a, site), *end;

	for (; component && *text; component--) {
		text = component_end(text);
		text += *text == '.';
	}
	end = component_end(text);
	if (!is_argument)
		return end > text ? arena_strndup(a, text, (size_t)(end - text)) : NULL;
	text = memchr(text, '"', (size_t)(end - text));
	return text ? arena_strndup(a, text + 1, strcspn(text + 1, "\"@")) : NULL;
}

/* The names of the components after those that were typed, by resolving the point. */
static void propose_places(struct proposals *p, const struct scan *s, const char *points, size_t component,
			   bool is_argument)
{
	handler_list handlers = { 0 };
	size_t places = 0;

	focus_probe(p->question, s, p->cursor->declaration, points, &handlers);
	vec_each(h, &handlers)
		vec_each(site, &(*h)->sites) {
			const char *name = places++ < MOST_PLACES ? part_of(p, site, component, is_argument) : NULL;

			if (name)
				propose(p, is_argument ? PROPOSE_CONSTANT : PROPOSE_EVENT, RANK_LIBRARY, name, NULL,
					NULL);
		}
}

static size_t count_components(const char *dotted)
{
	size_t n = 0;

	for (; *dotted; dotted++, n++)
		dotted = component_end(dotted);
	return n;
}

static void propose_pattern(struct proposals *p, const struct scan *s, const char *so_far)
{
	struct arena *a = p->question->arena;
	const char *written = point_written(s, a, cursor_point(p->cursor, s), p->cursor->before + 1);

	propose_places(p, s, arena_printf(a, "%s%s*", written, p->cursor->word), count_components(so_far), false);
}

void points_propose(struct proposals *p, const struct scan *s)
{
	const struct manual *m = p->question->manual;
	const char *so_far = shape_so_far(p, s);
	bool has_pattern = false;

	vec_each(d, &s->declarations)
		if (d->kind == TOKEN_PROBE && d->equals != NO_TOKEN && d != p->cursor->declaration) {
			const char *name = point_written(s, p->question->arena, d->first + 1, d->equals);
			const char *rest = rest_of(name, so_far);

			if (rest && *rest)
				propose_component(p, rest, "probe of this script");
		}
	for (size_t i = 0; m && i < m->entries.n; i++) {
		const struct manual_entry *e = &m->entries.items[i];
		const char *name = e->kind == MANUAL_ALIAS ? e->declaration + strlen("probe ") : e->declaration, *rest;

		rest = e->kind == MANUAL_FUNCTION ? NULL : rest_of(name, so_far);
		if (!rest || !*rest)
			continue;
		if (*rest == '*')
			has_pattern = true;
		else
			propose_component(p, rest, *component_end(rest) ? NULL : e->summary);
	}
	if (has_pattern && *so_far)
		propose_pattern(p, s, so_far);
}

/* ---- strings ---- */

static void propose_files(struct proposals *p)
{
	struct arena *a = p->question->arena;
	struct stat st;
	glob_t found;

	if (glob(arena_printf(a, "%s*", p->cursor->word), GLOB_NOSORT, NULL, &found) != 0)
		return;
	for (size_t i = 0; i < found.gl_pathc && i < MOST_FILES; i++) {
		bool is_folder = stat(found.gl_pathv[i], &st) == 0 && S_ISDIR(st.st_mode);

		propose(p, PROPOSE_FILE, RANK_LIBRARY, arena_printf(a, "%s%s", found.gl_pathv[i], is_folder ? "/" : ""),
			NULL, NULL);
	}
	globfree(&found);
}

static bool is_name(const struct scan *s, size_t token, const char *name)
{
	const char *text = s->tokens.items[token].text;

	return text && str_equal(text, name);
}

void points_propose_argument(struct proposals *p, const struct scan *s)
{
	struct arena *a = p->question->arena;
	size_t first = cursor_point(p->cursor, s), before = p->cursor->before;
	const char *written = point_written(s, a, first, before + 1), *word = p->cursor->word;
	size_t component = 0;

	for (size_t i = first; i < before; i++)
		component += token_is(s, i, TOKEN_DOT);
	if (*word == '/')
		propose_files(p);
	else if (!*word && (is_name(s, before - 1, "function") || is_name(s, before - 1, "statement")))
		p->is_cut = true;	/* too many */
	else if (!strpbrk(word, "*?[\\"))
		propose_places(p, s, arena_printf(a, "%s\"%s*\")", written, word), component, true);
}
