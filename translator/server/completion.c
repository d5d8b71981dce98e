/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tokens before the cursor tell what can follow. Names of the document come from its tokens, those of the library
 * from the manual; what a probe has comes from translating it. */
#include "completion.h"

#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "cursor.h"
#include "debuginfo/type.h"
#include "focus.h"
#include "library/library.h"
#include "meaning/infer.h"
#include "points.h"
#include "points/family.h"
#include "proposals.h"
#include "scan.h"
#include "syntax/preproc.h"
#include "tools/list.h"
#include "tools/manual.h"
#include "tools/manual_word.h"

/* ---- words of the language ---- */

/* The keywords from FIRST to LAST in the order of tokens.def. */
static void propose_keywords(struct proposals *p, enum token_kind first, enum token_kind last)
{
	for (enum token_kind kind = first; kind <= last; kind++)
		propose(p, PROPOSE_KEYWORD, RANK_KEYWORD, token_text(kind), NULL, NULL);
}

static void propose_declarations(struct proposals *p)
{
	propose_keywords(p, TOKEN_PROBE, TOKEN_FUNCTION);
	propose(p, PROPOSE_KEYWORD, RANK_KEYWORD, "@define", NULL, NULL);
}

/* printf and the like; with '@', operators and macros of the library. */
static void propose_built_in(struct proposals *p, bool with_at)
{
	name_list names = { 0 };

	if (p->question->manual)
		manual_word_names(p->question->manual, p->question->arena, &names);
	vec_each(name, &names)
		if ((**name == '@') == with_at)
			propose(p, PROPOSE_FUNCTION, RANK_KEYWORD, *name, NULL, NULL);
}

/* ---- names of the document ---- */

static void propose_tokens(struct proposals *p, const struct scan *s, const struct declaration *d, enum use use)
{
	for (size_t i = d->first; i < d->end; i++) {
		const struct token *t = &s->tokens.items[i];

		if (scan_use(s, i) == use && t->span.start != p->cursor->start)
			propose(p, use == USE_FUNCTION ? PROPOSE_FUNCTION : PROPOSE_VARIABLE,
				d->kind == TOKEN_GLOBAL || use == USE_FUNCTION ? RANK_GLOBAL : RANK_LOCAL, t->text,
				NULL, d->kind == TOKEN_GLOBAL ? "global" : NULL);
	}
}

static void propose_of_document(struct proposals *p, const struct scan *s)
{
	vec_each(d, &s->declarations) {
		if (d->kind == TOKEN_GLOBAL || d == p->cursor->declaration)
			propose_tokens(p, s, d, USE_VARIABLE);
		if (d->kind == TOKEN_FUNCTION && d->name != NO_TOKEN)
			propose(p, PROPOSE_FUNCTION, RANK_GLOBAL, s->tokens.items[d->name].text, NULL,
				point_written(s, p->question->arena, d->first, d->body));
	}
}

static void propose_macros(struct proposals *p, const struct scan *s)
{
	struct arena *a = p->question->arena;
	name_list parameters = { 0 };

	vec_each(d, &s->declarations)
		if (d->kind == TOKEN_AT && d->name != NO_TOKEN)
			propose(p, PROPOSE_CONSTANT, RANK_LOCAL, arena_printf(a, "@%s", s->tokens.items[d->name].text),
				NULL, point_written(s, a, d->first, d->body));
	if (p->cursor->declaration && p->cursor->declaration->kind == TOKEN_AT)
		scan_parameters(s, p->cursor->declaration, a, &parameters);
	vec_each(name, &parameters)
		propose(p, PROPOSE_CONSTANT, RANK_LOCAL, arena_printf(a, "@%s", *name), NULL, "parameter");
}

/* ---- names of the library ---- */

static void propose_functions(struct proposals *p)
{
	const struct manual *m = p->question->manual;

	for (size_t i = 0; m && i < m->entries.n; i++) {
		const struct manual_entry *e = &m->entries.items[i];

		if (e->kind == MANUAL_FUNCTION)
			propose(p, PROPOSE_FUNCTION, RANK_LIBRARY, e->name, NULL, e->declaration);
	}
}

/* ---- names of the probe ---- */

static struct sites quiet_sites(struct question *q)
{
	struct library *lib = q->analyst->library(q->analyst->data);

	return (struct sites){ .images = q->analyst->images(q->analyst->data),
			       .options = macros_setup(lib->macros)->options, .arena = q->arena };
}

static void propose_site(struct proposals *p, const struct site *site, bool targets)
{
	struct arena *a = p->question->arena;
	struct sites quiet = quiet_sites(p->question);
	debug_variables all = { 0 };
	site_variables own = { 0 };

	list_variables(site, &quiet, &own, &all);
	vec_each(v, &own) {
		const char *type = v->get || !v->debug.type ? type_name(v->type) : debug_type_text(a, v->debug.type);
		bool is_offered = site->family->offers && site->family->offers(site, v->debug.name, a);

		if (targets)
			propose(p, PROPOSE_PROPERTY, RANK_LOCAL, arena_printf(a, "$%s", v->debug.name), NULL, type);
		else if (is_offered)
			propose(p, PROPOSE_PROPERTY, RANK_LOCAL, arena_strdup(a, v->debug.name), NULL, type);
	}
	vec_each(v, &all)
		if (targets)
			propose(p, PROPOSE_PROPERTY, RANK_LOCAL, arena_printf(a, "$%s", v->name), NULL,
				v->type ? debug_type_text(a, v->type) : NULL);
}

