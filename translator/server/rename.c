/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Uses are tokens: macros and branches of conditions that are not taken are included. A name whose meaning the document
 * does not decide alone is refused. */
#include "rename.h"

#include <string.h>

#include "base/arena.h"
#include "focus.h"
#include "library/library.h"
#include "meaning/resolve.h"
#include "points/family.h"
#include "scan.h"
#include "syntax/print_op.h"
#include "tools/manual.h"

/* A name and the declarations in which it means the same. */
struct subject {
	struct question *question;
	struct scan scan;
	size_t token;
	const char *name;
	enum use use;
	const struct declaration *declaration;
	enum { SCOPE_FILE, SCOPE_DECLARATION, SCOPE_PROBES } scope;
};

static bool refuse(struct subject *s, const char *text)
{
	s->question->code = RPC_REQUEST_FAILED;
	s->question->error = text;
	return false;
}

/* ---- which uses ---- */

static bool is_in_scope(const struct subject *s, const struct declaration *d)
{
	if (s->use == USE_FUNCTION)
		return true;
	switch (s->scope) {
	case SCOPE_DECLARATION: return d == s->declaration;
	case SCOPE_PROBES: return d->kind == TOKEN_PROBE;
	case SCOPE_FILE: return d->kind != TOKEN_FUNCTION || !scan_has_parameter(&s->scan, d, s->name);
	}
	return false;
}

static bool is_named(const struct subject *s, size_t token, const char *name)
{
	return scan_use(&s->scan, token) == s->use && str_equal(s->scan.tokens.items[token].text, name);
}

/* Calls VISIT for each use of NAME in the scope; returns their number. */
static size_t each_use(const struct subject *s, const char *name,
		       void (*visit)(const struct subject *, size_t, json_t *), json_t *list)
{
	size_t n = 0;

	vec_each(d, &s->scan.declarations)
		for (size_t i = d->first; is_in_scope(s, d) && i < d->end; i++)
			if (is_named(s, i, name)) {
				n++;
				if (visit)
					visit(s, i, list);
			}
	return n;
}

/* Is it a local variable of an alias, and so of all probes that use the alias? */
static bool is_of_alias(const struct subject *s)
{
	vec_each(d, &s->scan.declarations)
		if (d->kind == TOKEN_PROBE && d->equals != NO_TOKEN && scan_local(&s->scan, d, s->name) != NO_TOKEN)
			return true;
	return false;
}

static bool find_subject(struct subject *s, struct question *q)
{
	const struct declaration *d;

	*s = (struct subject){ .question = q };
	scan_text(&s->scan, q->arena, q->document->lines.text, q->document->lines.size);
	s->token = scan_word_at(&s->scan, q->at);
	s->use = s->token == NO_TOKEN ? USE_NONE : scan_use(&s->scan, s->token);
	if (s->use == USE_NONE)
		return refuse(s, "this is not the name of a variable or a function of the script");
	s->name = s->scan.tokens.items[s->token].text;
	s->declaration = d = scan_declaration(&s->scan, s->token);
	if (!d)
		return refuse(s, "this is not the name of a variable or a function of the script");
	if (s->use == USE_FUNCTION || (d->kind == TOKEN_FUNCTION && scan_has_parameter(&s->scan, d, s->name)))
		s->scope = s->use == USE_FUNCTION ? SCOPE_FILE : SCOPE_DECLARATION;
	else if (scan_global(&s->scan, s->name) != NO_TOKEN)
		s->scope = SCOPE_FILE;
	else
		s->scope = d->kind == TOKEN_PROBE && is_of_alias(s) ? SCOPE_PROBES : SCOPE_DECLARATION;
	return true;
}

/* ---- may it be renamed? ---- */

static bool is_local(const struct subject *s)
{
	return s->use == USE_VARIABLE && s->scope != SCOPE_FILE;
}

static bool is_parameter(const struct subject *s)
{
	return s->declaration->kind == TOKEN_FUNCTION && scan_has_parameter(&s->scan, s->declaration, s->name);
}

static bool is_in_macro(const struct subject *s)
{
	vec_each(d, &s->scan.declarations)
		if (d->kind == TOKEN_AT && d != s->declaration && scan_local(&s->scan, d, s->name) != NO_TOKEN)
			return true;
	return false;
}

/* STAP_ARG_x, STAP_GLOBAL_GET_x, pragma:read:x */
static bool is_in_c(const struct subject *s)
{
	size_t n = strlen(s->name);

	vec_each(t, &s->scan.tokens)
		for (const char *p = t->kind == TOKEN_EMBEDDED ? strstr(t->text, s->name) : NULL; p;
		     p = strstr(p + 1, s->name))
			if (p > t->text && (p[-1] == '_' || p[-1] == ':') && !is_identifier_char(p[n]))
				return true;
	return false;
}

/* What a local variable is in the resolved document: its own, or one of an alias or the family of its probe. */
static bool is_of_library(struct subject *s, struct program *p)
{
	struct found_expr found;

	if (!p || !focus_find(s->question, p, s->scan.tokens.items[s->token].span.start, &found))
		return false;
	if (found.expr->kind == EXPR_TARGET)
		return true;
	return found.expr->kind == EXPR_NAME && found.expr->name.variable &&
	       span_written(found.expr->name.variable->span).source->text != s->question->document->lines.text;
}

