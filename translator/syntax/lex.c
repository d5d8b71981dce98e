/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text to tokens: one pass over the bytes, without regard to the meaning of the tokens. The lexer interns
 * names, recognizes keywords and interprets escapes in strings. The parser joins adjacent strings,
 * because arguments of the script (@1) may be among them. */
#include "lex.h"

#include <string.h>

#include "base/arena.h"
#include "source/diag.h"
#include "base/intern.h"
#include "base/util.h"

struct spelling {
	const char *text;
	enum token_kind kind;
};

static const struct spelling keywords[] = {
#define KEYWORD(name, text) { text, TOKEN_##name },
#include "tokens.def"
};

static const struct spelling operators[] = {
#define OPERATOR(name, text) { text, TOKEN_##name },
#include "tokens.def"
};

void lexer_open(struct lexer *l, const struct source *s, struct interned *strings, struct lex_name *names)
{
	*l = (struct lexer){ .source = s, .strings = strings, .names = names };
	for (size_t i = ARRAY_SIZE(operators); i-- > 0;)
		l->operators[(unsigned char)operators[i].text[0]] = (uint8_t)(i + 1);
	if (s->size >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0)
		l->at = 3;		/* byte order mark */
}

static bool is_digit(unsigned char c)
{
	return c >= '0' && c <= '9';
}

