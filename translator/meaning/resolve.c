/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Name resolution. It starts from the script's probes and looks up every name that is used. A local is
 * created at its first use; functions and globals come from the script or from a tapset file; a function
 * is resolved when something calls it. */
#include "resolve.h"

#include <string.h>

#include "source/diag.h"
#include "syntax/foreign.h"
#include "library/absent.h"
#include "library/library.h"
#include "base/map.h"
#include "offered_names.h"
#include "point.h"
#include "pointee.h"
#include "resolve_condition.h"
#include "resolve_embedded.h"
#include "resolve_of_probe.h"
#include "resolve_target.h"
#include "resolve_variable.h"
#include "target/target.h"
#include "target/type.h"
#include "resolve_split.h"
#include "base/text.h"
#include "source/translation.h"
#include "source/options.h"
#include "base/util.h"

static void resolve_expr(struct resolver *r, struct expr **ep);
static void resolve_stmt(struct resolver *r, struct stmt *s);

/* ---- calls ---- */

static void use_function(struct resolver *r, struct function *f, struct span use);

static void unknown_function(struct resolver *r, struct expr *e)
{
	const char *nearest = library_suggest(r->library, e->call.name), *foreign = foreign_word(e->call.name);
	const char *absent = absent_function(e->call.name);

	diag_error(e->span, "unknown function '%s'", e->call.name);
	if (absent)
		diag_note(e->span, "%s", absent);
	else if (foreign)
		diag_note(e->span, "'%s' of other languages is %s here", e->call.name, foreign);
	else if (nearest)
		diag_note(e->span, "did you mean '%s'?", nearest);
	e->type = TYPE_ERROR;
}

static void wrong_arity(struct arena *a, struct expr *e, const function_list *all)
{
	const struct function *f = all->items[0];
	size_t last = f->parameters.n;
	struct text counts;

	text_init(&counts, a);
	text_printf(&counts, "%zu", f->parameters.n);
	vec_each(other, all)
		if ((*other)->parameters.n != f->parameters.n && (*other)->parameters.n != last)
			text_printf(&counts, " or %zu", last = (*other)->parameters.n);
	diag_error(e->span, "'%s' takes %s argument%s, not %zu", e->call.name, counts.s,
		   str_equal(counts.s, "1") ? "" : "s", e->call.args.n);
	diag_note(f->span, "it is defined here");
	e->type = TYPE_ERROR;
}

/* The function that a call of F from here calls; NULL after an error message. */
static struct function *function_here(struct resolver *r, struct expr *e, struct function *f)
{
	if (!function_is_of_probe(r->library, r->arena, f))
		return f;
	if (!r->globals_only)
		return resolve_own_copy(r, f);
	diag_error(e->span, "a probe's condition is not evaluated at a hit: '%s' uses values that are known only "
		   "at a hit", f->name);
	e->type = TYPE_ERROR;
	return NULL;
}

static void resolve_call(struct resolver *r, struct expr *e)
{
	function_list *all = library_functions(r->library, e->call.name, e->span.source);

	e->call.is_statement = r->statement == e;
	resolve_list(r, &e->call.args);
	if (!all) {
		unknown_function(r, e);
		return;
	}
	vec_each(f, all)
		if ((*f)->parameters.n == e->call.args.n)
			*vec_add(r->arena, &e->call.candidates) = *f;
	if (!e->call.candidates.n) {
		wrong_arity(r->arena, e, all);
		return;
	}
	/* The next candidate is reached only if a candidate ends with 'next'. */
	for (size_t i = 0; i < e->call.candidates.n; i++) {
		struct function *f = function_here(r, e, e->call.candidates.items[i]);

		if (!f)
			return;
		e->call.candidates.items[i] = f;
		for (size_t n = 0; n < e->call.args.n; n++)
			pointee_learn(r->arena, &f->parameters.items[n]->pointee, e->call.args.items[n]->pointee);
		use_function(r, f, e->span);
		pointee_learn(r->arena, &e->pointee, f->pointee);
		if (!f->calls_next)
			e->call.candidates.n = i + 1;
	}
}

/* ---- aggregates ---- */

