/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State shared by the files of the parser. A parse function reads the construct that it is named after and
 * always returns a node. After an error the parser stays at a TOKEN_END, so that every loop ends without
 * further messages; parse.c then continues after the broken declaration. */
#ifndef TAPC_PARSE_STATE_H
#define TAPC_PARSE_STATE_H

#include "ast.h"
#include "lex.h"

struct preproc;

/* These limits allow later stages to recurse over the tree: an expression is at most MOST_TERMS +
 * MOST_NESTING nodes deep, a statement at most MOST_ELSE_IFS + MOST_NESTING. */
enum { MOST_NESTING = 500, MOST_TERMS = 5000, MOST_ELSE_IFS = 5000, MOST_POINTS = 10000,
       MOST_COMPONENTS = 100, MOST_PARAMETERS = 100 };

struct parser {
	struct arena *arena;
	struct interned *strings;
	const struct options *options;
	struct preproc *input;
	const struct source *source;
	struct script *script;
	struct token token;		/* the current token */
	struct token ahead;		/* the next one, if has_ahead */
	bool has_ahead;
	struct token last;		/* the previous one */
	struct token stopped_at;	/* if failed: the token that was current */
	bool failed;
	unsigned nesting;
	bool in_expression;
	unsigned terms;			/* operators in the outermost expression so far */
	bool histogram_allowed;		/* the next primary may be a bare @hist_log(x) */
	struct expr *histogram;		/* the bare histogram that was read */
	unsigned else_ifs;		/* in the body so far */
	unsigned loops;			/* number of loops around this statement */
	bool in_function;
	bool is_foreign;		/* the script is for another tracer: the rest is not read */
	struct span block;		/* the '{' of the current block */
};

/* parse.c: tokens */
void parser_advance(struct parser *p);
const struct token *parser_ahead(struct parser *p);
bool parser_accept(struct parser *p, enum token_kind kind);
bool parser_expect(struct parser *p, enum token_kind kind);	/* "expected 'x', found Y" */
void parser_expected(struct parser *p, const char *what);	/* the same with any text */
void parser_fail(struct parser *p, struct span at);		/* after another message */
/* Reports PROBLEM, unless it is NULL. */
void parser_refuse(struct parser *p, struct span at, const char *problem);
/* From FIRST to the last token read. */
struct span parser_span(const struct parser *p, struct span first);
/* A name, which must not be a keyword or begin with '$'; "" after a message. */
const char *parser_name(struct parser *p, const char *what);
/* Joins adjacent string literals; returns a TOKEN_STRING, or the unexpected token after a message. */
struct token parser_string(struct parser *p, const char *what);
int64_t parser_number(struct parser *p, const char *what);	/* with an optional '-' */
void parser_check_guru(struct parser *p, const char *what);	/* reports WHAT without -g */
void parser_enter(struct parser *p);				/* reports deep nesting */
void parser_leave(struct parser *p);

static inline bool parser_at(const struct parser *p, enum token_kind kind)
{
	return p->token.kind == kind;
}

/* parse_expr.c */
struct expr *parse_expr(struct parser *p);
void parse_keys(struct parser *p, expr_list *keys, struct expr *(*parse)(struct parser *));
/* Reports an E that cannot be changed; OPERATION is a text such as "assign to". */
void check_place(struct parser *p, const struct expr *e, const char *operation, bool target_too);
/* parse_primary.c */
struct expr *parse_primary(struct parser *p);
struct expr *parse_name(struct parser *p, const char *what);
bool parser_at_histogram(const struct parser *p);		/* @hist_log, @hist_linear */
struct expr *parse_stat(struct parser *p, bool histogram);	/* @count(x) ... */
enum stat_op stat_op_of(const struct token *t);			/* STAT_NONE for another token */
const char *stat_op_text(enum stat_op op);			/* "@count" */
bool is_at_operator(const char *name);				/* @NAME is built in */
/* parse_stmt.c */
struct stmt *parse_body(struct parser *p, bool in_function);	/* a handler or function body */
/* parse_point.c */
void parse_points(struct parser *p, point_list *points);
/* Can NAMES be the name of an alias, as in A = B or A += B? Reports an error if not. */
bool parse_check_alias(struct parser *p, const point_list *names);

#endif
