/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The print family to C. Each call becomes a constant format and values: constants become part of the
 * format, the values go into a record that the loader formats. */
#include "print.h"

#include <string.h>

#include "core/format.h"
#include "expr.h"
#include "base/util.h"
#include "plan/limits.h"

/* A format and its values, as C expressions. */
struct output_value { enum type type; const char *value; };
struct output {
	struct text format;
	u8 kind;			/* TAP_FORMAT_TEXT and so on */
	VEC(struct output_value) values;
};

static void add_text(struct output *o, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '%')
			text_char(&o->format, '%');
		text_char(&o->format, s[i]);
	}
}

static void add_value(struct output *o, enum type type, const char *value)
{
	struct arena *a = o->format.arena;

	vec_add(a, &o->values)->type = type;
	o->values.items[o->values.n - 1].value = value;
}

/* The C expression of a string is used twice, for its size and its bytes. */
static const char *hold_value(struct emitter *em, enum type type, const char *value)
{
	const char *t = emit_temp(em);

	emit_line(em, "%s %s = %s;", type == TYPE_STRING ? "struct tap_string" : "s64", t, value);
	return t;
}

/* LATER: an expression after E may change a variable. */
static const char *emit_held(struct emitter *em, struct expr *e, bool later)
{
	const char *value = emit_expr(em, e);

	if (later && emit_lies_in_variable(e)) {
		em->scratch_used = true;
		return hold_value(em, TYPE_STRING, arena_printf(em->arena, "tap_string_hold(c, %s)", value));
	}
	return e->kind == EXPR_NUMBER ? value : hold_value(em, e->type, value);
}

/* ---- printf: the format as it is written, with memory read for %m ---- */

static const char *read_memory(struct emitter *em, struct expr *e, const struct tap_directive *d,
			       const char *address, const char *star)
{
	const char *size = star ? star : arena_printf(em->arena, "%d", d->precision < 0 ? 1 : d->precision);
	const char *t = emit_temp(em);

	em->scratch_used = true;
	emit_line(em, "struct tap_string %s = tap_memory(c, %s, %s, %s);", t, address, size,
		  d->flags & TAP_FORMAT_ALTERNATE ? "true" : "false");
	emit_check(em, arena_printf(em->arena, "%%%c", d->conversion), e->span);
	return t;
}

static void collect_directive(struct emitter *em, struct expr *e, struct output *o,
			      const struct tap_directive *d, const char *const *values, size_t *next)
{
	const char *star = NULL;

	for (int i = 0; i < d->star_width + d->star_precision; i++) {
		star = values[(*next)++];
		add_value(o, TYPE_LONG, star);
	}
	if (d->argument == TAP_ARGUMENT_NONE)
		return;
	if (d->argument == TAP_ARGUMENT_MEMORY)
		add_value(o, TYPE_STRING, read_memory(em, e, d, values[*next], d->star_precision ? star : NULL));
	else
		add_value(o, d->argument == TAP_ARGUMENT_STRING ? TYPE_STRING : TYPE_LONG, values[*next]);
	++*next;
}

static void collect_printf(struct emitter *em, struct expr *e, struct output *o, bool later)
{
	struct tap_format_cursor cursor = { e->print.format, (u32)e->print.format_size, 0 };
	const char **values = arena_array(em->arena, const char *, e->print.args.n + 1);
	struct tap_directive d;
	size_t next = 0;

	for (size_t i = 0; i < e->print.args.n; i++)
		values[i] = emit_held(em, e->print.args.items[i],
				      later || emit_any_effect(&e->print.args, i + 1));
	while (tap_format_next(&cursor, &d) == TAP_FORMAT_OK)
		collect_directive(em, e, o, &d, values, &next);
	text_add_n(&o->format, e->print.format, e->print.format_size);
}

/* ---- print, println, printd, printdln ---- */

static void collect_print(struct emitter *em, struct expr *e, struct output *o, bool later)
{
	if (e->print.op.is_char) {
		text_add(&o->format, "%c");
		add_value(o, TYPE_LONG, emit_held(em, e->print.args.items[0], later));
		return;
	}
	for (size_t i = 0; i < e->print.args.n; i++) {
		struct expr *arg = e->print.args.items[i];

		if (i && e->print.op.has_delimiter)
			add_text(o, e->print.delimiter, e->print.delimiter_size);
		if (arg->kind == EXPR_STRING) {
			add_text(o, arg->string.text, arg->string.size);
		} else if (arg->kind == EXPR_NUMBER) {
			text_printf(&o->format, "%lld", (long long)arg->number.value);
		} else {
			text_add(&o->format, arg->type == TYPE_STRING ? "%s" : "%d");
			add_value(o, arg->type,
				  emit_held(em, arg, later || emit_any_effect(&e->print.args, i + 1)));
		}
	}
	if (e->print.op.newline)
		text_char(&o->format, '\n');
}

/* ---- @row: TABLE COLUMN=%d COLUMN=%s, which the loader takes apart ---- */

