/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions, handlers and a script's own C. */
#include "emit.h"

#include <string.h>

#include "emit_module.h"
#include "emit_print.h"
#include "translation.h"
#include "util.h"

static const char *c_type(enum type t)
{
	return t == TYPE_STRING ? "struct tap_string" : t == TYPE_LONG ? "s64" : "void";
}

/* ---- locals ---- */

static bool needs_buffer(const struct variable *v)
{
	return v->type == TYPE_STRING && v->is_written;
}

/* One block of scratch for the buffers of all string variables; a literal needs none, so the block
 * is taken even if a path never uses it: it is one addition. */
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
		emit_line(em, "%s %s = %s;", c_type((*v)->type == TYPE_STRING ? TYPE_STRING : TYPE_LONG),
			  (*v)->c_name, (*v)->type == TYPE_STRING ? "TAP_EMPTY" : "0");
}

/* ---- functions ---- */

static const char *signature(struct arena *a, const struct function *f, const char *name)
{
	struct text t;

	text_init(&t, a);
	text_printf(&t, "%s %s(struct tap_context *c", c_type(f->type), name);
	vec_each(p, &f->parameters)
		text_printf(&t, ", %s %s", c_type((*p)->type), (*p)->c_name);
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
					 emit_position(em, f->span));

	emit_line(em, "if (tap_unlikely(--c->nesting < 0)) {");
	emit_line(em, "\ttap_error(c, \"MAXNESTING exceeded\");");
	emit_line(em, "\tc->where = %s;", emit_c_string(em, where, strlen(where)));
	emit_line(em, "\tgoto out;");
	emit_line(em, "}");
	em->out_used = true;
}

