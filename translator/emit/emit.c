/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions and handlers. */
#include "emit.h"

#include <string.h>

#include "module.h"
#include "element.h"
#include "embedded.h"
#include "expr.h"
#include "stmt.h"
#include "plan/cost.h"
#include "points/family.h"
#include "base/util.h"

/* ---- locals ---- */

static bool needs_buffer(const struct variable *v)
{
	return v->type == TYPE_STRING && v->is_written;
}

/* Allocates one block of scratch memory for the buffers of all string variables. Literals need no buffer, so a
 * path may not use the block; but the allocation is only one addition. */
static void emit_buffers(struct emitter *em, const variable_list *parameters, const variable_list *locals)
{
	size_t n = 0, room = ((size_t)em->plan->max_string + 15) & ~(size_t)15;
	const variable_list *lists[] = { parameters, locals };

	for (size_t l = 0; l < 2; l++)
		for (size_t i = 0; lists[l] && i < lists[l]->n; i++)
			if (needs_buffer(lists[l]->items[i]))
				emit_line(em, "char *%s_buffer;", lists[l]->items[i]->c_name);
	for (size_t l = 0; l < 2; l++)
		for (size_t i = 0; lists[l] && i < lists[l]->n; i++)
			n += needs_buffer(lists[l]->items[i]);
	if (!n)
		return;
	emit_line(em, "char *buffers = tap_scratch(c, %zu);", n * room);
	emit_line(em, "if (tap_unlikely(!buffers))");
	emit_line(em, "\tgoto %s;", em->fail);
	em->fail_used = true;
	n = 0;
	for (size_t l = 0; l < 2; l++)
		for (size_t i = 0; lists[l] && i < lists[l]->n; i++)
			if (needs_buffer(lists[l]->items[i]))
				emit_line(em, "%s_buffer = buffers + %zu;", lists[l]->items[i]->c_name,
					  room * n++);
}

static void emit_variables(struct emitter *em, const variable_list *locals)
{
	vec_each(v, locals)
		emit_line(em, "%s %s = %s;", emit_c_type((*v)->type == TYPE_STRING ? TYPE_STRING : TYPE_LONG),
			  (*v)->c_name, (*v)->type == TYPE_STRING ? "TAP_EMPTY" : "0");
}

static void emit_body(struct emitter *em, struct stmt *body)
{
	struct text *out = em->out, statements;

	text_init(&statements, em->arena);
	em->out = &statements;
	em->keeps_elements = true;
	emit_statement(em, body);
	em->out = out;
	element_declare(em);
	text_add(out, statements.s);
}

/* ---- functions ---- */

const char *emit_signature(struct arena *a, const struct function *f, const char *name)
{
	struct text t;

	text_init(&t, a);
	text_printf(&t, "%s %s(struct tap_context *c", f->type == TYPE_UNKNOWN ? "void" : emit_c_type(f->type),
		    name);
	vec_each(p, &f->parameters)
		text_printf(&t, ", %s %s", emit_c_type((*p)->type), (*p)->c_name);
	text_char(&t, ')');
	return t.s;
}

static const char *linkage(const struct function *f)
{
	return f->body && !f->is_accessor ? "static " : "";
}

static void emit_nesting(struct emitter *em, const struct function *f)
{
	const char *where = arena_printf(em->arena, "identifier '%s' at %s", f->name,
					 span_position(em->arena, f->span));

	emit_line(em, "if (tap_unlikely(!tap_nest(c))) {");
	emit_line(em, "\tc->where = %s;", emit_c_string(em, where, strlen(where)));
	emit_line(em, "\tgoto out;");
	emit_line(em, "}");
	em->out_used = true;
}

/* Charges the statements of F that its callers are not charged for. */
static void emit_charge(struct emitter *em, const struct function *f)
{
	const char *where =
		arena_printf(em->arena, "identifier '%s' at %s", f->name, span_position(em->arena, f->span));
	unsigned n = cost_of_call(em->plan, f);

	if (!n)
		return;
	emit_line(em, "if (tap_unlikely(!tap_action(c, %u))) {", n);
	emit_line(em, "\tc->where = %s;", emit_c_string(em, where, strlen(where)));
	emit_line(em, "\tgoto out;");
	emit_line(em, "}");
	em->out_used = true;
}