static void resolve_stat(struct resolver *r, struct expr *e)
{
	struct expr *stat = e->stat.stat;

	if (stat->kind == EXPR_NAME)
		resolve_scalar(r, stat);
	else
		resolve_index(r, stat);
	resolve_mark_read(stat);
	resolve_list(r, &e->stat.params);
}

/* ---- expressions ---- */

static void resolve_written_target(struct resolver *r, struct expr **ep)
{
	struct expr *e = *ep;
	const char *name = e->kind == EXPR_TARGET ? e->target.name : NULL;

	if (e->kind == EXPR_TARGET && resolve_is_of_entry(r, e)) {
		diag_error(e->span, "'%s' at a return has its value of the entry: it cannot be written to",
			   e->target.name);
		e->type = TYPE_ERROR;
		return;
	}
	resolve_expr(r, ep);
	if (name && e->kind == EXPR_NUMBER) {
		diag_error(e->span, "'%s' is an enumerator: it cannot be written to", name);
		e->type = TYPE_ERROR;
		return;
	}
	if (e->type != TYPE_ERROR && !target_is_writable(e, r->options->guru))
		e->type = TYPE_ERROR;
}

static void resolve_lvalue(struct resolver *r, struct expr **ep, bool also_read)
{
	struct expr *e = *ep;

	if (!expr_is_lvalue(e)) {
		diag_error(e->span, "this cannot be assigned to");
		e->type = TYPE_ERROR;
		return;
	}
	if (e->kind == EXPR_NAME)
		resolve_scalar(r, e);
	else if (e->kind == EXPR_INDEX)
		resolve_index(r, e);
	else
		resolve_written_target(r, ep);
	resolve_mark_written(r, e);
	if (also_read)
		resolve_mark_read(e);
}

static void resolve_address(struct expr *e)
{
	enum expr_kind kind = e->unary.operand->kind;

	if (kind == EXPR_TARGET || kind == EXPR_ARROW || kind == EXPR_TERNARY || kind == EXPR_NUMBER)
		return;
	diag_error(e->span, "this has no address: '&' is for target variables and members");
	e->unary.operand->type = TYPE_ERROR;
}

/* A branch that such an answer excludes is not checked, because it may name what this kernel lacks. A literal number
 * excludes nothing: both branches are checked. */
static bool is_decided(const struct expr *e)
{
	return e->kind == EXPR_NUMBER && e->number.decided;
}

static void resolve_logical(struct resolver *r, struct expr *e, bool value_used)
{
	struct expr *left, *right = e->binary.right;

	resolve_expr(r, &e->binary.left);
	left = e->binary.left;
	if (is_decided(left) && (e->binary.op == OP_LOR) == (left->number.value != 0)) {
		expr_become_number(e, e->binary.op == OP_LOR);
		return;
	}
	if (!value_used)		/* ready && report() */
		r->statement = right;
	resolve_expr(r, &e->binary.right);
	right = e->binary.right;
	if (left->kind == EXPR_NUMBER && right->kind == EXPR_NUMBER && (is_decided(left) || is_decided(right)))
		expr_become_number(e, e->binary.op == OP_LOR ? left->number.value || right->number.value :
							       left->number.value && right->number.value);
}

/* NULL is 0, unless it is a variable of the script. */
static bool is_null(struct resolver *r, const struct expr *e)
{
	return str_equal(e->name.name, "NULL") && !e->name.variable && !map_get(&r->names, "NULL") &&
	       !library_global(r->library, "NULL", e->span.source);
}