static void collect_row(struct emitter *em, struct expr *e, struct output *o, bool later)
{
	text_add(&o->format, e->print.row.table);
	for (size_t i = 0; i < e->print.args.n; i++) {
		struct expr *arg = e->print.args.items[i];

		text_printf(&o->format, " %s=%s", e->print.row.columns.items[i], arg->type == TYPE_STRING ? "%s" : "%d");
		add_value(o, arg->type, emit_held(em, arg, later || emit_any_effect(&e->print.args, i + 1)));
	}
	text_char(&o->format, '\n');
}

/* ---- records ---- */

/* A record must fit into the output buffer of a handler, or it would never be printed. */
static void need_room(struct emitter *em, size_t bytes)
{
	bytes += sizeof(struct tap_item);
	if (bytes > em->plan->out)
		em->plan->out = (unsigned)bytes;
}

static void write_values(struct emitter *em, const struct output *o, const char *put_string)
{
	for (size_t i = 0; i < o->values.n; i++)
		emit_line(em, "\t\tp = %s(p, %s);", o->values.items[i].type == TYPE_STRING ? put_string : "tap_put_long",
			  o->values.items[i].value);
}

/* The handler's only print. */
static void write_once(struct emitter *em, const struct output *o, unsigned format, const char *size)
{
	emit_line(em, "{");
	emit_line(em, "\tstruct tap_once once;");
	emit_line(em, "\tu8 *p;");
	emit_line(em, "\tif (tap_likely(tap_print_once(c, &once, %u, %s))) {", format, size);
	emit_line(em, "\t\tp = once.at;");
	write_values(em, o, "tap_print_string");
	emit_line(em, "\t\ttap_print_done(c, &once);");
	emit_line(em, "\t} else if ((p = tap_print_otherwise(c, %u, %s, once.stamp))) {", format, size);
	write_values(em, o, "tap_print_string");
	emit_line(em, "\t}");
	emit_line(em, "}");
}

static void write_record(struct emitter *em, const struct output *o)
{
	unsigned format = plan_format(em->plan, o->format.s, o->format.n, o->kind);
	struct text size;
	size_t fixed = 0, strings = 0;

	if (!o->format.n)
		return;
	text_init(&size, em->arena);
	for (size_t i = 0; i < o->values.n; i++) {
		fixed += o->values.items[i].type == TYPE_STRING ? 2 : 8;
		if (o->values.items[i].type != TYPE_STRING)
			continue;
		text_printf(&size, " + %s.size", o->values.items[i].value);
		strings++;
	}
	emit_commit(em);
	need_room(em, fixed + strings * (size_t)em->plan->max_string);
	if (em->handler && em->handler->prints_once) {
		write_once(em, o, format, arena_printf(em->arena, "%zu%s", fixed, size.s));
		return;
	}
	if (!o->values.n) {
		emit_line(em, "tap_print(c, %u, 0);", format);
		return;
	}
	emit_line(em, "{");
	emit_line(em, "\tu8 *p = tap_print(c, %u, %zu%s);", format, fixed, size.s);
	emit_line(em, "\tif (tap_likely(p)) {");
	write_values(em, o, "tap_put_string");
	emit_line(em, "\t}");
	emit_line(em, "}");
}

/* ---- strings: those with only %s and %d need no format ---- */

static bool is_plain(const struct tap_directive *d)
{
	return !d->conversion || (d->size == 2 && (d->conversion == 's' || d->conversion == 'd'));
}

static bool is_plain_output(const struct output *o)
{
	struct tap_format_cursor cursor = { o->format.s, (u32)o->format.n, 0 };
	struct tap_directive d;

	while (tap_format_next(&cursor, &d) == TAP_FORMAT_OK)
		if (!is_plain(&d))
			return false;
	return true;
}

static void add_pieces(struct emitter *em, const struct output *o, name_list *pieces)
{
	struct tap_format_cursor cursor = { o->format.s, (u32)o->format.n, 0 };
	const struct output_value *value = o->values.items;
	struct tap_directive d;

	while (tap_format_next(&cursor, &d) == TAP_FORMAT_OK) {
		const char *piece, *text = cursor.text + d.position;

		if (!d.conversion) {
			piece = arena_printf(em->arena, "TAP_STRING(%s)", emit_c_string(em, text, d.size));
		} else if (d.conversion == 's') {
			piece = value++->value;
		} else {
			const char *digits = emit_temp(em);

			emit_line(em, "char %s[TAP_MOST_DIGITS];", digits);
			piece = arena_printf(em->arena, "tap_decimal(%s, %s)", digits, value++->value);
		}
		*vec_add(em->arena, pieces) = piece;
	}
}

static const char *write_formatted(struct emitter *em, struct expr *e, const struct output *o)
{
	const char *format = emit_c_string(em, o->format.s, o->format.n), *t = emit_temp(em);
	struct text values;

	text_init(&values, em->arena);
	for (size_t i = 0; i < o->values.n; i++)
		text_printf(&values, "%s{ .%c = %s }", i ? ", " : "",
			    o->values.items[i].type == TYPE_STRING ? 's' : 'n', o->values.items[i].value);
	em->scratch_used = true;
	if (o->values.n)
		emit_line(em, "struct tap_string %s = tap_sprintf(c, %s, (const union tap_value[]){ %s });", t,
			  format, values.s);
	else
		emit_line(em, "struct tap_string %s = tap_sprintf(c, %s, NULL);", t, format);
	emit_check(em, arena_printf(em->arena, "identifier '%s'", e->print.op.name), e->span);
	return t;
}

