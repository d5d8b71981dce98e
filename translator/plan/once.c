/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See once.h. An error is another record, so it does not matter what can fail. */
#include "once.h"

#include "effects.h"
#include "source/options.h"

struct print_walk {
	const struct plan *plan;
	size_t prints;			/* or may print, such as C code that is not pure */
};

static bool call_may_print(const struct plan *p, const struct expr *e)
{
	vec_each(f, &e->call.candidates)
		if (p->function_effects[(*f)->number].prints || effects_c_prints(*f))
			return true;
	return false;
}

/* A histogram is printed by the runtime. */
static size_t own_prints(const struct expr *e)
{
	if (e->print.op.to_string)
		return 0;
	return e->print.args.n == 1 && e->print.args.items[0]->kind == EXPR_HIST ? 2 : 1;
}

static void count_prints(struct expr **ep, void *data)
{
	struct print_walk *w = data;
	struct expr *e = *ep;

	if (!e)
		return;
	if (e->kind == EXPR_PRINT)
		w->prints += own_prints(e);
	else if (e->kind == EXPR_EMBEDDED || (e->kind == EXPR_CALL && call_may_print(w->plan, e)))
		w->prints += 2;
	expr_each(e, count_prints, w);
}

static void count_in_stmt(struct stmt **sp, void *data)
{
	if (*sp)
		stmt_each(*sp, count_prints, count_in_stmt, data);
}

bool plan_prints_once(const struct plan *p, const struct handler_plan *h, const struct effects *effects)
{
	struct print_walk w = { p, 0 };
	struct stmt *body = h->handler->body;

	if (!effects->prints || effects->loops || !h->concurrent || p->options->simulate)
		return false;
	if (h->is_entry || h->entry >= 0)
		return false;
	count_in_stmt(&body, &w);
	return w.prints == 1;
}
