/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens to tree, by recursive descent. This file handles tokens, errors and the outermost level: probes,
 * functions, globals. After an error the parser skips the rest of the declaration and continues with the
 * next one, so that all errors of a script are reported in one run. */
#include "parse.h"

#include <string.h>

#include "source/diag.h"
#include "foreign.h"
#include "parse_state.h"
#include "preproc.h"
#include "base/intern.h"
#include "source/options.h"
#include "base/text.h"
#include "base/util.h"
#include "print_op.h"

/* ---- tokens ---- */

void parser_fail(struct parser *p, struct span at)
{
	if (p->failed)
		return;
	p->failed = true;
	p->stopped_at = p->token;
	p->token.kind = TOKEN_END;
	p->token.span = at;
}

/* Takes the next token of any kind. */
static void take(struct parser *p)
{
	p->last = p->token;
	p->token = p->has_ahead ? p->ahead : preproc_next(p->input);
	p->has_ahead = false;
}

void parser_advance(struct parser *p)
{
	if (p->failed)
		return;
	take(p);
	if (p->token.kind == TOKEN_BAD) {
		lex_complain(&p->token);
		parser_fail(p, p->token.span);
	}
}

const struct token *parser_ahead(struct parser *p)
{
	if (p->failed)
		return &p->token;
	if (!p->has_ahead) {
		p->ahead = preproc_next(p->input);
		p->has_ahead = true;
	}
	return &p->ahead;
}

bool parser_accept(struct parser *p, enum token_kind kind)
{
	if (!parser_at(p, kind) || p->failed)
		return false;
	parser_advance(p);
	return true;
}

void parser_refuse(struct parser *p, struct span at, const char *problem)
{
	if (!problem || p->failed)
		return;
	diag_error(at, "%s", problem);
	parser_fail(p, at);
}

void parser_expected(struct parser *p, const char *what)
{
	struct span at = p->token.span;

	if (p->failed)
		return;
	if (parser_at(p, TOKEN_END) && p->last.span.source) {
		at = p->last.span;
		at.start = at.end;
	}
	diag_error(at, "expected %s, found %s", what, token_found(p->arena, &p->token));
	if (parser_at(p, TOKEN_LIMIT) || parser_at(p, TOKEN_LONG_TYPE) ||
	    parser_at(p, TOKEN_STRING_TYPE))
		diag_note(at, "'%s' is a keyword and cannot be a name", token_text(p->token.kind));
	parser_fail(p, at);
}

bool parser_expect(struct parser *p, enum token_kind kind)
{
	if (parser_accept(p, kind))
		return true;
	if (!p->failed)
		parser_expected(p, arena_printf(p->arena, "'%s'", token_text(kind)));
	return false;
}

struct span parser_span(const struct parser *p, struct span first)
{
	return span_join(first, p->last.span);
}

void parser_enter(struct parser *p)
{
	if (++p->nesting != MOST_NESTING + 1 || p->failed)
		return;
	diag_error(p->token.span, "nested more than %d deep", MOST_NESTING);
	parser_fail(p, p->token.span);
}

void parser_leave(struct parser *p)
{
	p->nesting--;
}

void parser_check_guru(struct parser *p, const char *what)
{
	if (p->options->guru || p->token.span.source->is_library)
		return;
	diag_error(p->token.span, "%s needs guru mode: run with -g", what);
}

const char *parser_name(struct parser *p, const char *what)
{
	const char *name = p->token.text;

	if (!parser_at(p, TOKEN_NAME)) {
		parser_expected(p, what);
		return "";
	}
	if (*name == '$') {
		diag_error(p->token.span, "'%s' is a target variable: expected %s", name, what);
		parser_fail(p, p->token.span);
		return "";
	}
	parser_advance(p);
	return name;
}

/* A string literal ends at its first NUL, like a string that is built at run time. */
static struct token cut_at_nul(struct token t)
{
	t.size = strnlen(t.text, t.size);
	return t;
}

struct token parser_string(struct parser *p, const char *what)
{
	struct token first = p->token;
	struct text whole;

