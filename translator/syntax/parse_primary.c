/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The leaves of expressions: literals, names, calls, target variables, the print family, the
 * @operators and embedded C. Each @operator is a row of a table, which usually also describes its
 * arguments. */
#include "parse_state.h"

#include <string.h>

#include "source/diag.h"
#include "preproc.h"
#include "base/text.h"
#include "base/intern.h"
#include "base/util.h"
#include "print_op.h"

/* ---- the print family ---- */

bool parser_at_histogram(const struct parser *p)
{
	enum stat_op op = stat_op_of(&p->token);

	return op == STAT_HIST_LOG || op == STAT_HIST_LINEAR;
}

/* A value to print. HISTOGRAM: it may be a histogram. */
static struct expr *parse_printed(struct parser *p, bool histogram)
{
	struct expr *e;

	p->histogram_allowed = histogram && parser_at_histogram(p);
	p->histogram = NULL;
	e = parse_expr(p);
	if (p->histogram && p->histogram != e && !p->failed) {
		diag_error(p->histogram->span, "a histogram cannot be used in calculations: "
					       "print it, or use a bucket [n]");
		parser_fail(p, e->span);
	}
	p->histogram = NULL;
	return e;
}

static void check_print_count(struct parser *p, struct expr *e)
{
	const struct print_op *op = &e->print.op;
	size_t least = op->has_format || (op->newline && !op->has_delimiter) ? 0 :
		       op->has_delimiter ? 2 : 1;

	if (e->print.args.n >= least || p->failed)
		return;
	diag_error(e->span, "%s expects at least %zu value%s, found %zu", op->name, least,
		   least == 1 ? "" : "s", e->print.args.n);
	parser_fail(p, e->span);
}

static void check_print_histogram(struct parser *p, const struct expr *e)
{
	const struct expr *first = e->print.args.n ? e->print.args.items[0] : NULL;

	if (!first || first->kind != EXPR_HIST || e->print.args.n == 1 || p->failed)
		return;
	diag_error(first->span, "a histogram must be printed alone");
	parser_fail(p, first->span);
}

static void parse_print_literal(struct parser *p, struct expr *e)
{
	struct token t;

	if (e->print.op.has_format) {
		t = parser_string(p, "a format string");
		e->print.format = t.kind == TOKEN_STRING ? t.text : "";
		e->print.format_size = t.kind == TOKEN_STRING ? t.size : 0;
		e->print.format_span = t.span;
	} else {
		t = parser_string(p, "a delimiter string");
		e->print.delimiter = t.kind == TOKEN_STRING ? t.text : "";
		e->print.delimiter_size = t.kind == TOKEN_STRING ? t.size : 0;
	}
}

static struct expr *parse_print(struct parser *p, const struct print_op *op)
{
	struct expr *e = expr_make(p->arena, EXPR_PRINT, p->token.span);
	bool literal = op->has_format || op->has_delimiter;

	e->print.op = *op;
	parser_advance(p);
	parser_expect(p, TOKEN_LPAREN);
	if (literal)
		parse_print_literal(p, e);
	if (literal ? parser_accept(p, TOKEN_COMMA) : !parser_at(p, TOKEN_RPAREN)) {
		do
			*vec_add(p->arena, &e->print.args) =
				parse_printed(p, !literal && !e->print.args.n);
		while (parser_accept(p, TOKEN_COMMA));
	}
	if (!parser_accept(p, TOKEN_RPAREN))
		parser_expected(p, "',' or ')'");
	e->span = parser_span(p, e->span);
	check_print_count(p, e);
	check_print_histogram(p, e);
	return e;
}

/* ---- aggregates ---- */

static const char *const stat_names[] = {
	[STAT_COUNT] = "count", [STAT_SUM] = "sum", [STAT_MIN] = "min", [STAT_MAX] = "max",
	[STAT_AVG] = "avg", [STAT_VARIANCE] = "variance", [STAT_PERCENTILE] = "percentile",
	[STAT_HIST_LOG] = "hist_log", [STAT_HIST_LINEAR] = "hist_linear",
};

enum stat_op stat_op_of(const struct token *t)
{
	if (t->kind == TOKEN_AT)
		for (unsigned op = STAT_COUNT; op <= STAT_HIST_LINEAR; op++)
			if (str_equal(t->text, stat_names[op]))
				return (enum stat_op)op;
	return STAT_NONE;
}

const char *stat_op_text(enum stat_op op)
{
	return stat_names[op];
}