static bool may_rename(struct subject *s, struct program **program)
{
	struct arena *a = s->question->arena;
	struct library *lib = s->question->analyst->library(s->question->analyst->data);

	*program = NULL;
	if (s->use == USE_FUNCTION && !scan_named(&s->scan, TOKEN_FUNCTION, s->name))
		return refuse(s, arena_printf(a, "the script does not define the function '%s'", s->name));
	if (is_in_c(s))
		return refuse(s, arena_printf(a, "C code of the script uses '%s'", s->name));
	if (!is_local(s) || is_parameter(s))
		return true;
	if (s->declaration->kind == TOKEN_AT)
		return refuse(s, arena_printf(a, "what '%s' is depends on where the macro is used", s->name));
	if (is_in_macro(s))
		return refuse(s, arena_printf(a, "a macro of the script uses '%s'", s->name));
	if (library_global(lib, s->name, &s->scan.source))
		return refuse(s, arena_printf(a, "'%s' is a variable of the library", s->name));
	*program = focus_document(s->question);
	if (is_of_library(s, *program))
		return refuse(s, arena_printf(a, "'%s' is a variable of the probe point", s->name));
	return true;
}

/* ---- is the new name free? ---- */

static bool is_name(struct subject *s, const char *name)
{
	struct scan other;

	scan_text(&other, s->question->arena, name, strlen(name));
	return other.tokens.n == 2 && token_is(&other, 0, TOKEN_NAME) && !strchr(name, '$') &&
	       other.tokens.items[0].span.end == strlen(name);
}

static bool is_built_in(struct arena *a, const char *name)
{
	name_list names = { 0 };

	print_op_names(a, &names);
	vec_each(n, &names)
		if (str_equal(*n, name))
			return true;
	return false;
}

/* A variable of the aliases, or the family, of a probe. */
static bool is_of_handler(const struct subject *s, const struct program *p, const char *name)
{
	if (!p)
		return false;
	vec_each(h, &p->handlers) {
		vec_each(v, &(*h)->locals)
			if (str_equal((*v)->name, name))
				return true;
		vec_each(site, &(*h)->sites)
			if (site->family->offers && site->family->offers(site, name, s->question->arena))
				return true;
	}
	return false;
}

static bool is_free(struct subject *s, const char *name)
{
	struct arena *a = s->question->arena;
	struct library *lib = s->question->analyst->library(s->question->analyst->data);
	bool taken;

	if (!is_name(s, name))
		return refuse(s, arena_printf(a, "'%s' cannot be a name", name));
	if (s->use == USE_FUNCTION)
		taken = scan_named(&s->scan, TOKEN_FUNCTION, name) || is_built_in(a, name) ||
			library_functions(lib, name, &s->scan.source);
	else
		taken = each_use(s, name, NULL, NULL) || scan_global(&s->scan, name) != NO_TOKEN ||
			library_global(lib, name, &s->scan.source);
	return !taken || refuse(s, arena_printf(a, "'%s' has a meaning already", name));
}

/* ---- answers ---- */

static json_t *range_of(const struct subject *s, size_t token)
{
	const struct token *t = &s->scan.tokens.items[token];

	return lines_range(&s->question->document->lines, t->span.start, t->span.end);
}

static void add_location(const struct subject *s, size_t token, json_t *list)
{
	json_array_append_new(list, json_pack("{s:s, s:o}", "uri", s->question->document->uri, "range",
					      range_of(s, token)));
}

static void add_highlight(const struct subject *s, size_t token, json_t *list)
{
	json_array_append_new(list, json_pack("{s:o}", "range", range_of(s, token)));
}

static json_t *uses(struct question *q, void (*visit)(const struct subject *, size_t, json_t *))
{
	json_t *list = json_array();
	struct subject s;

	if (find_subject(&s, q))
		each_use(&s, s.name, visit, list);
	q->error = NULL;
	return list;
}

json_t *references_answer(struct question *q)
{
	return uses(q, add_location);
}

json_t *highlight_answer(struct question *q)
{
	return uses(q, add_highlight);
}

json_t *prepare_rename_answer(struct question *q)
{
	struct program *p;
	struct subject s;

	if (!find_subject(&s, q) || !may_rename(&s, &p))
		return NULL;
	return json_pack("{s:o, s:s}", "range", range_of(&s, s.token), "placeholder", s.name);
}

json_t *rename_answer(struct question *q)
{
	const char *name = json_string_value(json_object_get(q->params, "newName"));
	json_t *edits = json_array(), *edit;
	struct program *p;
	struct subject s;
	size_t i;

	if (!name) {
		q->code = RPC_INVALID_PARAMS;
		q->error = "params.newName is not a string";
		return NULL;
	}
	if (!find_subject(&s, q) || !is_free(&s, name) || !may_rename(&s, &p))
		return NULL;
	if (s.use == USE_VARIABLE && is_of_handler(&s, p, name)) {
		refuse(&s, arena_printf(q->arena, "'%s' has a meaning already", name));
		return NULL;
	}
	each_use(&s, s.name, add_highlight, edits);
	json_array_foreach(edits, i, edit)
		json_object_set_new(edit, "newText", json_string(name));
	return json_pack("{s:{s:o}}", "changes", q->document->uri, edits);
}
