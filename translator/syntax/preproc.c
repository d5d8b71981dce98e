/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens to tokens. The next token comes from the top of a stack of inputs. The file is at the bottom; above
 * it are bodies of macros, their arguments and pasted arguments of the script. Conditions are evaluated after
 * macro expansion. A skipped branch is read as raw tokens, so that nothing in it is expanded, defined or
 * reported.
 *
 * Each expansion of a macro has its own source (source_expand), which records the use. */
#include "preproc.h"

#include <string.h>

#include "source/diag.h"
#include "parse_state.h"
#include "base/arena.h"
#include "base/intern.h"
#include "source/options.h"
#include "base/util.h"
#include "preproc_condition.h"

enum { MOST_INPUTS = 200, MOST_EXPANDED = 1000 * 1000 };

struct macros {
	struct arena *arena;
	struct preproc_setup setup;
	bool *used_args;		/* which arguments the script has used; NULL: this is not noted */
	struct map library;
};

struct input {
	struct lexer lexer;		/* if is_text */
	bool is_text;
	const struct token *tokens;	/* otherwise */
	size_t n, at;
	const struct macro *macro;	/* the macro whose body this is, or NULL */
	token_list *arguments;		/* one for each parameter of the macro */
	const struct source *source;	/* of the body, made for this use */
};

struct conditional {
	struct span open;		/* its %( */
	bool in_else;
};

struct preproc {
	struct arena *arena;
	struct macros *macros;
	struct map own;			/* the file's macros */
	struct map *define_in;		/* own, or the library */
	VEC(struct input) inputs;
	VEC(struct conditional) conditionals;
	struct token pushed;		/* one raw token given back */
	bool has_pushed;
	struct token last_bad;		/* the likely reason for an unexpected end */
	size_t expanded;		/* number of tokens from macros so far */
	struct lex_name *names;
};

static void push_text(struct preproc *p, const struct source *s)
{
	struct input *in = vec_add(p->arena, &p->inputs);

	*in = (struct input){ .is_text = true };
	lexer_open(&in->lexer, s, p->macros->setup.strings, p->names);
}

struct preproc *preproc_open(struct macros *m, const struct source *s)
{
	struct preproc *p = arena_new(m->arena, struct preproc);

	p->arena = m->arena;
	p->macros = m;
	map_init(&p->own, m->arena);
	p->define_in = &p->own;
	p->names = arena_array(m->arena, struct lex_name, LEX_NAMES);
	push_text(p, s);
	return p;
}

static struct token reported(struct token t)
{
	t.kind = TOKEN_BAD;
	t.error = LEX_REPORTED;
	return t;
}

/* ---- raw tokens ---- */

static token_list *find_argument(const struct input *in, const char *name)
{
	for (size_t i = 0; i < in->macro->parameters.n; i++)
		if (in->macro->parameters.items[i] == name)
			return &in->arguments[i];
	return NULL;
}

static struct input *push_tokens(struct preproc *p, const token_list *list)
{
	struct input *in = vec_add(p->arena, &p->inputs);

	*in = (struct input){ .tokens = list->items, .n = list->n };
	p->expanded += list->n;
	return in;
}

static struct token too_large(struct preproc *p, struct token t)
{
	diag_error(t.span, "macro '@%s' expands endlessly: does it use itself?", t.text);
	p->inputs.n = 1;
	return reported(t);
}

/* The next token as written, with parameters replaced by arguments. TOKEN_END only at the end of the file. */
static struct token next_raw(struct preproc *p)
{
	if (p->has_pushed) {
		p->has_pushed = false;
		return p->pushed;
	}
	for (;;) {
		struct input *in = &p->inputs.items[p->inputs.n - 1];
		token_list *argument;
		struct token t;

		if (in->is_text) {
			t = lex_next(&in->lexer);
			if (t.kind == TOKEN_BAD)
				p->last_bad = t;
			if (t.kind != TOKEN_END || p->inputs.n == 1)
				return t;
			p->inputs.n--;
			continue;
		}
		if (in->at == in->n) {
			p->inputs.n--;
			continue;
		}
		t = in->tokens[in->at++];
		if (!in->macro)
			return t;
		argument = t.kind == TOKEN_AT ? find_argument(in, t.text) : NULL;
		if (t.span.source == in->macro->span.source)
			t.span.source = in->source;
		if (!argument)
			return t;
		if (p->expanded > MOST_EXPANDED)
			return too_large(p, t);
		push_tokens(p, argument);
	}
}