static void emit_function(struct plan *p, const struct function *f, struct text *out)
{
	struct emitter em = { .plan = p, .arena = p->arena, .out = out, .indent = 1,
			      .function = f, .fail = "out" };
	bool recursive = p->cycles[f->number];

	text_printf(out, "%s%s\n{\n", linkage(f), emit_signature(em.arena, f, f->c_name));
	emit_line(&em, "char *base = c->scratch;");
	if (f->type != TYPE_UNKNOWN)
		emit_line(&em, "%s result = %s;", emit_c_type(f->type), f->type == TYPE_STRING ? "TAP_EMPTY" : "0");
	emit_variables(&em, &f->locals);
	if (recursive)
		emit_nesting(&em, f);
	emit_charge(&em, f);
	emit_buffers(&em, &f->parameters, &f->locals);
	emit_body(&em, f->body);
	if (em.out_used || em.fail_used)
		text_add(out, "out:\n");
	if (recursive)
		emit_line(&em, "c->nesting++;");
	if (f->type == TYPE_STRING) {
		emit_line(&em, "return tap_return_string(c, base, result);");
	} else {
		emit_line(&em, "c->scratch = base;");
		if (f->type == TYPE_LONG)
			emit_line(&em, "return result;");
	}
	text_add(out, "}\n\n");
}

/* ---- handlers ---- */

/* The structure of values saved at a function's entry for the handler of its return. The runtime may copy it, so it has
 * no pointers into itself. HAS has a bit for each value, set when the value is. */
static void declare_kept(struct plan *p, const struct handler_plan *h, struct text *out)
{
	if (h->entry < 0)
		return;
	text_printf(out, "struct entry_%u {\n\tu64 has;\n", h->handler->number);
	vec_each(v, &h->handler->kept)
		if ((*v)->type == TYPE_STRING)
			text_printf(out, "\tunion { struct tap_string_cell cell; "
				    "char room[sizeof(struct tap_string_cell) + %lld]; } k%u;\n",
				    (long long)p->max_string, (*v)->number);
		else
			text_printf(out, "\ts64 k%u;\n", (*v)->number);
	text_add(out, "};\n");
}

static void write_needs(const lock_list *locks, const char *name, unsigned number, struct text *out)
{
	text_printf(out, "static const struct tap_lock_need %s_%u[] = { ", name, number);
	vec_each(l, locks)
		text_printf(out, "{ &locks[%u], %d }, ", l->lock, l->write);
	text_add(out, "};\n");
}

static void emit_condition_function(struct plan *p, const struct handler_plan *h, struct text *out)
{
	struct emitter em = { .plan = p, .arena = p->arena, .out = out, .indent = 1,
			      .fail = "out" };
	const struct handler *handler = h->handler;
	const char *locks = arena_printf(em.arena, "(c, condition_locks_%u, %zu, %s)", handler->number,
					 h->condition_locks.n,
					 h->condition_brief ? "TAP_REGION_BRIEF" : "TAP_REGION_LONG");

	if (!handler->conditions.n)
		return;
	if (h->condition_locks.n)
		write_needs(&h->condition_locks, "condition_locks", handler->number, out);
	text_printf(out, "static bool condition_%u(struct tap_context *c)\n{\n", handler->number);
	emit_line(&em, "bool armed = false;");
	if (h->condition_locks.n) {
		emit_line(&em, "if (!tap_lock%s)", locks);
		emit_line(&em, "\treturn false;");
	}
	vec_each(e, &handler->conditions) {
		emit_line(&em, "if (!%s)", emit_condition(&em, *e));
		emit_line(&em, "\tgoto out;");
	}
	emit_line(&em, "armed = true;");
	text_add(out, "out:\n");
	if (h->condition_locks.n)
		emit_line(&em, "tap_unlock%s;", locks);
	emit_line(&em, "return armed;");
	text_add(out, "}\n\n");
}

