/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Type inference. Most scripts declare no types: a type is learned where a value comes from or is used,
 * and propagated to everything connected with it until nothing changes. Then a last walk reports
 * conflicts, with both places: a variable records where its type was learned. */
#include "infer.h"

#include <ctype.h>

#include <string.h>

#include "base/access.h"
#include "debuginfo/type.h"
#include "source/diag.h"
#include "infer_format.h"
#include "pointee.h"
#include "target/target.h"
#include "source/translation.h"
#include "source/options.h"
#include "base/util.h"
#include "warn.h"

struct inference {
	struct arena *arena;
	struct diag *diag;
	struct images *images;
	const struct options *options;
	struct program *program;
	struct function *function;	/* the function whose body is being walked, or NULL */
	struct handler *handler;	/* the same for a handler; of a function, the handler that has this copy */
	VEC(const struct expr *) rows;	/* the first row of each table */
	bool changed;
	bool reporting;			/* the last walk */
};

static enum type infer_expr(struct inference *in, struct expr *e, enum type wanted);
static void infer_stmt(struct inference *in, struct stmt *s);

const char *type_name(enum type type)
{
	switch (type) {
	case TYPE_LONG: return "long";
	case TYPE_STRING: return "string";
	case TYPE_STATS: return "aggregate";
	case TYPE_UNKNOWN: case TYPE_ERROR: break;
	}
	return "unknown";
}

static bool is_value(enum type t)
{
	return t == TYPE_LONG || t == TYPE_STRING;
}

/* ---- pointers ---- */

/* V may point to POINTEE. */
static void learn_pointee(struct inference *in, struct variable *v, const struct debug_type *pointee)
{
	in->changed |= pointee_learn(in->arena, &v->pointee, pointee);
}

static void infer_components(struct inference *in, component_list *list);

static enum type infer_arrow(struct inference *in, struct expr *e)
{
	struct target_scope at = { .images = in->images, .options = in->options,
				   .handler = in->handler };
	struct expr *base = e->arrow.base;

	if (infer_expr(in, base, TYPE_LONG) == TYPE_ERROR)
		return TYPE_ERROR;
	infer_components(in, &e->arrow.components);
	if (in->reporting && (!base->pointee || base->pointee == &pointee_conflict)) {
		diag_error(e->span, base->pointee ? "this points to different types at different times: use @cast" :
			   "cannot tell what this points to: use @cast");
		return TYPE_ERROR;
	}
	if (base->pointee && base->pointee != &pointee_conflict && !e->arrow.access &&
	    !target_resolve_arrow(&at, e))
		e->type = TYPE_ERROR;
	if (e->arrow.pretty)
		infer_expr(in, e->arrow.pretty, TYPE_STRING);
	return e->type == TYPE_ERROR ? TYPE_ERROR : e->arrow.pretty ? TYPE_STRING : TYPE_LONG;
}

static enum type infer_target(struct inference *in, struct expr *e)
{
	if (e->target.base)
		infer_expr(in, e->target.base, TYPE_LONG);
	infer_components(in, &e->target.components);
	if (e->target.pretty)
		infer_expr(in, e->target.pretty, TYPE_STRING);
	if (e->target.pretty || e->type == TYPE_STRING)
		return TYPE_STRING;
	return e->target.access && e->target.access->is_string ? TYPE_STRING : TYPE_LONG;
}

static enum type infer_type_op(struct inference *in, struct expr *e)
{
	vec_each(arg, &e->type_op.args)
		infer_expr(in, *arg, TYPE_UNKNOWN);
	return e->type_op.enumerators.n ? TYPE_STRING : TYPE_LONG;
}

/* ---- learning ---- */

static void conflict(struct span at, const char *what, enum type found, enum type wanted,
		     struct span other)
{
	diag_error(at, "%s is %s here", what, type_name(found));
	if (other.source)
		diag_note(other, "and %s here", type_name(wanted));
}