	if (!parser_at(p, TOKEN_STRING)) {
		parser_expected(p, what);
		return p->token;
	}
	parser_advance(p);
	if (!parser_at(p, TOKEN_STRING))
		return cut_at_nul(first);
	text_init(&whole, p->arena);
	text_add_n(&whole, first.text, first.size);
	for (; parser_at(p, TOKEN_STRING); parser_advance(p))
		text_add_n(&whole, p->token.text, p->token.size);
	first.text = whole.s;
	first.size = whole.n;
	first.span = parser_span(p, first.span);
	return cut_at_nul(first);
}

int64_t parser_number(struct parser *p, const char *what)
{
	bool minus = parser_accept(p, TOKEN_MINUS);
	uint64_t value = (uint64_t)p->token.number;

	if (!parser_at(p, TOKEN_NUMBER)) {
		parser_expected(p, what);
		return 0;
	}
	parser_advance(p);
	return (int64_t)(minus ? -value : value);
}

/* ---- globals ---- */

static struct variable *new_variable(struct parser *p, enum variable_kind kind, const char *what)
{
	struct variable *v = arena_new(p->arena, struct variable);

	v->kind = kind;
	v->span = p->token.span;
	v->file = p->source;
	v->name = parser_name(p, what);
	return v;
}

static struct expr *make_number(struct parser *p, struct span at, int64_t value)
{
	struct expr *e = expr_make(p->arena, EXPR_NUMBER, parser_span(p, at));

	e->number.value = value;
	return e;
}

static struct expr *parse_constant(struct parser *p)
{
	struct span at = p->token.span;
	struct expr *e;
	struct token t;

	if (!parser_at(p, TOKEN_STRING))
		return make_number(p, at, parser_number(p, "a string or a number"));
	t = parser_string(p, "a string or a number");
	e = expr_make(p->arena, EXPR_STRING, t.span);
	e->string.text = t.text;
	e->string.size = t.size;
	return e;
}

static void parse_size(struct parser *p, struct variable *v)
{
	struct span at = p->token.span;
	int64_t size = parser_number(p, "the maximum number of elements");

	v->size = make_number(p, at, size);
	if ((size < 1 || size > INT32_MAX) && !p->failed) {
		diag_error(at, "the size of an array is at least 1 and at most %d", INT32_MAX);
		parser_fail(p, at);
	}
	parser_expect(p, TOKEN_RBRACKET);
	if (parser_at(p, TOKEN_MOD) && !v->wrap && !p->failed) {
		diag_error(p->token.span, "'%%' belongs before the size: %s%%[%lld]", v->name,
			   (long long)size);
		parser_fail(p, p->token.span);
	}
}

static void check_single(struct parser *p, const struct declared_option *d, struct span at)
{
	vec_each(other, &p->script->options) {
		const struct declared_option *old = &other->declared;
		char name[2] = { d->letter };

		if (str_equal(old->name, d->name) && !p->failed) {
			diag_error(at, "the option --%s is declared twice", d->name);
			parser_fail(p, at);
		} else if (d->letter && old->letter == d->letter && !p->failed) {
			diag_error(at, "the options --%s and --%s have the same letter '%s'", old->name, d->name, name);
			parser_fail(p, at);
		}
	}
}

/* @option("top|n", 10, "how many to show", "1..100") */
static void parse_option(struct parser *p, struct variable *v)
{
	struct script_option o = { .variable = v, .span = p->token.span };
	struct declared_option *d = &o.declared;
	struct token t;

	parser_advance(p);
	parser_expect(p, TOKEN_LPAREN);
	t = parser_string(p, "the name of an option as a string");
	parser_refuse(p, t.span, p->failed ? NULL : declared_set_name(d, p->arena, t.text));
	if (!p->failed)
		check_single(p, d, t.span);
	parser_expect(p, TOKEN_COMMA);
	v->initial = parse_constant(p);
	if (!p->failed && v->initial->kind == EXPR_STRING)
		d->text = v->initial->string.text;
	else if (!p->failed)
		d->number = v->initial->number.value;
	parser_expect(p, TOKEN_COMMA);
	t = parser_string(p, "a help text as a string");
	d->help = t.text;
	if (parser_accept(p, TOKEN_COMMA)) {
		t = parser_string(p, "the option's values as a string");
		parser_refuse(p, t.span, p->failed ? NULL : declared_set_values(d, p->arena, t.text));
	}
	parser_expect(p, TOKEN_RPAREN);
	d->variable = v->name;
	v->is_option = true;
	if (!p->failed)
		*vec_add(p->arena, &p->script->options) = o;
}

