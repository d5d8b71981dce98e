/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a script may refer to: its own declarations and, on demand, those of the tapset files. A file
 * is read when a name in it is wanted, and then all of it is part of the translation. */
#ifndef TAPC_LIBRARY_H
#define TAPC_LIBRARY_H

#include "syntax/ast.h"
#include "base/map.h"
#include "syntax/parse.h"

struct translation;

struct library {
	struct translation *translation;
	struct macros *macros;
	VEC(struct script *) scripts;		/* the user's first, then tapset files as they are met */
	struct map functions;			/* name -> function_list */
	struct map globals;			/* name -> struct variable */
	struct map private_globals;		/* "source-pointer name" -> struct variable */
	struct map private_functions;		/* the same keys -> function_list; a name may be both, as public ones may */
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

/* Index the tapset folders: the shipped ones and -I. */
bool library_open(struct library *lib, struct translation *t, struct macros *macros);
/* Take in a parsed script: its declarations become known. Reports names defined twice. */
bool library_add(struct library *lib, struct script *s);
/* The function's overloads in order, reading tapset files when needed; NULL when there is none.
 * FROM's private ones come first. */
function_list *library_functions(struct library *lib, const char *name, const struct source *from);
/* A global; NULL when there is none. */
struct variable *library_global(struct library *lib, const char *name, const struct source *from);
/* Read all tapset files; false, with messages, when something is wrong with them. */
bool library_read_all(struct library *lib);
/* Read every tapset file that defines an alias that POINT could mean. */
bool library_read_aliases(struct library *lib, const struct point *point);
/* The names of the user's own globals. */
void library_user_globals(struct library *lib, name_list *names);
/* The known function name that is most like NAME, for suggestions; or NULL. */
const char *library_suggest(struct library *lib, const char *name);

#endif
