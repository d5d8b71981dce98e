/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Types of the target, the same for DWARF and BTF. A type is a handle into its image: members, targets and
 * enumerators are read on demand. A typedef is a separate type; qualifiers are flags of the qualified type. */
#ifndef TAPC_DEBUGINFO_TYPE_H
#define TAPC_DEBUGINFO_TYPE_H

#include "debuginfo.h"

enum debug_kind {
	DEBUG_VOID, DEBUG_INT, DEBUG_BOOL, DEBUG_CHAR, DEBUG_FLOAT, DEBUG_ENUM,
	DEBUG_POINTER, DEBUG_ARRAY, DEBUG_STRUCT, DEBUG_UNION, DEBUG_FUNCTION,
	DEBUG_TYPEDEF,
};

struct debug_type {
	enum debug_kind kind;
	const char *name;		/* "task_struct", "int", "pid_t"; NULL: anonymous */
	uint64_t size;			/* bytes; 0: incomplete, or of unknown length */
	uint64_t count;			/* ARRAY: elements; 0: flexible */
	bool is_signed;			/* INT, CHAR, ENUM */
	bool is_const, is_volatile;
	struct debuginfo *image;
	const struct debug_type_reader *reader;	/* of the back end that can read the rest */
	uint64_t id;			/* private to that back end: a BTF id, the offset of a DIE */
};

/* The pointee (for "void *", a VOID type), the element, the type of a typedef, or a function's result.
 * NULL for other types. */
const struct debug_type *debug_type_target(const struct debug_type *t);
/* The type without typedefs. */
const struct debug_type *debug_type_real(const struct debug_type *t);
/* As C text: "struct file *", "unsigned int [16]". */
const char *debug_type_text(struct arena *a, const struct debug_type *t);

struct debug_member {
	const char *name;		/* NULL: anonymous struct or union */
	const struct debug_type *type;
	uint64_t offset;		/* bytes from the start of the outermost type of the query */
	uint32_t bit_offset, bit_size;	/* bit-field: bits from OFFSET, least significant first (the target's
					 * byte order is taken into account), mostly within SIZE of the type,
					 * in packed structs possibly one byte more; size 0: not a bit-field */
};

/* STRUCT or UNION: the member NAME, also inside anonymous members. */
bool debug_type_member(const struct debug_type *t, const char *name, struct debug_member *m);
size_t debug_type_member_count(const struct debug_type *t);
bool debug_type_member_at(const struct debug_type *t, size_t i, struct debug_member *m);
/* The member name most similar to NAME; or NULL. */
const char *debug_type_suggest(const struct debug_type *t, const char *name);

/* FUNCTION; the type is NULL for "...". */
size_t debug_type_parameter_count(const struct debug_type *t);
bool debug_type_parameter_at(const struct debug_type *t, size_t i, const char **name,
			     const struct debug_type **type);

size_t debug_type_enumerator_count(const struct debug_type *t);
bool debug_type_enumerator_at(const struct debug_type *t, size_t i, const char **name, int64_t *value);

/* For back ends: describe a bit-field: BITS bits from bit AT of the struct, in units of SIZE bytes. */
void member_set_bits(struct debug_member *m, uint64_t at, uint32_t bits, uint64_t size);

#endif