static void resolve_expr(struct resolver *r, struct expr **ep)
{
	struct expr *e = *ep;
	bool value_used = r->statement != e;
	struct target_scope at = resolve_scope(r);

	switch (e->kind) {
	case EXPR_NUMBER:
	case EXPR_STRING:
		break;
	case EXPR_EMBEDDED:
		*vec_add(r->arena, &r->program->embedded_values) = e;
		resolve_embedded_parameters(r, e);
		break;
	case EXPR_NAME:
		if (is_null(r, e)) {
			expr_become_number(e, 0);
			break;
		}
		resolve_scalar(r, e);
		resolve_mark_read(e);
		resolve_recall_pointee(e);
		break;
	case EXPR_INDEX:
		resolve_index(r, e);
		resolve_mark_read(e);
		resolve_recall_pointee(e);
		break;
	case EXPR_TARGET:
		resolve_target(r, ep);
		break;
	case EXPR_ARROW:		/* infer completes it when the pointer type is known */
		resolve_expr(r, &e->arrow.base);
		resolve_components(r, &e->arrow.components);
		if (resolve_is_pointer(e->arrow.base))
			e->pointee = target_arrow_pointee(&at, e);
		break;
	case EXPR_UNARY:
		resolve_expr(r, &e->unary.operand);
		if (e->unary.op == OP_NOT && is_decided(e->unary.operand))
			expr_become_number(e, !e->unary.operand->number.value);
		break;
	case EXPR_ADDRESS:
		resolve_expr(r, &e->unary.operand);
		resolve_address(e);
		*ep = e->unary.operand;
		break;
	case EXPR_BINARY:
		resolve_expr(r, &e->binary.left);
		resolve_expr(r, &e->binary.right);
		break;
	case EXPR_LOGICAL:
		resolve_logical(r, e, value_used);
		break;
	case EXPR_TERNARY:
		resolve_expr(r, &e->ternary.condition);
		if (is_decided(e->ternary.condition)) {
			*ep = e->ternary.condition->number.value ? e->ternary.yes : e->ternary.no;
			resolve_expr(r, ep);
			break;
		}
		resolve_expr(r, &e->ternary.yes);
		resolve_expr(r, &e->ternary.no);
		pointee_learn(r->arena, &e->pointee, e->ternary.yes->pointee);
		pointee_learn(r->arena, &e->pointee, e->ternary.no->pointee);
		break;
	case EXPR_ASSIGN:
		resolve_expr(r, &e->assign.right);
		resolve_lvalue(r, &e->assign.left, value_used);
		resolve_learn_pointee(r, e->assign.left, e->assign.right);
		e->pointee = e->assign.right->pointee;
		break;
	case EXPR_STEP:
		resolve_lvalue(r, &e->step.operand, value_used);
		break;
	case EXPR_IN:
		resolve_array(r, e->in.array, (int)e->in.keys.n, e->span);
		resolve_mark_read(e->in.array);
		resolve_list(r, &e->in.keys);
		if (e->in.array->type == TYPE_ERROR)
			e->type = TYPE_ERROR;
		break;
	case EXPR_MATCH:
		resolve_expr(r, &e->match.subject);
		break;
	case EXPR_FILTER:
		resolve_expr(r, &e->filter.skb);
		break;
	case EXPR_CALL:
		resolve_call(r, e);
		if (r->globals_only)
			condition_check_call(r->arena, e);
		break;
	case EXPR_PRINT:
		resolve_list(r, &e->print.args);
		break;
	case EXPR_STAT:
	case EXPR_HIST:
		resolve_stat(r, e);
		break;
	case EXPR_HIST_INDEX:
		resolve_expr(r, &e->hist_index.hist);
		resolve_expr(r, &e->hist_index.bucket);
		break;
	case EXPR_DEFINED:
		resolve_defined(r, e);
		break;
	case EXPR_PROBEWRITE:
		resolve_probewrite(r, e);
		break;
	case EXPR_ENTRY:
		if (r->is_asking && r->at_entry)
			resolve_asked_entry(r, ep);
		else if (resolve_may_ask(r, e))
			resolve_entry(r, ep, e->operand.operand);
		break;
	case EXPR_PERF:
		resolve_may_ask(r, e);		/* its probe may follow later: see resolve_complain */
		break;
	case EXPR_TYPE_OP:
		resolve_list(r, &e->type_op.args);
		if (!target_resolve_type_op(&at, e))
			e->type = TYPE_ERROR;
		break;
	}
}

/* ---- statements ---- */

static void resolve_statement_expr(struct resolver *r, struct expr **ep)
{
	r->statement = *ep;
	resolve_expr(r, ep);
	r->statement = NULL;
}

