/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Variables visible at a place in the target's code: parameters, locals and globals, and how to read each. */
#ifndef TAPC_DEBUGINFO_PLACE_H
#define TAPC_DEBUGINFO_PLACE_H

#include "debuginfo.h"
#include "base/location.h"
#include "type.h"
#include "debuginfo/symbols/symbol.h"

/* A named parameter, local or global. */
struct debug_variable {
	const char *name;
	const struct debug_type *type;
	struct location location;
	bool is_parameter, is_global;
	const char *source;		/* "DWARF", "BTF", "symbol table": where this is from */
	const char *file;		/* declared in; or NULL */
	unsigned line;
};
typedef VEC(struct debug_variable) debug_variables;

/* A place that can be probed. */
struct debug_place {
	struct debuginfo *image;
	const char *function;		/* its name; for inlined code, the inlined function */
	const char *caller;		/* inlined: the function that contains it */
	const char *section;		/* module: offset is relative to it */
	int64_t offset;			/* of the probe: kernel: from TAP_ANCHOR */
	int64_t entry;			/* of the (outermost) function */
	bool at_entry, at_return;	/* before the function's first, after its last instruction */
	struct symbol symbol;		/* of the (outermost) function: clone, obstacle, ftrace
					 * site; its name is NULL if no symbol table has it */
	const char *file;		/* as in DWARF: "fs/read_write.c"; or NULL */
	unsigned line;
	const char *chosen_as;		/* it is one of the implementations of this name (IFUNC) */
	bool chosen_outside;		/* another implementation is in the vDSO */
	const char *label;		/* of debuginfo_label_places(); or NULL */
	uint64_t id;			/* of the DIE of the scope; 0: DWARF did not find this place */
};
typedef VEC(struct debug_place) debug_places;

/* Kinds of places of a function. */
enum {
	PLACE_CALL = 1, PLACE_INLINE = 2, PLACE_RETURN = 4,
	PLACE_ONCE = 8,			/* for listing: a single inlined copy, if the function has no other place */
	PLACE_SYMBOLS = 16,		/* from symbol tables only */
	PLACE_PARTS = 32,		/* also the entries of parts that the compiler has split off (f.part.0) */
};

/* Places of functions that match PATTERN ("vfs_*"; FILE: a glob, or NULL), sorted by offset, including those with
 * an obstacle and clones that are entries (f.isra.0, f.constprop.0). Without DWARF only out-of-line entries. */
enum debuginfo_answer debuginfo_function_places(struct debuginfo *d, const char *pattern,
						const char *file, unsigned kinds, debug_places *out);
/* Places of source lines: FIRST to LAST of FILE in functions that match PATTERN. NEAREST: the next
 * line with code if FIRST has none. RELATIVE: lines are relative to that of the function. */
enum debuginfo_answer debuginfo_line_places(struct debuginfo *d, const char *pattern, const char *file,
					    unsigned first, unsigned last, bool relative, bool nearest,
					    debug_places *out);
/* The label NAME (a glob) in functions that match PATTERN. */
enum debuginfo_answer debuginfo_label_places(struct debuginfo *d, const char *pattern,
					     const char *file, const char *name, debug_places *out);

/* The place at an offset, with its scope if it is known. */
enum debuginfo_answer debuginfo_place_at(struct debuginfo *d, const char *section, int64_t offset,
					 struct debug_place *out);

/* A parameter, local or global visible at PLACE by name, innermost scope first. */
enum debuginfo_answer debuginfo_variable(const struct debug_place *p, const char *name,
					 struct debug_variable *out);
enum { VARIABLES_PARAMETERS = 1, VARIABLES_LOCALS = 2 };
enum debuginfo_answer debuginfo_variables(const struct debug_place *p, unsigned what,
					  debug_variables *out);
/* Only names and types of all variables visible at P, with the function's result as "return" first: for listing. */
enum debuginfo_answer debuginfo_signature(const struct debug_place *p, debug_variables *out);
/* The function's result, at a place with at_return. */
enum debuginfo_answer debuginfo_return(const struct debug_place *p, struct debug_variable *out);
/* All results, if P is the return of a function of Go; else none. */
enum debuginfo_answer debuginfo_results(const struct debug_place *p, debug_variables *out);
/* A global of the image; FILE, a glob, selects among static ones; NULL: any file. ABSENT with a
 * name in OUT: the symbol table has its address (OUT's location), but its type is not known. */
enum debuginfo_answer debuginfo_global(struct debuginfo *d, const char *name, const char *file,
				       struct debug_variable *out);

#endif