static void push_back(struct preproc *p, struct token t)
{
	p->pushed = t;
	p->has_pushed = true;
}

/* A construct has no end. If an unterminated string or comment swallowed it, reports that instead. */
static bool explain_end(struct preproc *p)
{
	if (p->last_bad.kind != TOKEN_BAD)
		return false;
	lex_complain(&p->last_bad);
	return true;
}

/* ---- arguments of the script ---- */

static struct token count_arguments(const struct preproc *p, struct token t)
{
	size_t n = p->macros->setup.options->args.n;

	if (t.kind == TOKEN_ARG_TEXT) {
		t.kind = TOKEN_NUMBER;
		t.number = (int64_t)n;
		return t;
	}
	t.kind = TOKEN_STRING;
	t.text = arena_printf(p->arena, "%zu", n);
	t.size = strlen(t.text);
	return t;
}

static const char *find_script_argument(const struct preproc *p, const struct token *t)
{
	const struct options *o = p->macros->setup.options;
	char sign = t->kind == TOKEN_ARG_TEXT ? '$' : '@';

	if ((size_t)t->number <= o->args.n) {
		if (p->macros->used_args)
			p->macros->used_args[t->number - 1] = true;
		return o->args.items[t->number - 1];
	}
	if (t->number >= 1000000)
		diag_error(t->span, "no such argument: the first is %c1", sign);
	else
		diag_error(t->span, "the script needs argument %c%lld, but was given %zu", sign,
			   (long long)t->number, o->args.n);
	return NULL;
}

/* Is the current token from the text of an argument, or from a macro that such a text uses? */
static bool is_in_argument(const struct preproc *p)
{
	for (size_t i = 1; i < p->inputs.n; i++)
		if (p->inputs.items[i].is_text)
			return true;
	return false;
}

static struct token nested_argument(struct preproc *p, struct token t)
{
	diag_error(t.span, "an argument of the script cannot use another one");
	p->inputs.n = 1;
	return reported(t);
}

/* Expands $1 to tokens and @1 to a string. False: the token *T is the result. */
static bool expand_script_argument(struct preproc *p, struct token *t)
{
	struct arena *a = p->arena;
	const char *text;
	struct source *s;

	if (is_in_argument(p)) {
		*t = nested_argument(p, *t);
		return false;
	}
	if (!t->number) {
		*t = count_arguments(p, *t);
		return false;
	}
	text = find_script_argument(p, t);
	if (!text) {
		*t = reported(*t);
		return false;
	}
	if (t->kind == TOKEN_ARG_STRING) {
		t->kind = TOKEN_STRING;
		t->text = text;
		t->size = strlen(text);
		return false;
	}
	s = source_add(t->span.source->diag, arena_printf(a, "$%lld", (long long)t->number), text,
		       strlen(text));
	s->expanded_from = t->span;
	s->expansion = arena_printf(a, "argument '%s'", s->name);
	push_text(p, s);
	return true;
}

/* ---- macros ---- */

static struct macro *find_macro(const struct preproc *p, const char *name)
{
	struct macro *m = map_get(&p->own, name);

	return m ? m : map_get(&p->macros->library, name);
}

static bool opens(enum token_kind k)
{
	return k == TOKEN_LPAREN || k == TOKEN_LBRACKET || k == TOKEN_IF_OPEN;
}

static bool closes(enum token_kind k)
{
	return k == TOKEN_RPAREN || k == TOKEN_RBRACKET || k == TOKEN_IF_CLOSE;
}

/* Reads the tokens between the parentheses of a macro call; ADD gets a TOKEN_COUNT for each comma that
 * separates arguments. False at the end of the file. */
static bool read_arguments(struct preproc *p, void (*add)(void *, struct token), void *data)
{
	for (unsigned depth = 0;;) {
		struct token t = next_raw(p);

		if (t.kind == TOKEN_END) {
			push_back(p, t);
			return false;
		}
		if (depth == 0 && t.kind == TOKEN_RPAREN)
			return true;
		if (opens(t.kind))
			depth++;
		else if (closes(t.kind) && depth)
			depth--;
		if (depth == 0 && t.kind == TOKEN_COMMA)
			t.kind = TOKEN_COUNT;	/* marks the end of an argument */
		add(data, t);
	}
}