static void resolve_foreach(struct resolver *r, struct foreach_stmt *f)
{
	if (f->array->kind == EXPR_HIST) {
		resolve_expr(r, &f->array);
		if (f->keys.n != 1)
			diag_error(f->array->span, "a histogram bucket has one number, not %zu",
				   f->keys.n);
	} else {
		resolve_array(r, f->array, (int)f->keys.n, f->array->span);
		resolve_mark_read(f->array);
	}
	resolve_list(r, &f->slice);
	if (f->limit)
		resolve_expr(r, &f->limit);
	vec_each(key, &f->keys) {
		resolve_scalar(r, *key);
		resolve_mark_written(r, *key);
	}
	if (f->value) {
		resolve_scalar(r, f->value);
		resolve_mark_written(r, f->value);
		resolve_recall_pointee(f->array);
		resolve_learn_pointee(r, f->value, f->array);
	}
	resolve_stmt(r, f->body);
}

/* delete a; delete a[k]; delete a[*, k] */
static void resolve_delete(struct resolver *r, struct expr *e)
{
	if (e->kind == EXPR_NAME) {
		resolve_bind(r, e);
	} else {
		resolve_array(r, e->index.array, (int)e->index.keys.n, e->span);
		resolve_list(r, &e->index.keys);
	}
	resolve_mark_written(r, e);
}

static void resolve_if(struct resolver *r, struct stmt *s)
{
	resolve_expr(r, &s->if_.condition);
	if (is_decided(s->if_.condition)) {
		struct stmt *taken = s->if_.condition->number.value ? s->if_.yes : s->if_.no;
		struct span span = s->span;

		if (taken)
			*s = *taken;
		else
			*s = (struct stmt){ .kind = STMT_EMPTY, .span = span };
		resolve_stmt(r, s);
		return;
	}
	resolve_stmt(r, s->if_.yes);
	if (s->if_.no)
		resolve_stmt(r, s->if_.no);
}

static void resolve_return(struct resolver *r, struct stmt *s)
{
	if (s->expr) {
		resolve_expr(r, &s->expr);
		if (r->function) {
			r->function->has_return_value = true;
			pointee_learn(r->arena, &r->function->pointee, s->expr->pointee);
		}
	}
}

static void resolve_stmt(struct resolver *r, struct stmt *s)
{
	switch (s->kind) {
	case STMT_EMPTY:
		break;
	case STMT_BLOCK:
		vec_each(child, &s->block)
			resolve_stmt(r, *child);
		break;
	case STMT_EXPR:
		resolve_statement_expr(r, &s->expr);
		break;
	case STMT_IF:
		resolve_if(r, s);
		break;
	case STMT_WHILE:
	case STMT_FOR:
		if (s->loop.start)
			resolve_statement_expr(r, &s->loop.start);
		if (s->loop.condition)
			resolve_expr(r, &s->loop.condition);
		if (s->loop.step)
			resolve_statement_expr(r, &s->loop.step);
		resolve_stmt(r, s->loop.body);
		break;
	case STMT_FOREACH:
		resolve_foreach(r, &s->foreach);
		break;
	case STMT_RETURN:
		resolve_return(r, s);
		break;
	case STMT_BREAK:
	case STMT_CONTINUE:
		break;
	case STMT_NEXT:
		if (r->function)
			r->function->calls_next = true;
		break;
	case STMT_TRY:
		resolve_stmt(r, s->try_.body);
		if (s->try_.message) {
			resolve_scalar(r, s->try_.message);
			resolve_mark_written(r, s->try_.message);
		}
		resolve_stmt(r, s->try_.handler);
		break;
	case STMT_DELETE:
		resolve_delete(r, s->expr);
		break;
	}
}

/* ---- functions and handlers ---- */

/* Does the body contain 'next'? Needed before callers of the function choose among overloads. */
static void find_next(struct stmt **sp, void *data)
{
	if (!*sp)
		return;
	if ((*sp)->kind == STMT_NEXT)
		*(bool *)data = true;
	stmt_each(*sp, NULL, find_next, data);
}

