/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parser of .d files. It knows the grammar of providers; C around them is skipped, by declaration. */
#include "provider.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "base/text.h"
#include "base/util.h"
#include "source/diag.h"

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_OTHER };

struct token {
	enum token_kind kind;
	uint32_t start, end;
};

struct parser {
	struct source *source;
	struct token token;		/* the current one */
	uint32_t before;		/* the end of the one before it */
	struct map macros;		/* by name: the marker */
	struct markers *found;
	bool failed;			/* the file cannot be read any further */
};

/* ---- places: the preprocessor names the original file and line in '# 7 "x.d" 1' before its text ---- */

struct origin {
	const char *file;		/* NULL: no preprocessor was used */
	unsigned line;			/* of the line that follows */
};

/* The line marker in the line at P; false: it is none. */
static bool line_marker(struct arena *a, const char *p, struct origin *out)
{
	const char *name, *end;
	char *after;

	if (p[0] != '#' || p[1] != ' ' || !isdigit((unsigned char)p[2]))
		return false;
	out->line = (unsigned)strtoul(p + 2, &after, 10);
	name = after + strspn(after, " ");
	end = *name == '"' ? strpbrk(name + 1, "\"\n") : NULL;
	if (!end || *end != '"')
		return false;
	out->file = arena_strndup(a, name + 1, (size_t)(end - name - 1));
	return true;
}

/* The same place in the file that the text is from. Macros may have changed the columns of its line: if the word is
 * not there, it is the start of the line. */
static struct span original(struct span at)
{
	const struct source *s = at.source;
	struct arena *a = s->diag->arena;
	struct origin o = { .line = 1 };
	unsigned line, column;
	struct source *file;
	size_t size, length = at.end - at.start, start;
	char *text;

	source_position(at, &line, &column);
	for (unsigned i = 1; i < line; i++)
		if (!line_marker(a, s->text + s->lines[i - 1], &o))
			o.line++;
	text = o.file ? file_read(a, o.file, &size) : NULL;
	if (!text)
		return at;
	file = source_add(s->diag, o.file, text, size);
	if (!o.line || o.line > file->line_count)
		return at;
	start = file->lines[o.line - 1];
	if (start + column - 1 + length > size || memcmp(text + start + column - 1, s->text + at.start, length) != 0)
		column = 1, length = 1;
	start += column - 1;
	return (struct span){ file, (uint32_t)start, (uint32_t)(start + length) };
}

#define complain(at, ...) diag_error(original(at), __VA_ARGS__)

static struct span span_of(const struct parser *p, struct token t)
{
	return (struct span){ p->source, t.start, t.end };
}

/* ---- words ---- */

/* The end of the comment at AT. */
static uint32_t comment_end(struct parser *p, uint32_t at)
{
	const struct source *s = p->source;
	const char *end;

	if (s->text[at + 1] == '/') {
		while (at < s->size && s->text[at] != '\n')
			at++;
		return at;
	}
	end = strstr(s->text + at + 2, "*/");
	if (end)
		return (uint32_t)(end - s->text) + 2;
	complain(((struct span){ s, at, at + 2 }), "the comment has no end");
	p->failed = true;
	return (uint32_t)s->size;
}

/* Skips a line with '#', and those that continue it. */
static uint32_t directive_end(const struct source *s, uint32_t at)
{
	while (at < s->size && (s->text[at] != '\n' || s->text[at - 1] == '\\'))
		at++;
	return at;
}

static bool starts_line(const struct source *s, uint32_t at)
{
	while (at > 0 && (s->text[at - 1] == ' ' || s->text[at - 1] == '\t'))
		at--;
	return at == 0 || s->text[at - 1] == '\n';
}

static uint32_t skip_space(struct parser *p, uint32_t at)
{
	const struct source *s = p->source;

	while (at < s->size) {
		uint32_t end = at;

		if (isspace((unsigned char)s->text[at]))
			end = at + 1;
		else if (s->text[at] == '/' && (s->text[at + 1] == '*' || s->text[at + 1] == '/'))
			end = comment_end(p, at);
		else if (s->text[at] == '#' && starts_line(s, at))
			end = directive_end(s, at);
		if (end == at)
			break;
		at = end;
	}
	return at;
}

/* The end of a literal in quotes, which may contain brackets. */
static uint32_t literal_end(const struct source *s, uint32_t at)
{
	uint32_t end = at + 1;

	while (end < s->size && s->text[end] != s->text[at] && s->text[end] != '\n')
		end += s->text[end] == '\\' && end + 1 < s->size ? 2 : 1;
	return end < s->size ? end + 1 : end;
}