static void parse_initial(struct parser *p, struct variable *v)
{
	if ((v->size || v->wrap) && !p->failed) {
		diag_error(p->token.span, "only a scalar global can have an initial value");
		parser_fail(p, p->token.span);
		return;
	}
	parser_advance(p);
	if (parser_at(p, TOKEN_AT) && str_equal(p->token.text, "option"))
		parse_option(p, v);
	else
		v->initial = parse_constant(p);
}

/* Reports common habits from other languages. */
static void check_global_end(struct parser *p, const struct variable *v)
{
	if (p->failed)
		return;
	if (parser_at(p, TOKEN_COLON)) {
		diag_error(p->token.span, "the type of a global is not declared: it follows from its use");
		parser_fail(p, p->token.span);
	} else if (v->initial && p->token.kind >= TOKEN_MOD && p->token.kind <= TOKEN_TILDE) {
		diag_error(p->token.span, "an initial value must be one number or string: "
					  "compute it in 'probe begin'");
		parser_fail(p, p->token.span);
	}
}

static void parse_global(struct parser *p, bool is_private)
{
	struct variable *v = new_variable(p, VARIABLE_GLOBAL, "the name of a global");

	v->key_count = -1;
	v->is_private = is_private;
	if (parser_at(p, TOKEN_MOD_ASSIGN))
		v->wrap = true;		/* a%=1: parse_initial complains */
	if (parser_accept(p, TOKEN_MOD))
		v->wrap = true;
	if (parser_accept(p, TOKEN_LBRACKET))
		parse_size(p, v);
	if (parser_at(p, TOKEN_ASSIGN) || parser_at(p, TOKEN_MOD_ASSIGN))
		parse_initial(p, v);
	if (v->initial)
		v->key_count = 0;
	check_global_end(p, v);
	if (!p->failed)
		*vec_add(p->arena, &p->script->globals) = v;
}

static void parse_globals(struct parser *p, bool is_private)
{
	do
		parse_global(p, is_private);
	while (parser_accept(p, TOKEN_COMMA));
	parser_accept(p, TOKEN_SEMICOLON);
}

/* ---- functions ---- */

/* An optional ":long" or ":string". */
static bool parse_type(struct parser *p, enum type *type, struct span *span)
{
	if (!parser_accept(p, TOKEN_COLON))
		return false;
	*span = p->token.span;
	if (parser_accept(p, TOKEN_LONG_TYPE))
		*type = TYPE_LONG;
	else if (parser_accept(p, TOKEN_STRING_TYPE))
		*type = TYPE_STRING;
	else
		parser_expected(p, "'long' or 'string'");
	return true;
}

static void parse_parameter(struct parser *p, struct function *f)
{
	struct variable *v = new_variable(p, VARIABLE_PARAMETER, "the name of a parameter");

	v->type_declared = parse_type(p, &v->type, &v->type_span);
	vec_each(other, &f->parameters) {
		if ((*other)->name != v->name || p->failed)
			continue;
		diag_error(v->span, "two parameters are named '%s'", v->name);
		parser_fail(p, v->span);
	}
	*vec_add(p->arena, &f->parameters) = v;
}

static void parse_parameters(struct parser *p, struct function *f)
{
	parser_expect(p, TOKEN_LPAREN);
	while (!parser_at(p, TOKEN_RPAREN) && !p->failed) {
		parse_parameter(p, f);
		if (f->parameters.n > MOST_PARAMETERS && !p->failed) {
			diag_error(f->span, "a function has at most %d parameters", MOST_PARAMETERS);
			parser_fail(p, f->span);
		}
		if (!parser_accept(p, TOKEN_COMMA))
			break;
	}
	if (!parser_accept(p, TOKEN_RPAREN))
		parser_expected(p, "',' or ')'");
}