struct argument_lists {
	struct arena *arena;
	VEC(token_list) lists;
};

static void add_to_argument(void *data, struct token t)
{
	struct argument_lists *l = data;

	if (t.kind == TOKEN_COUNT)
		vec_add(l->arena, &l->lists);
	else
		*vec_add(l->arena, &l->lists.items[l->lists.n - 1]) = t;
}

/* Reads the arguments of M, after its name; NULL after a message. */
static token_list *macro_arguments(struct preproc *p, const struct macro *m, struct token use)
{
	struct arena *a = p->arena;
	struct argument_lists l = { .arena = a };
	struct token t = next_raw(p);

	if (t.kind != TOKEN_LPAREN) {
		diag_error(t.span, "expected '(' after macro '@%s', found %s", m->name,
			   token_found(a, &t));
		push_back(p, t);
		return NULL;
	}
	vec_add(a, &l.lists);
	if (!read_arguments(p, add_to_argument, &l)) {
		if (!explain_end(p))
			diag_error(use.span, "unterminated call of macro '@%s': expected ')'",
				   m->name);
		return NULL;
	}
	if (l.lists.n == m->parameters.n)
		return l.lists.items;
	diag_error(use.span, "macro '@%s' takes %zu argument%s, not %zu", m->name, m->parameters.n,
		   m->parameters.n == 1 ? "" : "s", l.lists.n);
	diag_note(m->span, "it is defined here");
	return NULL;
}

/* Pushes the body of M; false after a message, with the result in *T. */
static bool expand_macro(struct preproc *p, const struct macro *m, struct token *t)
{
	token_list *arguments = NULL;
	struct input *in;

	if (p->inputs.n >= MOST_INPUTS || p->expanded > MOST_EXPANDED) {
		*t = too_large(p, *t);
		return false;
	}
	if (m->parameters.n) {
		arguments = macro_arguments(p, m, *t);
		if (!arguments) {
			p->inputs.n = 1;
			*t = reported(*t);
			return false;
		}
	}
	in = push_tokens(p, &m->body);
	in->macro = m;
	in->arguments = arguments;
	in->source = source_expand(m->span.source, t->span,
				   arena_printf(p->arena, "macro '@%s'", m->name));
	return true;
}

/* ---- definitions ---- */

static struct token definition_failed(struct preproc *p, struct token t, const char *expected)
{
	if (t.kind == TOKEN_BAD)
		lex_complain(&t);
	else
		diag_error(t.span, "expected %s after '@define', found %s", expected,
			   token_found(p->arena, &t));
	return reported(t);
}

static void stray_then(const struct token *t)
{
	diag_error(t->span, "'%%?' without '%%('");
}

/* Reports a second %? of a skipped condition. MET has a bit for each level. */
static void check_then(const struct token *t, unsigned depth, uint64_t *met)
{
	if (depth >= 64)
		return;
	if (t->kind == TOKEN_IF_OPEN)
		*met &= ~(2ull << depth);
	if (t->kind != TOKEN_IF_THEN)
		return;
	if (*met >> depth & 1)
		stray_then(t);
	*met |= 1ull << depth;
}

/* Reads a branch or a body, after its opening %(, and adds its tokens to ADD, which may be NULL. Returns the
 * %) that closes it, with ELSE_TOO also the %: at its level, or the end. With ELSE_TOO it is a branch of a
 * condition, whose %? has been read: another %? is reported. */
static struct token read_balanced(struct preproc *p, bool else_too, token_list *add)
{
	uint64_t then = 1;

	for (unsigned depth = 0;;) {
		struct token t = next_raw(p);

		if (t.kind == TOKEN_END)
			return t;
		if (else_too)
			check_then(&t, depth, &then);
		if (depth == 0 &&
		    (t.kind == TOKEN_IF_CLOSE || (else_too && t.kind == TOKEN_IF_ELSE)))
			return t;
		if (t.kind == TOKEN_IF_OPEN)
			depth++;
		else if (t.kind == TOKEN_IF_CLOSE)
			depth--;
		if (add)
			*vec_add(p->arena, add) = t;
	}
}

