/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text to tree: lexer, preprocessor and parser behind one call. */
#ifndef TAPC_PARSE_H
#define TAPC_PARSE_H

#include "ast.h"
#include "base/text.h"
#include "base/util.h"
#include "base/vec.h"

struct translation;
struct macros;

/* What the preprocessor may ask of the target: %( kernel_v > "5.10" %? ... %( CONFIG_X == "y" %? ... */
struct preproc_target {
	const char *kernel_vr;		/* 6.1.0-50-amd64 */
	const char *kernel_v;		/* 6.1.0 */
	const char *arch;		/* x86_64, arm64 */
	const char *runtime;		/* "kernel" */
	const char *systemtap_v;	/* language version: --compatible or the newest */
	const char *privilege;		/* "stapdev", ... */
	bool guru_mode;
	/* The value of CONFIG_NAME as in .config ("y", "m", "\"text\"", "12"), or NULL when unset. */
	const char *(*config)(void *data, const char *name);
	void *config_data;
};

/* Macros defined by .stpm library files and by scripts; a script's own macros are private to it. */
struct macros *macros_open(struct translation *t, const struct preproc_target *target);
/* Read the @define lines of a library .stpm text. */
bool macros_add_library(struct macros *m, const struct source *s);

/* A macro of the library's, or NULL; and the names of all. */
const struct macro *macros_find(const struct macros *m, const char *name);
void macros_names(const struct macros *m, name_list *names);
/* The names of print, printf, ... */
void print_op_names(struct arena *a, name_list *names);

/* Parse a whole source. ARGS ($1 @1 $# @#) come from the options. Errors are counted in the
 * translation; the tree holds whatever could be parsed. IS_LIBRARY sources may use %{ %}, guru
 * syntax and macros with no -g. */
struct script *parse_script(struct translation *t, struct source *s, struct macros *m);

/* Script text of a tree, for -p1 and golden tests: normalised spelling, fully parenthesised. */
void print_script(struct text *out, const struct script *s);
void print_expr(struct text *out, const struct expr *e);
void print_stmt(struct text *out, const struct stmt *s, unsigned indent);
void print_probe(struct text *out, const struct probe *p);
void print_function(struct text *out, const struct function *f);
void print_variable(struct text *out, const struct variable *v);

#endif
