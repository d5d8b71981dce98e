/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolves names that depend on the probed code: $variables, their values saved at a function's entry (@entry),
 * whether they exist (@defined), and whether a probe writes to them (@probewrite). */
#include "resolve_target.h"

#include "source/diag.h"
#include "pointee.h"
#include "resolve_variable.h"
#include "target/target.h"
#include "target/place.h"
#include "base/text.h"
#include "base/util.h"
#include "syntax/print.h"

void resolve_components(struct resolver *r, component_list *components)
{
	vec_each(c, components)
		if (c->kind == COMPONENT_INDEX)
			r->expr(r, &c->index);
}

struct target_scope resolve_scope(const struct resolver *r)
{
	return (struct target_scope){ .images = r->images, .options = r->options, .handler = r->handler,
				      .entry = r->at_entry };
}

/* At a return, variables have the values that they had at the function's entry. */
static bool variables_are_of_entry(const struct resolver *r)
{
	return target_at_return(r->handler) &&
	       (!r->handler->sites.items[0].family->variable || r->handler->sites.items[0].place);
}

bool resolve_is_of_entry(const struct resolver *r, const struct expr *e)
{
	struct target_scope at = resolve_scope(r);

	return e->target.what == TARGET_VARIABLE && !r->at_entry && variables_are_of_entry(r) &&
	       !target_is_result(&at, e);
}

/* A condition is evaluated when globals change, not at a hit. Returns false if E needs a hit. */
bool resolve_may_ask(const struct resolver *r, struct expr *e)
{
	const char *name = e->kind == EXPR_ENTRY ? "@entry" : e->kind == EXPR_PERF ? "@perf" : e->target.name;

	if (!r->globals_only || r->is_asking || (e->kind == EXPR_TARGET && e->target.what != TARGET_VARIABLE))
		return true;
	diag_error(e->span, "a probe's condition is not evaluated at a hit: '%s' is not known then", name);
	diag_note(e->span, "use 'if (...) next' in the probe's body");
	e->type = TYPE_ERROR;
	return false;
}

/* In a function of the kernel or a program, "$PIDTYPE_TGID" may be an enumerator if it is not a variable. */
static bool is_enumerator(const struct target_scope *at, const struct expr *e, int64_t *value)
{
	struct sites problems = target_problems(at);
	const struct site *site = target_site(at);

	return e->kind == EXPR_TARGET && e->target.what == TARGET_VARIABLE && !e->target.components.n &&
	       e->target.name[1] != '$' && site && site->place &&
	       target_enumerator(at, NULL, e->target.name + 1, value, &problems);
}

void resolve_target(struct resolver *r, struct expr **ep)
{
	struct target_scope at = resolve_scope(r);
	struct expr *e = *ep;
	int64_t value;

	if (!resolve_may_ask(r, e))
		return;
	if (resolve_is_of_entry(r, e)) {
		resolve_entry(r, ep, e);
		return;
	}
	if (e->target.base)
		r->expr(r, &e->target.base);
	resolve_components(r, &e->target.components);
	if (e->target.access || target_resolve(&at, e))
		return;
	if (is_enumerator(&at, e, &value))
		expr_become_number(e, value);
}

/* @defined asks about the variables of an expression without reading them. */
static void mark_asked_for(struct expr **ep, void *data)
{
	struct expr *e = *ep;

	if (!e)
		return;
	if (e->kind == EXPR_NAME && e->name.variable)
		e->name.variable->is_asked_for = true;
	expr_each(e, mark_asked_for, data);
}

struct definedness {
	struct resolver *resolver;
	bool answer;
};

/* Resolves an expression of which only the type is needed. */
static void resolve_pointer(struct resolver *r, struct expr **ep)
{
	if ((*ep)->kind == EXPR_NAME)
		resolve_scalar(r, *ep);
	else if ((*ep)->kind == EXPR_INDEX)
		resolve_index(r, *ep);
	else
		r->expr(r, ep);
	resolve_recall_pointee(*ep);
}

static bool is_defined(struct resolver *r, struct expr *e)
{
	struct target_scope at = resolve_scope(r);
	int64_t value;

	if (e->kind == EXPR_ARROW)
		resolve_pointer(r, &e->arrow.base);
	if (e->kind == EXPR_ARROW && !resolve_is_pointer(e->arrow.base))
		return false;
	at.entry &= !target_is_result(&at, e);
	return target_is_defined(&at, e) || is_enumerator(&at, e, &value);
}

/* Are E and all its sub-expressions defined? */
static void find_defined(struct expr **ep, void *data)
{
	struct definedness *d = data;

	if (!*ep || !d->answer)
		return;
	if ((*ep)->kind == EXPR_TERNARY)	/* @choose_defined: which one of the two? */
		d->resolver->expr(d->resolver, ep);
	expr_each(*ep, find_defined, d);
	d->answer = d->answer && is_defined(d->resolver, *ep);
}