/* Records that *KNOWN is TYPE because of AT. A newly learned type is recorded with its place. */
static void learn(struct inference *in, const char *name, enum type *known, struct span *place,
		  enum type type, struct span at)
{
	if (type == TYPE_UNKNOWN || type == TYPE_ERROR || *known == TYPE_ERROR || *known == type)
		return;
	if (*known == TYPE_UNKNOWN) {
		*known = type;
		*place = at;
		in->changed = true;
	} else if (in->reporting) {
		conflict(at, arena_printf(in->arena, "'%s'", name), type, *known, *place);
	}
}

static void learn_variable(struct inference *in, struct variable *v, enum type type, struct span at)
{
	learn(in, v->name, &v->type, &v->type_span, type, at);
}

static void set_type(struct inference *in, struct expr *e, enum type type)
{
	if (e->type == TYPE_ERROR || e->type == type || type == TYPE_UNKNOWN)
		return;
	if (e->type == TYPE_UNKNOWN) {
		e->type = type;
		in->changed = true;
	}
}

/* Prints where E's type was learned, if that is another place. */
static void note_origin(const struct expr *e)
{
	const struct variable *v = expr_variable(e);
	const struct function *f = e->kind == EXPR_CALL && e->call.candidates.n ? e->call.candidates.items[0] : NULL;
	struct span at = v ? v->type_span : f ? f->type_span : (struct span){ 0 };

	if (at.source && (at.source != e->span.source || at.start != e->span.start))
		diag_note(at, "'%s' is %s here", v ? v->name : f->name, type_name(e->type));
}

/* E is used where only TYPE is allowed. */
static void want(struct inference *in, struct expr *e, enum type type, const char *what)
{
	enum type found = infer_expr(in, e, type);

	if (!in->reporting || found == type || found == TYPE_UNKNOWN || found == TYPE_ERROR)
		return;
	diag_error(e->span, "expected %s%s%s, found %s", type_name(type), *what ? " " : "", what,
		   type_name(found));
	note_origin(e);
}

static void want_long(struct inference *in, struct expr *e)
{
	want(in, e, TYPE_LONG, "");
}

static void infer_components(struct inference *in, component_list *list)
{
	vec_each(c, list)
		if (c->kind == COMPONENT_INDEX)
			want_long(in, c->index);
}

static enum type either(enum type a, enum type b)
{
	return a != TYPE_UNKNOWN ? a : b;
}

/* Both sides have the same type; either may be known. */
static enum type same_type(struct inference *in, struct expr *a, struct expr *b, enum type wanted)
{
	enum type left = infer_expr(in, a, either(b->type, wanted));
	enum type right = infer_expr(in, b, either(left, wanted));

	if (in->reporting && is_value(left) && is_value(right) && left != right) {
		diag_error(b->span, "this is %s", type_name(right));
		diag_note(a->span, "and this is %s", type_name(left));
		return TYPE_ERROR;
	}
	return either(left, right);
}

/* ---- variables, arrays ---- */

static void infer_key(struct inference *in, struct variable *v, size_t i, struct expr *key)
{
	enum type type = infer_expr(in, key, v->key_types[i]);

	if (type == TYPE_STATS) {
		if (in->reporting)
			diag_error(key->span, "an aggregate cannot be a key");
		return;
	}
	learn(in, arena_printf(in->arena, "%s[key %zu]", v->name, i + 1), &v->key_types[i],
	      &v->key_spans[i], type, key->span);
}

static void infer_keys(struct inference *in, struct variable *v, expr_list *keys)
{
	for (size_t i = 0; i < keys->n; i++)
		if (keys->items[i])
			infer_key(in, v, i, keys->items[i]);
}

static enum type infer_variable(struct inference *in, struct expr *e, enum type wanted)
{
	struct variable *v = expr_variable(e);

	if (!v || e->type == TYPE_ERROR)
		return TYPE_ERROR;
	if (e->kind == EXPR_INDEX)
		infer_keys(in, v, &e->index.keys);
	if (v->type == TYPE_UNKNOWN)
		learn_variable(in, v, wanted, e->span);
	set_type(in, e, v->type);
	e->pointee = v->pointee;
	return v->type;
}