/* begin, end and error probes run once, whether armed or not: they check their condition when they run. */
static bool checks_condition(const struct handler *h)
{
	if (!h->conditions.n)
		return false;
	vec_each(s, &h->sites)
		if (s->family->runs_alone)
			return true;
	return false;
}

static const struct stmt *last_statement(const struct stmt *s)
{
	while (s->kind == STMT_BLOCK && s->block.n)
		s = s->block.items[s->block.n - 1];
	return s;
}

static void emit_handler(struct plan *p, const struct handler_plan *h, struct text *out)
{
	struct emitter em = { .plan = p, .arena = p->arena, .out = out, .indent = 1,
			      .handler = h, .fail = "out", .last = last_statement(h->handler->body) };

	if (h->locks.n && !emit_takes_one_lock(h))
		write_needs(&h->locks, "locks", h->handler->number, out);
	text_printf(out, "/* %s */\n", span_position(em.arena, h->handler->probe->span));
	if (h->direct == DIRECT_PLAIN)
		em.regs = "regs";
	text_printf(out, em.regs ? "TAP_DIRECT_ALWAYS void body_%u(struct tap_context *c, const void *regs)\n{\n" :
				   "static void probe_%u(struct tap_context *c)\n{\n", h->handler->number);
	if (h->locks.n)
		emit_line(&em, "bool locked = false;");
	if (checks_condition(h->handler)) {
		emit_line(&em, "if (!condition_%u(c))", h->handler->number);
		emit_line(&em, "\treturn;");
	}
	emit_variables(&em, &h->handler->locals);
	emit_buffers(&em, NULL, &h->handler->locals);
	emit_body(&em, h->handler->body);
	if (em.out_used || em.fail_used)
		text_add(out, "out:;\n");
	if (h->locks.n) {
		emit_line(&em, "if (locked)");
		emit_line(&em, "\ttap_unlock%s;", emit_lock_arguments(&em));
	}
	if (h->changes_conditions)
		emit_line(&em, "tap_conditions_changed(c);");
	text_add(out, "}\n\n");
	if (!em.regs)
		return;
	if (em.out_used || em.fail_used || em.scratch_used)
		fatal("internal error: a plain handler can fail");
	text_printf(out, "static void probe_%u(struct tap_context *c)\n{\n\tbody_%u(c, c->regs);\n}\n\n",
		    h->handler->number, h->handler->number);
}

/* ---- the script ---- */

/* A function with the same value throughout a handler is called once: gcc sees that only the context matters. */
static const char *attribute(const struct function *f)
{
	return f->embedded && f->span.source->is_system && embedded_says(f, "/* stable */") ?
		       " __attribute__((const))" : "";
}

static void declare_functions(struct plan *p, struct text *out)
{
	vec_each(f, &p->program->functions) {
		if (!function_is_inline(*f))
			text_printf(out, "%s%s%s;\n", linkage(*f), emit_signature(out->arena, *f, (*f)->c_name),
				    attribute(*f));
	}
	text_char(out, '\n');
}

void emit_script(struct plan *p, struct text *script, struct text *embedded)
{
	struct text bodies;

	text_init(&bodies, script->arena);
	/* Bodies first: they add formats and regular expressions to the tables. */
	vec_each(h, &p->handlers)
		declare_kept(p, h, &bodies);
	vec_each(f, &p->program->functions)
		if ((*f)->body)
			emit_function(p, *f, &bodies);
	vec_each(h, &p->handlers) {
		emit_condition_function(p, h, &bodies);
		emit_handler(p, h, &bodies);
	}
	emit_module_head(p, script);
	declare_functions(p, script);
	emit_declare_embedded(p, script);
	text_add(script, bodies.s);
	emit_module_tables(p, script);
	if (p->needs_embedded)
		emit_embedded(p, embedded);
}
