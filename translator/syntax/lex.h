/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text to tokens. The lexer itself reports no errors: text that it cannot read becomes TOKEN_BAD, because
 * a branch that the preprocessor skips may contain anything. The caller that uses the token calls
 * lex_complain for a bad one. */
#ifndef TAPC_LEX_H
#define TAPC_LEX_H

#include <stdbool.h>
#include <stdint.h>

#include "source/source.h"

struct arena;

enum token_kind {
	TOKEN_END,
	TOKEN_BAD,
	TOKEN_NAME,		/* foo, $foo, a$b */
	TOKEN_NUMBER,
	TOKEN_STRING,
	TOKEN_AT,		/* @count: an operator, a macro or its parameter; text is "count" */
	TOKEN_ARG_TEXT,		/* $1: an argument of the script, pasted as text; $# */
	TOKEN_ARG_STRING,	/* @1, @# */
	TOKEN_EMBEDDED,		/* %{ ... %} */
#define KEYWORD(name, text) TOKEN_##name,
#define OPERATOR(name, text) TOKEN_##name,
#include "tokens.def"
	TOKEN_COUNT,
};

enum lex_error {
	LEX_REPORTED,		/* a message was printed already */
	LEX_OPEN_STRING, LEX_OPEN_COMMENT, LEX_OPEN_EMBEDDED, LEX_BAD_NUMBER, LEX_LARGE_NUMBER,
	LEX_LARGE_OCTAL, LEX_LARGE_HEX, LEX_EMPTY_HEX, LEX_BAD_CHARACTER, LEX_FOREIGN_CHARACTER,
	LEX_NOT_UTF8, LEX_ZERO_BYTE,
};

struct token {
	enum token_kind kind;
	enum lex_error error;	/* BAD */
	struct span span;
	const char *text;	/* NAME, AT and keywords: interned; STRING: its value; EMBEDDED: the C code */
	union {
		size_t size;	/* STRING, EMBEDDED */
		int64_t number;	/* NUMBER; ARG_*: number of the argument, from 1; 0 for the count */
	};
};

/* A cache of recent names: one that occurs a million times is interned once. */
struct lex_name {
	const char *text;
	uint32_t size;
	enum token_kind kind;
};

enum { LEX_NAMES = 1024 };

struct lexer {
	const struct source *source;
	uint32_t at;			/* offset of the next character */
	struct interned *strings;	/* where names are interned */
	struct lex_name *names;		/* LEX_NAMES entries, shared by the lexers of a script */
	uint8_t operators[128];		/* by first character: index into the table, from 1 */
};

void lexer_open(struct lexer *l, const struct source *s, struct interned *strings, struct lex_name *names);
struct token lex_next(struct lexer *l);
/* Report a TOKEN_BAD. */
void lex_complain(const struct token *t);

/* Describes a token for "found ...": 'foo', a string, the end of the script. */
const char *token_found(struct arena *a, const struct token *t);
/* The spelling of a keyword or operator. */
const char *token_text(enum token_kind kind);

#endif