/* ---- operators ---- */

/* "1.5" is parsed as a number, a '.' and a number. */
static bool is_float(const struct expr *e)
{
	const struct expr *left = e->binary.left;

	while (left->kind == EXPR_BINARY)
		left = left->binary.right;
	return left->kind == EXPR_NUMBER && left->span.source->text[left->span.end] == '.' &&
	       isdigit((unsigned char)left->span.source->text[left->span.end + 1]);
}

static void add(struct inference *in, struct expr *e)
{
	unsigned errors = in->diag->errors;

	want_long(in, e->binary.left);
	want_long(in, e->binary.right);
	if (in->diag->errors > errors &&
	    (e->binary.left->kind == EXPR_STRING || e->binary.right->kind == EXPR_STRING))
		diag_note(e->span, "'.' joins strings, and sprint() makes a string from a number: "
				   "\"pid \" . sprint(pid())");
}

static enum type infer_binary(struct inference *in, struct expr *e)
{
	switch (e->binary.op) {
	case OP_CONCAT:
		if (is_float(e)) {
			if (!in->reporting)
				return TYPE_UNKNOWN;
			diag_error(e->span, "fractions are not supported: use a smaller unit, such as 1500 for 1.5");
			return TYPE_ERROR;
		}
		want(in, e->binary.left, TYPE_STRING, "for '.'");
		want(in, e->binary.right, TYPE_STRING, "for '.'");
		return TYPE_STRING;
	case OP_EQ: case OP_NE: case OP_LT: case OP_LE: case OP_GT: case OP_GE:
		if (same_type(in, e->binary.left, e->binary.right, TYPE_UNKNOWN) == TYPE_STATS &&
		    in->reporting)
			diag_error(e->span, "an aggregate cannot be compared; use @count, @sum, ...");
		return TYPE_LONG;
	case OP_ADD:
		add(in, e);
		return TYPE_LONG;
	default:
		want_long(in, e->binary.left);
		want_long(in, e->binary.right);
		return TYPE_LONG;
	}
}

static enum type infer_stat_add(struct inference *in, struct expr *e)
{
	struct variable *v = expr_variable(e->assign.left);

	infer_variable(in, e->assign.left, TYPE_STATS);
	if (v && v->kind != VARIABLE_GLOBAL && in->reporting) {
		diag_error(e->assign.left->span, "an aggregate must be global: declare 'global %s'", v->name);
		v->type = TYPE_ERROR;
	}
	if (v)
		learn_variable(in, v, TYPE_STATS, e->span);
	want_long(in, e->assign.right);
	return TYPE_LONG;
}

/* Checks writes through a pointer; resolve has checked those to $x. */
static void check_writable(struct inference *in, const struct expr *e)
{
	if (e->kind == EXPR_ARROW && in->reporting)
		target_is_writable(e, in->options->guru);
}

static enum type infer_assign(struct inference *in, struct expr *e, enum type wanted)
{
	struct expr *left = e->assign.left, *right = e->assign.right;
	struct variable *v;
	enum type type;

	if (e->assign.op == OP_STAT_ADD)
		return infer_stat_add(in, e);
	if (e->assign.op == OP_CONCAT) {
		want(in, left, TYPE_STRING, "for '.='");
		want(in, right, TYPE_STRING, "for '.='");
		return TYPE_STRING;
	}
	if (e->assign.op != OP_NONE) {
		want_long(in, left);
		want_long(in, right);
		check_writable(in, left);
		return TYPE_LONG;
	}
	type = infer_expr(in, right, either(left->type, wanted));
	v = expr_variable(left);
	infer_expr(in, left, type);
	if (!v)
		want(in, right, left->type, "");
	check_writable(in, left);
	if (v && is_value(type))
		learn_variable(in, v, type, e->span);
	if (in->reporting && type == TYPE_STATS)
		diag_error(right->span, "an aggregate cannot be assigned; use @count, @sum, ...");
	if (v)
		learn_pointee(in, v, right->pointee);
	e->pointee = right->pointee;
	return either(left->type, type);
}

