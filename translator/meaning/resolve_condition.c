/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The condition of a probe is evaluated when a global changes, in the process that changes it. A condition such as
 * if (pid() == target()) compiles, but does not check the process that hits the probe; the author gets a warning. */
#include "resolve_condition.h"

#include <string.h>

#include "base/arena.h"
#include "source/diag.h"

struct search {
	const struct function *culprit;		/* NULL: none found yet */
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

/* Does the value of F depend on the hit? A pure function without parameters can depend only on the current context. A
 * stable function has the same value throughout a handler, so it also depends on the hit. The target is the same
 * throughout a session. */
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

void condition_check_call(struct arena *a, const struct expr *e)
{
	struct search s = { .arena = a };

	vec_each(f, &e->call.candidates)
		search_function(&s, *f);
	if (!s.culprit)
		return;
	diag_warn(e->span, "a probe's condition is evaluated when globals change, not at a hit: '%s' does not refer to "
		  "the hit there", s.culprit->name);
	diag_note(e->span, "use 'if (...)' in the probe's body to check it at the hit");
}
