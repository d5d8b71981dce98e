/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Removes dead code. An assignment to a local that is never read is removed if its value has no side
 * effects, and so is a statement that is only such a value. That may leave other locals unread, so it is
 * repeated until nothing changes. An alias's prologue then costs nothing for values that are not used.
 * Dead code that the user wrote is reported, see warn.h. */
#include "simplify.h"

#include <string.h>

#include "source/translation.h"
#include "source/options.h"
#include "base/util.h"
#include "warn.h"

/* ---- side effects ---- */

enum { MARK_NONE, MARK_OPEN, MARK_PURE, MARK_CONSEQUENCES };

struct search {
	bool found;
	bool in_function;		/* its locals do not matter outside */
};

static bool has_consequences(struct function *f);

static bool is_own_local(const struct search *s, const struct expr *e)
{
	return s->in_function && e->kind == EXPR_NAME && e->name.variable &&
	       e->name.variable->kind != VARIABLE_GLOBAL;
}

static void find_consequence(struct expr **ep, void *data)
{
	struct search *s = data;
	struct expr *e = *ep;

	if (!e || s->found)
		return;
	switch (e->kind) {
	case EXPR_ASSIGN:
		s->found |= !is_own_local(s, e->assign.left);
		break;
	case EXPR_STEP:
		s->found |= !is_own_local(s, e->step.operand);
		break;
	case EXPR_EMBEDDED:
		s->found |= !e->embedded.is_pure;
		break;
	case EXPR_MATCH:		/* it sets the result of matched() */
		s->found = true;
		break;
	case EXPR_PRINT:
		s->found |= !e->print.op.to_string;
		break;
	case EXPR_CALL:
		vec_each(f, &e->call.candidates)
			s->found |= has_consequences(*f);
		break;
	default:
		break;
	}
	expr_each(e, find_consequence, s);
}

static bool is_removable(struct expr *value)
{
	struct search s = { 0 };

	find_consequence(&value, &s);
	return !s.found;
}

static void find_in_stmt(struct stmt **sp, void *data)
{
	struct search *search = data;
	struct stmt *s = *sp;

	if (!s || search->found)
		return;
	if (s->kind == STMT_DELETE || s->kind == STMT_NEXT)
		search->found = true;
	if (s->kind == STMT_FOREACH) {
		vec_each(key, &s->foreach.keys)
			search->found |= !is_own_local(search, *key);
		search->found |= s->foreach.value && !is_own_local(search, s->foreach.value);
	}
	if (s->kind == STMT_TRY && s->try_.message)
		search->found |= !is_own_local(search, s->try_.message);
	stmt_each(s, find_consequence, find_in_stmt, search);
}

/* Has a call of F side effects apart from its value? Recursion has, as it may end in an error. */
static bool has_consequences(struct function *f)
{
	struct search s = { .in_function = true };

	if (f->embedded)
		return !embedded_says(f, "/* pure */");
	if (f->mark != MARK_NONE)
		return f->mark != MARK_PURE;
	f->mark = MARK_OPEN;
	find_in_stmt(&f->body, &s);
	f->mark = s.found ? MARK_CONSEQUENCES : MARK_PURE;
	return s.found;
}

/* ---- variables that are read ---- */

static void note_read(struct expr **ep, void *data)
{
	struct expr *e = *ep;

	if (!e)
		return;
	/* Not for globals: resolve distinguishes elements that are set from those that are read. */
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
	/* as statements, x = y; x++; and x += 1; do not count as reads of x */
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

struct removal {
	struct warnings *warnings;
	const struct stmt *own;		/* the part that is not from an alias */
	bool in_own;
	bool changed;
};

/* Code that the user wrote is still checked by infer, so its expression is kept. */
static void remove_stmt(struct stmt *s, struct removal *r)
{
	struct expr *left_out = r->in_own ? s->expr : NULL;

	*s = (struct stmt){ .kind = STMT_EMPTY, .span = s->span, .expr = left_out };
	r->changed = true;
}

static bool is_same_place(struct span a, struct span b)
{
	return a.source == b.source && a.start == b.start;
}

static void remove_useless(struct stmt **sp, void *data)
{
	struct removal *r = data;
	struct stmt *s = *sp;
	const struct variable *v;
	bool outside = !r->in_own;

	if (!s)
		return;
	r->in_own |= s->kind == STMT_BLOCK && is_same_place(s->span, r->own->span);
	v = set_variable(s);
	if (v && (v->kind == VARIABLE_LOCAL || v->kind == VARIABLE_ENTRY) && !v->is_read &&
	    (s->expr->kind == EXPR_STEP || is_removable(s->expr->assign.right))) {
		if (r->in_own)
			warn_set_only(r->warnings, v);
		remove_stmt(s, r);
	} else if (s->kind == STMT_EXPR && is_removable(s->expr)) {
		if (r->in_own)
			warn_no_effect(r->warnings, s->expr);
		remove_stmt(s, r);
	} else {
		stmt_each(s, NULL, remove_useless, r);
	}
	r->in_own &= !outside;
}

/* KEPT: variables saved at a function's entry for this body, or NULL. */
static void simplify_body(struct warnings *w, struct stmt **body, const struct stmt *own,
			  variable_list *locals, const variable_list *kept)
{
	struct removal r = { .warnings = w, .own = own, .changed = true };
	size_t left = 0;

	while (r.changed) {
		r.changed = r.in_own = false;
		vec_each(v, locals)
			(*v)->is_read = false;
		for (size_t i = 0; kept && i < kept->n; i++)
			kept->items[i]->is_read = false;
		note_reads(body, NULL);
		remove_useless(body, &r);
	}
	for (size_t i = 0; i < locals->n; i++)
		if (locals->items[i]->is_read || locals->items[i]->is_written)
			locals->items[left++] = locals->items[i];
	locals->n = left;
}

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

/* DATA: the expression itself is written to. */
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

static void simplify(struct warnings *w, struct stmt **body, const struct stmt *own, variable_list *locals,
		     const variable_list *kept)
{
	simplify_body(w, body, own, locals, kept);
	vec_each(v, locals)
		(*v)->is_written = false;
	note_writes(body, NULL);
	warn_locals(w, locals);
	simplify_body(w, body, own, locals, kept);
}

/* A saved value that is never read is not evaluated at the entry. If none is read, there is no entry handler. */
static void simplify_entry(struct handler *h)
{
	static const struct stmt none;
	struct removal r = { .own = &none };
	size_t used = 0;

	vec_each(v, &h->kept)
		if ((*v)->is_read)
			h->kept.items[used++] = *v;
	h->kept.n = used;
	if (!used)
		h->entry = NULL;
	else
		remove_useless(&h->entry->body, &r);
}

void simplify_program(struct translation *t, struct library *lib, struct program *p)
{
	struct warnings *w = warnings_open(t->images, t->options, lib);

	if (t->options->no_optimize)
		return;
	vec_each(f, &p->functions)
		if ((*f)->body) {
			warnings_begin(w, (*f)->original ? (*f)->original : *f, NULL,
				       &(*f)->locals);
			simplify(w, &(*f)->body, (*f)->body, &(*f)->locals, NULL);
		}
	vec_each(h, &p->handlers) {
		warnings_begin(w, (*h)->probe, *h, &(*h)->locals);
		simplify(w, &(*h)->body, (*h)->probe->body, &(*h)->locals, &(*h)->kept);
		vec_each(f, &(*h)->functions)		/* they also read saved values */
			note_reads(&(*f)->body, NULL);
		if ((*h)->entry)
			simplify_entry(*h);
	}
	p->warnings = w;
}
