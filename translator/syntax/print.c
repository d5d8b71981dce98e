/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tree as script text: one spelling for each construct, operators within operators in
 * parentheses, bodies in braces. Read back, it gives the same text again (tests/parse/reprint.sh
 * holds it to that). */
#include "print.h"

#include <string.h>

#include "parse_state.h"

/* ---- literals ---- */

static void print_string(struct text *out, const char *s, size_t n)
{
	text_char(out, '"');
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c == '"' || c == '\\')
			text_printf(out, "\\%c", c);
		else if (c == '\n')
			text_add(out, "\\n");
		else if (c == '\t')
			text_add(out, "\\t");
		else if (c < 0x20 || c == 0x7f)
			text_printf(out, "\\%03o", c);
		else
			text_char(out, (char)c);
	}
	text_char(out, '"');
}

static void print_text(struct text *out, const char *s)
{
	print_string(out, s, strlen(s));
}

/* The smallest number has no decimal spelling: it would be a minus before 2^63, which is too large. */
static void print_number(struct text *out, int64_t value)
{
	if (value == INT64_MIN)
		text_add(out, "0x8000000000000000");
	else
		text_printf(out, "%lld", (long long)value);
}

/* ---- expressions ---- */

static void print_list(struct text *out, const expr_list *list)
{
	vec_each(e, list) {
		if (e > list->items)
			text_add(out, ", ");
		if (*e)
			print_expr(out, *e);
		else
			text_char(out, '*');
	}
}

static bool is_composed(const struct expr *e)
{
	switch (e->kind) {
	case EXPR_UNARY:
	case EXPR_ADDRESS:
	case EXPR_BINARY:
	case EXPR_LOGICAL:
	case EXPR_TERNARY:
	case EXPR_ASSIGN:
	case EXPR_STEP:
	case EXPR_IN:
	case EXPR_MATCH:
		return true;
	case EXPR_HIST_INDEX:
		return e->hist_index.is_in;
	case EXPR_NUMBER:
		return e->number.value < 0 && e->number.value != INT64_MIN;
	default:
		return false;
	}
}

static void print_operand(struct text *out, const struct expr *e)
{
	bool composed = is_composed(e);

	if (composed)
		text_char(out, '(');
	print_expr(out, e);
	if (composed)
		text_char(out, ')');
}

static void print_components(struct text *out, const component_list *list)
{
	vec_each(c, list) {
		switch (c->kind) {
		case COMPONENT_MEMBER:
			text_printf(out, "->%s", c->name);
			break;
		case COMPONENT_INDEX:
			text_char(out, '[');
			print_expr(out, c->index);
			text_char(out, ']');
			break;
		case COMPONENT_PRETTY:
			text_add(out, c->depth == 2 ? "$$" : "$");
			break;
		}
	}
}

static void print_module(struct text *out, const char *module)
{
	if (module) {
		text_add(out, ", ");
		print_text(out, module);
	}
	text_char(out, ')');
}

/* @kderef(8, p) or @kregister(3), after it was resolved. */
static void print_resolved_type_op(struct text *out, const struct expr *e)
{
	text_printf(out, "%s(%lld", e->target.name, (long long)e->target.number);
	if (e->target.base) {
		text_add(out, ", ");
		print_expr(out, e->target.base);
	}
	text_char(out, ')');
}

static void print_target(struct text *out, const struct expr *e)
{
	if (e->target.what == TARGET_CAST && !e->target.type_name) {
		print_resolved_type_op(out, e);
		return;
	}
	switch (e->target.what) {
	case TARGET_VARIABLE:
		text_add(out, e->target.name);
		break;
	case TARGET_CAST:
		text_add(out, "@cast(");
		print_expr(out, e->target.base);
		text_add(out, ", ");
		print_text(out, e->target.type_name);
		print_module(out, e->target.module);
		break;
	case TARGET_VAR:
		text_add(out, "@var(");
		print_text(out, e->target.name);
		print_module(out, e->target.module);
		break;
	}
	print_components(out, &e->target.components);
}