/* A comma and a constant parameter. */
static int64_t parse_stat_number(struct parser *p, struct expr *e, const char *what)
{
	struct span start;
	struct expr *n;

	parser_expect(p, TOKEN_COMMA);
	start = p->token.span;
	n = expr_make(p->arena, EXPR_NUMBER, start);
	n->number.value = parser_number(p, what);
	n->span = parser_span(p, start);
	*vec_add(p->arena, &e->stat.params) = n;
	return n->number.value;
}

static void parse_linear(struct parser *p, struct expr *e)
{
	bool broken = p->failed;
	int64_t low = parse_stat_number(p, e, "the lowest value as a number");
	int64_t high = parse_stat_number(p, e, "the highest value as a number");
	int64_t step = parse_stat_number(p, e, "the width of a bucket as a number");

	if (p->failed && !broken)
		diag_note(e->span, "usage: @hist_linear(aggregate, lowest, highest, width)");
	if (p->failed || (low <= high && step > 0))
		return;
	if (step <= 0)
		diag_error(p->last.span, "the width of a bucket must be positive");
	else
		diag_error(e->span, "the highest value must not be below the lowest");
	parser_fail(p, e->span);
}

static void parse_variance_shift(struct parser *p, struct expr *e)
{
	int64_t shift = parse_stat_number(p, e, "the bits to scale by as a number");

	if (p->failed || (shift >= 0 && shift <= 62))
		return;
	diag_error(p->last.span, "@variance scales by 0 to 62 bits");
	parser_fail(p, e->span);
}

static void parse_stat_params(struct parser *p, struct expr *e)
{
	switch (e->stat.op) {
	case STAT_VARIANCE:
		if (parser_at(p, TOKEN_COMMA))
			parse_variance_shift(p, e);
		break;
	case STAT_PERCENTILE:
		parser_expect(p, TOKEN_COMMA);
		*vec_add(p->arena, &e->stat.params) = parse_expr(p);
		break;
	case STAT_HIST_LOG:
		if (parser_at(p, TOKEN_COMMA))
			parse_stat_number(p, e, "the bits of a sub-bucket as a number");
		break;
	case STAT_HIST_LINEAR:
		parse_linear(p, e);
		break;
	default:
		break;
	}
}

struct expr *parse_stat(struct parser *p, bool histogram)
{
	struct token t = p->token;
	struct expr *e = expr_make(p->arena, histogram ? EXPR_HIST : EXPR_STAT, t.span);

	parser_advance(p);
	e->stat.op = stat_op_of(&t);
	parser_expect(p, TOKEN_LPAREN);
	e->stat.stat = parse_expr(p);
	if (e->stat.stat->kind != EXPR_NAME && e->stat.stat->kind != EXPR_INDEX && !p->failed) {
		diag_error(e->stat.stat->span, "@%s expects an aggregate: a global or an element of "
					       "a global array", t.text);
		parser_fail(p, t.span);
	}
	parse_stat_params(p, e);
	parser_expect(p, TOKEN_RPAREN);
	e->span = parser_span(p, t.span);
	return e;
}

static struct expr *parse_histogram(struct parser *p)
{
	bool allowed = p->histogram_allowed;
	struct expr *hist, *e;

	p->histogram_allowed = false;
	hist = parse_stat(p, true);
	if (!parser_accept(p, TOKEN_LBRACKET)) {
		p->histogram = hist;
		if (!allowed && !p->failed) {
			diag_error(hist->span, "a histogram is allowed only in print(), in foreach, "
					       "or before a bucket [n]");
			parser_fail(p, hist->span);
		}
		return hist;
	}
	e = expr_make(p->arena, EXPR_HIST_INDEX, hist->span);
	e->hist_index.hist = hist;
	e->hist_index.bucket = parse_expr(p);
	parser_expect(p, TOKEN_RBRACKET);
	e->span = parser_span(p, hist->span);
	return e;
}

/* ---- other @operators ---- */

/* ARGUMENTS has one letter for each argument: 's' a string, 'm' the name of a member, as a string or bare, 'n' a
 * number, 'e' an expression. The arguments after '|' are optional. */
struct at_operator {
	const char *name;
	const char *arguments;
	struct expr *(*parse)(struct parser *p, const struct at_operator *o);
	const char *usage;
	enum {
		STANDARD,
		EXTENSION,	/* SystemTap has a macro of that name, or no equivalent */
		NEEDS_GURU,	/* for tapset files and scripts with -g */
	} kind;
};

