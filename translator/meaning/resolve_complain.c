/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports names that could not be resolved and are still used after dead code was removed. */
#include "resolve_complain.h"

#include "base/access.h"
#include "source/diag.h"
#include "points/family.h"
#include "resolve.h"
#include "source/options.h"
#include "target/target.h"
#include "source/translation.h"
#include "base/util.h"

struct missing {
	const struct program *program;
	struct target_scope at;
};

/* ---- @perf ---- */

/* A program's counter counts only in its threads. Is this probe never hit in one of them? */
static bool is_elsewhere(const struct missing *m, const char *program)
{
	if (!program || !m->at.handler)
		return false;
	vec_each(s, &m->at.handler->sites)
		if (!s->family->runs_alone && (!s->program || str_equal(s->program, program)))
			return false;
	return true;
}

static void complain_perf(const struct missing *m, struct expr *e)
{
	const char *program = NULL;
	size_t n = 0;

	vec_each(h, &m->program->handlers)
		vec_each(s, &(*h)->sites)
			if (site_counter(s) && str_equal(site_counter(s)->name, e->perf.name)) {
				program = s->program;
				n++;
			}
	if (n == 1 && !is_elsewhere(m, program))
		return;
	e->type = TYPE_ERROR;
	if (n == 1) {
		diag_error(e->span, "'%s' counts in %s, but this probe is hit elsewhere: it is always 0 here",
			   e->perf.name, program);
		return;
	}
	if (n) {
		diag_error(e->span, "%zu probes count '%s': give each counter its own name", n, e->perf.name);
		return;
	}
	diag_error(e->span, "no probe counts '%s'", e->perf.name);
	diag_note(e->span, "define it as in probe perf.type(T).config(C).process(\"path\").counter(\"%s\") { }",
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
	if (!m->at.options->skip_badvars) {
		target_complain(&m->at, e);
		e->type = TYPE_ERROR;
		return;
	}
	diag_warn(e->span, "'%s' is not available here and reads as 0", e->target.name);
	expr_become_number(e, 0);
}

static void complain_stmt(struct stmt **sp, void *data)
{
	stmt_each(*sp, complain_expr, complain_stmt, data);
}

/* ---- values that the script sets itself ---- */

struct own_value {
	struct expr *read;	/* the first read */
	bool is_set;
};

static bool is_own(const struct expr *e)
{
	return e->kind == EXPR_TARGET && e->target.access && e->target.access->is_free;
}

static void find_own(struct expr **ep, void *data)
{
	struct own_value *own = data;
	struct expr *e = *ep;

	if (!e)
		return;
	own->is_set |= e->kind == EXPR_ASSIGN && is_own(e->assign.left);
	if (is_own(e) && !own->read)
		own->read = e;
	expr_each(e, find_own, own);
}

static void find_own_in(struct stmt **sp, void *data)
{
	if (*sp)
		stmt_each(*sp, find_own, find_own_in, data);
}

/* $value of procfs.read: only the probe itself can set it. */
static void complain_own(const struct program *p, struct handler *h)
{
	struct own_value own = { 0 };

	find_own_in(&h->body, &own);
	vec_each(f, &p->functions)
		if ((*f)->handler == h && (*f)->body)
			find_own_in(&(*f)->body, &own);
	if (own.read && !own.is_set) {
		diag_error(own.read->span, "'%s' is the result of this probe, but nothing here sets it",
			   own.read->target.name);
		own.read->type = TYPE_ERROR;
	}
}

/* ---- all together ---- */

bool resolve_complain(struct translation *t, struct program *p)
{
	struct missing m = { .program = p, .at = { .images = t->images, .options = t->options } };
	unsigned errors = t->diag.errors;

	vec_each(f, &p->functions) {
		m.at.handler = (*f)->handler;
		m.at.entry = (*f)->at_entry;
		if ((*f)->body)
			complain_stmt(&(*f)->body, &m);
	}
	vec_each(h, &p->handlers) {
		m.at.handler = *h;
		m.at.entry = false;
		complain_stmt(&(*h)->body, &m);
		complain_own(p, *h);
		vec_each(c, &(*h)->conditions)
			complain_expr(c, &m);
		m.at.entry = true;
		if ((*h)->entry)
			complain_stmt(&(*h)->entry->body, &m);
	}
	return t->diag.errors == errors;
}