/* (a, b), after the opening parenthesis. */
static bool read_parameters(struct preproc *p, struct macro *m, struct token *t)
{
	for (;;) {
		*t = next_raw(p);
		if (t->kind != TOKEN_NAME) {
			*t = definition_failed(p, *t, "the name of a parameter");
			return false;
		}
		*vec_add(p->arena, &m->parameters) = t->text;
		if (m->parameters.n > MOST_PARAMETERS) {
			diag_error(t->span, "a macro has at most %d parameters", MOST_PARAMETERS);
			*t = reported(*t);
			return false;
		}
		*t = next_raw(p);
		if (t->kind == TOKEN_RPAREN)
			return true;
		if (t->kind != TOKEN_COMMA) {
			*t = definition_failed(p, *t, "',' or ')'");
			return false;
		}
	}
}

static bool read_body(struct preproc *p, struct macro *m, struct token *t)
{
	struct token close = read_balanced(p, false, &m->body);

	if (close.kind == TOKEN_END) {
		if (!explain_end(p))
			diag_error(m->span, "unterminated macro '@%s': expected '%%)'", m->name);
		*t = reported(close);
		return false;
	}
	vec_each(inner, &m->body) {
		if (inner->kind == TOKEN_AT && str_equal(inner->text, "define")) {
			diag_error(inner->span, "a macro cannot define another");
			*t = reported(*inner);
			return false;
		}
	}
	return true;
}

static bool read_definition(struct preproc *p, struct macro *m, struct token *t)
{
	*t = next_raw(p);
	if (t->kind != TOKEN_NAME) {
		*t = definition_failed(p, *t, "the name of a macro");
		return false;
	}
	m->name = t->text;
	m->span = t->span;
	*t = next_raw(p);
	if (t->kind == TOKEN_LPAREN) {
		if (!read_parameters(p, m, t))
			return false;
		*t = next_raw(p);
	}
	if (t->kind != TOKEN_IF_OPEN) {
		push_back(p, *t);
		*t = definition_failed(p, *t, m->parameters.n ? "'%(' and the macro's body" :
						      "'(' or '%(' and the macro's body");
		return false;
	}
	return read_body(p, m, t);
}

/* Skips the body of an invalid definition, so that it is not taken for a condition. */
static void skip_definition(struct preproc *p)
{
	for (;;) {
		struct token t = next_raw(p);

		if (t.kind == TOKEN_IF_OPEN) {
			read_balanced(p, false, NULL);
			return;
		}
		if (t.kind != TOKEN_NAME && t.kind != TOKEN_COMMA && t.kind != TOKEN_RPAREN) {
			push_back(p, t);
			return;
		}
	}
}

/* @define NAME(a, b) %( ... %), after @define. False after a message. */
static bool define_macro(struct preproc *p, struct token *t)
{
	struct macro *m = arena_new(p->arena, struct macro), *known;

	if (!read_definition(p, m, t)) {
		if (!m->body.n)
			skip_definition(p);
		return false;
	}
	known = map_get(p->define_in, m->name);
	if (known || str_equal(m->name, "define")) {
		diag_error(m->span, "macro '@%s' is defined twice", m->name);
		if (known)
			diag_note(known->span, "the first definition");
		return true;
	}
	if (is_at_operator(m->name))
		diag_warn(m->span, "macro '@%s' hides the operator of that name", m->name);
	map_set(p->define_in, m->name, m);
	return true;
}

/* ---- expanded tokens ---- */

static struct token next_expanded(struct preproc *p)
{
	for (;;) {
		struct token t = next_raw(p);
		struct macro *m;

		if (t.kind == TOKEN_ARG_TEXT || t.kind == TOKEN_ARG_STRING) {
			if (!expand_script_argument(p, &t))
				return t;
			continue;
		}
		if (t.kind != TOKEN_AT)
			return t;
		if (str_equal(t.text, "define")) {
			if (!define_macro(p, &t))
				return t;
			continue;
		}
		m = find_macro(p, t.text);
		if (!m || !expand_macro(p, m, &t))
			return t;
	}
}

/* ---- conditionals ---- */

static struct token next_of_condition(void *data)
{
	return next_expanded(data);
}

static struct token no_end(struct preproc *p, struct span open, struct token end)
{
	if (!explain_end(p))
		diag_error(open, "unterminated condition: expected '%%)'");
	push_back(p, end);
	return reported(end);
}

/* Skips an invalid condition with all its branches. AT is the token with the error. */
static struct token skip_conditional(struct preproc *p, struct token at)
{
	struct token t = at;

