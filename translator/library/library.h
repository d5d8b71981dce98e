/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that a script can refer to: its own and, on demand, those of the tapset files. A tapset file
 * is read when one of its names is needed; then all of it is part of the translation. */
#ifndef TAPC_LIBRARY_H
#define TAPC_LIBRARY_H

#include "syntax/ast.h"
#include "base/map.h"

struct diag;
struct target_host;

struct library {
	struct arena *arena;
	struct diag *diag;
	struct macros *macros;
	VEC(struct script *) scripts;		/* the user's first, then tapset files in the order of use */
	struct map functions;			/* name -> function_list */
	struct map globals;			/* name -> struct variable */
	struct map private_globals;		/* "source-pointer name" -> struct variable */
	struct map private_functions;		/* the same keys -> function_list; a name may be in both maps */
	VEC(struct probe *) aliases;		/* of all scripts read so far */
	struct map index;			/* "function NAME" ... -> struct tapset_file */
	VEC(struct tapset_file *) files;
	VEC(struct alias_name) alias_names;	/* of files not read yet */
};

struct tapset_file {
	const char *path;
	bool read, system;			/* system: shipped with tapc; its C is in the runtime */
	struct script *script;
};

struct alias_name {
	const char *name;			/* dotted */
	struct tapset_file *file;
};

/* Indexes the tapset directories for HOST: the shipped ones, the user's own and those of -I. */
bool library_open(struct library *lib, struct diag *d, const struct target_host *host, struct macros *macros);
/* Adds the declarations of a parsed script. Reports names that are defined twice. */
bool library_add(struct library *lib, struct script *s);
/* Returns the overloads of a function in order, reading tapset files if needed; NULL if there are none.
 * A private function of FROM hides the others. */
function_list *library_functions(struct library *lib, const char *name, const struct source *from);
/* Returns a global, or NULL if there is none of this name. */
struct variable *library_global(struct library *lib, const char *name, const struct source *from);
/* Reads all tapset files; returns false after error messages. */
bool library_read_all(struct library *lib);
/* Reads every tapset file that defines an alias which POINT could refer to. */
bool library_read_aliases(struct library *lib, const struct point *point);
/* The names of the user's own globals. */
void library_user_globals(struct library *lib, name_list *names);
/* The function name nearest to NAME, for suggestions; or NULL. */
const char *library_suggest(struct library *lib, const char *name);

#endif
