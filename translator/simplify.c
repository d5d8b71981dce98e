/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leave out what has no effect. An assignment to a local that nobody reads goes when its value can be
 * computed without consequences; that may leave other locals unread, so it is done until nothing
 * changes. What a prologue computes for nobody then costs nothing. */
#include "simplify.h"

#include <string.h>

#include "translation.h"
#include "util.h"

/* ---- what has consequences ---- */

static bool has_pragma(const struct function *f, const char *pragma)
{
	return f->embedded && memmem(f->embedded, f->embedded_size, pragma, strlen(pragma));
}

static void find_consequence(struct expr **ep, void *data)
{
	bool *found = data;
	struct expr *e = *ep;

	if (!e || *found)
		return;
	switch (e->kind) {
	case EXPR_ASSIGN: case EXPR_STEP: case EXPR_EMBEDDED: case EXPR_MATCH:
		*found = true;
		return;
	case EXPR_PRINT:
		*found |= !e->print.op.to_string;
		break;
	case EXPR_CALL:
		vec_each(f, &e->call.candidates)
			*found |= !has_pragma(*f, "/* pure */");
		break;
	default:
		break;
	}
	expr_each(e, find_consequence, found);
}

static bool is_removable(struct expr *value)
{
	bool found = false;

	find_consequence(&value, &found);
	return !found;
}

/* ---- who is read ---- */

static void note_read(struct expr **ep, void *data)
{
	struct expr *e = *ep;

	if (!e)
		return;
	/* Of globals resolve knows better: it tells elements that are set from those that are read. */
	if (e->kind == EXPR_NAME && e->name.variable && e->name.variable->kind != VARIABLE_GLOBAL)
		e->name.variable->is_read = true;
	if (e->kind == EXPR_ASSIGN && e->assign.left->kind == EXPR_NAME && e->assign.op == OP_NONE) {
		note_read(&e->assign.right, data);
		return;
	}
	expr_each(e, note_read, data);
}

static void note_reads(struct stmt **sp, void *data)
{
	struct stmt *s = *sp;

	if (!s)
		return;
	/* x = y; x++; x += 1: as statements they do not read x, whatever the value would be */
	if (s->kind == STMT_EXPR && s->expr->kind == EXPR_ASSIGN && s->expr->assign.left->kind == EXPR_NAME) {
		note_read(&s->expr->assign.right, data);
		return;
	}
	if (s->kind == STMT_EXPR && s->expr->kind == EXPR_STEP && s->expr->step.operand->kind == EXPR_NAME)
		return;
	stmt_each(s, note_read, note_reads, data);
}

/* ---- removal ---- */

static const struct variable *set_variable(const struct stmt *s)
{
	const struct expr *e = s->kind == STMT_EXPR ? s->expr : NULL;
	const struct expr *left = !e ? NULL :
				  e->kind == EXPR_ASSIGN && e->assign.op != OP_STAT_ADD ? e->assign.left :
				  e->kind == EXPR_STEP ? e->step.operand : NULL;

	return left && left->kind == EXPR_NAME ? left->name.variable : NULL;
}

static void remove_sets(struct stmt **sp, void *data)
{
	struct stmt *s = *sp;
	const struct variable *v;
	bool *changed = data;

	if (!s)
		return;
	v = set_variable(s);
	if (v && (v->kind == VARIABLE_LOCAL || v->kind == VARIABLE_ENTRY) && !v->is_read &&
	    (s->expr->kind == EXPR_STEP || is_removable(s->expr->assign.right))) {
		*s = (struct stmt){ .kind = STMT_EMPTY, .span = s->span };
		*changed = true;
		return;
	}
	stmt_each(s, NULL, remove_sets, changed);
}

/* KEPT: what a function's entry keeps for this body, or NULL. */
static void simplify_body(struct stmt **body, variable_list *locals, const variable_list *kept)
{
	bool changed = true;
	size_t left = 0;

	while (changed) {
		changed = false;
		vec_each(v, locals)
			(*v)->is_read = false;
		for (size_t i = 0; kept && i < kept->n; i++)
			kept->items[i]->is_read = false;
		note_reads(body, NULL);
		remove_sets(body, &changed);
	}
	for (size_t i = 0; i < locals->n; i++)
		if (locals->items[i]->is_read || locals->items[i]->is_written)
			locals->items[left++] = locals->items[i];
	locals->n = left;
}

/* A local that was only set is neither read nor written any more. */
static void note_written(struct expr **ep, void *data);

static void note_writes(struct stmt **sp, void *data)
{
	struct stmt *s = *sp;

	if (!s)
		return;
	if (s->kind == STMT_FOREACH) {
		vec_each(key, &s->foreach.keys)
			note_written(key, (void *)1);
		note_written(&s->foreach.value, (void *)1);
	}
	if (s->kind == STMT_TRY)
		note_written(&s->try_.message, (void *)1);
	if (s->kind == STMT_DELETE)
		note_written(&s->expr, (void *)1);
	stmt_each(s, note_written, note_writes, data);
}

/* DATA: the expression itself is what is written. */
static void note_written(struct expr **ep, void *data)
{
	struct expr *e = *ep;

	if (!e)
		return;
	if (data && e->kind == EXPR_NAME && e->name.variable)
		e->name.variable->is_written = true;
	if (e->kind == EXPR_ASSIGN)
		note_written(&e->assign.left, (void *)1);
	if (e->kind == EXPR_STEP)
		note_written(&e->step.operand, (void *)1);
	expr_each(e, note_written, NULL);
}

static void simplify(struct stmt **body, variable_list *locals, const variable_list *kept)
{
	simplify_body(body, locals, kept);
	vec_each(v, locals)
		(*v)->is_written = false;
	note_writes(body, NULL);
	simplify_body(body, locals, kept);
}

/* What is kept and never read is not worked out at entry; if that is all, nothing happens there. */
static void simplify_entry(struct handler *h)
{
	size_t used = 0;
	bool changed;

	vec_each(v, &h->kept)
		if ((*v)->is_read)
			h->kept.items[used++] = *v;
	h->kept.n = used;
	if (!used)
		h->entry = NULL;
	else
		remove_sets(&h->entry->body, &changed);
}

void simplify_program(struct translation *t, struct program *p)
{
	if (t->options->no_optimize)
		return;
	vec_each(f, &p->functions)
		if ((*f)->body)
			simplify(&(*f)->body, &(*f)->locals, NULL);
	vec_each(h, &p->handlers) {
		simplify(&(*h)->body, &(*h)->locals, &(*h)->kept);
		if ((*h)->entry)
			simplify_entry(*h);
	}
}
