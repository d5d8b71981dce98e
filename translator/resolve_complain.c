/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What could not be resolved and is still there when dead code has gone. */
#include "resolve.h"

#include "diag.h"
#include "options.h"
#include "target.h"
#include "translation.h"
#include "util.h"

struct missing {
	struct translation *translation;
	const struct program *program;
	struct target_scope at;
};

static void complain_perf(const struct missing *m, struct expr *e)
{
	size_t n = 0;

	vec_each(h, &m->program->handlers)
		vec_each(s, &(*h)->sites)
			n += s->counter && str_equal(s->counter, e->perf.name);
	if (n == 1)
		return;
	e->type = TYPE_ERROR;
	if (n) {
		diag_error(e->span, "%zu probes count '%s': give each a name of its own", n, e->perf.name);
		return;
	}
	diag_error(e->span, "no probe counts '%s'", e->perf.name);
	diag_note(e->span, "such a one is probe perf.type(T).config(C).process(\"path\").counter(\"%s\") { }",
		  e->perf.name);
}

static void complain_expr(struct expr **ep, void *data)
{
	struct missing *m = data;
	struct expr *e = *ep;

	expr_each(e, complain_expr, m);
	if (e->kind == EXPR_PERF)
		complain_perf(m, e);
	if (e->kind != EXPR_TARGET || e->target.access || e->target.pretty || e->type == TYPE_ERROR)
		return;
	if (!m->translation->options->skip_badvars) {
		target_complain(m->translation, &m->at, e);
		e->type = TYPE_ERROR;
		return;
	}
	diag_warn(e->span, "'%s' is not to be had here and reads as 0", e->target.name);
	expr_become_number(e, 0);
}

static void complain_stmt(struct stmt **sp, void *data)
{
	stmt_each(*sp, complain_expr, complain_stmt, data);
}

bool resolve_complain(struct translation *t, struct program *p)
{
	unsigned errors = t->errors;

	vec_each(f, &p->functions)
		if ((*f)->body)
			complain_stmt(&(*f)->body, &(struct missing){ t, p,
				.at = { .handler = (*f)->handler, .entry = (*f)->at_entry } });
	vec_each(h, &p->handlers) {
		complain_stmt(&(*h)->body, &(struct missing){ t, p, { .handler = *h } });
		vec_each(c, &(*h)->conditions)
			complain_expr(c, &(struct missing){ t, p, { .handler = *h } });
		if ((*h)->entry)
			complain_stmt(&(*h)->entry->body, &(struct missing){ t, p,
				.at = { .handler = *h, .entry = true } });
	}
	return t->errors == errors;
}