static struct expr *literal_string(struct parser *p)
{
	struct expr *e = expr_make(p->arena, EXPR_STRING, p->token.span);
	struct token t = parser_string(p, "a string");

	e->string.text = t.kind == TOKEN_STRING ? t.text : "";
	e->string.size = t.kind == TOKEN_STRING ? t.size : 0;
	e->span = parser_span(p, e->span);
	return e;
}

static struct expr *literal_number(struct parser *p)
{
	struct expr *e = expr_make(p->arena, EXPR_NUMBER, p->token.span);

	e->number.value = parser_number(p, "a number");
	e->span = parser_span(p, e->span);
	return e;
}

/* "a.b" or a.b; SystemTap's macros use the latter. */
static struct expr *member_name(struct parser *p)
{
	struct expr *e;
	struct text path;

	if (!parser_at(p, TOKEN_NAME))
		return literal_string(p);
	e = expr_make(p->arena, EXPR_STRING, p->token.span);
	text_init(&path, p->arena);
	do {
		text_printf(&path, "%s%s", path.n ? "." : "", parser_name(p, "a member's name"));
	} while (!p->failed && parser_accept(p, TOKEN_DOT));
	e->string.text = path.s;
	e->string.size = path.n;
	e->span = parser_span(p, e->span);
	return e;
}

static struct expr *parse_argument(struct parser *p, char letter)
{
	switch (letter) {
	case 's':
		return literal_string(p);
	case 'm':
		return member_name(p);
	case 'n':
		return literal_number(p);
	default:
		return parse_expr(p);
	}
}

/* (...) after the operator, as described by its row. */
static expr_list parse_arguments(struct parser *p, const struct at_operator *o)
{
	struct span at = p->last.span;
	expr_list args = { 0 };
	bool optional = false, broken = p->failed;

	parser_expect(p, TOKEN_LPAREN);
	for (const char *c = o->arguments; *c; c++) {
		if (*c == '|') {
			optional = true;
			continue;
		}
		if (optional && !parser_at(p, TOKEN_COMMA))
			break;
		if (args.n)
			parser_expect(p, TOKEN_COMMA);
		if (*c == 'e' && !p->failed) {
			*vec_add(p->arena, &args) = parse_expr(p);
			broken = p->failed;	/* its message is sufficient */
		} else {
			*vec_add(p->arena, &args) = parse_argument(p, *c);
		}
	}
	parser_expect(p, TOKEN_RPAREN);
	if (p->failed && !broken)
		diag_note(at, "usage: @%s(%s)", o->name, o->usage);
	return args;
}

static struct expr *start_at(struct parser *p, enum expr_kind kind)
{
	struct expr *e = expr_make(p->arena, kind, p->token.span);

	parser_advance(p);
	return e;
}

static const char *string_of(const expr_list *args, size_t i)
{
	return i < args->n ? args->items[i]->string.text : NULL;
}

static struct expr *parse_cast(struct parser *p, const struct at_operator *o)
{
	struct expr *e = start_at(p, EXPR_TARGET);
	expr_list args = parse_arguments(p, o);

	e->target.what = TARGET_CAST;
	e->target.name = "@cast";
	e->target.base = args.items[0];
	e->target.type_name = string_of(&args, 1);
	e->target.module = string_of(&args, 2);
	return e;
}

static struct expr *parse_var(struct parser *p, const struct at_operator *o)
{
	struct expr *e = start_at(p, EXPR_TARGET);
	expr_list args = parse_arguments(p, o);

	e->target.what = TARGET_VAR;
	e->target.name = string_of(&args, 0);
	e->target.module = string_of(&args, 1);
	return e;
}

static struct expr *parse_operand_of(struct parser *p, const struct at_operator *o)
{
	enum expr_kind kind = *o->name == 'e' ? EXPR_ENTRY : EXPR_DEFINED;
	struct expr *e = start_at(p, kind);

	e->operand.operand = parse_arguments(p, o).items[0];
	return e;
}

static struct expr *parse_probewrite(struct parser *p, const struct at_operator *o)
{
	struct expr *e = start_at(p, EXPR_PROBEWRITE), *operand;

	operand = parse_arguments(p, o).items[0];
	if (operand->kind != EXPR_NAME &&
	    (operand->kind != EXPR_TARGET || operand->target.components.n) && !p->failed) {
		diag_error(operand->span, "@probewrite expects a variable or a target variable");
		parser_fail(p, operand->span);
	}
	e->operand.operand = operand;
	return e;
}