/* ---- calls ---- */

static enum type infer_call(struct inference *in, struct expr *e, enum type wanted)
{
	enum type type = TYPE_UNKNOWN;

	vec_each(candidate, &e->call.candidates) {
		struct function *f = *candidate;

		for (size_t i = 0; i < e->call.args.n; i++) {
			struct expr *arg = e->call.args.items[i];
			struct variable *p = f->parameters.items[i];

			enum type given = infer_expr(in, arg, p->type);

			learn_pointee(in, p, arg->pointee);
			if (given != TYPE_STATS)
				learn_variable(in, p, given, arg->span);
			else if (in->reporting && candidate == e->call.candidates.items)
				diag_error(arg->span, "an aggregate cannot be an argument; use @count, @sum, ...");
		}
		f->is_value_used |= !e->call.is_statement;
		if (f->type == TYPE_UNKNOWN &&
		    (f->has_return_value || f->embedded || (f->is_value_used && !f->calls_next)))
			learn(in, f->name, &f->type, &f->type_span, wanted, e->span);
		type = either(type, f->type);
		pointee_learn(in->arena, &e->pointee, f->pointee);
	}
	return type;
}

/* ---- aggregates ---- */

static bool constant_param(struct inference *in, const struct expr *e, size_t i, int64_t *value)
{
	const struct expr *p = e->stat.params.items[i];
	bool negative = p->kind == EXPR_UNARY && p->unary.op == OP_NEG;

	if (negative)
		p = p->unary.operand;
	if (p->kind != EXPR_NUMBER) {
		if (in->reporting)
			diag_error(p->span, "@%s takes constant numbers here", stat_op_name(e->stat.op));
		return false;
	}
	*value = negative ? -p->number.value : p->number.value;
	return true;
}

/* Finds the histogram H of the variable; adds it at first use. */
static unsigned find_histogram(struct inference *in, struct variable *v, const struct histogram *h)
{
	for (size_t i = 0; i < v->histograms.n; i++) {
		struct histogram *known = &v->histograms.items[i];

		if (known->op == h->op && known->low == h->low && known->high == h->high &&
		    known->step == h->step)
			return (unsigned)i;
	}
	*vec_add(in->arena, &v->histograms) = *h;
	return (unsigned)v->histograms.n - 1;
}

static bool read_histogram(struct inference *in, struct expr *e, struct histogram *h)
{
	h->op = e->stat.op;
	if (h->op == STAT_HIST_LOG) {
		if (e->stat.params.n && !constant_param(in, e, 0, &h->low))
			return false;
		if (h->low >= 0 && h->low <= 6)
			return true;
		if (in->reporting)
			diag_error(e->span, "@hist_log takes 0 to 6 bits of sub-buckets");
		return false;
	}
	if (!constant_param(in, e, 0, &h->low) || !constant_param(in, e, 1, &h->high) ||
	    !constant_param(in, e, 2, &h->step))
		return false;
	if (h->step > 0 && h->high >= h->low &&
	    ((uint64_t)h->high - (uint64_t)h->low) / (uint64_t)h->step < 4096)
		return true;
	if (in->reporting)
		diag_error(e->span, "@hist_linear needs a low not above high, and a step that makes at most "
			   "4096 buckets");
	return false;
}

static void infer_histogram(struct inference *in, struct expr *e, struct variable *v)
{
	struct histogram h = { 0 };

	if (e->stat.op == STAT_PERCENTILE) {
		/* It has its own log-linear histogram: 32 sub-buckets, error at most 3 %. */
		h = (struct histogram){ .op = STAT_HIST_LOG, .low = 5 };
	} else if (!read_histogram(in, e, &h)) {
		if (in->reporting)
			e->type = TYPE_ERROR;
		return;
	}
	e->stat.histogram = find_histogram(in, v, &h);
	if (e->stat.histogram >= 4 && in->reporting) {
		diag_error(e->span, "'%s' has more than 4 different histograms", v->name);
		e->type = TYPE_ERROR;
	}
}