/* x$ is a name and x[1] an array element, so a pointer x keeps its parentheses: (x)$ and (x)[1]. */
static void print_arrow(struct text *out, const struct expr *e)
{
	const component_list *list = &e->arrow.components;
	bool bare = e->arrow.base->kind == EXPR_NAME && list->n &&
		    list->items[0].kind != COMPONENT_MEMBER;

	if (bare)
		text_printf(out, "(%s)", e->arrow.base->name.name);
	else
		print_operand(out, e->arrow.base);
	print_components(out, list);
}

/* Chains are left-associative and can be long, so a loop prints (((a + b) + c) + d). */
static void print_binary(struct text *out, const struct expr *e)
{
	VEC(const struct expr *) chain = { 0 };

	for (; e->kind == EXPR_BINARY || e->kind == EXPR_LOGICAL; e = e->binary.left)
		*vec_add(out->arena, &chain) = e;
	for (size_t i = 1; i < chain.n; i++)
		text_char(out, '(');
	print_operand(out, e);
	while (chain.n--) {
		e = chain.items[chain.n];
		text_printf(out, " %s ", op_text(e->binary.op));
		print_operand(out, e->binary.right);
		if (chain.n)
			text_char(out, ')');
	}
}

static void print_ternary(struct text *out, const struct expr *e)
{
	print_operand(out, e->ternary.condition);
	text_add(out, " ? ");
	print_operand(out, e->ternary.yes);
	text_add(out, " : ");
	print_operand(out, e->ternary.no);
}

static void print_assign(struct text *out, const struct expr *e)
{
	enum op op = e->assign.op;

	print_expr(out, e->assign.left);
	text_printf(out, " %s%s ", op_text(op), op == OP_STAT_ADD ? "" : "=");
	print_operand(out, e->assign.right);
}

static void print_step(struct text *out, const struct expr *e)
{
	const char *op = e->step.delta > 0 ? "++" : "--";

	if (e->step.before)
		text_add(out, op);
	print_expr(out, e->step.operand);
	if (!e->step.before)
		text_add(out, op);
}

static void print_in(struct text *out, const struct expr *e)
{
	text_char(out, '[');
	print_list(out, &e->in.keys);
	text_add(out, "] in ");
	print_expr(out, e->in.array);
}

static void print_hist_index(struct text *out, const struct expr *e)
{
	if (e->hist_index.is_in) {
		print_operand(out, e->hist_index.bucket);
		text_add(out, " in ");
		print_expr(out, e->hist_index.hist);
	} else {
		print_expr(out, e->hist_index.hist);
		text_char(out, '[');
		print_expr(out, e->hist_index.bucket);
		text_char(out, ']');
	}
}

static void print_match(struct text *out, const struct expr *e)
{
	print_operand(out, e->match.subject);
	text_add(out, e->match.negated ? " !~ " : " =~ ");
	print_string(out, e->match.pattern, e->match.pattern_size);
}

static void print_filter(struct text *out, const struct expr *e)
{
	text_add(out, "@packet_matches(");
	print_expr(out, e->filter.skb);
	text_add(out, ", ");
	print_expr(out, e->filter.text);
	text_add(out, ")");
}

static void print_print(struct text *out, const struct expr *e)
{
	const struct print_op *op = &e->print.op;

	text_printf(out, "%s(", op->name);
	if (op->has_format)
		print_string(out, e->print.format, e->print.format_size);
	if (op->has_delimiter)
		print_string(out, e->print.delimiter, e->print.delimiter_size);
	if ((op->has_format || op->has_delimiter) && e->print.args.n)
		text_add(out, ", ");
	print_list(out, &e->print.args);
	text_char(out, ')');
}

static void print_stat(struct text *out, const struct expr *e)
{
	text_printf(out, "@%s(", stat_op_text(e->stat.op));
	print_expr(out, e->stat.stat);
	if (e->stat.params.n)
		text_add(out, ", ");
	print_list(out, &e->stat.params);
	text_char(out, ')');
}