/* Resolves the body of F at its first use, with a new resolver state. */
static void use_function(struct resolver *r, struct function *f, struct span use)
{
	struct resolver inner = { .arena = r->arena, .images = r->images, .options = r->options,
				  .library = r->library, .program = r->program, .expr = resolve_expr,
				  .handler = f->handler, .at_entry = f->at_entry };

	if (f->is_used)
		return;
	f->is_used = true;
	diag_used(f->span, use);
	f->calls_next = embedded_says(f, "STAP_NEXT");
	find_next(&f->body, &f->calls_next);
	*vec_add(r->arena, &r->program->functions) = f;
	map_init(&inner.names, r->arena);
	inner.locals = &f->locals;
	inner.function = f;
	vec_each(p, &f->parameters) {
		map_set(&inner.names, (*p)->name, *p);
		(*p)->key_count = 0;
	}
	if (f->body)
		resolve_stmt(&inner, f->body);
}

/* What a tapset's global holds does not depend on which of the tapset's functions the script calls: if none of those
 * that assign it is used, one is, for its types. */
static void use_assigning_function(struct resolver *r, const struct variable *v)
{
	struct function *unused = NULL;

	if (v->type_declared || v->initial)
		return;
	for (size_t i = 1; i < r->library->scripts.n; i++) {
		struct script *s = r->library->scripts.items[i];

		if (s->source != v->span.source)
			continue;
		vec_each(f, &s->functions)
			if (resolve_assigns(&(*f)->body, v->name, true)) {
				if ((*f)->is_used)
					return;
				if (!unused)
					unused = *f;
			}
	}
	if (unused)
		use_function(r, unused, v->span);
}

static void resolve_handler(struct resolver *r, struct handler *h)
{
	map_init(&r->names, r->arena);
	r->locals = &h->locals;
	r->handler = h;
	r->function = NULL;
	resolve_stmt(r, h->body);
	r->globals_only = true;
	vec_each(c, &h->conditions) {
		*c = expr_copy(r->arena, *c);
		resolve_expr(r, c);
	}
	r->globals_only = false;
	r->handler = NULL;
}

static void add_embedded(struct program *p, struct arena *a, struct script *s)
{
	vec_each(e, &s->embedded)
		*vec_add(a, &p->embedded) = *e;
}

/* Resolves PROBE's points, and its body for each handler. */
static void resolve_probe(struct resolver *r, struct probe *probe)
{
	handler_list found = { 0 }, named = { 0 };
	size_t first = r->program->handlers.n;

	point_resolve(r, probe, &found);
	vec_each(h, &found)
		offered_names_set(r, *h, &named);
	vec_each(h, &named)
		target_split(r, *h, &r->program->handlers);
	for (size_t i = first; i < r->program->handlers.n; i++)
		resolve_handler(r, r->program->handlers.items[i]);
}

bool resolve_program(struct translation *t, struct library *lib, struct script *main_script,
		     struct program *out)
{
	struct resolver r = { .arena = t->arena, .images = t->images, .options = t->options, .library = lib,
			      .program = out, .expr = resolve_expr };
	unsigned errors = t->diag.errors;

	vec_each(p, &main_script->probes)
		resolve_probe(&r, *p);
	/* Tapset files that were read for one of their names also add their own probes. */
	for (size_t i = 1; i < lib->scripts.n; i++)
		vec_each(p, &lib->scripts.items[i]->probes)
			resolve_probe(&r, *p);
	vec_each(s, &lib->scripts)
		if (!(*s)->source->is_system)
			add_embedded(out, t->arena, *s);
	for (size_t i = 0; i < out->globals.n; i++)	/* such a function may use others */
		use_assigning_function(&r, out->globals.items[i]);
	resolve_embedded(&r);
	vec_each(o, &main_script->options)	/* the module must have it, because its value may be set */
		program_use_global(out, t->arena, o->variable);
	return t->diag.errors == errors;
}

bool resolve_more(struct translation *t, struct library *lib, struct script *s, struct program *p)
{
	struct resolver r = { .arena = t->arena, .images = t->images, .options = t->options, .library = lib,
			      .program = p, .expr = resolve_expr };
	unsigned errors = t->diag.errors;

	vec_each(probe, &s->probes)
		resolve_probe(&r, *probe);
	return t->diag.errors == errors;
}