static enum type infer_stat(struct inference *in, struct expr *e)
{
	struct variable *v = expr_variable(e->stat.stat);
	int64_t bits = 0;

	if (!v || e->type == TYPE_ERROR)
		return TYPE_ERROR;
	infer_variable(in, e->stat.stat, TYPE_STATS);
	if (v->type != TYPE_STATS) {
		if (in->reporting && v->type != TYPE_ERROR) {
			diag_error(e->stat.stat->span, "@%s expects an aggregate, but '%s' is %s",
				   stat_op_name(e->stat.op), v->name, type_name(v->type));
			if (v->type_span.source)
				diag_note(v->type_span, "as used here");
		}
		return TYPE_LONG;
	}
	v->stat_ops |= 1u << e->stat.op;
	vec_each(p, &e->stat.params)
		want_long(in, *p);
	if (e->stat.op == STAT_VARIANCE && e->stat.params.n)
		constant_param(in, e, 0, &bits);
	if (e->kind == EXPR_HIST || e->stat.op == STAT_PERCENTILE)
		infer_histogram(in, e, v);
	return TYPE_LONG;
}

/* ---- output ---- */

static void wrong_argument(const struct expr *print, const struct expr *arg, enum type wanted, enum type found)
{
	diag_error(arg->span, "%s expects %s here, found %s", print->print.op.name, type_name(wanted),
		   type_name(found));
	note_origin(arg);
}

static bool has_columns_of(const struct expr *a, const struct expr *b)
{
	const struct row_shape *x = &a->print.row, *y = &b->print.row;

	if (!str_equal(x->table, y->table) || x->columns.n != y->columns.n)
		return false;
	for (size_t i = 0; i < x->columns.n; i++)
		if (!str_equal(x->columns.items[i], y->columns.items[i]))
			return false;
	return true;
}

static void check_row_types(const struct expr *e, const struct expr *first)
{
	for (size_t i = 0; i < e->print.args.n; i++) {
		const struct expr *value = e->print.args.items[i], *before = first->print.args.items[i];

		if (!is_value(value->type) || !is_value(before->type) || value->type == before->type)
			continue;
		diag_error(value->span, "column '%s' is a %s here, but a %s in the first row of table '%s'",
			   e->print.row.columns.items[i], type_name(value->type), type_name(before->type),
			   e->print.row.table);
		diag_note(before->span, "the first row is here");
	}
}

/* All rows of a table have the same columns. */
static void check_row(struct inference *in, const struct expr *e)
{
	vec_each(other, &in->rows) {
		const struct expr *first = *other;

		if (strcasecmp(first->print.row.table, e->print.row.table) != 0)
			continue;
		if (has_columns_of(e, first)) {
			check_row_types(e, first);
			return;
		}
		diag_error(e->span, "table '%s' has other columns here than in its first row: @row(\"%s\", ...)",
			   e->print.row.table, first->print.delimiter);
		diag_note(first->span, "the first row is here");
		return;
	}
	*vec_add(in->arena, &in->rows) = e;
}