	if (t.kind == TOKEN_IF_OPEN)
		t = read_balanced(p, false, NULL);
	if (t.kind != TOKEN_END && at.kind != TOKEN_IF_CLOSE)
		t = read_balanced(p, false, NULL);
	if (t.kind == TOKEN_END)
		push_back(p, t);
	return reported(at);
}

/* After %(: evaluates the condition and moves to the selected branch. False: *T is the result. */
static bool enter_conditional(struct preproc *p, struct token *t)
{
	struct condition_input in = { .next = next_of_condition, .data = p,
				      .arena = p->arena,
				      .target = &p->macros->setup.target };
	struct conditional c = { .open = t->span };
	int value = condition_value(&in);

	if (value < 0) {
		*t = skip_conditional(p, in.token);
		return false;
	}
	if (!value) {
		struct token end = read_balanced(p, true, NULL);

		if (end.kind == TOKEN_IF_CLOSE)
			return true;
		if (end.kind == TOKEN_END) {
			*t = no_end(p, c.open, end);
			return false;
		}
		c.in_else = true;
	}
	*vec_add(p->arena, &p->conditionals) = c;
	return true;
}

/* After the %: or %) that ends the selected branch. False: *T is the result. */
static bool leave_conditional(struct preproc *p, struct token *t)
{
	struct conditional c;
	struct token end;

	if (!p->conditionals.n) {
		diag_error(t->span, "'%s' without '%%('", token_text(t->kind));
		*t = reported(*t);
		return false;
	}
	c = p->conditionals.items[--p->conditionals.n];
	if (t->kind == TOKEN_IF_CLOSE)
		return true;
	end = c.in_else ? *t : read_balanced(p, true, NULL);
	if (end.kind == TOKEN_IF_CLOSE)
		return true;
	if (end.kind == TOKEN_END) {
		*t = no_end(p, c.open, end);
		return false;
	}
	diag_error(end.span, "a condition has only one '%%:'");
	*t = reported(end);
	end = read_balanced(p, false, NULL);
	if (end.kind == TOKEN_END)
		push_back(p, end);
	return false;
}

/* At the end of the file: reports an unterminated conditional once. */
static struct token finish(struct preproc *p, struct token t)
{
	struct span open;

	if (!p->conditionals.n)
		return t;
	open = p->conditionals.items[p->conditionals.n - 1].open;
	p->conditionals.n = 0;
	return no_end(p, open, t);
}

struct token preproc_next(struct preproc *p)
{
	for (;;) {
		struct token t = next_expanded(p);

		switch (t.kind) {
		case TOKEN_IF_OPEN:
			if (enter_conditional(p, &t))
				continue;
			return t;
		case TOKEN_IF_ELSE:
		case TOKEN_IF_CLOSE:
			if (leave_conditional(p, &t))
				continue;
			return t;
		case TOKEN_IF_THEN:
			stray_then(&t);
			return reported(t);
		case TOKEN_END:
			return finish(p, t);
		default:
			return t;
		}
	}
}

/* ---- the library's macros ---- */

void preproc_macro_names(const struct preproc *p, name_list *names)
{
	for (size_t i = 0; i < p->own.n; i++)
		*vec_add(p->arena, names) = p->own.entries[i].key;
	macros_names(p->macros, names);
}

void macros_names(const struct macros *m, name_list *names)
{
	for (size_t i = 0; i < m->library.n; i++)
		*vec_add(m->arena, names) = m->library.entries[i].key;
}

const struct macro *macros_find(const struct macros *m, const char *name)
{
	return map_get(&m->library, name);
}

struct macros *macros_open(const struct preproc_setup *setup)
{
	struct arena *a = setup->strings->arena;
	struct macros *m = arena_new(a, struct macros);

	m->arena = a;
	m->setup = *setup;
	map_init(&m->library, a);
	return m;
}

const struct preproc_setup *macros_setup(const struct macros *m)
{
	return &m->setup;
}

void macros_note_args(struct macros *m, bool *used)
{
	m->used_args = used;
}

bool macros_add_library(struct macros *m, const struct source *s)
{
	struct preproc *p = preproc_open(m, s);
	unsigned errors = s->diag->errors;
	struct token t;

	p->define_in = &m->library;
	for (t = preproc_next(p); t.kind == TOKEN_BAD; t = preproc_next(p))
		lex_complain(&t);
	if (t.kind != TOKEN_END)
		diag_error(t.span, "expected '@define', found %s: a .stpm file holds only macros",
			   token_found(m->arena, &t));
	return s->diag->errors == errors;
}