static struct expr *parse_perf(struct parser *p, const struct at_operator *o)
{
	struct expr *e = start_at(p, EXPR_PERF);
	expr_list args = parse_arguments(p, o);

	e->perf.name = string_of(&args, 0);
	if (!p->failed && !*e->perf.name) {
		diag_error(args.items[0]->span, "the name of a counter must not be empty");
		parser_fail(p, args.items[0]->span);
	}
	return e;
}

static struct expr *parse_type_op(struct parser *p, const struct at_operator *o)
{
	struct expr *e = start_at(p, EXPR_TYPE_OP);

	e->type_op.op = o->name;
	e->type_op.args = parse_arguments(p, o);
	return e;
}

static struct expr *parse_filter(struct parser *p, const struct at_operator *o)
{
	struct expr *e = start_at(p, EXPR_FILTER);
	expr_list args = parse_arguments(p, o);

	e->filter.skb = args.items[0];
	e->filter.text = args.items[1];
	return e;
}

/* ---- @row("table(column, column)", value, value) ---- */

/* An identifier, with the spaces around it; NULL: no name is there. */
static const char *take_row_name(struct parser *p, const char **at)
{
	static const char digits[] = "0123456789";
	static const char all[] = "0123456789_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *name;
	size_t size;

	*at += strspn(*at, " ");
	name = *at;
	size = strspn(name, all);
	if (!size || strchr(digits, *name))
		return NULL;
	*at += size;
	*at += strspn(*at, " ");
	return arena_strndup(p->arena, name, size);
}

/* False: the shape is not "table(column, column)". */
static bool take_row_shape(struct parser *p, const char *text, struct row_shape *row)
{
	row->table = take_row_name(p, &text);
	if (!row->table || *text != '(')
		return false;
	do {
		const char *column;

		text++;
		column = take_row_name(p, &text);
		if (!column)
			return false;
		*vec_add(p->arena, &row->columns) = column;
	} while (*text == ',');
	return *text == ')' && !text[1 + strspn(text + 1, " ")];
}

/* Names differ in more than case, as databases require. */
static void check_row_columns(struct parser *p, struct span at, const struct row_shape *row)
{
	for (size_t i = 0; i < row->columns.n; i++) {
		const char *column = row->columns.items[i];

		if (strcasecmp(column, "time") == 0 || strcasecmp(column, "cpu") == 0 ||
		    strcasecmp(column, "tapc_lost") == 0)
			parser_refuse(p, at, arena_printf(p->arena, "each row has a column '%s' already", column));
		for (size_t j = 0; j < i; j++)
			if (strcasecmp(column, row->columns.items[j]) == 0)
				parser_refuse(p, at, arena_printf(p->arena, "two columns of table '%s' are named '%s'",
								  row->table, column));
	}
	if (strncasecmp(row->table, "sqlite_", 7) == 0 || strncasecmp(row->table, "tapc_", 5) == 0)
		parser_refuse(p, at, arena_printf(p->arena, "'%s' is reserved: the table needs another name", row->table));
}

static struct expr *parse_row(struct parser *p, const struct at_operator *o)
{
	static const struct print_op op = { .name = "@row", .has_delimiter = true, .newline = true, .is_row = true };
	struct expr *e = start_at(p, EXPR_PRINT);
	struct token shape;
	struct span at;

	e->print.op = op;
	parser_expect(p, TOKEN_LPAREN);
	shape = parser_string(p, "a table and its columns as a string");
	at = shape.span;
	e->print.delimiter = p->failed ? "" : shape.text;
	e->print.delimiter_size = p->failed ? 0 : shape.size;
	if (!p->failed && !take_row_shape(p, e->print.delimiter, &e->print.row)) {
		diag_error(at, "a row begins with its table and columns: \"table(column, column)\"");
		diag_note(at, "usage: @%s(%s)", o->name, o->usage);
		parser_fail(p, at);
	}
	if (!p->failed)
		check_row_columns(p, at, &e->print.row);
	while (parser_accept(p, TOKEN_COMMA))
		*vec_add(p->arena, &e->print.args) = parse_expr(p);
	if (!parser_accept(p, TOKEN_RPAREN))
		parser_expected(p, "',' or ')'");
	e->span = parser_span(p, e->span);
	if (e->print.args.n != e->print.row.columns.n)
		parser_refuse(p, e->span, arena_printf(p->arena,
						       "table '%s' has %zu column(s), but the row has %zu value(s)",
						       e->print.row.table, e->print.row.columns.n, e->print.args.n));
	return e;
}