static void print_call(struct text *out, const char *name, const expr_list *args)
{
	text_printf(out, "%s(", name);
	print_list(out, args);
	text_char(out, ')');
}

static void print_embedded(struct text *out, const char *code, size_t size)
{
	text_add(out, "%{");
	text_add_n(out, code, size);
	text_add(out, "%}");
}

static void print_operand_of(struct text *out, const struct expr *e)
{
	text_add(out, e->kind == EXPR_ENTRY ? "@entry(" : e->kind == EXPR_DEFINED ? "@defined(" :
		      "@probewrite(");
	print_expr(out, e->operand.operand);
	text_char(out, ')');
}

void print_expr(struct text *out, const struct expr *e)
{
	switch (e->kind) {
	case EXPR_NUMBER:
		print_number(out, e->number.value);
		break;
	case EXPR_STRING:
		print_string(out, e->string.text, e->string.size);
		break;
	case EXPR_NAME:
		text_add(out, e->name.name);
		break;
	case EXPR_INDEX:
		print_expr(out, e->index.array);
		text_char(out, '[');
		print_list(out, &e->index.keys);
		text_char(out, ']');
		break;
	case EXPR_TARGET:
		print_target(out, e);
		break;
	case EXPR_ARROW:
		print_arrow(out, e);
		break;
	case EXPR_UNARY:
		text_add(out, op_text(e->unary.op));
		print_operand(out, e->unary.operand);
		break;
	case EXPR_ADDRESS:
		text_char(out, '&');
		print_operand(out, e->unary.operand);
		break;
	case EXPR_BINARY:
	case EXPR_LOGICAL:
		print_binary(out, e);
		break;
	case EXPR_TERNARY:
		print_ternary(out, e);
		break;
	case EXPR_ASSIGN:
		print_assign(out, e);
		break;
	case EXPR_STEP:
		print_step(out, e);
		break;
	case EXPR_IN:
		print_in(out, e);
		break;
	case EXPR_MATCH:
		print_match(out, e);
		break;
	case EXPR_FILTER:
		print_filter(out, e);
		break;
	case EXPR_CALL:
		print_call(out, e->call.name, &e->call.args);
		break;
	case EXPR_PRINT:
		print_print(out, e);
		break;
	case EXPR_STAT:
	case EXPR_HIST:
		print_stat(out, e);
		break;
	case EXPR_HIST_INDEX:
		print_hist_index(out, e);
		break;
	case EXPR_ENTRY:
	case EXPR_DEFINED:
	case EXPR_PROBEWRITE:
		print_operand_of(out, e);
		break;
	case EXPR_PERF:
		text_add(out, "@perf(");
		print_text(out, e->perf.name);
		text_char(out, ')');
		break;
	case EXPR_TYPE_OP:
		text_char(out, '@');
		print_call(out, e->type_op.op, &e->type_op.args);
		break;
	case EXPR_EMBEDDED:
		print_embedded(out, e->embedded.code, e->embedded.size);
		break;
	}
}

/* ---- statements ---- */

static void print_indent(struct text *out, unsigned indent)
{
	while (indent--)
		text_char(out, '\t');
}

/* Prints a statement as a block after "if (...)" and the like, up to the brace. */
static void print_body(struct text *out, const struct stmt *s, unsigned indent)
{
	text_add(out, "{\n");
	if (s->kind == STMT_BLOCK) {
		vec_each(inner, &s->block)
			print_stmt(out, *inner, indent + 1);
	} else {
		print_stmt(out, s, indent + 1);
	}
	print_indent(out, indent);
	text_char(out, '}');
}

static void print_if(struct text *out, const struct stmt *s, unsigned indent)
{
	for (;;) {
		text_add(out, "if (");
		print_expr(out, s->if_.condition);
		text_add(out, ") ");
		print_body(out, s->if_.yes, indent);
		s = s->if_.no;
		if (!s)
			return;
		text_add(out, " else ");
		if (s->kind != STMT_IF)
			break;
	}
	print_body(out, s, indent);
}