/* TARGETS: its $variables; otherwise the variables that its aliases set, and those that its family offers. */
static void propose_of_probe(struct proposals *p, const struct scan *s, bool targets)
{
	enum { MOST_SITES = 20 };
	const struct declaration *d = p->cursor->declaration;
	handler_list handlers = { 0 };
	size_t sites = 0;

	if (!d || d->kind != TOKEN_PROBE)
		return;
	focus_probe(p->question, s, d, NULL, &handlers);
	vec_each(h, &handlers) {
		vec_each(v, &(*h)->locals)
			if (!targets && (*v)->is_written && (*v)->name[0] != '_')
				propose(p, PROPOSE_PROPERTY, RANK_LOCAL, (*v)->name, NULL, type_name((*v)->type));
		vec_each(site, &(*h)->sites)
			if (sites++ < MOST_SITES)
				propose_site(p, site, targets);
	}
}

static void propose_targets(struct proposals *p, const struct scan *s)
{
	static const char *const lists[] = { "$$vars", "$$parms", "$$locals", "$$return" };

	propose_of_probe(p, s, true);
	for (size_t i = 0; i < ARRAY_SIZE(lists); i++)
		propose(p, PROPOSE_PROPERTY, RANK_KEYWORD, lists[i], NULL, "string");
}

/* ---- members ---- */

static void propose_members_of(struct proposals *p, const struct debug_type *t, int depth)
{
	enum { DEEPEST = 8 };
	struct arena *a = p->question->arena;
	struct debug_member m;

	for (size_t i = 0; depth < DEEPEST && i < debug_type_member_count(t); i++) {
		if (!debug_type_member_at(t, i, &m))
			continue;
		if (m.name)
			propose(p, PROPOSE_FIELD, RANK_LOCAL, m.name, NULL, m.type ? debug_type_text(a, m.type) : NULL);
		else if (m.type)
			propose_members_of(p, debug_type_real(m.type), depth + 1);
	}
}

static void propose_members(struct proposals *p, const struct scan *s)
{
	size_t first = cursor_value(p->cursor, s);
	const struct debug_type *t;

	if (first == NO_TOKEN || !p->cursor->declaration || first < p->cursor->declaration->first)
		return;
	t = focus_type(p->question, s, p->cursor->declaration, first, p->cursor->before - 1);
	t = t ? debug_type_real(t) : NULL;
	if (t && t->kind == DEBUG_POINTER)
		t = debug_type_target(t) ? debug_type_real(debug_type_target(t)) : NULL;
	if (t && (t->kind == DEBUG_STRUCT || t->kind == DEBUG_UNION))
		propose_members_of(p, t, 0);
}

/* ---- the answer ---- */

static void propose_expression(struct proposals *p, const struct scan *s)
{
	propose_of_document(p, s);
	propose_of_probe(p, s, false);
	propose_keywords(p, TOKEN_IF, TOKEN_CATCH);
	propose_built_in(p, false);
	propose_functions(p);
}

/* An editor asks after each '>' and '.': most are operators. */
static bool is_typed_operator(const struct question *q, const struct cursor *c)
{
	const char *typed = json_string_value(json_object_get(json_object_get(q->params, "context"),
							      "triggerCharacter"));

	return typed && strchr(".>\"", *typed) && c->kind != CURSOR_MEMBER && c->kind != CURSOR_POINT &&
	       c->kind != CURSOR_ARGUMENT;
}

json_t *completion_answer(struct question *q)
{
	struct proposals p;
	struct cursor c;
	struct scan s;

	scan_text(&s, q->arena, q->document->lines.text, q->document->lines.size);
	cursor_find(&c, &s, q->arena, q->at);
	proposals_open(&p, q, &c);
	if (is_typed_operator(q, &c))
		return proposals_list(&p);
	switch (c.kind) {
	case CURSOR_NOTHING: break;
	case CURSOR_TOP: propose_declarations(&p); break;
	case CURSOR_POINT: points_propose(&p, &s); break;
	case CURSOR_ARGUMENT: points_propose_argument(&p, &s); break;
	case CURSOR_TARGET: propose_targets(&p, &s); break;
	case CURSOR_MEMBER: propose_members(&p, &s); break;
	case CURSOR_AT: propose_macros(&p, &s); propose_built_in(&p, true); break;
	case CURSOR_EXPRESSION: propose_expression(&p, &s); break;
	}
	return proposals_list(&p);
}

json_t *completion_resolve(struct question *q)
{
	json_t *item = json_deep_copy(q->params);
	const char *label = json_string_value(json_object_get(item, "label"));
	struct text t;

	text_init(&t, q->arena);
	if (!label || !q->manual || json_integer_value(json_object_get(item, "kind")) == PROPOSE_FIELD)
		return item;
	if (manual_function_text(q->manual, label, &t))
		json_object_set_new(item, "documentation", json_string(t.s));
	return item;
}