/* Each value is stored on the scratch stack as soon as it is known. */
static const char *print_parts(struct emitter *em, struct expr *e)
{
	const char *format = emit_c_string(em, e->print.format, e->print.format_size);
	const char *parts = emit_temp(em), *t = emit_temp(em);

	em->scratch_used = true;
	emit_line(em, "union tap_value *%s = tap_scratch(c, %zu * sizeof(union tap_value));", parts,
		  e->print.args.n);
	emit_check(em, arena_printf(em->arena, "identifier '%s'", e->print.op.name), e->span);
	for (size_t i = 0; i < e->print.args.n; i++) {
		struct expr *arg = e->print.args.items[i];

		emit_line(em, "%s[%zu].%c = %s;", parts, i, arg->type == TYPE_STRING ? 's' : 'n',
			  emit_expr(em, arg));
	}
	emit_line(em, "struct tap_string %s = tap_sprintf(c, %s, %s);", t, format, parts);
	emit_check(em, arena_printf(em->arena, "identifier '%s'", e->print.op.name), e->span);
	return t;
}

static void collect(struct emitter *em, struct expr *e, struct output *o, bool later)
{
	text_init(&o->format, em->arena);
	o->kind = e->print.op.is_row ? TAP_FORMAT_ROW :
		  e->span.source->is_display ? TAP_FORMAT_GLOBAL : TAP_FORMAT_TEXT;
	if (e->print.op.is_row)
		collect_row(em, e, o, later);
	else if (e->print.op.has_format)
		collect_printf(em, e, o, later);
	else
		collect_print(em, e, o, later);
}

/* ---- histograms ---- */

static bool is_of_histogram(const struct expr *e)
{
	return e->print.args.n == 1 && e->print.args.items[0]->kind == EXPR_HIST;
}

static const char *print_histogram(struct emitter *em, struct expr *e)
{
	struct expr *hist = e->print.args.items[0];
	const struct variable *v = expr_variable(hist->stat.stat);
	const char *s = emit_stat_pointer(em, hist);

	need_room(em, 12 * (size_t)plan_histogram_buckets(&v->histograms.items[hist->stat.histogram]));
	emit_commit(em);
	emit_line(em, "tap_print_hist(c, %u, %s, &shape_%s.hists[%u]);",
		  plan_histogram_format(em->plan, v, hist->stat.histogram), s, v->c_name,
		  hist->stat.histogram);
	if (e->print.op.newline)
		emit_line(em, "tap_print(c, %u, 0);", plan_format(em->plan, "\n", 1, TAP_FORMAT_TEXT));
	return "0";
}

/* sprint(@hist_log(x)) */
static const char *write_histogram(struct emitter *em, struct expr *e)
{
	struct expr *hist = e->print.args.items[0];
	const char *s = emit_stat_pointer(em, hist), *t = emit_temp(em);

	emit_line(em, "struct tap_string %s = tap_sprint_hist(c, %s, &shape_%s.hists[%u], %s);", t, s,
		  expr_variable(hist->stat.stat)->c_name, hist->stat.histogram, e->print.op.newline ? "true" : "false");
	emit_check(em, arena_printf(em->arena, "identifier '%s'", e->print.op.name), e->span);
	return t;
}

void emit_print_pieces(struct emitter *em, struct expr *e, bool later, name_list *pieces)
{
	struct output o = { 0 };

	if (e->print.op.has_parts || is_of_histogram(e)) {
		*vec_add(em->arena, pieces) = e->print.op.has_parts ? print_parts(em, e) : write_histogram(em, e);
		return;
	}
	collect(em, e, &o, later);
	if (is_plain_output(&o))
		add_pieces(em, &o, pieces);
	else
		*vec_add(em->arena, pieces) = write_formatted(em, e, &o);
}

static const char *write_string(struct emitter *em, struct expr *e)
{
	struct output o = { 0 };
	name_list pieces = { 0 };

	collect(em, e, &o, false);
	if (!is_plain_output(&o))
		return write_formatted(em, e, &o);
	add_pieces(em, &o, &pieces);
	return emit_join(em, &pieces, arena_printf(em->arena, "identifier '%s'", e->print.op.name), e->span);
}

/* ---- the whole ---- */

const char *emit_print(struct emitter *em, struct expr *e)
{
	struct output o = { 0 };

	if (is_of_histogram(e))
		return e->print.op.to_string ? write_histogram(em, e) : print_histogram(em, e);
	if (e->print.op.has_parts)
		return print_parts(em, e);
	if (e->print.op.to_string)
		return write_string(em, e);
	collect(em, e, &o, false);
	write_record(em, &o);
	return "0";
}
