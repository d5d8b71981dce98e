/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text to tree: lexer, preprocessor and parser in one call. */
#ifndef TAPC_PARSE_H
#define TAPC_PARSE_H

#include "ast.h"
#include "base/text.h"
#include "base/util.h"
#include "base/vec.h"

struct translation;
struct macros;

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

/* Macros defined by .stpm library files and by scripts. The macros of a script are private to it. */
struct macros *macros_open(struct translation *t, const struct preproc_target *target);
/* Reads the @define lines of a library .stpm file. */
bool macros_add_library(struct macros *m, const struct source *s);

/* Returns a macro of the library, or NULL; macros_names adds the names of all. */
const struct macro *macros_find(const struct macros *m, const char *name);
void macros_names(const struct macros *m, name_list *names);
/* The names of print, printf, ... */
void print_op_names(struct arena *a, name_list *names);

/* Parses a whole source. The arguments of the script ($1 @1 $# @#) come from the options. Errors are counted
 * in the translation; the tree contains everything that could be parsed. Sources with is_library set may use
 * %{ %}, guru syntax and macros without -g. */
struct script *parse_script(struct translation *t, struct source *s, struct macros *m);

/* Print a tree as script text, for -p1 and golden tests: normalised spelling, fully parenthesised. */
void print_script(struct text *out, const struct script *s);
void print_expr(struct text *out, const struct expr *e);
void print_stmt(struct text *out, const struct stmt *s, unsigned indent);
void print_probe(struct text *out, const struct probe *p);
void print_function(struct text *out, const struct function *f);
void print_variable(struct text *out, const struct variable *v);

#endif
