/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A document as tokens and declarations, also if it does not parse: what is at the cursor, and where names are. */
#ifndef TAPC_SERVER_SCAN_H
#define TAPC_SERVER_SCAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/util.h"
#include "base/vec.h"
#include "syntax/lex.h"

enum { NO_TOKEN = SIZE_MAX };

/* The tokens [first, end). */
struct declaration {
	enum token_kind kind;		/* TOKEN_PROBE, _FUNCTION, _GLOBAL; TOKEN_AT: @define */
	size_t first, end;
	size_t body;			/* its '{', embedded C, or the %( of a macro; or END */
	size_t close;			/* the '}' or %) of the body; END: no body, or it is open */
	size_t equals;			/* probe: the '=' or '+=' of an alias, or NO_TOKEN */
	size_t name;			/* of a function or macro; NO_TOKEN: none yet */
};

struct scan {
	struct source source;
	VEC(struct token) tokens;	/* the last is a TOKEN_END */
	VEC(struct declaration) declarations;
};

/* TEXT must outlive S. */
void scan_text(struct scan *s, struct arena *a, const char *text, size_t size);

/* The token that contains AT, or ends or begins there if that is a word; NO_TOKEN: a blank, a comment. */
size_t scan_word_at(const struct scan *s, uint32_t at);
/* Does the token consist of letters? A name, a keyword, "@name" or "$name". */
bool token_is_word(const struct token *t);
/* The last token that begins before AT; NO_TOKEN: none. */
size_t scan_before(const struct scan *s, uint32_t at);
bool scan_in_comment(const struct scan *s, uint32_t at);
/* The declaration that contains the token, or NULL. */
const struct declaration *scan_declaration(const struct scan *s, size_t token);
/* Is the token at the end of a pair a string or name of the kind and text? */
bool token_is(const struct scan *s, size_t token, enum token_kind kind);
/* As written, without quotes. */
const char *token_written(struct arena *a, const struct token *t);
/* The opening bracket of the one at CLOSE, or NO_TOKEN. */
size_t scan_opening(const struct scan *s, size_t close);

/* How a name is used at a token. */
enum use {
	USE_NONE,			/* not a name of the script: a keyword, a member, part of a point, "$x", "@x" */
	USE_VARIABLE,
	USE_FUNCTION,
};
enum use scan_use(const struct scan *s, size_t token);
/* The number of brackets of D that are open before the token. */
int scan_depth(const struct scan *s, const struct declaration *d, size_t token);
/* Is it within the points of a probe, outside of their arguments and conditions? */
bool scan_in_point(const struct scan *s, const struct declaration *d, size_t token);
/* Is NAME declared by 'global' in the text? The token, or NO_TOKEN. */
size_t scan_global(const struct scan *s, const char *name);
/* The declaration of a function or macro of this name, or NULL. */
const struct declaration *scan_named(const struct scan *s, enum token_kind kind, const char *name);
/* The parameters of a function or macro. */
void scan_parameters(const struct scan *s, const struct declaration *d, struct arena *a, name_list *names);
bool scan_has_parameter(const struct scan *s, const struct declaration *d, const char *name);
/* The first token of the variable NAME in D, or NO_TOKEN. */
size_t scan_local(const struct scan *s, const struct declaration *d, const char *name);

#endif