static enum type infer_print(struct inference *in, struct expr *e)
{
	if (e->print.op.has_format) {
		infer_format(in->arena, e, in->reporting);
	}
	if (in->reporting && e->print.op.is_char && e->print.args.n != 1)
		diag_error(e->span, "print_char takes one character code, not %zu values", e->print.args.n);
	for (size_t i = 0; i < e->print.args.n; i++) {
		struct expr *arg = e->print.args.items[i];
		enum type wanted = e->print.op.has_format ? infer_format_type(e, i) :
				   e->print.op.is_char ? TYPE_LONG : TYPE_UNKNOWN;
		enum type type;

		if (arg->kind == EXPR_HIST) {
			infer_stat(in, arg);
			if (in->reporting && (e->print.op.has_format || e->print.args.n > 1 ||
					      e->print.op.has_delimiter || e->print.op.is_char))
				diag_error(arg->span, "a histogram must be printed alone, by print(), println(), "
						      "sprint() or sprintln()");
			continue;
		}
		type = infer_expr(in, arg, wanted);
		if (!in->reporting)
			continue;
		if (type == TYPE_STATS)
			diag_error(arg->span, "an aggregate cannot be printed; use @count, @sum, @hist_log, ...");
		else if (is_value(wanted) && is_value(type) && wanted != type)
			wrong_argument(e, arg, wanted, type);
	}
	if (in->reporting && e->print.op.is_row)
		check_row(in, e);
	return e->print.op.to_string ? TYPE_STRING : TYPE_LONG;
}

/* ---- expressions ---- */

static enum type infer_kind(struct inference *in, struct expr *e, enum type wanted)
{
	enum type type;

	switch (e->kind) {
	case EXPR_NUMBER:
		return TYPE_LONG;
	case EXPR_STRING:
		return TYPE_STRING;
	case EXPR_NAME:
	case EXPR_INDEX:
		return infer_variable(in, e, wanted);
	case EXPR_UNARY:
		want_long(in, e->unary.operand);
		return TYPE_LONG;
	case EXPR_BINARY:
		return infer_binary(in, e);
	case EXPR_LOGICAL:
		want_long(in, e->binary.left);
		want_long(in, e->binary.right);
		return TYPE_LONG;
	case EXPR_TERNARY:
		want_long(in, e->ternary.condition);
		type = same_type(in, e->ternary.yes, e->ternary.no, wanted);
		pointee_learn(in->arena, &e->pointee, e->ternary.yes->pointee);
		pointee_learn(in->arena, &e->pointee, e->ternary.no->pointee);
		return type;
	case EXPR_ASSIGN:
		return infer_assign(in, e, wanted);
	case EXPR_STEP:
		want_long(in, e->step.operand);
		check_writable(in, e->step.operand);
		return TYPE_LONG;
	case EXPR_IN:
		if (e->in.array->type != TYPE_ERROR && e->in.array->name.variable)
			infer_keys(in, e->in.array->name.variable, &e->in.keys);
		return TYPE_LONG;
	case EXPR_MATCH:
		want(in, e->match.subject, TYPE_STRING, "for '=~'");
		return TYPE_LONG;
	case EXPR_FILTER:
		want_long(in, e->filter.skb);
		return TYPE_LONG;
	case EXPR_CALL:
		return infer_call(in, e, wanted);
	case EXPR_PRINT:
		return infer_print(in, e);
	case EXPR_STAT:
	case EXPR_HIST:
		return infer_stat(in, e);
	case EXPR_HIST_INDEX:
		infer_stat(in, e->hist_index.hist);
		want_long(in, e->hist_index.bucket);
		return TYPE_LONG;
	case EXPR_EMBEDDED:
		vec_each(parameter, &e->embedded.parameters)
			infer_expr(in, *parameter, TYPE_UNKNOWN);
		return e->embedded.is_string ? TYPE_STRING : TYPE_LONG;
	case EXPR_TARGET:
		return infer_target(in, e);
	case EXPR_ARROW:
		return infer_arrow(in, e);
	case EXPR_TYPE_OP:
		return infer_type_op(in, e);
	case EXPR_ADDRESS: case EXPR_ENTRY: case EXPR_DEFINED: case EXPR_PROBEWRITE: case EXPR_PERF:
		return TYPE_LONG;
	}
	return TYPE_ERROR;
}

static enum type infer_expr(struct inference *in, struct expr *e, enum type wanted)
{
	if (e->type == TYPE_ERROR)
		return TYPE_ERROR;
	set_type(in, e, infer_kind(in, e, wanted));
	return e->type;
}

