/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A condition is worked out when some global changes, in whatever process does that. if (pid() == target()) compiles and
 * may never hold at a hit: its author is told. */
#include "resolve_condition.h"

#include <string.h>

#include "base/arena.h"
#include "source/diag.h"
#include "source/translation.h"

struct search {
	const struct function *culprit;		/* NULL: none yet */
	VEC(const struct function *) seen;
	struct arena *arena;
};

static void search_function(struct search *s, const struct function *f);

static void search_expr(struct expr **ep, void *data)
{
	struct expr *e = *ep;

	if (!e)
		return;
	if (e->kind == EXPR_CALL)
		vec_each(f, &e->call.candidates)
			search_function(data, *f);
	expr_each(e, search_expr, data);
}

static void search_stmt(struct stmt **sp, void *data)
{
	if (*sp)
		stmt_each(*sp, search_expr, search_stmt, data);
}

/* Without an argument only the moment is left to ask for; what is the same all through a handler is a matter of the hit.
 * The target is the same all through a session. */
static bool tells_of_hit(const struct function *f)
{
	if (embedded_says(f, "/* stable */"))
		return true;
	return f->embedded && f->span.source->is_library && !f->parameters.n && embedded_says(f, "/* pure */") &&
	       strcmp(f->name, "target");
}

static void search_function(struct search *s, const struct function *f)
{
	struct stmt *body = f->body;

	vec_each(known, &s->seen)
		if (*known == f)
			return;
	*vec_add(s->arena, &s->seen) = f;
	if (tells_of_hit(f))
		s->culprit = f;
	else
		search_stmt(&body, s);
}

void condition_check_call(const struct expr *e)
{
	struct search s = { .arena = e->span.source->translation->arena };

	vec_each(f, &e->call.candidates)
		search_function(&s, *f);
	if (!s.culprit)
		return;
	diag_warn(e->span, "a probe's condition is worked out when globals change, not at a hit: '%s' does not tell of the "
		  "hit there", s.culprit->name);
	diag_note(e->span, "in the probe's body 'if (...)' asks for it at the hit");
}