static void next(struct parser *p)
{
	const struct source *s = p->source;
	uint32_t at;

	p->before = p->token.end;
	at = skip_space(p, p->token.end);
	p->token = (struct token){ TOKEN_OTHER, at, at + 1 };
	if (at >= s->size) {
		p->token = (struct token){ TOKEN_END, at, at };
	} else if (is_identifier_char(s->text[at])) {
		p->token.kind = isdigit((unsigned char)s->text[at]) ? TOKEN_OTHER : TOKEN_NAME;
		while (p->token.end < s->size && is_identifier_char(s->text[p->token.end]))
			p->token.end++;
	} else if (s->text[at] == '"' || s->text[at] == '\'') {
		p->token.end = literal_end(s, at);
	}
}

static bool is(const struct parser *p, const char *word)
{
	size_t n = p->token.end - p->token.start;

	return p->token.kind != TOKEN_END && strlen(word) == n && !memcmp(p->source->text + p->token.start, word, n);
}

static bool take(struct parser *p, const char *word)
{
	if (!is(p, word))
		return false;
	next(p);
	return true;
}

static const char *word(const struct parser *p)
{
	struct arena *a = p->source->diag->arena;

	return p->token.kind == TOKEN_END ? "the end of the file" :
					    arena_printf(a, "'%s'", span_text(a, span_of(p, p->token)));
}

static bool expected(struct parser *p, const char *what)
{
	if (!p->failed)
		complain(span_of(p, p->token), "expected %s, found %s", what, word(p));
	p->failed |= p->token.kind == TOKEN_END;
	return false;
}

/* ---- arguments ---- */

/* The text between START and END, with comments and line breaks as one blank. */
static const char *one_line(struct parser *p, uint32_t start, uint32_t end)
{
	const struct source *s = p->source;
	struct text out;

	text_init(&out, s->diag->arena);
	for (uint32_t at = start; at < end;) {
		uint32_t after = skip_space(p, at);

		if (after > at && after < end)
			text_char(&out, ' ');
		if (after == at)
			text_char(&out, s->text[after++]);
		at = after;
	}
	return out.s;
}

/* An argument: all words up to ',' or ')'. */
static bool parse_argument(struct parser *p, struct marker *m)
{
	struct token first = p->token;
	int depth = 0;

	while (p->token.kind != TOKEN_END && (depth || (!is(p, ",") && !is(p, ")")))) {
		if (is(p, ";") || is(p, "{") || is(p, "}"))
			return expected(p, "',' or ')'");
		depth += (is(p, "(") || is(p, "[")) - (is(p, ")") || is(p, "]"));
		next(p);
	}
	if (p->token.kind == TOKEN_END)
		return expected(p, "',' or ')'");
	if (p->token.start == first.start)
		return expected(p, "the type of an argument");
	if (m->arguments.n == MARKER_ARGUMENTS) {
		complain(span_of(p, first), "a probe has at most %d arguments", MARKER_ARGUMENTS);
		return false;
	}
	*vec_add(p->source->diag->arena, &m->arguments) = one_line(p, first.start, p->before);
	return true;
}

static bool parse_arguments(struct parser *p, struct marker *m)
{
	if (!take(p, "("))
		return expected(p, "'('");
	if (take(p, ")"))
		return true;
	do {
		if (!parse_argument(p, m))
			return false;
	} while (take(p, ","));
	if (m->arguments.n == 1 && str_equal(m->arguments.items[0], "void"))
		m->arguments.n = 0;
	return take(p, ")");
}

/* ---- providers ---- */

static void add_upper(struct text *t, char c)
{
	text_char(t, (char)toupper((unsigned char)c));
}

/* "request__start" of "myprog": MYPROG_REQUEST_START. */
static const char *macro_name(struct arena *a, const struct marker *m)
{
	struct text t;

	text_init(&t, a);
	for (const char *c = m->provider; *c; c++)
		add_upper(&t, *c);
	text_char(&t, '_');
	for (const char *c = m->name; *c; c++) {
		add_upper(&t, *c);
		c += c[0] == '_' && c[1] == '_';
	}
	return t.s;
}

static void add_marker(struct parser *p, struct marker m)
{
	struct arena *a = p->source->diag->arena;
	const struct marker *first;
	struct marker *kept = arena_new(a, struct marker);

	m.macro = macro_name(a, &m);
	*kept = m;
	first = map_get(&p->macros, m.macro);
	if (first) {
		complain(m.at, str_equal(first->name, m.name) ? "probe '%s' was declared before" :
			 "the macro of probe '%s' has the name of another one's", m.name);
		diag_note(original(first->at), "it is '%s'", first->name);
		return;
	}
	map_set(&p->macros, m.macro, kept);
	*vec_add(a, &p->found->list) = m;
}