/* ---- statements ---- */

static void infer_foreach(struct inference *in, struct foreach_stmt *f)
{
	struct variable *array = f->array->kind == EXPR_NAME ? f->array->name.variable : NULL;

	if (f->array->kind == EXPR_HIST) {
		infer_stat(in, f->array);
		vec_each(key, &f->keys)
			want_long(in, *key);
		if (f->value)
			want_long(in, f->value);
	} else if (array && f->array->type != TYPE_ERROR) {
		for (size_t i = 0; i < f->keys.n; i++) {
			struct variable *v = f->keys.items[i]->name.variable;

			infer_key(in, array, i, f->keys.items[i]);
			if (v)
				learn_variable(in, v, array->key_types[i], f->keys.items[i]->span);
			set_type(in, f->keys.items[i], array->key_types[i]);
		}
		infer_keys(in, array, &f->slice);
		if (f->value && f->value->name.variable && is_value(array->type))
			learn_variable(in, f->value->name.variable, array->type, f->value->span);
		if (f->value && f->value->name.variable)
			learn_pointee(in, f->value->name.variable, array->pointee);
		if (f->value)
			infer_expr(in, f->value, array->type == TYPE_STATS ? TYPE_LONG : array->type);
		if (array->type == TYPE_UNKNOWN && f->sort_op != STAT_COUNT)
			learn_variable(in, array, TYPE_STATS, f->array->span);
		if (in->reporting && is_value(array->type) && f->sort_op != STAT_COUNT)
			diag_error(f->array->span, "'@%s' sorts aggregates, but '%s' has values of type %s",
				   stat_op_name(f->sort_op), array->name, type_name(array->type));
		if (array->type == TYPE_STATS && f->sort_key == 0 && f->sort_op)
			array->stat_ops |= 1u << f->sort_op;
	}
	if (f->limit)
		want(in, f->limit, TYPE_LONG, "for 'limit'");
	infer_stmt(in, f->body);
}

static void infer_return(struct inference *in, struct stmt *s)
{
	struct function *f = in->function;
	enum type type;

	if (!s->expr)
		return;
	type = infer_expr(in, s->expr, f ? f->type : TYPE_UNKNOWN);
	if (type == TYPE_STATS && in->reporting)
		diag_error(s->expr->span, "an aggregate cannot be returned");
	if (type != TYPE_STATS && f)
		learn(in, f->name, &f->type, &f->type_span, type, s->expr->span);
	if (f)
		in->changed |= pointee_learn(in->arena, &f->pointee, s->expr->pointee);
}

static void infer_stmt(struct inference *in, struct stmt *s)
{
	switch (s->kind) {
	case STMT_BREAK: case STMT_CONTINUE: case STMT_NEXT:
		break;
	case STMT_EMPTY:
		if (s->expr)
			infer_expr(in, s->expr, TYPE_UNKNOWN);
		break;
	case STMT_BLOCK:
		vec_each(child, &s->block)
			infer_stmt(in, *child);
		break;
	case STMT_EXPR:
		infer_expr(in, s->expr, TYPE_UNKNOWN);
		break;
	case STMT_IF:
		want_long(in, s->if_.condition);
		infer_stmt(in, s->if_.yes);
		if (s->if_.no)
			infer_stmt(in, s->if_.no);
		break;
	case STMT_WHILE:
	case STMT_FOR:
		if (s->loop.start)
			infer_expr(in, s->loop.start, TYPE_UNKNOWN);
		if (s->loop.condition)
			want_long(in, s->loop.condition);
		if (s->loop.step)
			infer_expr(in, s->loop.step, TYPE_UNKNOWN);
		infer_stmt(in, s->loop.body);
		break;
	case STMT_FOREACH:
		infer_foreach(in, &s->foreach);
		break;
	case STMT_RETURN:
		infer_return(in, s);
		break;
	case STMT_TRY:
		infer_stmt(in, s->try_.body);
		if (s->try_.message)
			want(in, s->try_.message, TYPE_STRING, "for 'catch'");
		infer_stmt(in, s->try_.handler);
		break;
	case STMT_DELETE:
		if (s->expr->kind == EXPR_INDEX && expr_variable(s->expr))
			infer_keys(in, expr_variable(s->expr), &s->expr->index.keys);
		break;
	}
}

