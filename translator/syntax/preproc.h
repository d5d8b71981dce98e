/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tokens to tokens: expands macros and arguments of the script, and evaluates %( ... %? ... %: ... %). */
#ifndef TAPC_PREPROC_H
#define TAPC_PREPROC_H

#include "lex.h"
#include "base/util.h"
#include "base/vec.h"

typedef VEC(struct token) token_list;

struct macro {
	const char *name;		/* interned */
	struct span span;		/* of the name in the definition */
	VEC(const char *) parameters;	/* interned */
	token_list body;		/* as written */
};

struct interned;
struct macros;
struct options;
struct preproc;

struct preproc *preproc_open(struct macros *m, const struct source *s);
/* The next token; at the end, always TOKEN_END. Errors in conditions and macros have been reported;
 * lex_complain reports errors in the text itself. */
struct token preproc_next(struct preproc *p);
/* The names of the macros that are visible here, for suggestions. */
void preproc_macro_names(const struct preproc *p, name_list *names);

/* Properties of the target for preprocessor conditions: %( kernel_v > "5.10" %?, %( CONFIG_X == "y" %? */
struct preproc_target {
	const char *kernel_vr;		/* 6.1.0-50-amd64 */
	const char *kernel_v;		/* 6.1.0 */
	const char *arch;		/* x86_64, arm64 */
	const char *runtime;		/* "kernel" */
	const char *systemtap_v;	/* language version: that of --compatible, or the newest */
	const char *privilege;		/* "stapdev", ... */
	bool guru_mode;
	/* The value of NAME as in .config ("y", "m", "\"text\"", "12"), or NULL if it is not set. */
	const char *(*config)(void *data, const char *name);
	void *config_data;
};

/* What parsing needs besides the text. */
struct preproc_setup {
	struct preproc_target target;
	struct interned *strings;	/* names of all scripts; what is parsed is in its arena */
	const struct options *options;	/* the arguments of the script, guru mode */
};

/* Macros defined by .stpm library files and by scripts. The macros of a script are private to it. */
struct macros *macros_open(const struct preproc_setup *setup);
const struct preproc_setup *macros_setup(const struct macros *m);
/* Note which arguments of the script are used, in USED, which has an element for each. */
void macros_note_args(struct macros *m, bool *used);
/* Reads the @define lines of a library .stpm file. */
bool macros_add_library(struct macros *m, const struct source *s);

/* Returns a macro of the library, or NULL; macros_names adds the names of all. */
const struct macro *macros_find(const struct macros *m, const char *name);
void macros_names(const struct macros *m, name_list *names);

#endif