static void emit_function(struct plan *p, const struct function *f, struct text *out)
{
	struct emitter em = { .plan = p, .arena = p->translation->arena, .out = out, .indent = 1,
			      .function = f, .fail = "out" };
	bool recursive = p->recursive[f->number];

	text_printf(out, "%s%s\n{\n", linkage(f), signature(em.arena, f, f->c_name));
	emit_line(&em, "char *base = c->scratch;");
	if (f->type != TYPE_UNKNOWN)
		emit_line(&em, "%s result = %s;", c_type(f->type), f->type == TYPE_STRING ? "TAP_EMPTY" : "0");
	emit_variables(&em, &f->locals);
	if (recursive)
		emit_nesting(&em, f);
	emit_buffers(&em, &f->parameters, &f->locals);
	emit_statement(&em, f->body);
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

/* ---- a script's own C ---- */

static void define_arguments(const struct function *f, struct text *out)
{
	vec_each(p, &f->parameters) {
		const char *name = (*p)->name;

		if ((*p)->type == TYPE_STRING)
			text_printf(out, "#define STAP_ARG_%s ((char *)%s.data)\n", name, (*p)->c_name);
		else
			text_printf(out, "#define STAP_ARG_%s %s\n", name, (*p)->c_name);
	}
}

static void undefine_arguments(const struct function *f, struct text *out)
{
	vec_each(p, &f->parameters)
		text_printf(out, "#undef STAP_ARG_%s\n", (*p)->name);
}

/* STAP_GLOBAL_GET_x(k1, k2), STAP_GLOBAL_SET_x(k1, k2, value) for these functions, whose names are
 * get_x and set_x. */
static const char *accessor_macro(struct arena *a, const struct function *f)
{
	return arena_printf(a, "STAP_GLOBAL_%s_%s", f->has_return_value ? "GET" : "SET", f->name + 4);
}

static void define_accessors(const function_list *accessors, struct text *out)
{
	vec_each(item, accessors) {
		const struct function *f = *item;
		const char *comma = "";

		text_printf(out, "#define %s(", accessor_macro(out->arena, f));
		vec_each(p, &f->parameters) {
			text_printf(out, "%s%s", comma, (*p)->name);
			comma = ", ";
		}
		text_printf(out, ") (%s%s(c", f->type == TYPE_STRING ? "(char *)" : "", f->c_name);
		vec_each(p, &f->parameters)
			text_printf(out, ", %s(%s)", (*p)->type == TYPE_STRING ? "tap_string_of" : "(s64)",
				    (*p)->name);
		text_printf(out, ")%s)\n", f->type == TYPE_STRING ? ".data" : "");
	}
}

static void undefine_accessors(const function_list *accessors, struct text *out)
{
	vec_each(f, accessors)
		text_printf(out, "#undef %s\n", accessor_macro(out->arena, *f));
}

static void write_line_mark(struct text *out, struct span at)
{
	unsigned line, column;

	at = span_written(at);
	source_position(at, &line, &column);
	text_printf(out, "#line %u \"", line);
	text_c_escape(out, at.source->name, strlen(at.source->name));
	text_add(out, "\"\n");
}

/* Before SystemTap 1.8 C had its arguments and result in THIS->name and THIS->__retvalue. */
static void declare_this(const struct function *f, struct text *out)
{
	text_add(out, "\tstruct {\n");
	vec_each(p, &f->parameters)
		text_printf(out, "\t\t%s%s;\n", (*p)->type == TYPE_STRING ? "char *" : "s64 ", (*p)->name);
	if (f->type != TYPE_UNKNOWN)
		text_printf(out, "\t\t%s__retvalue;\n", f->type == TYPE_STRING ? "char *" : "s64 ");
	text_add(out, "\t} this = {\n");
	vec_each(p, &f->parameters)
		text_printf(out, "\t\t.%s = STAP_ARG_%s,\n", (*p)->name, (*p)->name);
	if (f->type == TYPE_STRING)
		text_add(out, "\t\t.__retvalue = STAP_RETVALUE,\n");
	text_add(out, "\t}, *THIS = &this;\n\t(void)THIS;\n");
	if (f->type == TYPE_LONG)
		text_add(out, "#define STAP_RETVALUE THIS->__retvalue\n");
}

static void write_result(const struct function *f, bool has_buffer, struct text *out)
{
	if (f->type == TYPE_STRING)
		text_add(out, has_buffer ? "\treturn tap_string_of(STAP_RETVALUE);\n" : "\treturn TAP_EMPTY;\n");
	else if (f->type == TYPE_LONG)
		text_add(out, "\treturn STAP_RETVALUE;\n");
	else
		text_add(out, "\treturn;\n");
}

static void declare_result(const struct function *f, bool has_buffer, struct text *out)
{
	if (has_buffer)
		text_add(out, "\tchar *STAP_RETVALUE = tap_scratch(c, MAXSTRINGLEN);\n"
			      "\tif (!STAP_RETVALUE)\n\t\treturn TAP_EMPTY;\n\tSTAP_RETVALUE[0] = 0;\n");
	else if (f->type == TYPE_LONG && !embedded_says(f, "/* unmangled */"))
		text_add(out, "\ts64 STAP_RETVALUE = 0;\n");
	if (embedded_says(f, "/* unmangled */"))
		declare_this(f, out);
}

/* The body stands in a block of its own; STAP_RETURN and the like leave it for the label behind. */
static void emit_embedded_function(const struct plan *p, const struct function *f, const char *linkage,
				   struct text *out)
{
	struct arena *a = p ? p->translation->arena : out->arena;
	/* A body may also give its result by 'return', and then needs no buffer for it. */
	bool has_buffer = f->type == TYPE_STRING && (embedded_says(f, "STAP_RET") || embedded_says(f, "/* unmangled */"));

	define_arguments(f, out);
	define_accessors(&f->accessors, out);
	text_printf(out, "#define STAP_RETURN(v) STAP_RETURN_%s(v)\n",
		    f->type == TYPE_STRING ? "STRING" : f->type == TYPE_LONG ? "LONG" : "VOID");
	text_printf(out, "%s%s\n{\n", linkage, signature(a, f, f->c_name));
	declare_result(f, has_buffer, out);
	text_add(out, "\t(void)c;\n");
	vec_each(parameter, &f->parameters)
		text_printf(out, "\t(void)%s;\n", (*parameter)->c_name);
	text_add(out, "\t{\n");
	write_line_mark(out, f->embedded_span);
	text_add_n(out, f->embedded, f->embedded_size);
	text_add(out, "\n\t}\n\tgoto stap_out;\nstap_out:\n");
	write_result(f, has_buffer, out);
	text_add(out, "}\n#undef STAP_RETURN\n#undef STAP_RETVALUE\n");
	undefine_accessors(&f->accessors, out);
	undefine_arguments(f, out);
	text_char(out, '\n');
}

const char *emit_embedded_expr(struct emitter *em, struct expr *e)
{
	const char *t = emit_temp(em);

	e->embedded.number = em->plan->embedded_exprs.n;
	*vec_add(em->arena, &em->plan->embedded_exprs) = e;
	em->plan->needs_embedded = true;
	em->scratch_used |= e->type == TYPE_STRING;
	emit_line(em, "%s %s = embedded_%zu(c);", c_type(e->type), t, e->embedded.number);
	emit_check(em, "embedded code", e->span);
	return t;
}

static void emit_embedded_exprs(struct plan *p, struct text *out)
{
	for (size_t i = 0; i < p->embedded_exprs.n; i++) {
		const struct expr *e = p->embedded_exprs.items[i];
		bool is_string = e->type == TYPE_STRING;

		define_accessors(&e->embedded.accessors, out);
		text_printf(out, "%s embedded_%zu(struct tap_context *c)\n{\n\t%s STAP_RETVALUE = %s;\n\n",
			    c_type(e->type), i, c_type(e->type), is_string ? "TAP_EMPTY" : "0");
		write_line_mark(out, e->span);
		text_add(out, is_string ? "\tSTAP_RETVALUE = tap_string_kept(c, (" : "\tSTAP_RETVALUE = (s64)(");
		text_add_n(out, e->embedded.code, e->embedded.size);
		text_add(out, is_string ? "));\n" : ");\n");
		text_add(out, "\tgoto stap_out;\nstap_out:\n\treturn STAP_RETVALUE;\n}\n");
		undefine_accessors(&e->embedded.accessors, out);
		text_char(out, '\n');
	}
}

static void declare_accessors(const struct plan *p, struct text *out)
{
	vec_each(f, &p->program->functions)
		if ((*f)->is_accessor)
			text_printf(out, "extern %s;\n", signature(out->arena, *f, (*f)->c_name));
}

static void write_embedded(struct plan *p, struct text *out)
{
	text_printf(out, "#define MAXSTRINGLEN %lld\n", (long long)p->max_string);
	vec_each(d, &p->translation->options->defines)
		if (!str_equal(d->name, "MAXSTRINGLEN"))
			text_printf(out, "#define %s %s\n", d->name, d->value);
	text_add(out, "#include \"tap_embedded.h\"\n\n");
	declare_accessors(p, out);
	vec_each(e, &p->program->embedded) {
		write_line_mark(out, e->span);
		text_add_n(out, e->code, e->size);
		text_char(out, '\n');
	}
	vec_each(f, &p->program->functions)
		if ((*f)->embedded && !(*f)->span.source->is_system)
			emit_embedded_function(p, *f, "", out);
	emit_embedded_exprs(p, out);
}

/* ---- handlers ---- */

/* What the entry of a function keeps for the handler of its return. HAS: a bit each, once it is set. */
static void declare_kept(struct plan *p, const struct handler_plan *h, struct text *out)
{
	if (h->entry < 0)
		return;
	text_printf(out, "struct entry_%u {\n\tu64 has;\n", h->handler->number);
	vec_each(v, &h->handler->kept)
		text_printf(out, (*v)->type == TYPE_STRING ?
			    "\tstruct tap_string k%u;\n\tchar k%u_buffer[%lld];\n" : "\ts64 k%u;\n",
			    (*v)->number, (*v)->number, (long long)p->max_string);
	text_add(out, "};\n");
}

static void write_needs(const struct handler_plan *h, struct text *out)
{
	if (!h->locks.n)
		return;
	text_printf(out, "static const struct tap_lock_need locks_%u[] = { ", h->handler->number);
	vec_each(l, &h->locks)
		text_printf(out, "{ %u, %d }, ", l->lock, l->write);
	text_add(out, "};\n");
}

static void emit_condition_function(struct plan *p, const struct handler_plan *h, struct text *out)
{
	struct emitter em = { .plan = p, .arena = p->translation->arena, .out = out, .indent = 1,
			      .fail = "out" };
	const struct handler *handler = h->handler;

	if (!handler->conditions.n)
		return;
	text_printf(out, "static bool condition_%u(struct tap_context *c)\n{\n", handler->number);
	emit_line(&em, "bool armed = false;");
	vec_each(e, &handler->conditions) {
		emit_line(&em, "if (!%s)", emit_condition(&em, *e));
		emit_line(&em, "\tgoto out;");
	}
	emit_line(&em, "armed = true;");
	text_add(out, "out:\n");
	emit_line(&em, "return armed;");
	text_add(out, "}\n\n");
}

/* begin, end and error come once, whatever they are armed to: they look at their condition when they run. */
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
	struct emitter em = { .plan = p, .arena = p->translation->arena, .out = out, .indent = 1,
			      .handler = h, .fail = "out", .last = last_statement(h->handler->body) };

	write_needs(h, out);
	text_printf(out, "/* %s */\nstatic void probe_%u(struct tap_context *c)\n{\n",
		    emit_position(&em, h->handler->probe->span), h->handler->number);
	if (h->locks.n)
		emit_line(&em, "bool locked = false;");
	if (checks_condition(h->handler)) {
		emit_line(&em, "if (!condition_%u(c))", h->handler->number);
		emit_line(&em, "\treturn;");
	}
	emit_variables(&em, &h->handler->locals);
	emit_buffers(&em, NULL, &h->handler->locals);
	emit_statement(&em, h->handler->body);
	if (em.out_used || em.fail_used)
		text_add(out, "out:;\n");
	if (h->locks.n) {
		emit_line(&em, "if (locked)");
		emit_line(&em, "\ttap_unlock%s;", emit_lock_arguments(&em));
	}
	if (h->changes_conditions)
		emit_line(&em, "tap_conditions_changed(c);");
	text_add(out, "}\n\n");
}