/* ---- the program ---- */

static void infer_global(struct inference *in, struct variable *v)
{
	if (v->initial)
		learn_variable(in, v, infer_expr(in, v->initial, v->type), v->initial->span);
}

static void walk(struct inference *in)
{
	struct program *p = in->program;

	vec_each(v, &p->globals)
		infer_global(in, *v);
	vec_each(f, &p->functions) {
		in->function = *f;
		in->handler = (*f)->handler;
		if ((*f)->body)
			infer_stmt(in, (*f)->body);
	}
	in->function = NULL;
	vec_each(h, &p->handlers) {
		in->handler = *h;
		if ((*h)->entry)
			infer_stmt(in, (*h)->entry->body);
		infer_stmt(in, (*h)->body);
		vec_each(c, &(*h)->conditions)
			want(in, *c, TYPE_LONG, "for 'if'");
	}
	in->handler = NULL;
}

/* Reports types that are needed and still unknown. A function whose value has no type has no value. */
static void report_unknown(const struct variable *v)
{
	if (v->type == TYPE_UNKNOWN && (v->is_read || v->is_written))
		diag_error(v->span, "cannot tell whether '%s' is long or string", v->name);
	for (int i = 0; i < v->key_count; i++)
		if (v->key_types[i] == TYPE_UNKNOWN)
			diag_error(v->span, "cannot tell whether key %d of '%s' is long or string", i + 1,
				   v->name);
}

static void report_unknowns(struct program *p)
{
	vec_each(v, &p->globals)
		report_unknown(*v);
	vec_each(f, &p->functions) {
		vec_each(v, &(*f)->locals)
			report_unknown(*v);
		/* An argument that is only passed on is a number by default. */
		vec_each(v, &(*f)->parameters)
			if ((*v)->type == TYPE_UNKNOWN)
				(*v)->type = TYPE_LONG;
		/* So is the value of a function that only calls itself. */
		if ((*f)->has_return_value && (*f)->type == TYPE_UNKNOWN)
			(*f)->type = TYPE_LONG;
	}
	vec_each(h, &p->handlers)
		vec_each(v, &(*h)->locals)
			report_unknown(*v);
}

static void learn_all(struct inference *in)
{
	do {
		in->changed = false;
		walk(in);
	} while (in->changed);
}

/* A function that ends without 'return' returns 0, or "" if a caller expects a string. */
static bool default_results(struct program *p)
{
	bool any = false;

	vec_each(item, &p->functions) {
		struct function *f = *item;

		/* A function that continues with the next overload has the value of that overload. */
		if (f->type != TYPE_UNKNOWN || f->has_return_value || f->embedded || !f->is_value_used ||
		    f->calls_next)
			continue;
		f->type = TYPE_LONG;
		any = true;
	}
	return any;
}

static struct inference inference_of(struct translation *t, struct program *p)
{
	return (struct inference){ .arena = t->arena, .diag = &t->diag, .images = t->images, .options = t->options,
				   .program = p };
}

void infer_types(struct translation *t, struct program *p)
{
	struct inference in = inference_of(t, p);

	do
		learn_all(&in);
	while (default_results(p));
}

bool infer_program(struct translation *t, struct program *p)
{
	struct inference in = inference_of(t, p);
	unsigned errors = t->diag.errors, untyped;

	infer_types(t, p);
	if (p->warnings)
		warnings_tell(p->warnings, true);
	p->warnings = NULL;
	untyped = t->diag.errors;
	in.reporting = true;
	walk(&in);
	if (t->diag.errors == untyped)
		report_unknowns(p);
	return t->diag.errors == errors;
}