static bool parse_name(struct parser *p, const char *what, const char **name, struct span *at)
{
	if (p->token.kind != TOKEN_NAME)
		return expected(p, what);
	*at = span_of(p, p->token);
	*name = span_text(p->source->diag->arena, *at);
	next(p);
	if (!is(p, "-"))
		return true;
	complain(span_of(p, p->token), "a name has no '-'; '__' in the name of a probe is shown as '-' by DTrace");
	return false;
}

/* probe NAME(ARGUMENTS) [: (ARGUMENTS)];	the second list is DTrace's translated form of the first */
static bool parse_probe(struct parser *p, const char *provider)
{
	struct marker m = { .provider = provider }, translated = { 0 };

	if (!take(p, "probe"))
		return expected(p, "'probe' or '}'");
	if (!parse_name(p, "the name of a probe", &m.name, &m.at) || !parse_arguments(p, &m))
		return false;
	if (take(p, ":") && !parse_arguments(p, &translated))
		return false;
	if (!take(p, ";"))
		return expected(p, "';'");
	add_marker(p, m);
	return true;
}

/* After a mistake: the next probe, or the end of the provider. */
static void skip_probe(struct parser *p)
{
	while (p->token.kind != TOKEN_END && !is(p, "}") && !is(p, "probe") && !is(p, "provider"))
		next(p);
}

static bool parse_provider(struct parser *p)
{
	const char *name;
	struct span at;

	next(p);
	if (!parse_name(p, "the name of a provider", &name, &at))
		return false;
	if (!take(p, "{"))
		return expected(p, "'{'");
	while (!is(p, "}") && !is(p, "provider") && p->token.kind != TOKEN_END)
		if (!parse_probe(p, name))
			skip_probe(p);
	if (!take(p, "}"))
		return expected(p, "'probe' or '}'");
	take(p, ";");
	return true;
}

/* ---- declarations of C ---- */

/* Words before a '{' that is no mistake. */
static bool has_body(const struct parser *p)
{
	return is(p, "struct") || is(p, "union") || is(p, "enum") || is(p, "extern") || is(p, "inline") ||
	       is(p, "translator") || is(p, "__inline") || is(p, "__inline__") || is(p, "=");
}

/* Up to ';', or to the '}' of a function. */
static bool skip_declaration(struct parser *p)
{
	struct token first = p->token;
	bool may_open = false, is_function = false, after_list = false;
	int depth = 0;

	while (p->token.kind != TOKEN_END && (depth || !is(p, ";"))) {
		if (!depth && is(p, "provider"))
			return expected(p, "';'");
		if (!depth && is(p, "}"))
			return expected(p, "'provider' or a declaration");
		may_open |= has_body(p) || after_list;
		if (!depth && is(p, "{") && !may_open) {
			p->token = first;
			return expected(p, "'provider' or a declaration");
		}
		is_function |= !depth && is(p, "{") && after_list;
		after_list = is(p, ")");
		depth += (is(p, "(") || is(p, "[") || is(p, "{")) - (is(p, ")") || is(p, "]") || is(p, "}"));
		if (!depth && is(p, "}") && is_function)
			break;
		next(p);
	}
	if (p->token.kind == TOKEN_END)
		return expected(p, "';'");
	next(p);
	return true;
}

void provider_parse(struct diag *d, const char *file, const char *text, size_t size, struct markers *found)
{
	struct parser p = { .source = source_add(d, file, text, size), .found = found };
	bool has_provider = false, good = true;

	if (strlen(text) != size) {
		uint32_t at = (uint32_t)strlen(text);

		diag_error((struct span){ p.source, at, at + 1 }, "a byte 0 in the text");
		return;
	}
	map_init(&p.macros, d->arena);
	next(&p);
	while (p.token.kind != TOKEN_END && !p.failed) {
		has_provider |= is(&p, "provider");
		good = is(&p, "provider") ? parse_provider(&p) : take(&p, ";") || skip_declaration(&p);
		/* after a mistake: the next provider */
		while (!good && p.token.kind != TOKEN_END && !is(&p, "provider"))
			next(&p);
	}
	if (!has_provider && !d->errors)
		complain(span_of(&p, p.token), "no provider: expected provider NAME { probe NAME(TYPE, ...); }");
}
