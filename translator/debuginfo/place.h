/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be seen from a place in the target's code: its parameters, locals and globals, and how to
 * get at each. */
#ifndef TAPC_DEBUGINFO_PLACE_H
#define TAPC_DEBUGINFO_PLACE_H

#include "debuginfo.h"
#include "base/location.h"
#include "type.h"

/* The part of type T that begins OFFSET bytes into what is at L; a bit-field of BIT_SIZE bits from
 * BIT_OFFSET on of T's bytes when BIT_SIZE is not 0. IN_MEMORY where L is (a bit-field is still to be
 * taken out of T's bytes there), IS_VALUE for a number or pointer that is anywhere else, put together
 * from its pieces and extended as T says, or NOWHERE; a struct,
 * union or array that is not in memory is IN_PIECES. */
struct location location_part(struct arena *a, const struct location *l, int64_t offset,
			      const struct debug_type *t, uint32_t bit_offset, uint32_t bit_size);
/* What the pointer L of kind POINTS_TO points to, OFFSET bytes further. */
struct location location_pointee(struct arena *a, const struct location *l, int64_t offset,
				 const struct debug_type *t, uint32_t bit_offset, uint32_t bit_size);

/* Something with a name. */
struct debug_variable {
	const char *name;
	const struct debug_type *type;
	struct location location;
	bool is_parameter, is_global;
	const char *source;		/* "DWARF", "BTF", "symbol table": who says so */
	const char *file;		/* declared in; or NULL */
	unsigned line;
};
typedef VEC(struct debug_variable) debug_variables;

/* The arguments of tracepoint NAME of D, in order, as they are GIVEN to a handler: word after word. */
enum debuginfo_answer debuginfo_tracepoint_arguments(struct debuginfo *d, const char *name,
						     debug_variables *out);

/* A place to be probed. */
struct debug_place {
	struct debuginfo *image;
	const char *function;		/* its name; of the inlined function where it is inlined */
	const char *caller;		/* inlined: the function that it is in */
	const char *section;		/* module: offset counts from its start */
	int64_t offset;			/* of the probe: kernel: from TAP_ANCHOR */
	int64_t entry;			/* of the (outermost) function */
	bool at_entry, at_return;	/* before the function's first, after its last instruction */
	struct symbol symbol;		/* of the (outermost) function: clone, obstacle, ftrace site; its
					 * name is NULL: no symbol table has it */
	const char *file;		/* as DWARF names it: "fs/read_write.c"; or NULL */
	unsigned line;
	const char *chosen_as;		/* it is one of those that stand for this name (IFUNC) */
	bool chosen_outside;		/* another is in the vDSO */
	const char *label;		/* of debuginfo_label_places(); or NULL */
	uint64_t id;			/* of the DIE of the scope; 0: none, DWARF did not find this place */
};
typedef VEC(struct debug_place) debug_places;

/* What may be asked of a function's places. */
enum {
	PLACE_CALL = 1, PLACE_INLINE = 2, PLACE_RETURN = 4,
	PLACE_ONCE = 8,			/* for listing: of inlined copies of a function one, if it has no
					 * other */
	PLACE_SYMBOLS = 16,		/* by symbol tables alone */
};

/* Places of functions that match PATTERN ("vfs_*"; FILE: a glob, or NULL), sorted by offset: also of the
 * compiler's copies that are entries (f.isra.0, f.constprop.0), and those with an obstacle. Without
 * DWARF only out-of-line entries. */
enum debuginfo_answer debuginfo_function_places(struct debuginfo *d, const char *pattern,
						const char *file, unsigned kinds, debug_places *out);
/* Places of source lines: FIRST to LAST of FILE in functions that match PATTERN. NEAREST: the next
 * line with code when there is none on FIRST. RELATIVE: lines count from the function's own. */
enum debuginfo_answer debuginfo_line_places(struct debuginfo *d, const char *pattern, const char *file,
					    unsigned first, unsigned last, bool relative, bool nearest,
					    debug_places *out);
/* The label NAME (a glob) in functions that match PATTERN. */
enum debuginfo_answer debuginfo_label_places(struct debuginfo *d, const char *pattern,
					     const char *file, const char *name, debug_places *out);
/* What a function calls, and what is inlined into it. */
struct debug_callee {
	struct debug_place place;	/* the entry; or, inlined, where it is */
	bool is_called, is_jump;	/* jump: at the caller's end, so that it returns to the caller's caller */
	const char *section;		/* called: where the call returns to, as in debug_place; */
	int64_t returns_to;		/* jump: the caller's entry */
};
typedef VEC(struct debug_callee) debug_callees;
/* Those of the (inlined) function at P that match PATTERN, one for each call; places may be there many times. */
enum debuginfo_answer debuginfo_callees(const struct debug_place *p, const char *pattern, debug_callees *out);

/* The place at an offset, with its scope if one is known. */
enum debuginfo_answer debuginfo_place_at(struct debuginfo *d, const char *section, int64_t offset,
					 struct debug_place *out);

/* A parameter, local or global by its name, as seen from PLACE, innermost scope first. */
enum debuginfo_answer debuginfo_variable(const struct debug_place *p, const char *name,
					 struct debug_variable *out);
enum { VARIABLES_PARAMETERS = 1, VARIABLES_LOCALS = 2 };
enum debuginfo_answer debuginfo_variables(const struct debug_place *p, unsigned what,
					  debug_variables *out);
/* Names and types alone of all that is seen from P, with the function's value as "return" first: for
 * listing. */
enum debuginfo_answer debuginfo_signature(const struct debug_place *p, debug_variables *out);
/* The function's value, at a place with at_return. */
enum debuginfo_answer debuginfo_return(const struct debug_place *p, struct debug_variable *out);
/* A global of the image; FILE, a glob, tells static ones apart; NULL: any. ABSENT with a name in OUT:
 * the symbol table has its address (OUT's location), and nothing tells its type. */
enum debuginfo_answer debuginfo_global(struct debuginfo *d, const char *name, const char *file,
				       struct debug_variable *out);

/* Run a location's steps, for tests: REGISTER and READ give the target's state; false when something
 * is missing or wrong (REASON). The same code decides, at translation, whether emit may use it. */
struct location_state {
	bool (*reg)(void *data, unsigned number, uint64_t *value);
	bool (*read)(void *data, uint64_t address, unsigned size, uint64_t *value);
	/* For ADDRESS; for TLS and PERCPU, with what was popped as the step's value. May be NULL. */
	bool (*address)(void *data, const struct location_step *step, uint64_t *value);
	uint64_t cfa;			/* 0: not known */
	const struct arch *arch;
	void *data;
};
bool location_evaluate(const struct location_step *steps, size_t n, const struct location_state *s,
		       uint64_t *value, const char **reason);

#endif