static void print_for(struct text *out, const struct stmt *s, unsigned indent)
{
	text_add(out, "for (");
	if (s->loop.start)
		print_expr(out, s->loop.start);
	text_add(out, "; ");
	if (s->loop.condition)
		print_expr(out, s->loop.condition);
	text_add(out, "; ");
	if (s->loop.step)
		print_expr(out, s->loop.step);
	text_add(out, ") ");
	print_body(out, s->loop.body, indent);
}

static const char *sort_text(const struct foreach_stmt *f, int key)
{
	return f->sort_key != key || !f->direction ? "" : f->direction > 0 ? "+" : "-";
}

static void print_loop_keys(struct text *out, const struct foreach_stmt *f)
{
	text_char(out, '[');
	for (size_t i = 0; i < f->keys.n; i++) {
		text_add(out, i ? ", " : "");
		print_expr(out, f->keys.items[i]);
		text_add(out, sort_text(f, (int)i + 1));
	}
	text_char(out, ']');
}

static void print_foreach(struct text *out, const struct stmt *s, unsigned indent)
{
	const struct foreach_stmt *f = &s->foreach;

	text_add(out, "foreach (");
	if (f->value) {
		print_expr(out, f->value);
		text_add(out, " = ");
	}
	print_loop_keys(out, f);
	text_add(out, " in ");
	print_expr(out, f->array);
	if (f->slice.n) {
		text_char(out, '[');
		print_list(out, &f->slice);
		text_char(out, ']');
	}
	if (f->sort_key == 0 && f->sort_op != STAT_COUNT && f->sort_op != STAT_NONE)
		text_printf(out, " @%s", stat_op_text(f->sort_op));
	text_add(out, sort_text(f, 0));
	if (f->limit) {
		text_add(out, " limit ");
		print_expr(out, f->limit);
	}
	text_add(out, ") ");
	print_body(out, f->body, indent);
}

static void print_try(struct text *out, const struct stmt *s, unsigned indent)
{
	text_add(out, "try ");
	print_body(out, s->try_.body, indent);
	text_add(out, " catch ");
	if (s->try_.message) {
		text_char(out, '(');
		print_expr(out, s->try_.message);
		text_add(out, ") ");
	}
	print_body(out, s->try_.handler, indent);
}

static void print_one(struct text *out, const struct stmt *s, unsigned indent)
{
	switch (s->kind) {
	case STMT_EMPTY:
		text_char(out, ';');
		break;
	case STMT_BLOCK:
		print_body(out, s, indent);
		break;
	case STMT_EXPR:
		print_expr(out, s->expr);
		text_char(out, ';');
		break;
	case STMT_IF:
		print_if(out, s, indent);
		break;
	case STMT_WHILE:
		text_add(out, "while (");
		print_expr(out, s->loop.condition);
		text_add(out, ") ");
		print_body(out, s->loop.body, indent);
		break;
	case STMT_FOR:
		print_for(out, s, indent);
		break;
	case STMT_FOREACH:
		print_foreach(out, s, indent);
		break;
	case STMT_RETURN:
		text_add(out, s->expr ? "return " : "return");
		if (s->expr)
			print_expr(out, s->expr);
		text_char(out, ';');
		break;
	case STMT_BREAK:
		text_add(out, "break;");
		break;
	case STMT_CONTINUE:
		text_add(out, "continue;");
		break;
	case STMT_NEXT:
		text_add(out, "next;");
		break;
	case STMT_TRY:
		print_try(out, s, indent);
		break;
	case STMT_DELETE:
		text_add(out, "delete ");
		print_expr(out, s->expr);
		text_char(out, ';');
		break;
	}
}

void print_stmt(struct text *out, const struct stmt *s, unsigned indent)
{
	print_indent(out, indent);
	print_one(out, s, indent);
	text_char(out, '\n');
}

/* ---- probe points ---- */