static const struct at_operator at_operators[] = {
	{ "cast", "es|s", parse_cast, "pointer, \"type\"[, \"module\"]", STANDARD },
	{ "var", "s|s", parse_var, "\"name@file\"[, \"module\"]", STANDARD },
	{ "entry", "e", parse_operand_of, "expression", STANDARD },
	{ "defined", "e", parse_operand_of, "$variable", STANDARD },
	{ "probewrite", "e", parse_probewrite, "variable", STANDARD },
	{ "perf", "s", parse_perf, "\"counter\"", STANDARD },
	{ "const", "s", parse_type_op, "\"C expression\"", NEEDS_GURU },
	{ "kderef", "ne", parse_type_op, "size, address", NEEDS_GURU },
	{ "uderef", "ne", parse_type_op, "size, address", STANDARD },
	{ "kregister", "n", parse_type_op, "number", NEEDS_GURU },
	{ "uregister", "n", parse_type_op, "number", STANDARD },
	{ "enum", "s|s", parse_type_op, "\"name\"[, \"module\"]", EXTENSION },
	{ "enumname", "se|s", parse_type_op, "\"enum type\", value[, \"module\"]", EXTENSION },
	{ "sizeof", "s|s", parse_type_op, "\"type\"[, \"module\"]", EXTENSION },
	{ "offsetof", "sm|s", parse_type_op, "\"type\", member[, \"module\"]", EXTENSION },
	{ "packet_matches", "es", parse_filter, "skb, \"filter\"", EXTENSION },
	{ "row", "s|", parse_row, "\"table(column, ...)\", value, ...", EXTENSION },
	{ "container_of", "esm|s", parse_type_op,
	  "pointer, \"type\", member[, \"module\"]", EXTENSION },
};

/* A macro may take the name of an extension without a warning: SystemTap's tapset has a macro @sizeof. */
bool is_at_operator(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(at_operators); i++)
		if (str_equal(name, at_operators[i].name))
			return at_operators[i].kind != EXTENSION;
	for (unsigned op = STAT_COUNT; op <= STAT_HIST_LINEAR; op++)
		if (str_equal(name, stat_names[op]) && op != STAT_PERCENTILE)
			return true;
	return false;
}

static void unknown_at(struct parser *p)
{
	name_list names = { 0 };
	const char *near;

	for (size_t i = 0; i < ARRAY_SIZE(at_operators); i++)
		*vec_add(p->arena, &names) = at_operators[i].name;
	for (unsigned op = STAT_COUNT; op <= STAT_HIST_LINEAR; op++)
		*vec_add(p->arena, &names) = stat_names[op];
	preproc_macro_names(p->input, &names);
	near = nearest_name(p->token.text, names.items, names.n);
	diag_error(p->token.span, "no operator or macro '@%s'", p->token.text);
	if (near)
		diag_note(p->token.span, "did you mean '@%s'?", near);
	parser_fail(p, p->token.span);
}

/* Operators that read arbitrary memory or contain C code need guru mode; tapset functions are the alternative for
 * other users. */
static void check_operator_guru(struct parser *p, const struct at_operator *o)
{
	unsigned errors = p->source->diag->errors;

	parser_check_guru(p, arena_printf(p->arena, "'@%s'", o->name));
	if (p->source->diag->errors == errors)
		return;
	if (str_equal(o->name, "const"))
		diag_note(p->token.span, "the value of an enumerator is @enum(\"NAME\"), without -g");
	else if (str_equal(o->name, "kderef"))
		diag_note(p->token.span, "kernel_long(address), kernel_int(address) and so on do not need -g");
	else
		diag_note(p->token.span, "register(\"NAME\") does not need -g");
}

static struct expr *parse_at(struct parser *p)
{
	enum stat_op op = stat_op_of(&p->token);

	if (parser_at_histogram(p))
		return parse_histogram(p);
	if (op != STAT_NONE)
		return parse_stat(p, false);
	for (size_t i = 0; i < ARRAY_SIZE(at_operators); i++) {
		struct expr *e;

		if (!str_equal(p->token.text, at_operators[i].name))
			continue;
		if (at_operators[i].kind == NEEDS_GURU)
			check_operator_guru(p, &at_operators[i]);
		e = at_operators[i].parse(p, &at_operators[i]);
		e->span = parser_span(p, e->span);
		return e;
	}
	unknown_at(p);
	return expr_make(p->arena, EXPR_NUMBER, p->last.span);
}