static void parse_priority(struct parser *p, struct function *f)
{
	struct span at;

	if (!parser_accept(p, TOKEN_COLON))
		return;
	at = p->token.span;
	f->has_priority = true;
	f->priority = parser_number(p, "a priority as a number");
	if ((f->priority < 1 || f->priority > INT32_MAX) && !p->failed) {
		diag_error(at, "a priority is at least 1 and at most %d", INT32_MAX);
		parser_fail(p, at);
	}
}

static void parse_function_body(struct parser *p, struct function *f)
{
	if (!parser_at(p, TOKEN_EMBEDDED)) {
		if (!parser_at(p, TOKEN_LBRACE))
			parser_expected(p, "'{' or '%{'");
		f->body = parse_body(p, true);
		return;
	}
	parser_check_guru(p, "embedded C");
	f->embedded = p->token.text;
	f->embedded_size = p->token.size;
	f->embedded_span = p->token.span;
	parser_advance(p);
}

static void parse_function(struct parser *p, bool is_private)
{
	struct function *f = arena_new(p->arena, struct function);

	parser_advance(p);
	f->is_private = is_private;
	f->span = p->token.span;
	f->name = parser_name(p, "the name of a function");
	if (print_op_of(f->name) && !p->failed) {
		diag_error(f->span, "'%s' is built in: the function needs another name", f->name);
		parser_fail(p, f->span);
	}
	f->type_declared = parse_type(p, &f->type, &f->type_span);
	parse_parameters(p, f);
	parse_priority(p, f);
	parse_function_body(p, f);
	if (!p->failed)
		*vec_add(p->arena, &p->script->functions) = f;
}

/* ---- probes ---- */

/* A = B = points, with the parser after the first name. */
static void parse_alias_names(struct parser *p, struct probe *probe)
{
	bool first = true;

	while (parser_at(p, TOKEN_ASSIGN) || parser_at(p, TOKEN_ADD_ASSIGN)) {
		bool epilogue = parser_at(p, TOKEN_ADD_ASSIGN);

		if (!parse_check_alias(p, &probe->points))
			return;
		if (!first && epilogue != probe->is_epilogue) {
			diag_error(p->token.span, "'=' and '+=' cannot be mixed in one alias");
			parser_fail(p, p->token.span);
			return;
		}
		first = false;
		probe->is_epilogue = epilogue;
		*vec_add(p->arena, &probe->names) = probe->points.items[0];
		probe->points.n = 0;
		probe->points.room = 0;
		probe->points.items = NULL;
		parser_advance(p);
		parse_points(p, &probe->points);
	}
}

static void parse_epilogue(struct parser *p, struct probe *probe)
{
	if (!probe->names.n || !parser_at(p, TOKEN_COMMA))
		return;
	if (probe->is_epilogue) {
		diag_error(p->token.span, "'+=' defines an epilogue only: use '=' for both");
		parser_fail(p, p->token.span);
		return;
	}
	parser_advance(p);
	probe->epilogue = parse_body(p, false);
}

/* Reports a clause of another tracer that begins at AT. The rest is not read: it is another language. */
static bool is_foreign(struct parser *p, struct span at)
{
	const char *text = at.source->text + at.start, *language, *probe, *words;

	probe = foreign_probe(p->arena, text, &language);
	if (!probe || p->failed)
		return false;
	diag_error(at, "this looks like %s, which is another language", language);
	if (*probe)
		diag_note(at, "write %s", probe);
	words = *probe ? foreign_words(p->arena, text) : NULL;
	if (words)
		diag_note(at, "these have other names here: %s", words);
	parser_fail(p, at);
	p->is_foreign = true;
	return true;
}

static void expect_body(struct parser *p, const struct probe *probe)
{
	struct span at = p->token.span;
	const char *filter;

	if (parser_at(p, TOKEN_LBRACE) || p->failed ||
	    (probe->points.n == 1 && parser_at(p, TOKEN_COLON) && is_foreign(p, probe->points.items[0]->span)))
		return;
	filter = parser_at(p, TOKEN_SLASH) ? foreign_filter(p->arena, at.source->text + at.start) : NULL;
	parser_expected(p, "',', '.', '?', '!', 'if', '=' or '{'");
	if (filter)
		diag_note(at, "a filter goes into the body: { %s ... }", filter);
}

