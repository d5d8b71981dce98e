/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What can be seen from a place in the target's code: its parameters, locals and globals, and how to
 * get at each. */
#ifndef TAPC_DEBUGINFO_PLACE_H
#define TAPC_DEBUGINFO_PLACE_H

#include "debuginfo.h"
#include "type.h"

/* How to compute something: a program for a stack of 64-bit numbers, neutral of DWARF and BTF. An
 * evaluator (location.c) runs it for tests; emit writes it as C. */
enum location_op {
	LOCATION_CONST,			/* push value */
	LOCATION_REGISTER,		/* push register VALUE (DWARF's number) as it is at the probe */
	LOCATION_ARGUMENT,		/* push the register of argument number VALUE (0 ...), by the calling
					 * convention: arch_argument(); valid at a function's entry only */
	LOCATION_RESULT,		/* push the returned value, by the calling convention; VALUE 1: the
					 * second half of one of two registers */
	LOCATION_CFA,			/* push the canonical frame address */
	LOCATION_ADDRESS,		/* push the run-time address of the image's link-time address VALUE:
					 * kernel: distance from TAP_ANCHOR; module: see section */
	LOCATION_TLS,			/* pop an offset, push the address in the thread's storage */
	LOCATION_PERCPU,		/* pop an address of a per-CPU variable, push this CPU's copy's */
	LOCATION_LOAD,			/* pop an address, push SIZE bytes from there (zero extended) */
	LOCATION_ADD, LOCATION_SUB, LOCATION_MUL, LOCATION_DIV, LOCATION_MOD, LOCATION_AND, LOCATION_OR,
	LOCATION_XOR, LOCATION_SHL, LOCATION_SHR, LOCATION_SHRA, LOCATION_NEG, LOCATION_NOT, LOCATION_ABS,
	LOCATION_EQ, LOCATION_NE, LOCATION_LT, LOCATION_LE, LOCATION_GT, LOCATION_GE,	/* signed: 0 or 1 */
	LOCATION_DUP, LOCATION_DROP, LOCATION_OVER, LOCATION_SWAP, LOCATION_ROT, LOCATION_PICK,
	LOCATION_JUMP, LOCATION_BRANCH,	/* to step VALUE; BRANCH pops a condition */
	LOCATION_SIGN,			/* sign-extend from SIZE bytes */
	LOCATION_ZERO,			/* zero-extend from SIZE bytes */
};

struct location_step {
	enum location_op op;
	uint8_t size;
	int64_t value;
	const char *section;		/* ADDRESS in a module */
};

enum location_kind {
	LOCATION_NOWHERE,		/* not available here; REASON says why */
	LOCATION_IN_MEMORY,		/* the steps give its address */
	LOCATION_IS_VALUE,		/* the steps give the value itself, extended to 64 bits as its type
					 * says; it has no address */
	LOCATION_IN_PIECES,		/* pieces, lowest bytes first */
};

struct location {
	enum location_kind kind;
	VEC(struct location_step) steps;
	VEC(struct location_piece) pieces;
	const char *reason;
};

struct location_piece {
	struct location location;	/* NOWHERE: this part is not available */
	uint32_t size;			/* bytes; 0: see bits */
	uint32_t bit_offset, bit_size;
};

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
	uint64_t id;			/* the back end's own: the DIE of the scope; 0: none */
	const struct debug_backend *backend;
};
typedef VEC(struct debug_place) debug_places;

/* What may be asked of a function's places. */
enum { PLACE_CALL = 1, PLACE_INLINE = 2, PLACE_RETURN = 4 };

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
/* The place at an offset, with its scope if one is known. */
enum debuginfo_answer debuginfo_place_at(struct debuginfo *d, const char *section, int64_t offset,
					 struct debug_place *out);

/* A parameter, local or global by its name, as seen from PLACE, innermost scope first. */
enum debuginfo_answer debuginfo_variable(const struct debug_place *p, const char *name,
					 struct debug_variable *out);
enum { VARIABLES_PARAMETERS = 1, VARIABLES_LOCALS = 2 };
enum debuginfo_answer debuginfo_variables(const struct debug_place *p, unsigned what,
					  debug_variables *out);
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
	void *data;
};
bool location_evaluate(const struct location_step *steps, size_t n, const struct location_state *s,
		       uint64_t *value, const char **reason);

#endif