/* ---- names ---- */

/* $x, $x$, $$vars$$: trailing dollars print the whole value as text. */
static struct expr *parse_target(struct parser *p)
{
	struct expr *e = expr_make(p->arena, EXPR_TARGET, p->token.span);
	const char *text = p->token.text;
	size_t n = strlen(text), end = n;

	while (end && text[end - 1] == '$')
		end--;
	if (!end || n - end > 2) {
		diag_error(p->token.span, "'%s' is not a target variable: expected $name, $name$ "
					  "or $name$$", text);
		parser_fail(p, p->token.span);
		return e;
	}
	e->target.what = TARGET_VARIABLE;
	e->target.name = intern(p->strings, text, end);
	if (end < n)
		*vec_add(p->arena, &e->target.components) = (struct component){
			.kind = COMPONENT_PRETTY, .span = p->token.span, .depth = (unsigned)(n - end),
		};
	parser_advance(p);
	return e;
}

static void no_call_end(struct parser *p, const char *name)
{
	static const char *const loop[] = { "for" };
	struct span at = p->token.span;
	bool is_loop = parser_at(p, TOKEN_SEMICOLON) && !p->failed && nearest_name(name, loop, 1);

	parser_expected(p, "',' or ')'");
	if (is_loop)
		diag_note(at, "did you mean 'for' in place of '%s'?", name);
}

static struct expr *parse_call(struct parser *p)
{
	struct expr *e = expr_make(p->arena, EXPR_CALL, p->token.span);

	e->call.name = p->token.text;
	parser_advance(p);
	parser_advance(p);
	if (!parser_at(p, TOKEN_RPAREN)) {
		do
			*vec_add(p->arena, &e->call.args) = parse_expr(p);
		while (parser_accept(p, TOKEN_COMMA));
	}
	if (!parser_accept(p, TOKEN_RPAREN))
		no_call_end(p, e->call.name);
	e->span = parser_span(p, e->span);
	return e;
}

struct expr *parse_name(struct parser *p, const char *what)
{
	struct expr *e = expr_make(p->arena, EXPR_NAME, p->token.span);

	e->name.name = parser_name(p, what);
	return e;
}

static struct expr *parse_word(struct parser *p)
{
	const char *name = p->token.text;
	const struct print_op *op = print_op_of(name);
	struct expr *e;

	if (*name == '$')
		return parse_target(p);
	if (op)
		return parse_print(p, op);
	if (parser_ahead(p)->kind == TOKEN_LPAREN)
		return parse_call(p);
	e = expr_make(p->arena, EXPR_NAME, p->token.span);
	e->name.name = name;
	parser_advance(p);
	return e;
}

/* ---- embedded C ---- */

static bool has_pragma(const char *code, const char *pragma)
{
	return strstr(code, pragma);
}

static struct expr *parse_embedded(struct parser *p)
{
	struct expr *e = expr_make(p->arena, EXPR_EMBEDDED, p->token.span);

	parser_check_guru(p, "embedded C");
	e->embedded.code = p->token.text;
	e->embedded.size = p->token.size;
	e->embedded.is_string = has_pragma(p->token.text, "/* string */");
	e->embedded.is_pure = has_pragma(p->token.text, "/* pure */");
	e->embedded.is_stable = has_pragma(p->token.text, "/* stable */");
	parser_advance(p);
	return e;
}

/* ---- all together ---- */

static struct expr *parse_parenthesis(struct parser *p)
{
	struct expr *e;

	parser_advance(p);
	e = parse_expr(p);
	parser_expect(p, TOKEN_RPAREN);
	return e;
}

struct expr *parse_primary(struct parser *p)
{
	switch (p->token.kind) {
	case TOKEN_NUMBER:
		return literal_number(p);
	case TOKEN_STRING:
		return literal_string(p);
	case TOKEN_NAME:
		return parse_word(p);
	case TOKEN_AT:
		return parse_at(p);
	case TOKEN_EMBEDDED:
		return parse_embedded(p);
	case TOKEN_LPAREN:
		return parse_parenthesis(p);
	default:
		parser_expected(p, "an expression");
		return expr_make(p->arena, EXPR_NUMBER, p->token.span);
	}
}