static void print_point(struct text *out, const struct point *p)
{
	vec_each(c, &p->components) {
		if (c > p->components.items)
			text_char(out, '.');
		text_add(out, c->name);
		if (!c->has_argument)
			continue;
		text_char(out, '(');
		if (c->is_string)
			print_string(out, c->text, strlen(c->text));
		else
			print_number(out, c->number);
		text_char(out, ')');
	}
	text_add(out, p->optional ? "?" : p->sufficient ? "!" : "");
	if (p->condition) {
		text_add(out, " if (");
		print_expr(out, p->condition);
		text_char(out, ')');
	}
}

const char *point_text(struct arena *a, const struct point *p)
{
	struct text out;

	text_init(&out, a);
	print_point(&out, p);
	return out.s;
}

/* ---- declarations ---- */

static void print_points(struct text *out, const point_list *points, const char *between)
{
	vec_each(p, points) {
		if (p > points->items)
			text_add(out, between);
		print_point(out, *p);
	}
}

static void print_probe(struct text *out, const struct probe *p)
{
	const char *sign = p->is_epilogue ? " += " : " = ";

	text_add(out, "probe ");
	print_points(out, &p->names, sign);
	if (p->names.n)
		text_add(out, sign);
	print_points(out, &p->points, ", ");
	text_char(out, ' ');
	print_body(out, p->body, 0);
	if (p->epilogue) {
		text_add(out, ", ");
		print_body(out, p->epilogue, 0);
	}
	text_char(out, '\n');
}

static const char *type_text(const enum type type, bool declared)
{
	return !declared ? "" : type == TYPE_STRING ? ":string" : ":long";
}

static void print_function(struct text *out, const struct function *f)
{
	text_printf(out, "%sfunction %s%s(", f->is_private ? "private " : "", f->name,
		    type_text(f->type, f->type_declared));
	vec_each(p, &f->parameters)
		text_printf(out, "%s%s%s", p > f->parameters.items ? ", " : "", (*p)->name,
			    type_text((*p)->type, (*p)->type_declared));
	text_char(out, ')');
	if (f->has_priority)
		text_printf(out, ":%lld", (long long)f->priority);
	text_char(out, ' ');
	if (f->body)
		print_body(out, f->body, 0);
	else
		print_embedded(out, f->embedded, f->embedded_size);
	text_char(out, '\n');
}

static void print_declared(struct text *out, const struct variable *v)
{
	text_printf(out, "%sglobal %s%s", v->is_private ? "private " : "", v->name,
		    v->wrap ? "%" : "");
	if (v->size) {
		text_char(out, '[');
		print_expr(out, v->size);
		text_char(out, ']');
	}
}

static void print_variable(struct text *out, const struct variable *v)
{
	print_declared(out, v);
	if (v->initial) {
		text_add(out, " = ");
		print_expr(out, v->initial);
	}
	text_char(out, '\n');
}

static const struct script_option *option_of(const struct script *s, const struct variable *v)
{
	vec_each(o, &s->options)
		if (o->variable == v)
			return o;
	return NULL;
}

static void print_option(struct text *out, const struct script_option *o)
{
	const struct declared_option *d = &o->declared;

	print_declared(out, o->variable);
	text_add(out, " = @option(");
	print_text(out, d->letter ? arena_printf(out->arena, "%s|%c", d->name, d->letter) : d->name);
	text_add(out, ", ");
	print_expr(out, o->variable->initial);
	text_add(out, ", ");
	print_text(out, d->help);
	if (d->values_text) {
		text_add(out, ", ");
		print_text(out, d->values_text);
	}
	text_add(out, ")\n");
}

void print_script(struct text *out, const struct script *s)
{
	vec_each(e, &s->embedded) {
		print_embedded(out, e->code, e->size);
		text_char(out, '\n');
	}
	vec_each(v, &s->globals) {
		const struct script_option *o = option_of(s, *v);

		if (o)
			print_option(out, o);
		else
			print_variable(out, *v);
	}
	vec_each(f, &s->functions)
		print_function(out, *f);
	vec_each(p, &s->aliases)
		print_probe(out, *p);
	vec_each(p, &s->probes)
		print_probe(out, *p);
}