static void parse_probe(struct parser *p)
{
	struct probe *probe = arena_new(p->arena, struct probe);

	probe->span = p->token.span;
	parser_advance(p);
	parse_points(p, &probe->points);
	parse_alias_names(p, probe);
	expect_body(p, probe);
	probe->body = parse_body(p, false);
	parse_epilogue(p, probe);
	if (p->failed)
		return;
	if (probe->names.n)
		*vec_add(p->arena, &p->script->aliases) = probe;
	else
		*vec_add(p->arena, &p->script->probes) = probe;
}

/* ---- the outermost level ---- */

static void parse_private(struct parser *p)
{
	parser_advance(p);
	if (parser_at(p, TOKEN_FUNCTION)) {
		parse_function(p, true);
		return;
	}
	if (!parser_accept(p, TOKEN_GLOBAL) && !parser_at(p, TOKEN_NAME))
		parser_expected(p, "'function', 'global' or a name after 'private'");
	parse_globals(p, true);
}

static void parse_embedded_code(struct parser *p)
{
	struct token t = p->token;

	parser_check_guru(p, "embedded C");
	*vec_add(p->arena, &p->script->embedded) = (struct embedded_code){
		.span = t.span, .code = t.text, .size = t.size,
	};
	parser_advance(p);
}

static void wrong_declaration(struct parser *p)
{
	static const char *const words[] = { "probe", "function", "global", "private" };
	struct token t = p->token;
	const char *near = NULL;

	if (t.kind == TOKEN_NAME && is_foreign(p, t.span))
		return;
	if (t.kind == TOKEN_NAME)
		near = nearest_name(t.text, words, ARRAY_SIZE(words));
	parser_expected(p, "'probe', 'function', 'global', 'private' or '%{'");
	if (near)
		diag_note(t.span, "did you mean '%s'?", near);
	else if (t.kind == TOKEN_SEMICOLON)
		diag_note(t.span, "declarations are not separated by ';'");
	else if (t.kind == TOKEN_RBRACE)
		diag_note(t.span, "this '}' matches no '{'");
}

static void parse_declaration(struct parser *p)
{
	switch (p->token.kind) {
	case TOKEN_PROBE:
		parse_probe(p);
		break;
	case TOKEN_FUNCTION:
		parse_function(p, false);
		break;
	case TOKEN_GLOBAL:
		parser_advance(p);
		parse_globals(p, false);
		break;
	case TOKEN_PRIVATE:
		parse_private(p);
		break;
	case TOKEN_EMBEDDED:
		parse_embedded_code(p);
		break;
	default:
		wrong_declaration(p);
	}
}

/* Does a declaration begin here? The keywords are also names, as in kernel.function("x"). */
static bool at_declaration(struct parser *p)
{
	switch (p->token.kind) {
	case TOKEN_PROBE:
	case TOKEN_GLOBAL:
	case TOKEN_PRIVATE:
		return p->last.kind != TOKEN_DOT;
	case TOKEN_FUNCTION:
		return p->last.kind != TOKEN_DOT && parser_ahead(p)->kind != TOKEN_LPAREN;
	default:
		return false;
	}
}

/* Moves to the next declaration after START, where the broken one began. */
static void recover(struct parser *p, struct span start)
{
	p->failed = false;
	p->token = p->stopped_at;
	p->nesting = 0;
	p->in_expression = false;
	p->histogram_allowed = false;
	if (p->token.span.source == start.source && p->token.span.start == start.start)
		take(p);
	while (!parser_at(p, TOKEN_END) && !at_declaration(p))
		take(p);
}

static void parse_declarations(struct parser *p)
{
	parser_advance(p);
	while (!p->is_foreign && (!parser_at(p, TOKEN_END) || p->failed)) {
		struct span start = p->token.span;

		if (!p->failed)
			parse_declaration(p);
		if (p->failed)
			recover(p, start);
	}
}

struct script *parse_script(struct source *s, struct macros *m)
{
	const struct preproc_setup *setup = macros_setup(m);
	struct arena *a = setup->strings->arena;
	struct script *script = arena_new(a, struct script);
	struct parser p = { .arena = a, .strings = setup->strings, .options = setup->options, .source = s,
			    .script = script };

	script->source = s;
	p.input = preproc_open(m, s);
	parse_declarations(&p);
	return script;
}