/* ---- the script ---- */

/* What says the same all through a handler is asked once: to gcc it is a matter of the context alone. */
static const char *attribute(const struct function *f)
{
	return f->embedded && f->span.source->is_system && embedded_says(f, "/* stable */") ?
		       " __attribute__((const))" : "";
}

static void declare_functions(struct plan *p, struct text *out)
{
	vec_each(f, &p->program->functions)
		text_printf(out, "%s%s%s;\n", linkage(*f), signature(out->arena, *f, (*f)->c_name), attribute(*f));
	text_char(out, '\n');
}

static void declare_embedded_exprs(struct plan *p, struct text *out)
{
	for (size_t i = 0; i < p->embedded_exprs.n; i++)
		text_printf(out, "extern %s embedded_%zu(struct tap_context *c);\n",
			    c_type(p->embedded_exprs.items[i]->type), i);
}

void emit_script(struct plan *p, struct text *script, struct text *embedded)
{
	struct text bodies;

	text_init(&bodies, script->arena);
	/* Bodies first: they make formats and regular expressions known. */
	vec_each(f, &p->program->functions)
		if ((*f)->body)
			emit_function(p, *f, &bodies);
	vec_each(h, &p->handlers) {
		declare_kept(p, h, &bodies);
		emit_condition_function(p, h, &bodies);
		emit_handler(p, h, &bodies);
	}
	emit_module_head(p, script);
	declare_functions(p, script);
	declare_embedded_exprs(p, script);
	text_add(script, bodies.s);
	emit_module_tables(p, script);
	if (p->needs_embedded)
		write_embedded(p, embedded);
}

void emit_tapset(struct translation *t, const struct script *s, struct text *out)
{
	(void)t;
	text_printf(out, "/* Made from %s: C of its functions, for the runtime's archive. */\n"
		    "#define MAXSTRINGLEN tap_script.limits.string\n"
		    "#include \"tap_embedded.h\"\n\n", path_base(s->source->name));
	vec_each(e, &s->embedded) {
		write_line_mark(out, e->span);
		text_add_n(out, e->code, e->size);
		text_char(out, '\n');
	}
	vec_each(item, &s->functions) {
		struct function *f = *item;

		if (!f->embedded)
			continue;
		f->c_name = arena_printf(out->arena, "tap_fn_%s", f->name);
		vec_each(p, &f->parameters)
			(*p)->c_name = arena_printf(out->arena, "l_%s", (*p)->name);
		text_printf(out, "%s;\n", signature(out->arena, f, f->c_name));
		emit_embedded_function(NULL, f, "", out);
	}
}