void resolve_defined(struct resolver *r, struct expr *e)
{
	struct definedness d = { r, true };
	bool at_entry = r->at_entry, is_asking = r->is_asking;

	r->at_entry |= variables_are_of_entry(r);
	r->is_asking = true;
	find_defined(&e->operand.operand, &d);
	r->at_entry = at_entry;
	r->is_asking = is_asking;
	mark_asked_for(&e->operand.operand, NULL);
	expr_become_number(e, d.answer);
}

/* ---- @entry ---- */

static void find_local(struct expr **ep, void *data)
{
	struct expr *e = *ep;

	if (e->kind == EXPR_NAME && e->name.variable && !*(struct expr **)data &&
	    (e->name.variable->kind == VARIABLE_LOCAL || e->name.variable->kind == VARIABLE_PARAMETER))
		*(struct expr **)data = e;
	expr_each(e, find_local, data);
}

static struct handler *entry_handler(struct resolver *r)
{
	struct handler *h = r->handler, *entry = h->entry;

	if (entry)
		return entry;
	entry = h->entry = arena_new(r->arena, struct handler);
	entry->probe = h->probe;
	entry->sites = h->sites;
	entry->body = stmt_make(r->arena, STMT_BLOCK, h->probe->span);
	return entry;
}

static struct expr *name_of(struct resolver *r, struct variable *v, struct span at)
{
	struct expr *e = expr_make(r->arena, EXPR_NAME, at);

	e->name.name = v->name;
	e->name.variable = v;
	return e;
}

/* try { v = value } catch { }: a value that cannot be read does not affect the others. */
static void keep(struct resolver *r, struct variable *v, struct expr *value)
{
	struct stmt *attempt = stmt_make(r->arena, STMT_TRY, value->span);
	struct stmt *set = stmt_make(r->arena, STMT_EXPR, value->span);

	set->expr = expr_make(r->arena, EXPR_ASSIGN, value->span);
	set->expr->assign.left = name_of(r, v, value->span);
	set->expr->assign.right = value;
	attempt->try_.body = set;
	attempt->try_.handler = stmt_make(r->arena, STMT_EMPTY, value->span);
	*vec_add(r->arena, &entry_handler(r)->body->block) = attempt;
	v->is_written = true;
	pointee_learn(r->arena, &v->pointee, value->pointee);
}

/* Equal expressions share a variable. */
static struct variable *kept_variable(struct resolver *r, struct expr *operand)
{
	struct variable *v;
	struct text text;

	text_init(&text, r->arena);
	print_expr(&text, operand);
	vec_each(known, &r->handler->kept)
		if (str_equal((*known)->name, text.s))
			return *known;
	v = arena_new(r->arena, struct variable);
	*v = (struct variable){ .kind = VARIABLE_ENTRY, .name = text.s, .span = operand->span };
	*vec_add(r->arena, &r->handler->kept) = v;
	return v;
}

/* The operand is evaluated at the function's entry and saved. */
void resolve_entry(struct resolver *r, struct expr **ep, struct expr *operand)
{
	struct expr *local = NULL;
	struct variable *v;
	size_t known;

	if (r->at_entry || !target_at_return(r->handler)) {
		diag_error((*ep)->span, r->at_entry ? "@entry within @entry" :
			   "@entry is a value at a function's entry, and is allowed only in probes of its return");
		(*ep)->type = TYPE_ERROR;
		return;
	}
	known = r->handler->kept.n;
	v = kept_variable(r, operand);
	if (r->handler->kept.n > known) {
		r->at_entry = true;
		r->expr(r, &operand);
		r->at_entry = false;
		find_local(&operand, &local);
		if (local)
			diag_error(local->span, "'%s' has no value yet when the function is entered",
				   local->name.name);
		keep(r, v, operand);
	}
	*ep = name_of(r, v, (*ep)->span);
	resolve_mark_read(*ep);
	resolve_recall_pointee(*ep);
}

/* @defined(@entry(x)): nothing is saved. */
void resolve_asked_entry(struct resolver *r, struct expr **ep)
{
	*ep = (*ep)->operand.operand;
	r->expr(r, ep);
}

/* ---- @probewrite ---- */

/* Does the probe's own body, without the bodies of its aliases, assign to the variable? */
void resolve_probewrite(struct resolver *r, struct expr *e)
{
	if (!r->handler || e->operand.operand->kind != EXPR_NAME) {
		diag_error(e->span, "@probewrite is allowed only in a probe alias, for a variable of the probe");
		e->type = TYPE_ERROR;
		return;
	}
	expr_become_number(e, resolve_assigns(&r->handler->probe->body, e->operand.operand->name.name, false));
}