static bool is_name_start(unsigned char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

static bool is_name(unsigned char c)
{
	return is_name_start(c) || is_digit(c);
}

static int hex_digit(unsigned char c)
{
	if (is_digit(c))
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

/* The text is followed by a NUL, so looking one byte ahead is always allowed. */
static unsigned char look(const struct lexer *l, uint32_t ahead)
{
	uint32_t i = l->at + ahead;

	return i < l->source->size ? (unsigned char)l->source->text[i] : 0;
}

static bool at_end(const struct lexer *l)
{
	return l->at >= l->source->size;
}

static struct span span_from(const struct lexer *l, uint32_t start)
{
	return (struct span){ l->source, start, l->at };
}

static struct token make(const struct lexer *l, enum token_kind kind, uint32_t start)
{
	return (struct token){ .kind = kind, .span = span_from(l, start) };
}

static struct token bad(const struct lexer *l, enum lex_error error, uint32_t start)
{
	return (struct token){ .kind = TOKEN_BAD, .error = error, .span = span_from(l, start) };
}

static void skip_line(struct lexer *l)
{
	const char *rest = l->source->text + l->at;
	const char *end = memchr(rest, '\n', l->source->size - l->at);

	l->at = end ? (uint32_t)(end - l->source->text) : (uint32_t)l->source->size;
}

/* Moves past the next TEXT (two characters); false if it does not occur again. */
static bool skip_past(struct lexer *l, const char *text)
{
	const char *rest = l->source->text + l->at;
	const char *found = memmem(rest, l->source->size - l->at, text, 2);

	l->at = found ? (uint32_t)(found + 2 - l->source->text) : (uint32_t)l->source->size;
	return found;
}

/* Returns false at an unterminated comment; the lexer is then at its start. */
static bool skip_blanks(struct lexer *l)
{
	for (;;) {
		unsigned char c = look(l, 0);
		uint32_t start = l->at;

		if (c == ' ' || (c >= '\t' && c <= '\r')) {
			l->at++;
		} else if (c == '#' || (c == '/' && look(l, 1) == '/')) {
			skip_line(l);
		} else if (c == '/' && look(l, 1) == '*') {
			l->at += 2;
			if (!skip_past(l, "*/")) {
				l->at = start;
				return false;
			}
		} else {
			return true;
		}
	}
}

static enum token_kind name_kind(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
		if (str_equal(name, keywords[i].text))
			return keywords[i].kind;
	return TOKEN_NAME;
}

/* The interned text from START to the current position, and whether it is a keyword. */
static struct lex_name *name_from(struct lexer *l, uint32_t start)
{
	const char *text = l->source->text + start;
	uint32_t size = l->at - start;
	struct lex_name *known;

	known = &l->names[hash_bytes(HASH_START, text, size) % LEX_NAMES];
	if (known->text && known->size == size && memcmp(known->text, text, size) == 0)
		return known;
	known->text = intern(l->strings, text, size);
	known->size = size;
	known->kind = name_kind(known->text);
	return known;
}

static struct token lex_name(struct lexer *l)
{
	uint32_t start = l->at;
	struct token t;
	struct lex_name *n;

	while (is_name(look(l, 0)))
		l->at++;
	n = name_from(l, start);
	t = make(l, n->kind, start);
	t.text = n->text;
	return t;
}

/* The value of the digits in BASE up to the end of the word. Like SystemTap, it accepts values up to 2^64 - 1,
 * which wrap. */
static struct token number_value(const struct lexer *l, uint32_t start, uint32_t digits,
				 unsigned base)
{
	struct token t = make(l, TOKEN_NUMBER, start);
	uint64_t value = 0;

	if (digits == l->at)
		return bad(l, LEX_BAD_NUMBER, start);
	for (uint32_t i = digits; i < l->at; i++) {
		int d = hex_digit((unsigned char)l->source->text[i]);

		if (d < 0 || (unsigned)d >= base)
			return bad(l, LEX_BAD_NUMBER, start);
		if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
		    __builtin_add_overflow(value, (uint64_t)d, &value))
			return bad(l, LEX_LARGE_NUMBER, start);
	}
	t.number = (int64_t)value;
	return t;
}

static struct token lex_number(struct lexer *l)
{
	uint32_t start = l->at;
	bool zero = look(l, 0) == '0', hex = zero && (look(l, 1) | 0x20) == 'x';

	while (is_name(look(l, 0)))
		l->at++;
	if (hex)
		return number_value(l, start, start + 2, 16);
	if (zero && l->at > start + 1)
		return number_value(l, start, start + 1, 8);
	return number_value(l, start, start, 10);
}

/* $1 $# @1 @#, with the lexer at the digit or '#'. */
static struct token lex_argument(struct lexer *l, enum token_kind kind, uint32_t start)
{
	enum { MOST = 1000000 };
	int64_t number = 0;
	struct token t;

	if (look(l, 0) == '#') {
		l->at++;
		return make(l, kind, start);
	}
	for (; is_digit(look(l, 0)); l->at++)
		number = number < MOST ? 10 * number + (look(l, 0) - '0') : number;
	t = make(l, kind, start);
	t.number = number ? number : MOST;	/* $0 does not exist, like $1000000 */
	return t;
}

static struct token lex_at(struct lexer *l)
{
	uint32_t start = l->at++;
	unsigned char c = look(l, 0);
	struct token t;

	if (c == '#' || is_digit(c))
		return lex_argument(l, TOKEN_ARG_STRING, start);
	if (!is_name_start(c))
		return bad(l, LEX_BAD_CHARACTER, start);
	while (is_name(look(l, 0)))
		l->at++;
	t = make(l, TOKEN_AT, start);
	t.text = name_from(l, start + 1)->text;
	return t;
}

/* Moves to the closing quote. A string ends at the end of the line, unless a backslash precedes it. */
static bool find_quote(struct lexer *l, bool *has_escapes)
{
	for (*has_escapes = false; !at_end(l); l->at++) {
		switch (look(l, 0)) {
		case '"':
			return true;
		case '\n':
			return false;
		case '\\':
			*has_escapes = true;
			l->at++;
			break;
		}
	}
	l->at = (uint32_t)l->source->size;
	return false;
}

struct unescape {
	struct lexer *l;	/* positioned in the escape */
	char *out;
	struct token *error;	/* set to TOKEN_BAD at the first invalid escape */
};

static void unescape_octal(struct unescape *u, uint32_t start)
{
	unsigned value = 0;

	for (int i = 0; i < 3 && look(u->l, 0) >= '0' && look(u->l, 0) <= '7'; i++, u->l->at++)
		value = 8 * value + (unsigned)(look(u->l, 0) - '0');
	if (value > 0xff)
		*u->error = bad(u->l, LEX_LARGE_OCTAL, start);
	*u->out++ = (char)value;
}

static void unescape_hex(struct unescape *u, uint32_t start)
{
	unsigned value = 0;
	uint32_t digits = ++u->l->at;

	for (int d; (d = hex_digit(look(u->l, 0))) >= 0; u->l->at++)
		value = value > 0xff ? value : 16 * value + (unsigned)d;
	if (u->l->at == digits)
		*u->error = bad(u->l, LEX_EMPTY_HEX, start);
	else if (value > 0xff)
		*u->error = bad(u->l, LEX_LARGE_HEX, start);
	*u->out++ = (char)value;
}

/* One escape, with the lexer after its backslash. Escapes are those of C; an unknown one is the character itself. */
static void unescape(struct unescape *u)
{
	static const char letters[] = "abtnvfr", values[] = "\a\b\t\n\v\f\r";
	uint32_t start = u->l->at - 1;
	unsigned char c = look(u->l, 0);
	const char *letter = c ? strchr(letters, c) : NULL;

	if (c >= '0' && c <= '7') {
		unescape_octal(u, start);
	} else if (c == 'x') {
		unescape_hex(u, start);
	} else {
		*u->out++ = letter ? values[letter - letters] : (char)c;
		u->l->at++;
	}
}

/* Copies the source from START to END to TEXT, with escapes interpreted. Sets *T's size, or makes it an error. */
static void unescape_string(struct lexer inside, uint32_t start, uint32_t end, char *text,
			    struct token *t)
{
	struct unescape u = { .l = &inside, .out = text, .error = t };

	for (inside.at = start; inside.at < end && t->kind != TOKEN_BAD;) {
		unsigned char c = look(&inside, 0);

		inside.at++;
		if (c == '\\')
			unescape(&u);
		else
			*u.out++ = (char)c;
	}
	if (t->kind == TOKEN_BAD)
		return;
	*u.out = '\0';
	t->size = (size_t)(u.out - text);
}

static struct token lex_string(struct lexer *l)
{
	uint32_t start = l->at++, end;
	bool has_escapes;
	struct token t;
	char *text;

	if (!find_quote(l, &has_escapes))
		return bad(l, LEX_OPEN_STRING, start);
	end = l->at++;
	t = make(l, TOKEN_STRING, start);
	t.size = end - start - 1;
	text = arena_strndup(l->strings->arena, l->source->text + start + 1, t.size);
	t.text = text;
	if (has_escapes)
		unescape_string(*l, start + 1, end, text, &t);
	return t;
}

static struct token lex_embedded(struct lexer *l)
{
	uint32_t start = l->at;
	struct token t;

	l->at += 2;
	if (!skip_past(l, "%}")) {
		t = bad(l, LEX_OPEN_EMBEDDED, start);
		t.span.end = start + 2;
		return t;
	}
	t = make(l, TOKEN_EMBEDDED, start);
	t.size = l->at - start - 4;
	t.text = arena_strndup(l->strings->arena, l->source->text + start + 2, t.size);
	return t;
}

/* The size of the UTF-8 character here; 0 if it is not valid UTF-8. */
static unsigned utf8_size(const struct lexer *l)
{
	unsigned char c = look(l, 0);
	unsigned n = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 :
		     c >= 0xf0 && c < 0xf5 ? 4 : 0;

	for (unsigned i = 1; i < n; i++)
		if ((look(l, i) & 0xc0) != 0x80)
			return 0;
	return n;
}

/* A file that is not text gives one error, not thousands: the rest of it is skipped. */
static struct token lex_no_text(struct lexer *l, enum lex_error error)
{
	struct token t;

	l->at++;
	t = bad(l, error, l->at - 1);
	l->at = (uint32_t)l->source->size;
	return t;
}

static struct token lex_stray(struct lexer *l)
{
	uint32_t start = l->at;
	unsigned char c = look(l, 0);

	if (c == 0)
		return lex_no_text(l, LEX_ZERO_BYTE);
	if (c < 0x80) {
		l->at++;
		return bad(l, LEX_BAD_CHARACTER, start);
	}
	if (!utf8_size(l))
		return lex_no_text(l, LEX_NOT_UTF8);
	l->at += utf8_size(l);
	return bad(l, LEX_FOREIGN_CHARACTER, start);
}

static struct token lex_operator(struct lexer *l)
{
	uint32_t start = l->at;
	unsigned char c = look(l, 0);
	size_t i = c < 128 ? l->operators[c] : 0;

	if (!i)
		return lex_stray(l);
	for (i--; i < ARRAY_SIZE(operators) && operators[i].text[0] == (char)c; i++) {
		size_t n = strlen(operators[i].text);

		if (n > 1 && (look(l, 1) != (unsigned char)operators[i].text[1] ||
			      (n > 2 && look(l, 2) != (unsigned char)operators[i].text[2])))
			continue;
		l->at += (uint32_t)n;
		return make(l, operators[i].kind, start);
	}
	return lex_stray(l);
}

struct token lex_next(struct lexer *l)
{
	struct token t;
	unsigned char c;

	if (!skip_blanks(l)) {
		t = bad(l, LEX_OPEN_COMMENT, l->at);
		t.span.end += 2;
		l->at = (uint32_t)l->source->size;
		return t;
	}
	if (at_end(l))
		return make(l, TOKEN_END, l->at);
	c = look(l, 0);
	if (c == '$' && (look(l, 1) == '#' || is_digit(look(l, 1)))) {
		l->at++;
		return lex_argument(l, TOKEN_ARG_TEXT, l->at - 1);
	}
	if (is_name_start(c))
		return lex_name(l);
	if (is_digit(c))
		return lex_number(l);
	if (c == '"')
		return lex_string(l);
	if (c == '@')
		return lex_at(l);
	if (c == '%' && look(l, 1) == '{')
		return lex_embedded(l);
	return lex_operator(l);
}

void lex_complain(const struct token *t)
{
	const char *text = t->span.source->text + t->span.start;
	int size = (int)(t->span.end - t->span.start);

	switch (t->error) {
	case LEX_REPORTED:
		break;
	case LEX_OPEN_STRING:
		diag_error(t->span, "unterminated string: expected '\"' on the same line");
		break;
	case LEX_OPEN_COMMENT:
		diag_error(t->span, "unterminated comment: expected '*/'");
		break;
	case LEX_OPEN_EMBEDDED:
		diag_error(t->span, "unterminated embedded C: expected '%%}'");
		break;
	case LEX_BAD_NUMBER:
		diag_error(t->span, "'%.*s' is not a number: expected 12, 014 (octal) or 0xc",
			   size < 40 ? size : 40, text);
		break;
	case LEX_LARGE_NUMBER:
		diag_error(t->span, "number does not fit in 64 bits");
		break;
	case LEX_LARGE_OCTAL:
		diag_error(t->span, "octal escape is above \\377");
		break;
	case LEX_LARGE_HEX:
		diag_error(t->span, "hexadecimal escape is above \\xff; '\"\"' ends it before a digit");
		break;
	case LEX_EMPTY_HEX:
		diag_error(t->span, "expected hexadecimal digits after '\\x'");
		break;
	case LEX_BAD_CHARACTER:
		if (*text == '\'')
			diag_error(t->span, "strings are written in double quotes: \"...\"");
		else if (*text > ' ')
			diag_error(t->span, "character '%c' has no meaning here", *text);
		else
			diag_error(t->span, "character 0x%02x has no meaning here", *text);
		break;
	case LEX_FOREIGN_CHARACTER:
		diag_error(t->span, "character '%.*s' is allowed only in strings and comments", size,
			   text);
		break;
	case LEX_NOT_UTF8:
		diag_error(t->span, "byte 0x%02x is not UTF-8 text: is this a script?",
			   (unsigned char)*text);
		break;
	case LEX_ZERO_BYTE:
		diag_error(t->span, "zero byte: this is a binary file, not a script");
		break;
	}
}

const char *token_text(enum token_kind kind)
{
	for (size_t i = 0; i < ARRAY_SIZE(keywords); i++)
		if (keywords[i].kind == kind)
			return keywords[i].text;
	for (size_t i = 0; i < ARRAY_SIZE(operators); i++)
		if (operators[i].kind == kind)
			return operators[i].text;
	return "";
}

const char *token_found(struct arena *a, const struct token *t)
{
	enum { LONGEST = 60 };
	bool name = t->kind == TOKEN_NAME || t->kind == TOKEN_AT;

	if (name && strlen(t->text) > LONGEST)
		return arena_printf(a, "'%.*s...'", LONGEST, t->text);
	switch (t->kind) {
	case TOKEN_END:
		return "the end of the script";
	case TOKEN_NAME:
		return arena_printf(a, "'%s'", t->text);
	case TOKEN_AT:
		return arena_printf(a, "'@%s'", t->text);
	case TOKEN_NUMBER:
		return arena_printf(a, "the number %lld", (long long)t->number);
	case TOKEN_STRING:
		return "a string";
	case TOKEN_EMBEDDED:
		return "embedded C";
	default:
		return arena_printf(a, "'%s'", token_text(t->kind));
	}
}
